"""Loads the modules of a program that do not depend on its configuration, and parses its files."""
import gc
import importlib
import json
import os
import sys

from import_tracer import find_spec, trace
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


def traced(spec, files):
    """What `trace` returns, from a process of its own, because it loads the configuration. None if the import fails."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
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


def parse(spec, files):
    """The content of YAML files of the package, by their bytes."""
    if not spec["parsed"]:
        return {}
    import yaml

    folder = os.path.dirname(sys.modules[spec["module"].partition(".")[0]].__file__)
    parsed = {}
    for name in spec["parsed"]:
        path = os.path.join(folder, name)
        files.add(path)
        if os.path.exists(path):
            with open(path, "rb") as file:
                content = file.read()
            parsed[content] = yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return parsed


def load(spec, here):
    """Loads the modules. Returns the files and what is needed of them later: see WarmProgram. Ends the process if that cannot be
    done safely."""
    files = TrustedFiles()
    for path in (spec["interpreter"], spec["path"], *(one for one in sys.path if one != here)):
        files.add(path)
    sys.path[0] = os.path.dirname(os.path.realpath(spec["path"]))
    files.add(sys.path[0])
    found = traced(spec, files)
    if found is None:
        os._exit(1)
    checker = Checker(files)
    sys.meta_path.insert(0, checker)
    for name in found["independent"]:
        importlib.import_module(name)
    sys.meta_path.remove(checker)
    if any(name in sys.modules for name in found["dependent"]):
        os._exit(1)
    found["parsed"] = parse(spec, files)
    # What is never collected stays shared with the forked processes.
    gc.collect()
    gc.freeze()
    return files, found
