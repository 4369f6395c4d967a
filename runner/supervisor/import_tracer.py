"""Finds out which modules of a program do not depend on its configuration, by importing all of them in a process that ends
afterwards.

A module depends on the configuration if it imports, itself or through others or through its package, one of the modules that are
named as the configuration, or if its import reads something that differs between runs: a variable that each run has a value of
its own for, a file that is not part of a package, the folder, the user or the process.
"""
import builtins
import importlib
import importlib.machinery
import importlib.util
import os
import sys

# What the names of variables begin with that have other values in each run.
RUN_VARIABLES = ("ANSIBLE_", "SIGNALBOX_", "HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "TMP", "TEMP", "SSH_", "SUDO_", "XDG_")
# Functions of `os` whose results differ between processes.
PROCESS_VALUES = ("getcwd", "getcwdb", "getuid", "geteuid", "getgid", "getegid", "getpid", "getppid", "getlogin", "umask", "times")
PROGRAM_EVENTS = ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "socket.connect")
INTERPRETER = ("_frozen_importlib", "_frozen_importlib_external", "zipimport")
CODE = tuple(importlib.machinery.all_suffixes()) + (".pyc",)


class Variables(dict):
    """The variables of a process, which reports each read."""

    def __init__(self, content, on_read):
        super().__init__(content)
        self.on_read = on_read

    def __getitem__(self, name):
        self.on_read(os.fsdecode(name))
        return super().__getitem__(name)

    def __contains__(self, name):
        self.on_read(os.fsdecode(name))
        return super().__contains__(name)

    def __iter__(self):
        self.on_read("*")
        return super().__iter__()


class Loader:
    """Knows which module is being executed."""

    def __init__(self, loader, stack):
        self.loader = loader
        self.stack = stack

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.stack.append(module.__name__)
        try:
            self.loader.exec_module(module)
        finally:
            self.stack.pop()


class Tracer:
    """An entry of sys.meta_path. Only one process that ends after `independent` may use it, because it cannot be removed."""

    def __init__(self, on_spec):
        self.on_spec = on_spec
        self.stack = []
        self.edges = {}
        self.reasons = {}
        self.variables = {}

    def install(self):
        sys.meta_path.insert(0, self)
        self.trace_imports()
        os.environ._data = Variables(os.environ._data, self.reads_variable)
        for name in PROCESS_VALUES:
            setattr(os, name, self.reporting(name, getattr(os, name)))
        sys.addaudithook(self.audit)

    def find_spec(self, name, path=None, target=None):
        spec = find_spec(name, path, target, self)
        if self.stack:
            self.edge(self.stack[-1], name)
        self.on_spec(spec)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = Loader(spec.loader, self.stack)
        return spec

    def edge(self, importer, imported):
        self.edges.setdefault(importer, set()).add(imported)

    def depends(self, reason):
        """The module that is being executed depends on the configuration."""
        if self.stack:
            self.reasons.setdefault(self.stack[-1], reason)

    def reads_variable(self, name):
        if not self.stack:
            return
        if name == "*" or name.startswith(RUN_VARIABLES):
            self.depends("variable " + name)
        self.variables.setdefault(self.stack[-1], set()).add(name)

    def reporting(self, name, function):
        def report(*args):
            self.depends(name)
            return function(*args)

        return report

    def audit(self, event, args):
        if event == "open" and isinstance(args[0], (str, bytes)):
            path = os.fsdecode(args[0])
            if not path.endswith(CODE) and path not in sys.path:
                self.depends("file " + path)
        elif event in PROGRAM_EVENTS:
            self.depends(event)

    def trace_imports(self):
        import_module, original = importlib.import_module, builtins.__import__

        def traced_module(name, package=None):
            module = import_module(name, package)
            self.imported(None, module.__name__, ())
            return module

        def traced(name, globals=None, locals=None, fromlist=(), level=0):
            module = original(name, globals, locals, fromlist, level)
            package = (globals or {}).get("__package__") or (globals or {}).get("__name__", "")
            try:
                full = importlib.util.resolve_name("." * level + name, package) if level else name
            except ImportError:
                full = module.__name__
            self.imported((globals or {}).get("__name__"), full, fromlist or ())
            return module

        importlib.import_module = traced_module
        builtins.__import__ = traced

    def imported(self, importer, name, parts):
        """Records an import. If a function imports when it is called, the module that calls it depends on the import, not the module
        that defines it, unless both are being executed."""
        for dependent in {importer, *self.stack[-1:]} & {*self.stack}:
            for target in (name, *("%s.%s" % (name, part) for part in parts)):
                if target in sys.modules:
                    self.edge(dependent, target)

    def blocked(self, configuration):
        """The modules that depend on the configuration."""
        blocked = {*configuration, *self.reasons}
        needs = {name: {*self.edges.get(name, ()), *packages(name)} for name in {*sys.modules, *self.edges}}
        found = blocked
        while found:
            found = {name for name, needed in needs.items() if name not in blocked and needed & blocked}
            blocked |= found
        return blocked


def packages(name):
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def find_spec(name, path, target, tracer):
    """What the other finders find."""
    for finder in sys.meta_path:
        spec = None if finder is tracer else finder.find_spec(name, path, target)
        if spec is not None:
            return spec
    return None


def is_plain(module):
    """Whether the module has a loader of the interpreter, and not one that another module has installed."""
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    loader = loader.loader if isinstance(loader, Loader) else loader
    kind = loader if isinstance(loader, type) else type(loader)
    return kind.__module__ in INTERPRETER


def trace(module, configuration, on_spec):
    """Imports a module. `on_spec` gets the spec of each module before it is loaded. Returns a dict of
    independent  names of the modules that do not depend on the configuration
    dependent    names of the modules that do, with the reason if it is not an import
    variables    names of the variables that the independent modules read
    loaded       names of all modules
    """
    before = set(sys.modules)
    tracer = Tracer(on_spec)
    tracer.install()
    importlib.import_module(module)
    blocked = tracer.blocked(configuration)
    new = [name for name in sys.modules if name not in before]
    names = [name for name in new if name not in blocked and is_plain(sys.modules[name])]
    variables = {variable for name in names for variable in tracer.variables.get(name, ())}
    return {
        "independent": names,
        "dependent": {name: tracer.reasons.get(name, "") for name in sorted(blocked)},
        "variables": sorted(variables),
        "loaded": sorted(sys.modules),
    }
