"""The processes of one run: finding them, starting the first, signalling, and collecting those that have ended."""
import ctypes
import errno
import os
import signal
import time

LOOK_S = 0.05
HUNT_S = 0.2
UNENDABLE_S = 3.0
MASTER_S = 1.0
PR_SET_CHILD_SUBREAPER = 36


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
