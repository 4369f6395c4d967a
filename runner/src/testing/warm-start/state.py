# Prints what a program can observe of its process.
import os
import random
import resource
import signal
import site
import sys
import tempfile
import threading

from ansible.plugins.callback import CallbackBase


def files():
    found = []
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            found.append("%s %s" % (name, os.readlink("/proc/self/fd/" + name)))
        except OSError:
            # The descriptor of the list.
            pass
    return found


def stat_fields():
    with open("/proc/self/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    # Terminal, nice value, pending, blocked, ignored and caught signals, and the signal that is sent at the end.
    return [fields[number - 3] for number in (7, 19, 31, 32, 33, 34, 38)]


def status():
    names = ("Name", "Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Umask", "Threads")
    with open("/proc/self/status") as rows:
        return [row.split(":", 1)[1].split()[:4] for row in rows if row.split(":")[0] in names]


def content(name):
    with open("/proc/self/" + name, "rb") as file:
        return file.read()


def limits():
    return [resource.getrlimit(getattr(resource, name)) for name in sorted(dir(resource)) if name.startswith("RLIMIT_")]


def main_module():
    main = sys.modules["__main__"]
    loader = main.__loader__
    kept = {name: value for name, value in vars(main).items() if name.startswith("__") and name != "__builtins__"}
    return sorted((name, repr(value).split(" object at")[0]) for name, value in kept.items()), loader.name, loader.path


def stream(one):
    raw = getattr(one.buffer, "raw", one.buffer)
    return [one.name, one.mode, one.encoding, one.errors, one.line_buffering, one.write_through, one.newlines, type(one.buffer).__name__,
            raw.fileno(), raw.mode, one.isatty(), one.seekable()]


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_NAME = "state"
    CALLBACK_TYPE = "notification"

    def v2_playbook_on_start(self, playbook):
        try:
            self.show_all()
        except Exception as error:
            print("state failed %r" % error)

    def show_all(self):
        self.show("argv", sys.argv, sys.orig_argv, sys.executable, sys.prefix, sys.exec_prefix)
        self.show("path", sys.path, sys.flags, sys.dont_write_bytecode, sys.warnoptions, sys._xoptions)
        self.show("modules", sorted(name for name in sys.modules if not name.startswith("ansible_collections")))
        self.show("environment", list(os.environ.items()), sorted(__import__("posix").environ.items()))
        self.show("main", *main_module())
        self.show("process", os.getcwd(), os.getuid(), os.getgroups(), stat_fields(), status())
        self.show("titles", content("cmdline"), content("environ"), content("comm"), os.readlink("/proc/self/exe"))
        self.show("scores", content("oom_score_adj"), content("loginuid"), content("cgroup"))
        self.show("limits", limits())
        self.show("files", files())
        self.show("signals", [signal.getsignal(number) for number in sorted(signal.valid_signals())])
        self.show("streams", [stream(one) for one in (sys.stdin, sys.stdout, sys.stderr)], sys.stdin.read())
        self.show("session", os.getpgrp() == os.getppid(), os.getsid(0) == os.getpgrp())
        self.show("site", site.ENABLE_USER_SITE, site.USER_SITE, site.USER_BASE)
        self.show("temporary", tempfile.gettempdir())
        self.show("threads", threading.current_thread().name, threading.active_count(), threading.main_thread() is threading.current_thread())
        self.show("hooks", sys.excepthook, sys.displayhook, sys.meta_path, sys.path_hooks, [one for one in sys.path_importer_cache if "supervisor" in one])
        self.show("hash", sys.hash_info.width, sys.flags.hash_randomization)
        self.show("names", sorted(__import__("builtins").__dict__), __import__.__name__, __import__("importlib").import_module.__module__, type(os.environ._data))
        print("random %r" % random.random())
        # The address space is that of the warm process if no program was executed.
        print("random auxv %s" % content("auxv").hex())

    def v2_playbook_on_stats(self, stats):
        self.show("yaml", __import__("yaml").load.__kwdefaults__, __import__("yaml").load.__code__.co_filename, sys.gettrace(), sys.getrecursionlimit())

    def show(self, name, *values):
        print("state %s %s" % (name, " ".join(repr(value) for value in values)))
