# Writes what a playbook does as one JSON line per play, task, host result and final statistics.
#
# Every event has a number, its mark. Behind the event the same number is written to standard output inside an escape
# sequence that terminals ignore and the runner takes out again. Standard output is a pipe, and other callback plugins
# have written to it before this one is called; so the marks alone say exactly which lines belong to which event. A file
# size or a clock could not: the keeper may still hold bytes that this process wrote long ago.
#
# Nothing that goes wrong here may reach the playbook: the first fault is noted beside the events, and this plugin is silent
# from then on.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = """
    name: signalbox
    type: notification
    short_description: Tells Signalbox what a playbook does
    description:
      - Writes JSON lines to the file that the environment variable C(SIGNALBOX_EVENTS) names.
      - Does nothing when the variable is not set, or when the file is there already.
    requirements:
      - enabled by its name in C(callbacks_enabled)
"""

import functools
import json
import os
import sys
import time
import traceback

from ansible.plugins.callback import CallbackBase

MAX_TEXT = 4000
HIDDEN = "the output has been hidden due to the fact that 'no_log: true' was specified for this result"


def quietly(method):
    """Runs an event's method so that no fault of it, of whatever kind, reaches Ansible."""

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


def short(value):
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


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
        self._mark = 0
        self._play = 0
        self._step = 0
        self._steps = {}
        self._is_free = False
        if self._path is None:
            return
        try:
            # Exclusively: a playbook that runs ansible-playbook itself must not write its events among ours.
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._events = os.open(self._path, flags, 0o600)
        except OSError:
            self._events = None

    def _give_up(self):
        self._events = None
        try:
            with open(self._path + ".fault", "a") as note:
                note.write(traceback.format_exc())
        except Exception:
            pass

    def _write(self, kind, **fields):
        self._mark += 1
        fields.update(kind=kind, at=int(time.time() * 1000), mark=self._mark)
        data = (json.dumps(fields, ensure_ascii=True) + "\n").encode("ascii")
        while data:
            data = data[os.write(self._events, data):]
        self._set_mark()

    def _set_mark(self):
        sys.stdout.flush()
        os.write(1, b"\x1b_signalbox;%d\x1b\\" % self._mark)

    @quietly
    def v2_playbook_on_start(self, playbook):
        # What was written until now, warnings for example, belongs to no play.
        self._set_mark()

    @quietly
    def v2_playbook_on_play_start(self, play):
        self._play += 1
        self._steps = {}
        self._is_free = getattr(play, "strategy", "linear") in ("free", "host_pinned", "ansible.builtin.free", "ansible.builtin.host_pinned")
        name = play.get_name()
        self._write("play", play=self._play, name=short(name.strip()), hosts=self._count_hosts(play))

    @staticmethod
    def _count_hosts(play):
        try:
            return len(play.get_variable_manager()._inventory.get_hosts(play.hosts))
        except Exception:
            return 0

    def _start_step(self, task, handler):
        if self._is_free and task._uuid in self._steps:
            # These strategies announce a task once for each host.
            return
        self._step += 1
        self._steps[task._uuid] = self._step
        name = task.get_name().strip()
        self._write("step", step=self._step, play=self._play, name=short(name), action=short(str(task.action)), handler=handler)

    @quietly
    def v2_playbook_on_task_start(self, task, is_conditional):
        self._start_step(task, False)

    @quietly
    def v2_playbook_on_cleanup_task_start(self, task):
        self._start_step(task, False)

    @quietly
    def v2_playbook_on_handler_task_start(self, task):
        self._start_step(task, True)

    def _host(self, result, outcome, with_message=False):
        task = part(result, "task")
        if task._uuid not in self._steps:
            self._start_step(task, False)
        message = self._message(result, task) if with_message else ""
        host = part(result, "host").get_name()
        self._write("host", step=self._steps[task._uuid], host=short(host), result=outcome, message=message)

    @staticmethod
    def _message(result, task):
        fields = part(result, "result")
        if fields.get("_ansible_no_log", False) or getattr(task, "no_log", False):
            return HIDDEN
        texts = []
        for source in [fields] + [item for item in fields.get("results", []) if isinstance(item, dict) and item.get("failed")]:
            if source.get("_ansible_no_log", False):
                return HIDDEN
            for name in ("msg", "stderr", "exception", "reason"):
                if source.get(name):
                    texts.append(short(source[name]).strip())
                    break
        return short("\n".join(dict.fromkeys(texts)))

    @quietly
    def v2_runner_on_ok(self, result):
        self._host(result, "changed" if part(result, "result").get("changed", False) else "ok")

    @quietly
    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._host(result, "ignored" if ignore_errors else "failed", True)

    @quietly
    def v2_runner_on_unreachable(self, result):
        task = part(result, "task")
        self._host(result, "ignored" if getattr(task, "ignore_unreachable", False) else "unreachable", True)

    @quietly
    def v2_runner_on_skipped(self, result):
        self._host(result, "skipped")

    @quietly
    def v2_playbook_on_stats(self, stats):
        names = ("ok", "changed", "failures", "ignored", "skipped", "rescued", "unreachable")
        hosts = {}
        for host in sorted(stats.processed):
            summary = stats.summarize(host)
            hosts[host] = dict((name, int(summary.get(name, 0))) for name in names)
        self._write("stats", hosts=hosts)
