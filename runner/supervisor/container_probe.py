"""Prints what a container image contains, as one JSON object: its Python, its version of ansible-core, the programs that are on its
search path, and its users and groups.

usage: container_probe.py PROGRAM...
"""
import json
import shutil
import subprocess
import sys

VERSION = "from importlib.metadata import version; print(version('ansible-core'))"


# Maximum characters of the users or groups, of which only whole lines are printed.
MAX_ACCOUNTS = 256 * 1024


def read(path):
    try:
        with open(path, errors="surrogateescape") as file:
            text = file.read(MAX_ACCOUNTS + 1)
        return text if len(text) <= MAX_ACCOUNTS else text[: text.rfind("\n", 0, MAX_ACCOUNTS) + 1]
    except OSError:
        return ""


def ansible_version(program):
    """The version of ansible-core in the interpreter of ansible-playbook. Empty if it is unknown."""
    try:
        with open(program, errors="replace") as script:
            line = script.readline()
        interpreter = line[2:].split() if line.startswith("#!") else []
        end = subprocess.run([*interpreter[:2], "-c", VERSION], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
        return end.stdout.decode(errors="replace").strip()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


programs = [name for name in sys.argv[1:] if shutil.which(name)]
playbook = shutil.which("ansible-playbook")
print(
    json.dumps(
        {
            "python": "%d.%d.%d" % sys.version_info[:3],
            "ansible": ansible_version(playbook) if playbook else "",
            "programs": programs,
            "passwd": read("/etc/passwd"),
            "group": read("/etc/group"),
        }
    )
)
