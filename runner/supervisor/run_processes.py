"""The processes of one run: finding them, starting the first, signalling, and collecting those that have ended."""
import ctypes
import errno
import os
import signal
import time

POLL_S = 0.05
KILL_S = 0.2
UNENDABLE_S = 3.0
MASTER_S = 1.0
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def start_time(pid):
    """Field 22 of /proc/pid/stat, which identifies a process together with its pid. None if there is no such process."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            return stat.read().rsplit(b")", 1)[1].split()[19].decode()
    except (OSError, IndexError):
        return None


def descendants(root):
    """The pids of all living descendants of root, orphans included, because root is their subreaper."""
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
            # A zombie may still have children for a moment.
            children.setdefault(int(fields[1]), []).append(-int(name))
    found, queue = [], [root]
    while queue:
        for pid in children.get(queue.pop(), ()):
            queue.append(abs(pid))
            if pid > 0:
                found.append(pid)
    return found


def send(pid, number):
    """Sends a signal. Returns false if there is no such process, or it belongs to another user."""
    try:
        os.kill(pid, number)
        return True
    except OSError:
        return False


def belongs_to_another(pid):
    try:
        os.kill(pid, 0)
        return False
    except OSError as error:
        return error.errno == errno.EPERM


class Unendable:
    """Finds out when only processes of other users remain."""

    def __init__(self):
        self.since = None

    def check(self, pids):
        """Returns the processes once all of them have belonged to other users for a while, before that none."""
        if not pids or not all([belongs_to_another(pid) for pid in pids]):
            self.since = None
            return []
        self.since = self.since or time.monotonic()
        return pids if time.monotonic() - self.since >= UNENDABLE_S else []


def become(user):
    """Switches this process to the user and the groups of this user, permanently."""
    os.initgroups(user["name"], user["gid"])
    os.setresgid(user["gid"], user["gid"], user["gid"])
    os.setresuid(user["uid"], user["uid"], user["uid"])


class StartProgram(BaseException):
    """Raised in a forked process that continues as the program of a run."""

    def __init__(self, argv):
        super().__init__()
        self.argv = argv


def start(command, output, errors, take_over=None):
    """Starts the command, which writes to two descriptors. Returns (pid, None), or (None, the reason why it cannot be started).
    Raises StartProgram in the new process if `take_over` returned true in it: then no program is executed."""
    error_read, error_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            null = os.open("/dev/null", os.O_RDONLY)
            os.dup2(null, 0)
            os.dup2(output, 1)
            os.dup2(errors, 2)
            if command.get("user"):
                become(command["user"])
            os.chdir(command["cwd"])
            if take_over is None or not take_over(command):
                os.execve(command["argv"][0], command["argv"], command["env"])
        except BaseException as error:
            os.write(error_write, str(error).encode())
            os._exit(127)
        raise StartProgram(command["argv"])
    os.close(error_write)
    message = os.read(error_read, 4096)
    os.close(error_read)
    if message:
        os.waitpid(pid, 0)
        return None, message.decode(errors="replace")
    return pid, None


def reap(main, status):
    """Collects ended children. Returns the status of the main process once it has ended, and whether no process is left.

    Orphans become children of this process at once, so without children there are no descendants, however quickly they fork.
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


def kill_children(main, status):
    """Kills children as they appear for a moment, because processes that keep forking are faster than a scan of /proc."""
    until = time.monotonic() + KILL_S
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
            time.sleep(POLL_S)


def kill_descendants(main, status, may_kill=lambda pids: True):
    """Kills all descendants until none is left that this user can end. `may_kill` can delay that. Returns the status of main."""
    unendable = Unendable()
    is_empty = False
    while not is_empty:
        pids = descendants(os.getpid())
        if not may_kill(pids):
            time.sleep(POLL_S)
            status, is_empty = reap(main, status)
            continue
        for pid in pids:
            send(pid, signal.SIGKILL)
        status, is_empty = kill_children(main, status)
        is_empty = is_empty or bool(unendable.check(pids))
    return status


def is_ssh_master(pid):
    """Whether this is an ssh master, which keeps a connection open and has this title instead of its arguments."""
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as title:
            text = title.read().rstrip(b"\0")
    except OSError:
        return False
    return text.startswith(b"ssh: ") and text.endswith(b" [mux]")


def end_ssh_masters():
    """Ends the ssh masters of the run, because other runs could use their connections without a key."""
    begin = time.monotonic()
    while time.monotonic() - begin < 2 * MASTER_S:
        masters = [pid for pid in descendants(os.getpid()) if is_ssh_master(pid)]
        if not masters:
            return
        for pid in masters:
            # A master that gets TERM removes its socket.
            send(pid, signal.SIGTERM if time.monotonic() - begin < MASTER_S else signal.SIGKILL)
        time.sleep(POLL_S)


def be_subreaper():
    """Makes orphaned descendants, also daemons, children of this process instead of init."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent(parent):
    """Lets the kernel send TERM to this process when its parent ends. Returns false if the parent has already ended."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    return os.getppid() == parent
