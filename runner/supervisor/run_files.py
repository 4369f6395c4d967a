"""The files of one run that its supervisor writes. supervisor.py describes their content."""
import errno
import json
import os
import time

from run_processes import start_time

FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
# Ends a truncated line. The runner masks the end of such a line, which may be the beginning of a secret.
TRUNCATED = b"\x1b_signalbox;torn\x1b\\"
EXIT_SPACE = 4096


class RunFiles:
    """The folder of a run. On a full disk, data waits for free space."""

    def __init__(self, folder, cap):
        self.folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self.output = os.open("output.log", flags, 0o600, dir_fd=self.folder)
        self.times = os.open("times.log", flags, 0o600, dir_fd=self.folder)
        self.size = os.fstat(self.output).st_size
        self.cap = cap
        self.capped = False
        self.waiting = []
        # Times continue from here on the monotonic clock, so that they never go back.
        self.began = max(time.time() * 1000, self.last_time())
        self.clock = time.monotonic()

    def last_time(self):
        """The time of the last line, in milliseconds. 0 if there is none."""
        with open("times.log", "rb", opener=lambda name, _: os.open(name, os.O_RDONLY, dir_fd=self.folder)) as times:
            times.seek(max(0, os.fstat(times.fileno()).st_size - 64))
            rows = times.read().split(b"\n")
        try:
            return int(rows[-2].split()[1])
        except (IndexError, ValueError):
            return 0

    def note_start(self):
        """Records the start. Returns false if the run was started before.

        Raises OSError if the disk has no space, also for `exit`.
        """
        reserved = os.open("exit.new", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=self.folder)
        try:
            os.write(reserved, b" " * EXIT_SPACE)
        finally:
            os.close(reserved)
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

    def write_output(self, data):
        """Writes output up to the limit. The rest is discarded."""
        if self.capped:
            return
        if self.size + len(data) > self.cap:
            data = data[: max(0, self.cap - self.size)]
            data = data[: data.rfind(b"\n") + 1] or data
            data += b"" if data.endswith(b"\n") else TRUNCATED + b"\n"
            self.capped = True
        self.append(data)
        if self.capped:
            self.append(b"The log is longer than %d bytes: the rest of the output is not kept.\n" % self.cap, True)
        self.store()

    def append(self, data, is_own=False):
        """Queues data and its row of times.log. With is_own, the row has the start of the line, which the supervisor wrote."""
        start = b" %d" % self.size if is_own else b""
        self.size += len(data)
        stamp = b"%d %d%s\n" % (self.size, self.began + (time.monotonic() - self.clock) * 1000, start)
        self.waiting.append((self.times, memoryview(stamp)))
        self.waiting.append((self.output, memoryview(data)))

    def store(self):
        """Writes the queued data. Returns false if the disk is full and data still waits."""
        while self.waiting:
            file, data = self.waiting[0]
            try:
                written = os.write(file, data)
            except OSError as error:
                if error.errno in FULL_DISK:
                    return False
                raise
            if written == len(data):
                self.waiting.pop(0)
            else:
                self.waiting[0] = (file, data[written:])
        return True

    def cut(self):
        """Discards the queued data. Returns true if there was any."""
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
            except OSError as error:
                if error.errno not in FULL_DISK:
                    raise
                time.sleep(1)
