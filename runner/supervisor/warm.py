"""Starts supervisors, and programs in them, without the time that loading their modules takes.

usage: warm.py PROGRAM   (JSON: path and interpreter of a Python script, module, configuration, parsed)

It has loaded the modules that the script imports and that do not depend on its configuration, and nothing of any run. For each
connection to its socket it forks a process, which becomes the supervisor of a run: see `supervise`. The supervisor forks the
program of the run as always, which executes the script in its copy of the loaded modules if everything fits, and otherwise executes
the program file: see warm_program.py.

It runs with the user of the runner, writes a line to standard output once it is ready, and ends when descriptor 3 is closed or
when a file that it loaded has changed. If it ends before the runner ends it, the last line of its standard error is the reason. Its end does not
concern the supervisors.
"""
import sys

FIRST_MODULES = frozenset(sys.modules)

import json
import os
import select
import signal
import socket
import struct

sys.dont_write_bytecode = True
HERE = sys.path[0]

import process_title
import supervisor
from run_processes import StartProgram
from warm_failure import UnusableProcess, report
from warm_modules import load
from warm_program import WarmProgram

CONTROL = 3
SOCKET = "socket"
BACKLOG = 1024
MAX_REQUEST = 64 * 1024


def listen():
    """The socket in the present folder, which only the user of this process can reach."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(SOCKET)
    listener.listen(BACKLOG)
    os.chdir("/")
    return listener


def is_same_user(connection):
    """Whether the peer has the user of this process."""
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", peer)[1] == os.geteuid()


def read_line(file):
    """Reads no byte after the end of the line."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(file, 1)
        if not byte or len(line) > MAX_REQUEST:
            return None
        line += byte
    return line


def supervise(connection, program):
    """Becomes the supervisor of a run. The connection gives a line of JSON (folder, env), then the command until its end, and gets
    the pid of this process and its exit code, each with a line feed. It is closed when this process has ended."""
    file = connection.detach()
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for source, target in ((file, 0), (null, 1), (null, 2)):
        os.dup2(source, target)
    os.close(file)
    os.close(null)
    line = read_line(0)
    if line is None:
        return 0
    request = json.loads(line)
    os.chdir(request["folder"])
    program.set_variables(request["env"])
    argv = [program.interpreter, "-I", "-S", supervisor.__file__, request["folder"]]
    if not process_title.show(argv, request["env"]):
        return 1
    process_title.set_name(os.path.basename(program.interpreter))
    os.write(0, b"%d\n" % os.getpid())
    return supervisor.main(request["folder"], program.take_over)


def fork_supervisor(connection, program, close):
    """Forks. Returns in the parent, and in the program of the run raises StartProgram."""
    if os.fork():
        connection.close()
        return
    try:
        close()
        code = supervise(connection, program)
    except StartProgram:
        raise
    except BaseException:
        os._exit(1)
    try:
        os.write(0, b"%d\n" % code)
    except OSError:
        # The runner has ended.
        pass
    os._exit(code)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def serve(listener, program):
    wake, wake_write = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)

    def close():
        signal.set_wakeup_fd(-1)
        listener.close()
        for file in (wake, wake_write, CONTROL):
            os.close(file)

    os.write(1, b"ready\n")
    while True:
        ready = select.select([listener, CONTROL, wake], [], [])[0]
        if wake in ready:
            os.read(wake, 4096)
            reap()
        if CONTROL in ready:
            return
        if listener in ready:
            connection = listener.accept()[0]
            if not is_same_user(connection):
                connection.close()
                continue
            changed = program.loaded.files.changed()
            if changed is not None:
                report(UnusableProcess("%s has changed" % changed))
                return
            try:
                fork_supervisor(connection, program, close)
            except OSError:
                # Without a process, the runner starts the supervisor itself.
                connection.close()


def prepare():
    """Returns the socket and the program. Raises UnusableProcess, or what the modules of the program raise."""
    os.set_inheritable(CONTROL, False)
    spec = json.loads(sys.argv[1])
    # The standard streams remember what they were opened with, which must be what a program of a run has.
    if not sys.stdin.seekable() or sys.stdout.seekable() or sys.stderr.seekable():
        raise UnusableProcess("the standard streams of the warm process differ from those of a run")
    if not process_title.show(sys.orig_argv, dict(os.environ)):
        raise UnusableProcess("the kernel does not let a process replace its command line")
    program = WarmProgram(spec, load(spec, HERE, FIRST_MODULES), HERE)
    return listen(), program


def main():
    try:
        listener, program = prepare()
    except BaseException as error:
        report(error)
        os._exit(1)
    try:
        serve(listener, program)
    except StartProgram as start:
        return program, start.argv
    os._exit(0)


if __name__ == "__main__":
    program, argv = main()
    # Here, so that the frames of the supervisor have ended, and uncaught exceptions and the exit are those of the interpreter.
    code, namespace = program.prepare(argv)
    del program, argv
    try:
        exec(code, namespace)
    except SystemExit:
        raise
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        sys.excepthook = lambda *_: None
        raise
