"""Supervises one run: starts its command, stores the output, ends all of its processes, and writes how it ended. It outlives
the runner.

usage: supervisor.py FOLDER   (one JSON object on standard input: argv, cwd, env, output_cap, time_limit, user,
container)

The runner executes it, or a warm process forks it: see warm.py. Its standard input is then the connection to the runner.

It waits for the command on standard input, so that it can be started before the command is known. It ends if standard input
ends without a command. Files that it writes in FOLDER:
  started     "pid start-time" of the supervisor and, on the next line, of its watchdog. Created exclusively before the command
              is executed, so that a run is never started twice
  output.log  what the command and its descendants wrote, unchanged
  times.log   "offset milliseconds" for each read: the bytes of output.log before offset had arrived at that time;
              "offset milliseconds start" for a line of the supervisor or the runner, which begins at byte start
  exit        JSON {reason, code, signal, bytes, seconds, cut, left}, written atomically at the end of the run
On a full disk it starts nothing and exits with 4. If the disk becomes full later, it waits for free space, and the command
waits with it. The space for `exit` is reserved before the start, so that a run can be stopped on a full disk.
Signals: TERM stops all processes of the run in steps (INT, TERM after 4 s, KILL after 8 s); USR1 kills them at once.
It cannot end processes that now belong to another user, such as those that sudo starts. `left` lists them if only such
processes remain 3 s after the first KILL.

If the command starts a container (`container` names its engine), the signals go to the processes in it: see run_container.py.

When it has its command, this process forks and becomes the watchdog of its child, the supervisor. The watchdog only outlives
the supervisor: if the supervisor is killed, its descendants become children of the watchdog, which kills them.
"""
import fcntl
import json
import os
import select
import signal
import sys
import time

# Python runs isolated (-I -S), so that nothing else is loaded. The folder of this script must be added again.
if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from run_processes import (
    POLL_S,
    Unendable,
    be_subreaper,
    descendants,
    end_ssh_masters,
    kill_children,
    kill_descendants,
    reap,
    send,
    start,
)
from run_container import ENGINE_S, Container
from run_files import FULL_DISK, RunFiles

READ = 1 << 20
# After a read of fewer bytes than this, the pipe is not read for BATCH_S seconds.
BATCH_BYTES = 1 << 16
BATCH_S = 0.01
STOP_TERM_S = 4.0
STOP_KILL_S = 8.0
START_ON_FULL_DISK = 4
KILLED = 5
F_SETPIPE_SZ = 1031


class Stop:
    """A requested stop and its progress. Each process gets each signal once, also if it appears late."""

    def __init__(self):
        self.since = None
        self.force = False
        self.sent = set()

    def request(self, force):
        if self.since is None:
            self.since = time.monotonic()
        self.force = self.force or force

    def step(self, pids, container):
        """Sends the signals that are due. Returns true once every process gets KILL."""
        passed = time.monotonic() - self.since
        if self.force or passed >= STOP_KILL_S:
            if container and not container.kill(pids):
                return False
            for pid in pids:
                send(pid, signal.SIGKILL)
            return True
        wanted = [signal.SIGINT] if passed < STOP_TERM_S else [signal.SIGINT, signal.SIGTERM]
        if container:
            for number in wanted:
                container.signal(number, pids, self.sent)
            return False
        for pid in pids:
            for number in wanted:
                if (pid, number) not in self.sent:
                    self.sent.add((pid, number))
                    send(pid, number)
        return False


