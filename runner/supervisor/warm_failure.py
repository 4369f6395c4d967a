"""Why a warm process ends. The runner logs the last line of its standard error."""
import os


class UnusableProcess(Exception):
    """Runs cannot be started with this process. The text is the reason."""


def report(error):
    """Writes one line."""
    text = str(error) if isinstance(error, UnusableProcess) else "%s: %s" % (type(error).__name__, error)
    os.write(2, " ".join(text.split()).encode("utf-8", "backslashreplace") + b"\n")
