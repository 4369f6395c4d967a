"""Loads the modules of a program that do not depend on its configuration, and parses its files."""
import gc
import importlib
import json
import os
import sys

from import_tracer import find_spec, trace
from parsed_files import parse
from trusted_files import TrustedFiles


class Checker:
    """An entry of sys.meta_path that adds what is found to the trusted files before it is loaded."""

    def __init__(self, files):
        self.files = files

    def find_spec(self, name, path=None, target=None):
        spec = find_spec(name, path, target, self)
        add_spec(self.files, spec)
        return spec


def add_spec(files, spec):
    if spec is None:
        return
    if spec.has_location and spec.origin:
        for path in (spec.origin, os.path.dirname(spec.origin), spec.cached):
            if path:
                files.add(path)
    for folder in spec.submodule_search_locations or ():
        files.add(folder)


def traced(spec, files, first):
    """What `trace` returns, from a process of its own, because it loads the configuration. None if the import fails."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
            forget(first)
            found = trace(spec["module"], spec["configuration"], lambda module: add_spec(files, module))
            with open(write_end, "w") as pipe:
                json.dump(found, pipe)
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else None


def forget(first):
    """Forgets the modules of this program, so that it is seen which of them the other program loads."""
    for name in list(sys.modules):
        if name not in first and name != "__main__" and not name.startswith("importlib"):
            del sys.modules[name]


def load(spec, here, first):
    """Loads the modules. Returns the files and what is needed of them later: see WarmProgram. Ends the process if that cannot be
    done safely."""
    files = TrustedFiles()
    for path in (spec["interpreter"], spec["path"], *(one for one in sys.path if one != here)):
        files.add(path)
    sys.path[0] = os.path.dirname(os.path.realpath(spec["path"]))
    files.add(sys.path[0])
    for module in list(sys.modules.values()):
        if os.path.dirname(getattr(module, "__file__", None) or "") != here:
            add_spec(files, getattr(module, "__spec__", None))
    own = [name for name in sys.modules if name not in first]
    found = traced(spec, files, first)
    if found is None:
        os._exit(1)
    checker = Checker(files)
    sys.meta_path.insert(0, checker)
    for name in found["independent"]:
        importlib.import_module(name)
    sys.meta_path.remove(checker)
    if any(name in sys.modules for name in found["dependent"]):
        os._exit(1)
    found["unused"] = [name for name in own if name not in found["loaded"]]
    folder = os.path.dirname(importlib.import_module(spec["module"].partition(".")[0]).__file__)
    for name in spec["parsed"]:
        files.add(os.path.join(folder, name))
    found["parsed"] = parse(folder, spec["parsed"])
    # What is never collected stays shared with the forked processes.
    gc.collect()
    gc.freeze()
    return files, found
