"""Writes the root file system of a container image to standard output as a tar: the Python and ansible-core of this machine, ssh, and
some programs, each with its libraries. Nothing is downloaded.

usage: make_image.py   (with the interpreter of ansible-playbook)
"""
import glob
import importlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile

PROGRAMS = ["sh", "cat", "ls", "id", "echo", "sleep", "env", "touch", "mkdir", "rm", "ssh", "head", "mount", "chmod", "setsid", "kill"]
ANSIBLE = ["ansible-playbook", "ansible-galaxy", "ansible-inventory", "ansible-vault"]
MODULES = ["ansible", "jinja2", "markupsafe", "yaml", "cryptography", "_cffi_backend", "cffi", "packaging", "resolvelib", "_yaml"]
UNUSED = re.compile(r"(^|/)(__pycache__|test|tests|idlelib|tkinter|lib2to3|ensurepip|turtledemo|pydoc_data|config-3[^/]*|dist-packages|site-packages)(/|$)")
UNUSED_MODULES = re.compile(r"(^|/)__pycache__(/|$)")


class Image:
    def __init__(self, output):
        self.tar = tarfile.open(fileobj=output, mode="w|", dereference=True)
        self.seen = set()

    def add(self, path, name=None):
        name = (name or path).lstrip("/")
        if name in self.seen or not os.path.exists(path):
            return
        self.seen.add(name)
        self.tar.add(path, name, recursive=False)

    def tree(self, folder, unused):
        for above, folders, files in os.walk(folder, followlinks=True):
            inner = os.path.relpath(above, folder)
            folders[:] = sorted(one for one in folders if not unused.search(os.path.join(inner, one)))
            for file in sorted(files):
                path = os.path.join(above, file)
                self.add(path)
                if ".so" in file:
                    self.libraries(path)

    def libraries(self, program):
        listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        for path in re.findall(r"(/\S+\.so\S*)", listed):
            self.add(path)

    def program(self, name, target=None):
        path = shutil.which(name)
        if path:
            self.add(os.path.realpath(path), target or path)
            self.libraries(os.path.realpath(path))

    def text(self, name, text, mode=0o644):
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(text), mode
        self.tar.addfile(entry, io.BytesIO(text.encode()))

    def folder(self, name, mode):
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode = tarfile.DIRTYPE, mode
        self.tar.addfile(entry)


image = Image(sys.stdout.buffer)
for name in ("proc", "sys", "dev", "run", "root", "etc"):
    image.folder(name, 0o755)
image.folder("tmp", 0o1777)
image.text("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
image.text("etc/group", "root:x:0:\nnogroup:x:65534:\n")
image.program("sh", "/bin/sh")
for name in PROGRAMS:
    image.program(name)
# The interpreter keeps the path of the first lines of Ansible's programs.
image.program(sys.executable, sys.executable)
image.program(sys.executable, "/usr/bin/python3")
for name in ANSIBLE:
    image.program(name)
for folder in glob.glob("/usr/lib/*/ossl-modules"):
    image.tree(folder, UNUSED_MODULES)
# Ansible needs a locale with UTF-8.
image.tree("/usr/lib/locale/C.utf8", UNUSED_MODULES)
image.tree(sysconfig.get_path("stdlib"), UNUSED)
for name in MODULES:
    try:
        module = importlib.import_module(name)
    except ImportError:
        continue
    path = os.path.dirname(module.__file__) if hasattr(module, "__path__") else module.__file__
    if os.path.isdir(path):
        image.tree(path, UNUSED_MODULES)
    else:
        image.add(path)
        image.libraries(path)
# The versions that importlib.metadata reads.
METADATA = re.compile(r"(ansible.core|jinja2|markupsafe|pyyaml|cryptography|cffi|packaging|resolvelib)-.*(dist|egg)-info$", re.I)
for folder in sys.path:
    if os.path.isdir(folder):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if METADATA.match(name) and os.path.isdir(path):
                image.tree(path, UNUSED_MODULES)
            elif METADATA.match(name):
                image.add(path)
image.tar.close()
