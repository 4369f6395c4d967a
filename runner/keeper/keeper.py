"""Keeps one run alive without its runner: starts the command, stores its output, ends its family, writes how it ended.

usage: keeper.py FOLDER   (one JSON object on standard input: argv, cwd, env, output_cap, time_limit, user)

It waits for the command on standard input, so that it can be started before the command is known; an end of file without
a command ends it. Files that it writes in FOLDER:
  started     "pid start-time" of the keeper and, a line below, of its guardian, made exclusively before the command is
              executed: no second start
  output.log  what the command and its children wrote, as it came
  times.log   "offset milliseconds" a read: bytes of output.log before offset had come by then
  exit        JSON {reason, code, signal, bytes, seconds, cut, left}, made whole or not at all, when the run is over
Where the disk is full it starts nothing and ends with 4. Later it waits for room and lets the command wait with it; the
room for `exit` is taken beforehand, so that a run can be stopped even then.
Signals: TERM stops all processes of the run in steps (INT, TERM after 4 s, KILL after 8 s), USR1 kills them at once.
Processes that have become another user's, such as what sudo starts, cannot be ended from here: `left` names those that
are all that is left 3 s after the first KILL.

Once it has its command this process becomes the guardian of a second one, which is the keeper. All that the guardian does
is to outlive it: should the keeper be killed, everything that it had started falls to the guardian, which ends it.
"""
import ctypes
import errno
import fcntl
import json
import os
import select
import signal
import sys
import time

READ = 1 << 20
STOP_TERM_S = 4.0
STOP_KILL_S = 8.0
LOOK_S = 0.05
HUNT_S = 0.2
UNENDABLE_S = 3.0
MASTER_S = 1.0
FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
START_ON_FULL_DISK = 4
KILLED = 5
# Whoever masks the output must know that a line goes no further: its end may be the beginning of a secret.
TEAR = b"\x1b_signalbox;torn\x1b\\"
EXIT_ROOM = 4096
PR_SET_CHILD_SUBREAPER = 36
F_SETPIPE_SZ = 1031


