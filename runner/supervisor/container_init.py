"""The first process of a container of a run.

usage: container_init.py ENVIRONMENT MEMORY-FILE PROGRAM [ARGUMENT...]

Starts the program with the variables of the file ENVIRONMENT (JSON) in addition to those of the image, so that their values are
known neither to the engine nor to its database. Forwards INT and TERM to every process, and collects orphans. Exits with the code
of the program, or 128 and the signal that killed it. Creates MEMORY-FILE if the kernel killed a process for the memory limit.
"""
import json
import os
import signal
import sys

MISSING = 127
# The counters of version 2 and version 1 of cgroups.
COUNTERS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


def memory_kills():
    """How many processes the kernel has killed for the memory limit."""
    for path in COUNTERS:
        try:
            with open(path) as rows:
                for row in rows:
                    name, _, value = row.partition(" ")
                    if name == "oom_kill":
                        return int(value)
        except (OSError, ValueError):
            continue
    return 0


def start(file, argv):
    pid = os.fork()
    if pid:
        return pid
    try:
        with open(file) as text:
            os.environ.update(json.load(text))
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, ("%s cannot be started in the container: %s\n" % (argv[0], error.strerror)).encode())
    os._exit(MISSING)


def forward(number, _):
    try:
        os.kill(-1, number)
    except OSError:
        pass


def main():
    file, memory_file, *argv = sys.argv[1:]
    program = start(file, argv)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, forward)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == program:
            break
    if memory_kills():
        try:
            os.close(os.open(memory_file, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        except OSError:
            # The exit code matters more than its reason.
            pass
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


if __name__ == "__main__":
    os._exit(main())
