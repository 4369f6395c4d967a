"""Runs one program for the runner and kills everything that the program started once it ends.

usage: reaper.py PARENT   (one JSON object on standard input: argv, cwd, env, user)

PARENT is the pid of the runner. The program has the standard output and standard error of this process and an empty standard input.
Daemons of the program become children of this process, so a program cannot leave any behind, whatever their variables, sessions and
parents are. TERM, and the end of the runner, kill the program with all of them.
Exits with the code of the program, with 128 and the signal that killed it, or with 127 if it cannot be started.
"""
import json
import os
import select
import signal
import sys

# Python runs isolated (-I -S), so that nothing else is loaded. The folder of this script must be added again.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from run_processes import be_subreaper, end_with_parent, kill_descendants, reap, start

NOT_STARTED = 127


def main():
    wake, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    be_subreaper()
    if not end_with_parent(int(sys.argv[1])):
        return NOT_STARTED
    command = json.loads(sys.stdin.buffer.read())
    # Until here a signal simply ends this process, because nothing was started.
    stops = []
    signal.signal(signal.SIGTERM, lambda number, _: stops.append(number))
    main_pid, error = start(command, 1, 2)
    if main_pid is None:
        os.write(2, (error + "\n").encode())
        return NOT_STARTED
    status, is_empty = None, False
    while status is None and not stops:
        select.select([wake], [], [])
        os.read(wake, 4096)
        status, is_empty = reap(main_pid, status)
    if not is_empty:
        status = kill_descendants(main_pid, status)
    if status is None:
        return 128 + signal.SIGKILL
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


if __name__ == "__main__":
    # At once, because what the program left must not delay the runner.
    os._exit(main())
