"""Files that a warm process has loaded: who can change them, and whether they have changed."""
import os
import stat

from warm_failure import UnusableProcess


def identity(path):
    """What changes if a file or a folder changes. None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size, found.st_uid, found.st_mode


class TrustedFiles:
    """The files and folders that were loaded, as they were before that."""

    def __init__(self):
        self.seen = {}
        self.trusted = set()
        self.user, self.group = os.geteuid(), os.getegid()

    def add(self, path):
        """Adds a file or a folder, which need not exist. Raises UnusableProcess if another user can change it."""
        path = os.path.abspath(path)
        if path in self.seen:
            return
        self.seen[path] = identity(path)
        if self.seen[path] is None:
            return
        real = os.path.realpath(path)
        for one in {path, real}:
            self.require_trust(one)

    def require_trust(self, path):
        """Only root and the user of this process may write to a path and to the folders that lead to it."""
        while path not in self.trusted:
            found = os.lstat(path)
            writable = stat.S_IWOTH if found.st_gid in (0, self.group) else stat.S_IWOTH | stat.S_IWGRP
            # In a folder such as /tmp, users can replace only what belongs to them.
            may_write = found.st_mode & writable and not stat.S_ISLNK(found.st_mode) and not found.st_mode & stat.S_ISVTX
            if found.st_uid not in (0, self.user) or may_write:
                raise UnusableProcess("%s can be changed by another user" % path)
            self.trusted.add(path)
            path = os.path.dirname(path)

    def changed(self):
        """The path of a file or folder that has changed. None if there is none."""
        return next((path for path, known in self.seen.items() if identity(path) != known), None)
