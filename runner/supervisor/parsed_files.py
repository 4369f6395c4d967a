"""Gives the program the YAML files that were parsed before it started, each once."""
import os
import sys
import types

# Ansible parses its files with one of these, depending on its version.
LOADERS = ("CSafeLoader", "CBaseLoader", "SafeLoader", "BaseLoader")
RULES = ("yaml_constructors", "yaml_multi_constructors", "yaml_implicit_resolvers")


def parse(folder, names):
    """Returns what each loader makes of each file, by the content of the file."""
    if not names:
        return {}
    import yaml

    loaders = [getattr(yaml, name) for name in LOADERS[:2] if hasattr(yaml, name)] or [getattr(yaml, name) for name in LOADERS[2:]]
    parsed = {}
    for path in [os.path.join(folder, name) for name in names]:
        if os.path.exists(path):
            with open(path, "rb") as file:
                content = file.read()
            parsed[content] = {loader: yaml.load(content, Loader=loader) for loader in loaders}
    return parsed


def rules_of(loader):
    """What a plugin can change of how a loader parses."""
    return [dict(getattr(loader, name)) for name in RULES]


class ParsedFiles:
    """`yaml.load` gets other code until every file was read. References to the function, such as those of functools.partial, remain
    valid."""

    def __init__(self, parsed):
        self.parsed = parsed
        self.rules = {loader: rules_of(loader) for loaders in parsed.values() for loader in loaders}

    def install(self):
        if not self.parsed:
            return
        self.load = sys.modules["yaml"].load
        self.code, self.defaults = self.load.__code__, self.load.__kwdefaults__
        self.original = types.FunctionType(self.code, self.load.__globals__, self.load.__name__)
        self.load.__code__, self.load.__kwdefaults__ = replaced.__code__, {"find": self.find}

    def find(self, stream, loader):
        content = stream
        if hasattr(stream, "read"):
            if not stream.seekable() or stream.seek(0, os.SEEK_CUR):
                return self.original(stream, loader)
            content = stream.read()
            stream.seek(0)
        content = content.encode() if isinstance(content, str) else content
        found = self.parsed.pop(content, {}).get(loader)
        if not self.parsed:
            self.load.__code__, self.load.__kwdefaults__ = self.code, self.defaults
        if found is None or rules_of(loader) != self.rules[loader]:
            return self.original(stream, loader)
        return found


def replaced(stream, Loader, *, find):
    return find(stream, Loader)
