"""Executes a Python script in a process that was forked and not executed, as the interpreter would."""
import logging
import os
import posix
import signal
import site
import sys
import time
import types

import process_title
from parsed_files import ParsedFiles

# What the names of variables begin with that the interpreter, its libraries or their start read. A program is executed if one of them
# has another value in its run than in the warm process.
FIXED_VARIABLES = (
    *("PYTHON", "LD_", "LANG", "LC_", "LOCPATH", "NLSPATH", "TZ", "GLIBC_", "MALLOC_", "GCONV_", "OPENSSL_", "SSL_"),
    *("SETUPTOOLS_", "COVERAGE_", "CRYPTOGRAPHY_", "VIRTUAL_ENV"),
)
STANDARD = ("__name__", "__doc__", "__package__", "__spec__", "__annotations__", "__builtins__", "__cached__")


def first_variables():
    with open("/proc/self/environ", "rb") as file:
        rows = [os.fsdecode(row).partition("=") for row in file.read().split(b"\0") if row]
    return {name: value for name, _, value in rows}


class WarmProgram:
    """The script, and what a run must fit."""

    def __init__(self, spec, loaded, here):
        self.path, self.interpreter, self.here = spec["path"], spec["interpreter"], here
        self.loaded = loaded
        self.variables = first_variables()
        self.main = {name: value for name, value in vars(sys.modules["__main__"]).items() if name in STANDARD}
        self.loader = type(sys.modules["__main__"].__loader__)
        with open(self.path, "rb") as script:
            self.code = compile(script.read(), self.path, "exec", dont_inherit=True)

    def set_variables(self, env):
        os.environ.clear()
        os.environ.update(env)
        posix.environ.clear()
        posix.environ.update((os.fsencode(name), os.fsencode(value)) for name, value in env.items())

    def fits(self, env):
        """Whether the variables do not change what this process has loaded."""
        fixed = (*FIXED_VARIABLES, *self.loaded.variables)
        return all(self.variables.get(name) == env.get(name) for name in {*self.variables, *env} if name.startswith(fixed))

    def may_read(self):
        """Whether this user could have loaded everything."""
        if not os.access(self.path, os.R_OK | os.X_OK) or not os.access(self.interpreter, os.R_OK | os.X_OK):
            return False
        return all(os.access(path, os.R_OK) for path, known in self.loaded.files.seen.items() if known is not None)

    def has_user_packages(self):
        """Whether the interpreter would read packages of this user, as it finds out when it starts."""
        site.USER_BASE = site.USER_SITE = None
        folder = site.getusersitepackages()
        return bool(site.ENABLE_USER_SITE) and os.path.isdir(folder)

    def take_over(self, command):
        """Makes this process, which has the user and folder of the program, equal to one that executed the program. Returns false if the
        program must be executed."""
        argv, env = command["argv"], command["env"]
        if argv[0] != self.path or not self.fits(env):
            return False
        if self.loaded.files.changed() is not None or (command.get("user") and not self.may_read()):
            return False
        self.set_variables(env)
        if self.has_user_packages():
            return False
        process_title.be_dumpable()
        if not process_title.show([self.interpreter, *argv], env):
            return False
        process_title.set_name(os.path.basename(self.path))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        close_files()
        return True

    def prepare(self, argv):
        """Returns the code of the script and the variables of its module."""
        sys.argv = argv
        sys.orig_argv = [self.interpreter, *argv]
        sys.dont_write_bytecode = bool(sys.flags.dont_write_bytecode)
        for name in self.loaded.unused:
            sys.modules.pop(name, None)
        sys.path_importer_cache.pop(self.here, None)
        # Log records count the time from here.
        logging._startTime = time.time() if isinstance(logging._startTime, float) else time.time_ns()
        main = types.ModuleType("__main__")
        vars(main).update(self.main, __file__=self.path, __loader__=self.loader("__main__", self.path))
        if "__annotations__" in self.main:
            main.__annotations__ = {}
        main.__doc__ = None
        sys.modules["__main__"] = main
        ParsedFiles(self.loaded.parsed).install()
        return self.code, vars(main)


def close_files():
    """Closes the files that the execution of a program closes."""
    for name in os.listdir("/proc/self/fd"):
        try:
            if not os.get_inheritable(int(name)):
                os.close(int(name))
        except OSError:
            # The descriptor of the list itself.
            pass