def watch(container):
    """Forks. Returns None in the child. In the parent, the watchdog, returns the exit code of the child, after the descendants of
    a killed child have ended."""
    signals = (signal.SIGTERM, signal.SIGUSR1)
    # Signals that arrive before they can be forwarded to the child are blocked, not lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    supervisor = os.fork()
    if supervisor == 0:
        # If a warm process forked the watchdog, descriptor 0 is the connection to the runner, which must close when the watchdog ends.
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        be_subreaper()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        return None
    signal.set_wakeup_fd(-1)
    for number in signals:
        signal.signal(number, lambda number, _: send(supervisor, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
    status = os.waitpid(supervisor, 0)[1]
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    if not reap(None, None)[1]:
        kill_descendants(None, None, lambda pids: not container or container.kill(pids))
    if container:
        container.remove()
    return KILLED


class Output:
    """The pipe of the output. After a short read it rests, so that many lines are stored with few writes. Each write wakes the
    runner."""

    def __init__(self, pipe, files, rests):
        self.pipe = pipe
        self.files = files
        self.rests = rests
        self.is_open = True
        self.next_read = 0.0

    def rest(self):
        """Seconds until the pipe is read again."""
        return max(0.0, self.next_read - time.monotonic())

    def drain(self):
        """Stores what is in the pipe. It is open until every writer has closed it."""
        count = 0
        while not self.files.waiting:
            try:
                data = os.read(self.pipe, READ)
            except BlockingIOError:
                break
            if not data:
                self.is_open = False
                break
            self.files.write_output(data)
            count += len(data)
        if self.rests and count < BATCH_BYTES:
            self.next_read = time.monotonic() + BATCH_S


def supervise(command, container, files, stop, wake, take_over):
    """Runs the command to its end. Returns the content of `exit`."""
    read_end, write_end = os.pipe()
    try:
        is_large = fcntl.fcntl(read_end, F_SETPIPE_SZ, READ) >= READ
    except OSError:
        is_large = False
    os.set_blocking(read_end, False)
    # A small pipe would be full before the end of a rest, and the program would wait.
    output = Output(read_end, files, is_large)
    since = time.monotonic()
    main, error = start(command, write_end, write_end, take_over)
    os.close(write_end)
    if main is None:
        return {"reason": "not_started", "code": None, "signal": None, "message": error}
    status, stopped, expired = None, False, False
    unendable, left = Unendable(), []
    ended = None
    limit = command.get("time_limit") or 0
    deadline = time.monotonic() + limit if limit else None
    while True:
        has_space = files.store()
        is_read = output.is_open and has_space
        rest = output.rest() if is_read else 0
        watched = [wake] + ([read_end] if is_read and not rest else [])
        hurry = stop.since is not None or status is not None or not has_space
        waits = [POLL_S] if hurry else [] if deadline is None else [max(0.0, deadline - time.monotonic())]
        ready = select.select(watched, [], [], min(waits + ([rest] if rest else []), default=None))[0]
        if wake in ready:
            os.read(wake, 4096)
        if read_end in ready:
            output.drain()
        status, is_empty = reap(main, status)
        if deadline is not None and status is None and stop.since is None and time.monotonic() >= deadline:
            expired = True
            stop.request(False)
        if status is not None and stop.since is None and os.WIFSIGNALED(status):
            # A signal killed the program, so none of its descendants is a daemon that should remain.
            stop.request(True)
        if stop.since is None and status is None:
            continue
        if stop.since is not None:
            stopped = stopped or status is None
            if stop.step(descendants(os.getpid()), container):
                status, is_empty = kill_children(main, status)
                left = [] if is_empty else unendable.check(descendants(os.getpid()))
            if not is_empty and not left:
                continue
        ended = ended or time.monotonic()
        if container and not is_empty and not left and time.monotonic() - ended < ENGINE_S:
            # The engine is removing the container.
            continue
        # The main process has ended. A daemon may keep the pipe open, so only its present content is read.
        if files.store() and output.is_open:
            output.drain()
        cut = False
        if not files.store():
            if not stopped:
                continue
            cut = files.cut()
        if container and (stop.since is not None or not is_empty):
            container.remove()
        if not is_empty:
            end_ssh_masters()
        code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
        killer = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None
        reason = "exited" if not stopped else "time_limit" if expired else "stopped"
        took = round(time.monotonic() - since, 3)
        how = {"reason": reason, "code": code, "signal": killer, "seconds": took, "cut": cut}
        return {**how, "left": left} if left else how


def read_command():
    text = b""
    while True:
        data = os.read(0, READ)
        if not data:
            return text
        text += data


def main(folder, take_over=None):
    """Returns the exit code. Raises StartProgram in the process of the program: see `start` about `take_over`."""
    stop = Stop()
    wake, wake_write = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    be_subreaper()

    text = read_command()
    if not text:
        return 0
    command = json.loads(text)
    # Until here a signal simply ends this process, because nothing was started.
    signal.signal(signal.SIGTERM, lambda *_: stop.request(False))
    signal.signal(signal.SIGUSR1, lambda *_: stop.request(True))
    spec = command.get("container")
    container = Container(spec, command["env"]) if spec else None
    code = watch(container)
    if code is not None:
        return code
    try:
        files = RunFiles(folder, command["output_cap"])
        if not files.note_start():
            return 3
    except OSError as error:
        if error.errno in FULL_DISK:
            return START_ON_FULL_DISK
        raise
    if stop.since is not None:
        files.end({"reason": "stopped", "code": None, "signal": None})
        return 0
    files.end(supervise(command, container, files, stop, wake, take_over))
    return 0


if __name__ == "__main__":
    # At once, because no process of the run may remain when the runner reads `exit`.
    os._exit(main(sys.argv[1]))
