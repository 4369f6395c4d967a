"""Gives the program the YAML files that were parsed before it started, each once."""
import sys
import types


class ParsedFiles:
    """`yaml.load` gets other code until every file was read. References to the function, such as those of functools.partial, remain
    valid."""

    def __init__(self, parsed):
        self.parsed = parsed

    def install(self):
        if not self.parsed:
            return
        load = sys.modules["yaml"].load
        code, defaults, parsed = load.__code__, load.__kwdefaults__, self.parsed
        original = types.FunctionType(code, load.__globals__, load.__name__, load.__defaults__, load.__closure__)
        safe = getattr(sys.modules["yaml"], "CSafeLoader", sys.modules["yaml"].SafeLoader)

        def find(stream, loader):
            content = stream
            if hasattr(stream, "read"):
                if not stream.seekable() or stream.tell():
                    return original(stream, loader)
                content = stream.read()
            known = content.encode() if isinstance(content, str) else content
            if loader is not safe or known not in parsed:
                if content is not stream:
                    stream.seek(0)
                return original(stream, loader)
            found = parsed.pop(known)
            if not parsed:
                load.__code__, load.__kwdefaults__ = code, defaults
            return found

        def replaced(stream, Loader, *, find):
            return find(stream, Loader)

        load.__code__, load.__kwdefaults__ = replaced.__code__, {"find": find}
