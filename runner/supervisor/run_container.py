"""The container of one run, for its supervisor and its watchdog.

Processes of the container are found by their PID namespace. The client of podman and its monitor are descendants of the supervisor
too: they end when the container has ended, and then remove it. If they were killed first, the container would stay mounted.
The containers of docker are children of a service, so only the engine reaches them.
"""
import os
import signal
import time

from run_processes import POLL_S, send

ENGINE_S = 5.0
REMOVAL_S = 15.0


def namespace(pid):
    try:
        return os.readlink("/proc/%s/ns/pid" % pid)
    except OSError:
        return None


def is_init(pid):
    """Whether this is the first process of its container."""
    try:
        with open("/proc/%d/status" % pid, "rb") as status:
            return any(line.startswith(b"NSpid:") and line.split()[-1] == b"1" for line in status)
    except OSError:
        return False


class Container:
    """A container with a name. `engine` is the program with its global arguments, `env` its environment."""

    def __init__(self, spec, env):
        self.engine = spec["engine"]
        self.name = spec["name"]
        self.env = env
        self.own = namespace("self")
        self.asked = set()
        self.since = None

    def inside(self, pids):
        """The processes that run in the container."""
        return [pid for pid in pids if namespace(pid) not in (None, self.own)]

    def request(self, *args):
        """Starts the engine with arguments and the name of the container. Returns its pid, or None."""
        argv = [*self.engine, *args, self.name]
        null = [(os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_RDWR, 0) for number in (0, 1, 2)]
        try:
            return os.posix_spawnp(argv[0], argv, self.env, file_actions=null)
        except OSError:
            return None

    def signal(self, number, pids, sent):
        """Sends a signal to each process of the container once. Only the engine reaches those of docker: their init forwards it."""
        inside = self.inside(pids)
        for pid in inside:
            if (pid, number) not in sent and not is_init(pid):
                sent.add((pid, number))
                send(pid, number)
        if not inside and number not in self.asked:
            self.asked.add(number)
            self.request("kill", "--signal=%d" % number)

    def kill(self, pids):
        """Kills the processes of the container. Returns true once the engine itself must be killed, because it did not end."""
        inside = self.inside(pids)
        for pid in inside:
            send(pid, signal.SIGKILL)
        if not inside and signal.SIGKILL not in self.asked:
            self.asked.add(signal.SIGKILL)
            self.request("kill", "--signal=%d" % signal.SIGKILL)
        self.since = self.since or time.monotonic()
        return time.monotonic() - self.since >= ENGINE_S

    def remove(self):
        """Removes the container, if it still exists, and waits for that."""
        pid = self.request("rm", "--force", "--volumes")
        until = time.monotonic() + REMOVAL_S
        while pid is not None and time.monotonic() < until:
            try:
                if os.waitpid(pid, os.WNOHANG)[0] == pid:
                    return
            except ChildProcessError:
                return
            time.sleep(POLL_S)
