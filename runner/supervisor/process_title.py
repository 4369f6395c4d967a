"""What /proc shows of this process: its command line, its variables and its name."""
import ctypes
import mmap
import os
import struct

PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_SET_MM = 35
PR_SET_MM_MAP = 14
NO_FILE = 0xFFFFFFFF
# Fields of /proc/self/stat: start_code, end_code, start_data, end_data, start_brk, and start_stack.
CODE_AND_DATA = (26, 27, 45, 46, 47)
STACK = 28

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk.argtypes = (ctypes.c_long,)


def terminated(texts):
    return b"".join(os.fsencode(text) + b"\0" for text in texts)


def show(argv, env):
    """Replaces the command line and the variables. Returns false if the kernel does not permit that."""
    arguments, variables = terminated(argv), terminated("%s=%s" % pair for pair in env.items())
    size = len(arguments) + len(variables)
    # The kernel shows only private memory. It is never unmapped.
    start = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    if start in (None, ctypes.c_void_p(-1).value):
        return False
    ctypes.memmove(start, arguments + variables, size)
    with open("/proc/self/stat", "rb") as stat:
        fields = stat.read().rsplit(b")", 1)[1].split()
    middle = start + len(arguments)
    memory = struct.pack(
        "=12Q2I",
        *(int(fields[number - 3]) for number in CODE_AND_DATA),
        libc.sbrk(0),
        int(fields[STACK - 3]),
        *(start, middle, middle, start + size),
        *(0, 0, NO_FILE),
    )
    area = ctypes.create_string_buffer(memory, len(memory))
    return libc.prctl(PR_SET_MM, PR_SET_MM_MAP, ctypes.c_void_p(ctypes.addressof(area)), ctypes.c_ulong(len(memory)), 0) == 0


def set_name(name):
    """The name of the process, of which the kernel keeps 15 bytes."""
    libc.prctl(PR_SET_NAME, ctypes.c_char_p(os.fsencode(name)), 0, 0, 0)


def be_dumpable():
    """Lets this user read the process again, which the kernel refuses after a change of the user until a program is executed."""
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
