"""Loads the modules of a program that do not depend on its configuration, and parses its files."""
import gc
import importlib
import json
import os
import sys

from import_tracer import find_spec, trace
from parsed_files import parse
from trusted_files import TrustedFiles
from warm_failure import UnusableProcess, report


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


class LoadedProgram:
    """What this process has loaded of the program."""

    def __init__(self, files, traced, helpers, parsed):
        # The TrustedFiles.
        self.files = files
        # The names of the modules.
        self.modules = traced["independent"]
        # The names of the variables that these modules read.
        self.variables = traced["variables"]
        # The names of the modules that only the warm process needs.
        self.unused = [name for name in helpers if name not in traced["loaded"]]
        # See parsed_files.parse.
        self.parsed = parsed


def trace_apart(spec, files, first):
    """What `trace` returns, from a process of its own, because it loads the configuration. Ends this process if the import fails."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
            unload_helpers(first)
            traced = trace(spec["module"], spec["configuration"], lambda module: add_spec(files, module))
            with open(write_end, "w") as pipe:
                json.dump(traced, pipe)
        except BaseException as error:
            report(error)
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    if not text:
        # The other process has reported the reason.
        os._exit(1)
    return json.loads(text)


def unload_helpers(first):
    """Unloads the modules of the warm process, so that `trace` records which of them the program loads."""
    for name in list(sys.modules):
        if name not in first and name != "__main__" and not name.startswith("importlib"):
            del sys.modules[name]


def load(spec, here, first):
    """Loads the modules and returns a LoadedProgram. Raises UnusableProcess, or ends the process, if that cannot be done safely."""
    files = TrustedFiles()
    for path in (spec["interpreter"], spec["path"], *(one for one in sys.path if one != here)):
        files.add(path)
    sys.path[0] = os.path.dirname(os.path.realpath(spec["path"]))
    files.add(sys.path[0])
    for module in list(sys.modules.values()):
        if os.path.dirname(getattr(module, "__file__", None) or "") != here:
            add_spec(files, getattr(module, "__spec__", None))
    helpers = [name for name in sys.modules if name not in first]
    traced = trace_apart(spec, files, first)
    checker = Checker(files)
    sys.meta_path.insert(0, checker)
    for name in traced["independent"]:
        importlib.import_module(name)
    sys.meta_path.remove(checker)
    for name in traced["dependent"]:
        if name in sys.modules:
            raise UnusableProcess("the module %s depends on the configuration and was loaded" % name)
    folder = os.path.dirname(importlib.import_module(spec["module"].partition(".")[0]).__file__)
    for name in spec["parsed"]:
        files.add(os.path.join(folder, name))
    loaded = LoadedProgram(files, traced, helpers, parse(folder, spec["parsed"]))
    # What is never collected stays shared with the forked processes.
    gc.collect()
    gc.freeze()
    return loaded
