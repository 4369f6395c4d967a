# Prints the names of the modules that a warm process loads, with the values of each that can be compared.
# usage: module-state.py SUPERVISOR-FOLDER PROGRAM
import json
import sys

FIRST = frozenset(sys.modules)
sys.path[0] = sys.argv[1]
from warm_modules import load

PLAIN = (str, bytes, int, float, bool, type(None))


def shown(value):
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, (tuple, list, frozenset, set)):
        return sorted(shown(one) for one in value) if all(isinstance(one, PLAIN) for one in value) else type(value).__name__
    if isinstance(value, dict):
        plain = {repr(name): repr(one) for name, one in value.items() if isinstance(name, PLAIN) and isinstance(one, PLAIN)}
        return sorted(plain.items())
    return type(value).__name__


loaded = load(json.loads(sys.argv[2]), sys.argv[1], FIRST)
print(json.dumps({name: {key: shown(value) for key, value in vars(sys.modules[name]).items()} for name in loaded.modules}, sort_keys=True, indent=1))