def start_time(pid):
    """Field 22 of /proc/pid/stat: with the pid it names one process for ever. None when there is no such process."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            return stat.read().rsplit(b")", 1)[1].split()[19].decode()
    except (OSError, IndexError):
        return None


def descendants(root):
    """Pids of all living processes below root. Orphans are among them, because root is their subreaper."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as stat:
                fields = stat.read().rsplit(b")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if fields[0] not in (b"Z", b"X"):
            children.setdefault(int(fields[1]), []).append(int(name))
        else:
            # A zombie does no more work, but what it left behind may still hang below it for a moment.
            children.setdefault(int(fields[1]), []).append(-int(name))
    found, queue = [], [root]
    while queue:
        for pid in children.get(queue.pop(), ()):
            queue.append(abs(pid))
            if pid > 0:
                found.append(pid)
    return found


def send(pid, number):
    """False when there is no such process, or it is another user's."""
    try:
        os.kill(pid, number)
        return True
    except OSError:
        return False


def is_anothers(pid):
    try:
        os.kill(pid, 0)
        return False
    except OSError as fault:
        return fault.errno == errno.EPERM


class Unendable:
    """Knows when nothing is left but what may not be ended."""

    def __init__(self):
        self.since = None

    def look(self, family):
        """The family, once all of it has been another user's for a while; before that none."""
        if not family or not all([is_anothers(pid) for pid in family]):
            self.since = None
            return []
        self.since = self.since or time.monotonic()
        return family if time.monotonic() - self.since >= UNENDABLE_S else []


class Files:
    """The run folder. Writing waits for room on a full disk instead of failing."""

    def __init__(self, folder, cap):
        self.folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self.output = os.open("output.log", flags, 0o600, dir_fd=self.folder)
        self.times = os.open("times.log", flags, 0o600, dir_fd=self.folder)
        self.size = os.fstat(self.output).st_size
        self.cap = cap
        self.capped = False
        self.waiting = []
        # Counted on from here by a clock that nobody sets: the times of lines never go back.
        self.began = max(time.time() * 1000, self.last_time())
        self.clock = time.monotonic()

    def last_time(self):
        """The time of the line before ours, in milliseconds; 0 when there is none."""
        with open("times.log", "rb", opener=lambda name, _: os.open(name, os.O_RDONLY, dir_fd=self.folder)) as times:
            times.seek(max(0, os.fstat(times.fileno()).st_size - 64))
            rows = times.read().split(b"\n")
        try:
            return int(rows[-2].split()[1])
        except (IndexError, ValueError):
            return 0

    def claim(self):
        """Makes the start unique. False when this run was started before. Raises when there is no room for it."""
        room = os.open("exit.new", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=self.folder)
        try:
            os.write(room, b" " * EXIT_ROOM)
        finally:
            os.close(room)
        text = "".join("%d %s\n" % (pid, start_time(pid)) for pid in (os.getpid(), os.getppid()))
        try:
            file = os.open("started", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=self.folder)
        except FileExistsError:
            return False
        try:
            os.write(file, text.encode())
            os.fsync(file)
        except OSError:
            os.unlink("started", dir_fd=self.folder)
            raise
        finally:
            os.close(file)
        os.fsync(self.folder)
        return True

    def take(self, data):
        if self.capped:
            return
        if self.size + len(data) > self.cap:
            data = data[: max(0, self.cap - self.size)]
            data = data[: data.rfind(b"\n") + 1] or data
            data += b"" if data.endswith(b"\n") else TEAR + b"\n"
            data += b"The log is longer than %d bytes: the rest of the output is not kept.\n" % self.cap
            self.capped = True
        self.size += len(data)
        stamp = b"%d %d\n" % (self.size, self.began + (time.monotonic() - self.clock) * 1000)
        self.waiting.append((self.times, memoryview(stamp)))
        self.waiting.append((self.output, memoryview(data)))
        self.store()

    def store(self):
        """Writes what waits. False when the disk is full and something still waits."""
        while self.waiting:
            file, data = self.waiting[0]
            try:
                written = os.write(file, data)
            except OSError as fault:
                if fault.errno in FULL_DISK:
                    return False
                raise
            if written == len(data):
                self.waiting.pop(0)
            else:
                self.waiting[0] = (file, data[written:])
        return True

    def cut(self):
        """Gives up what waits for room. True when that was something."""
        had = bool(self.waiting)
        self.waiting = []
        self.size = os.fstat(self.output).st_size
        return had

    def end(self, how):
        how["bytes"] = self.size
        while True:
            try:
                file = os.open("exit.new", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=self.folder)
                try:
                    os.ftruncate(file, os.pwrite(file, json.dumps(how).encode(), 0))
                    os.fsync(self.output)
                    os.fsync(file)
                finally:
                    os.close(file)
                os.rename("exit.new", "exit", src_dir_fd=self.folder, dst_dir_fd=self.folder)
                os.fsync(self.folder)
                return
            except OSError as fault:
                if fault.errno not in FULL_DISK:
                    raise
                time.sleep(1)


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


def become(user):
    """Gives every right away for good: from here on this process is that user, with that user's groups."""
    os.initgroups(user["name"], user["gid"])
    os.setresgid(user["gid"], user["gid"], user["gid"])
    os.setresuid(user["uid"], user["uid"], user["uid"])


def start(command, write_end):
    """Starts the command. Answers (pid, None), or (None, why it cannot be started)."""
    fault_read, fault_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            null = os.open("/dev/null", os.O_RDONLY)
            os.dup2(null, 0)
            os.dup2(write_end, 1)
            os.dup2(write_end, 2)
            if command.get("user"):
                become(command["user"])
            os.chdir(command["cwd"])
            os.execve(command["argv"][0], command["argv"], command["env"])
        except BaseException as fault:
            os.write(fault_write, str(fault).encode())
        os._exit(127)
    os.close(fault_write)
    fault = os.read(fault_read, 4096)
    os.close(fault_read)
    if fault:
        os.waitpid(pid, 0)
        return None, fault.decode(errors="replace")
    return pid, None


def reap(main, status):
    """Collects ended children. Answers the main one's status once it has ended, and whether nothing of the run is left.

    Orphans become our children at once: without a child there is no descendant, however quickly they fork.
    """
    while True:
        try:
            pid, raw = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status, True
        if pid == 0:
            return status, False
        if pid == main:
            status = raw


def hunt(main, status):
    """Kills our children as they appear, for a moment: what forks on and on is quicker than a look at all processes."""
    until = time.monotonic() + HUNT_S
    while True:
        try:
            with open("/proc/self/task/%d/children" % os.getpid(), "rb") as children:
                pids = children.read().split()
        except OSError:
            return reap(main, status)
        reached = [pid for pid in pids if send(int(pid), signal.SIGKILL)]
        status, is_empty = reap(main, status)
        if is_empty or time.monotonic() > until:
            return status, is_empty
        if not reached:
            time.sleep(LOOK_S)


def is_master(pid):
    """Whether this is an ssh that keeps its connection for later: then it has this title in place of its arguments."""
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as title:
            text = title.read().rstrip(b"\0")
    except OSError:
        return False
    return text.startswith(b"ssh: ") and text.endswith(b" [mux]")


def end_masters():
    """Ends the connections that ssh keeps: other runs could use them without any key. Unlike daemons nobody meant them to stay."""
    begin = time.monotonic()
    while time.monotonic() - begin < 2 * MASTER_S:
        masters = [pid for pid in descendants(os.getpid()) if is_master(pid)]
        if not masters:
            return
        for pid in masters:
            # One that is asked takes its socket away.
            send(pid, signal.SIGTERM if time.monotonic() - begin < MASTER_S else signal.SIGKILL)
        time.sleep(LOOK_S)


def be_subreaper():
    """Orphans of ours, also daemons, become our children instead of init's."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


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
        files = Files(folder, command["output_cap"])
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
