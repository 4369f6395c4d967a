# Writes what a playbook does as one JSON line per play, task, host result and final statistics.
#
# Every event has a number. After the event, a marker with the same number is written to standard output inside an escape
# sequence, which terminals ignore and the runner removes. Standard output is a pipe, and other callback plugins write to
# it before this one is called, so only the markers show exactly which lines belong to which event. A file size or a
# clock could not: the supervisor may still hold bytes that this process wrote long ago.
#
# No error of this plugin may affect the playbook: the first error is written to a file next to the events, and the plugin
# writes nothing afterwards.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = """
    name: signalbox
    type: notification
    short_description: Records the events of a playbook for Signalbox
    description:
      - Writes JSON lines to the file that the environment variable C(SIGNALBOX_EVENTS) names.
      - Does nothing when the variable is not set, or when the file is there already.
    requirements:
      - enabled by its name in C(callbacks_enabled)
"""

import functools
import importlib.util
import json
import os
import platform
import re
import sys
import time
import traceback

from ansible.playbook.task_include import TaskInclude
from ansible.plugins.callback import CallbackBase
from ansible.release import __version__ as ansible_version

MAX_TEXT = 4000
MAX_BYTES = 1 << 30
TOO_MUCH = "(omitted: the results of this run are too large)"
# The field of an event with the number of its marker. The runner reads events of earlier versions by this name too.
MARKER_FIELD = "mark"
MAX_ITEMS = 20
MAX_ITEM_NAME = 200
# Hosts of a play whose names are recorded when it starts, so that a host that never answers has a name.
MAX_PLAY_NAMES = 1000
# Actions that run a program, with the streams that are searched for the reason of a failure. Their own message does not
# contain the reason. The last two write the output of the program to stdout, and that of ssh to stderr.
PROGRAMS = {
    "command": ("stderr", "stdout"),
    "shell": ("stderr", "stdout"),
    "win_command": ("stderr", "stdout"),
    "win_shell": ("stderr", "stdout"),
    "raw": ("stdout", "stderr"),
    "script": ("stdout", "stderr"),
}
# How Ansible begins the message about an unreachable host, before what ssh printed.
VIA_SSH = "Failed to connect to the host via ssh: "
CHANGED_KEY = re.compile(r"Host key for (\S{1,300}) has changed and you have requested strict")
CHANGED_KEY_MESSAGE = (
    "The host key of %s has changed, so the connection was refused: another machine may be answering. If the key was "
    "changed on purpose, remove the old key with ssh-keygen -R on the runner, as the end of the log shows."
)
# Lines of ssh without the reason of a failed connection.
SSH_NOISE = re.compile(r"@.*@$|Host key verification failed\.$|Warning: Permanently added ")
# Messages without the reason of a failure, which is in the last line of one of the streams.
NO_REASON = ("MODULE FAILURE", "non-zero return code")
STREAMS = ("module_stderr", "stderr", "exception", "module_stdout", "stdout")
# Folders of the files of roles and collections that are not in the repository.
OUTSIDE = ("/roles/", "/ansible_collections/")
HIDDEN = "the output has been hidden due to the fact that 'no_log: true' was specified for this result"


def load_notes():
    folder = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    path = os.path.join(folder, "callback-notes", "host_notes.py")
    spec = importlib.util.spec_from_file_location("signalbox_host_notes", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quietly(method):
    """Runs the method of an event so that no exception reaches Ansible."""

    @functools.wraps(method)
    def guarded(self, *args, **kwargs):
        if self._events is None:
            return
        try:
            method(self, *args, **kwargs)
        except Exception:
            self._give_up()

    return guarded


def part(result, name):
    """A field of a task result: public since ansible-core 2.19, with an underscore before."""
    public = getattr(result, name, None)
    return public if public is not None else getattr(result, "_" + name)


def short(value, most=MAX_TEXT):
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= most else text[:most] + "…"


def last_line(value):
    """The last line of an output that is not blank."""
    lines = [line.strip() for line in value.splitlines()] if isinstance(value, str) else []
    return next((line for line in reversed(lines) if line), "")


def ssh_reason(text):
    """The message about an unreachable host, which begins with its reason. ssh prints the reason last."""
    changed = CHANGED_KEY.search(text)
    if changed:
        return CHANGED_KEY_MESSAGE % changed.group(1)
    before, found, printed = text.partition(VIA_SSH)
    lines = [line.strip() for line in printed.splitlines()]
    lines = [line for line in lines if line and not SSH_NOISE.match(line)]
    return "\n".join([before + found + lines[-1]] + lines[:-1]) if lines else text


def path_of(task):
    """The file of a task in the repository and its line. Folders outside of the repository are left out."""
    path = task.get_path() or ""
    folder = os.path.join(os.getcwd(), "")
    if path.startswith(folder):
        return path[len(folder):]
    starts = [path.rfind(outside) for outside in OUTSIDE]
    return path[max(starts) + 1:] if max(starts) >= 0 else ""


def is_rescued(task):
    """Whether a failure of this task leads to a rescue section: of its own block, or of one around it."""
    child, parent = task, getattr(task, "_parent", None)
    while parent is not None:
        own = getattr(parent, "block", None) or []
        if getattr(parent, "rescue", None) and any(one._uuid == child._uuid for one in own):
            return True
        child, parent = parent, getattr(parent, "_parent", None)
    return False


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "signalbox"
    CALLBACK_NEEDS_ENABLED = True
    CALLBACK_NEEDS_WHITELIST = True

    def __init__(self, *args, **kwargs):
        super(CallbackModule, self).__init__(*args, **kwargs)
        self._events = None
        self._path = os.environ.pop("SIGNALBOX_EVENTS", None)
        # Above this number of bytes the messages of hosts are omitted, and above twice the number their results.
        self._limit = int(os.environ.pop("SIGNALBOX_EVENTS_LIMIT", None) or MAX_BYTES)
        with_facts = os.environ.pop("SIGNALBOX_FACTS", None) == "1"
        self._size = 0
        self._marker = 0
        self._play = 0
        self._step = 0
        self._steps = {}
        self._is_free = False
        if self._path is None:
            return
        try:
            # O_EXCL: a nested ansible-playbook must not write its events to the same file.
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._events = os.open(self._path, flags, 0o600)
        except OSError:
            self._events = None
            return
        try:
            self._write_versions()
            self._notes = load_notes().HostNotes(with_facts)
        except Exception:
            self._give_up()

    def _write_versions(self):
        # The first row. It is no event and has no marker: the runner reads it when the run has ended.
        row = {"kind": "versions", "ansible": ansible_version, "python": platform.python_version()}
        os.write(self._events, (json.dumps(row) + "\n").encode("ascii"))

    def _give_up(self):
        self._events = None
        try:
            with open(self._path + ".error", "a") as note:
                note.write(traceback.format_exc())
        except Exception:
            pass

    def _write(self, kind, **fields):
        if kind == "host" and self._size > self._limit:
            if self._size > 2 * self._limit:
                return
            if fields["message"]:
                fields["message"] = TOO_MUCH
            if fields.get("items"):
                fields["items"]["names"] = []
        self._marker += 1
        fields.update({"kind": kind, "at": int(time.time() * 1000), MARKER_FIELD: self._marker})
        data = (json.dumps(fields, ensure_ascii=True) + "\n").encode("ascii")
        self._size += len(data)
        while data:
            data = data[os.write(self._events, data):]
        self._write_marker()

    def _write_marker(self):
        sys.stdout.flush()
        os.write(1, b"\x1b_signalbox;%d\x1b\\" % self._marker)

    @quietly
    def v2_playbook_on_start(self, playbook):
        # The output so far, for example warnings, belongs to no play.
        self._write_marker()

    @quietly
    def v2_playbook_on_no_hosts_matched(self):
        self._end_lines()

    @quietly
    def v2_playbook_on_no_hosts_remaining(self):
        self._end_lines()

    def _end_lines(self):
        # The output so far belongs to the play, and not to what follows. This marker has no event.
        self._marker += 1
        self._write_marker()

    @quietly
    def v2_playbook_on_play_start(self, play):
        self._play += 1
        self._steps = {}
        self._is_free = getattr(play, "strategy", "linear") in ("free", "host_pinned", "ansible.builtin.free", "ansible.builtin.host_pinned")
        name = play.get_name()
        hosts = self._hosts_of(play)
        names = {"names": [short(host, MAX_ITEM_NAME) for host in hosts]} if len(hosts) <= MAX_PLAY_NAMES else {}
        self._write("play", play=self._play, name=short(name.strip()), hosts=len(hosts), **names)

    @staticmethod
    def _hosts_of(play):
        try:
            return [host.get_name() for host in play.get_variable_manager()._inventory.get_hosts(play.hosts)]
        except Exception:
            return []

    def _start_step(self, task, handler):
        if self._is_free and task._uuid in self._steps:
            # These strategies start a task once for each host.
            return
        self._step += 1
        self._steps[task._uuid] = self._step
        name = task.get_name().strip()
        # With `strategy: free` each host runs ahead on its own, so no part of the output belongs to the step.
        free = {"free": True} if self._is_free else {}
        fields = dict(free, step=self._step, play=self._play, name=short(name), action=short(str(task.action)))
        self._write("step", handler=handler, path=short(path_of(task)), **fields)

    @quietly
    def v2_playbook_on_task_start(self, task, is_conditional):
        self._start_step(task, False)

    @quietly
    def v2_playbook_on_cleanup_task_start(self, task):
        self._start_step(task, False)

    @quietly
    def v2_playbook_on_handler_task_start(self, task):
        self._start_step(task, True)

    def _host(self, result, outcome, with_message=False, **more):
        task = part(result, "task")
        if task._uuid not in self._steps:
            self._start_step(task, False)
        is_hidden = self._is_hidden(result, task)
        message = "" if not with_message else HIDDEN if is_hidden else self._message(part(result, "result"), task)
        host = part(result, "host").get_name()
        # Delegation is checked after templating: `delegate_to` may name the host itself.
        delegate = getattr(task, "delegate_to", None)
        is_delegated = bool(delegate) and delegate != host
        if is_delegated:
            more["delegated_to"] = short(str(delegate))
        items = self._items(part(result, "result"), is_hidden)
        if items is not None:
            more["items"] = items
        fields, listed = part(result, "result"), items and self._items_of(part(result, "result"))
        noted = None if is_hidden else fields
        more.update(self._notes.of(part(result, "host"), task, outcome, noted, listed or None, self._get_diff, is_delegated))
        self._write("host", step=self._steps[task._uuid], host=short(host), result=outcome, message=message, **more)

    @staticmethod
    def _is_hidden(result, task):
        return bool(part(result, "result").get("_ansible_no_log", False) or getattr(task, "no_log", False))

    @staticmethod
    def _items_of(fields):
        """The results of the items of a loop; None without a loop."""
        results = fields.get("results")
        if not isinstance(results, list) or not all(isinstance(item, dict) for item in results):
            return None
        # A module may return its own list under this name.
        return results if any("ansible_loop_var" in item for item in results) else None

    @staticmethod
    def _item_name(item):
        label = item.get("_ansible_item_label")
        value = label if label is not None else item.get(item.get("ansible_loop_var", "item"))
        return short(value, MAX_ITEM_NAME)

    def _items(self, fields, is_hidden):
        items = self._items_of(fields)
        if items is None:
            return None
        counts = {"ok": 0, "changed": 0, "failed": 0, "skipped": 0}
        names = []
        for item in items:
            if item.get("failed") or item.get("unreachable"):
                counts["failed"] += 1
                if len(names) < MAX_ITEMS and not is_hidden and not item.get("_ansible_no_log", False):
                    names.append(self._item_name(item))
            elif item.get("skipped"):
                counts["skipped"] += 1
            elif item.get("changed"):
                counts["changed"] += 1
            else:
                counts["ok"] += 1
        return dict(counts, names=names)

    @staticmethod
    def _reason(source, streams):
        lines = [last_line(source.get(name)) for name in streams] if source.get("rc") else []
        for line in lines:
            if line:
                return short("%s (rc %s)" % (line, source["rc"]))
        if str(source.get("msg", "")).startswith(NO_REASON):
            lines = [last_line(source.get(name)) for name in STREAMS]
            for line in lines:
                if line:
                    return short(line)
        for name in ("msg", "stderr", "exception", "reason"):
            if source.get(name):
                is_ssh = source.get("unreachable") and isinstance(source[name], str)
                return short(ssh_reason(source[name]) if is_ssh else source[name]).strip()
        return ""

    def _message(self, fields, task):
        streams = PROGRAMS.get(str(task.action).split(".")[-1], ())
        items = [item for item in self._items_of(fields) or [] if item.get("failed") or item.get("unreachable")]
        if any(item.get("_ansible_no_log", False) for item in items):
            return HIDDEN
        reasons = [self._reason(fields, streams)]
        # The message of a loop does not contain the reasons; items with the same reason are named together.
        alike = {}
        for item in items:
            alike.setdefault(self._reason(item, streams), []).append(self._item_name(item))
        for reason, names in alike.items():
            more = len(names) - MAX_ITEMS
            named = ", ".join(names[:MAX_ITEMS]) + (" and %d more" % more if more > 0 else "")
            reasons.append("%s: %s" % (named, reason) if reason else named)
        return short("\n".join(text for text in dict.fromkeys(reasons) if text))

    @quietly
    def v2_runner_on_ok(self, result):
        if isinstance(part(result, "task"), TaskInclude):
            # The included tasks are recorded instead, as Ansible counts them.
            return
        self._host(result, "changed" if part(result, "result").get("changed", False) else "ok")

    @quietly
    def v2_runner_on_failed(self, result, ignore_errors=False):
        if ignore_errors:
            changed = {"changed": True} if part(result, "result").get("changed", False) else {}
            self._host(result, "ignored", True, **changed)
        else:
            task = part(result, "task")
            # A file that cannot be included counts as a failure even if a rescue section continues.
            is_missing = isinstance(task, TaskInclude) and "reason" in part(result, "result")
            rescued = {"rescued": True} if is_rescued(task) and not is_missing else {}
            self._host(result, "failed", True, **rescued)

    @quietly
    def v2_runner_on_unreachable(self, result):
        task = part(result, "task")
        has_changed_key = CHANGED_KEY.search(str(part(result, "result").get("msg", "")))
        cause = {"cause": "host_key_changed"} if has_changed_key else {}
        self._host(result, "ignored" if getattr(task, "ignore_unreachable", False) else "unreachable", True, **cause)

    @quietly
    def v2_runner_on_skipped(self, result):
        self._host(result, "skipped")

    @quietly
    def v2_playbook_on_include(self, included_file):
        task = included_file._task
        if task._uuid not in self._steps:
            self._start_step(task, False)
        for host in included_file._hosts:
            self._write("host", step=self._steps[task._uuid], host=short(host.get_name()), result="ok", message="")

    @quietly
    def v2_playbook_on_stats(self, stats):
        names = ("ok", "changed", "failures", "ignored", "skipped", "rescued", "unreachable")
        hosts = {}
        for host in sorted(stats.processed):
            summary = stats.summarize(host)
            hosts[host] = dict((name, int(summary.get(name, 0))) for name in names)
        self._write("stats", hosts=hosts)
