"""Keeps one run alive without its runner: starts the command, stores its output, ends its family, writes how it ended.

usage: supervisor.py FOLDER   (one JSON object on standard input: argv, cwd, env, output_cap, time_limit, user)

It waits for the command on standard input, so that it can be started before the command is known; an end of file without
a command ends it. Files that it writes in FOLDER:
  started     "pid start-time" of the keeper and, a line below, of its guardian, made exclusively before the command is
              executed: no second start
  output.log  what the command and its children wrote, as it came
  times.log   "offset milliseconds" a read: bytes of output.log before offset had come by then;
              "offset milliseconds start" for a line that the keeper or the runner wrote: it begins at byte start
  exit        JSON {reason, code, signal, bytes, seconds, cut, left}, made whole or not at all, when the run is over
Where the disk is full it starts nothing and ends with 4. Later it waits for room and lets the command wait with it; the
room for `exit` is taken beforehand, so that a run can be stopped even then.
Signals: TERM stops all processes of the run in steps (INT, TERM after 4 s, KILL after 8 s), USR1 kills them at once.
Processes that have become another user's, such as what sudo starts, cannot be ended from here: `left` names those that
are all that is left 3 s after the first KILL.

Once it has its command this process becomes the guardian of a second one, which is the keeper. All that the guardian does
is to outlive it: should the keeper be killed, everything that it had started falls to the guardian, which ends it.
"""
import fcntl
import json
import os
import select
import signal
import sys
import time

# Python is started apart from everything that it could be made to load: also from the folder of its own script.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from run_processes import (
    LOOK_S,
    Unendable,
    be_subreaper,
    descendants,
    end_masters,
    hunt,
    reap,
    send,
    start,
)
from run_files import FULL_DISK, RunFiles

READ = 1 << 20
STOP_TERM_S = 4.0
STOP_KILL_S = 8.0
START_ON_FULL_DISK = 4
KILLED = 5
F_SETPIPE_SZ = 1031


class Stop:
    """What was asked, and how far it has come. Each process gets each signal once, however late it appears."""

    def __init__(self):
        self.since = None
        self.force = False
        self.sent = set()

    def ask(self, force):
        if self.since is None:
            self.since = time.monotonic()
        self.force = self.force or force

    def step(self, family):
        """Sends what is due. True once that is the signal that nothing survives."""
        passed = time.monotonic() - self.since
        if self.force or passed >= STOP_KILL_S:
            for pid in family:
                send(pid, signal.SIGKILL)
            return True
        wanted = [signal.SIGINT] if passed < STOP_TERM_S else [signal.SIGINT, signal.SIGTERM]
        for pid in family:
            for number in wanted:
                if (pid, number) not in self.sent:
                    self.sent.add((pid, number))
                    send(pid, number)
        return False


def guard():
    """Forks. Answers None in the child; in the parent the child's exit code, once nothing of a killed child is left."""
    signals = (signal.SIGTERM, signal.SIGUSR1)
    # What is sent while there is a child that it cannot be passed on to yet is held back, not lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    keeper = os.fork()
    if keeper == 0:
        be_subreaper()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        return None
    signal.set_wakeup_fd(-1)
    for number in signals:
        signal.signal(number, lambda number, _: send(keeper, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
    status = os.waitpid(keeper, 0)[1]
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    is_empty = reap(None, None)[1]
    unendable = Unendable()
    while not is_empty:
        family = descendants(os.getpid())
        for pid in family:
            send(pid, signal.SIGKILL)
        is_empty = hunt(None, None)[1] or bool(unendable.look(family))
    return KILLED


def drain(pipe, files):
    """Stores what is in the pipe. False once every writer has closed it."""
    while True:
        try:
            data = os.read(pipe, READ)
        except BlockingIOError:
            return True
        if not data:
            return False
        files.take(data)
        if files.waiting:
            return True


def keep(command, files, stop, wake):
    read_end, write_end = os.pipe()
    try:
        fcntl.fcntl(read_end, F_SETPIPE_SZ, READ)
    except OSError:
        pass
    os.set_blocking(read_end, False)
    since = time.monotonic()
    main, fault = start(command, write_end)
    os.close(write_end)
    if main is None:
        return {"reason": "not_started", "code": None, "signal": None, "message": fault}
    status, is_open, stopped, expired = None, True, False, False
    unendable, left = Unendable(), []
    limit = command.get("time_limit") or 0
    deadline = time.monotonic() + limit if limit else None
    while True:
        room = files.store()
        watched = [wake] + ([read_end] if is_open and room else [])
        hurry = stop.since is not None or status is not None or not room
        rest = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready = select.select(watched, [], [], LOOK_S if hurry else rest)[0]
        if wake in ready:
            os.read(wake, 4096)
        if read_end in ready:
            is_open = drain(read_end, files)
        status, is_empty = reap(main, status)
        if deadline is not None and status is None and stop.since is None and time.monotonic() >= deadline:
            expired = True
            stop.ask(False)
        if status is not None and stop.since is None and os.WIFSIGNALED(status):
            # It did not end by itself: what it was doing goes with it, and nothing of that was meant to stay.
            stop.ask(True)
        if stop.since is None and status is None:
            continue
        if stop.since is not None:
            stopped = stopped or status is None
            if stop.step(descendants(os.getpid())):
                status, is_empty = hunt(main, status)
                left = [] if is_empty else unendable.look(descendants(os.getpid()))
            if not is_empty and not left:
                continue
        # The main process is gone. A daemon may hold the pipe for ever, so only what is in it now is waited for.
        if files.store() and is_open:
            is_open = drain(read_end, files)
        cut = False
        if not files.store():
            if not stopped:
                continue
            cut = files.cut()
        if not is_empty:
            end_masters()
        code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
        killer = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None
        reason = "exited" if not stopped else "time_limit" if expired else "stopped"
        took = round(time.monotonic() - since, 3)
        how = {"reason": reason, "code": code, "signal": killer, "seconds": took, "cut": cut}
        return {**how, "left": left} if left else how


def main():
    folder = sys.argv[1]
    stop = Stop()
    wake, wake_write = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    be_subreaper()

    text = sys.stdin.buffer.read()
    if not text:
        return 0
    command = json.loads(text)
    # Only from here on: until now a signal simply ends this process, and nothing was started.
    signal.signal(signal.SIGTERM, lambda *_: stop.ask(False))
    signal.signal(signal.SIGUSR1, lambda *_: stop.ask(True))
    code = guard()
    if code is not None:
        return code
    try:
        files = RunFiles(folder, command["output_cap"])
        if not files.claim():
            return 3
    except OSError as fault:
        if fault.errno in FULL_DISK:
            return START_ON_FULL_DISK
        raise
    if stop.since is not None:
        files.end({"reason": "stopped", "code": None, "signal": None})
        return 0
    files.end(keep(command, files, stop, wake))
    return 0


if __name__ == "__main__":
    # At once: whoever has seen how the run ended expects to find nothing of it.
    os._exit(main())
