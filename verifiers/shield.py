"""Keeps the report out of reach of the programs that tests run. Linux only, no privilege needed."""
import ctypes
import os
import signal
import time

_SET_DUMPABLE = 4
_SET_CHILD_SUBREAPER = 36


def _prctl(option, value):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def hide():
    """No other process can read this one's memory, environment or descriptors, not even one of the same user."""
    _prctl(_SET_DUMPABLE, 0)


def adopt_orphans():
    """Descendants that lose their parent become children of this process, in whatever session they are."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def wipe_from_init(secret):
    """Overwrites a value in the environment block of process 1, which the container's start has filled.

    Where that is not allowed the value stays readable there; a report is then still bound to the exit code.
    """
    try:
        with open("/proc/1/environ", "rb") as block:
            at = block.read().find(secret)
        with open("/proc/1/stat", "rb") as stat:
            start = int(stat.read().rpartition(b")")[2].split()[47])
        if at >= 0 and start > 0:
            with open("/proc/1/mem", "r+b", buffering=0) as memory:
                memory.seek(start + at)
                memory.write(b"x" * len(secret))
    except (OSError, ValueError, IndexError):
        pass


def end_descendants(within_seconds=5.0):
    """Kills and reaps every descendant. False when some were still there at the end of the time."""
    limit = time.monotonic() + within_seconds
    while time.monotonic() < limit:
        for pid in _descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            return True
        time.sleep(0.002)
    return False


def _descendants(root):
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            children.setdefault(_parent(name), []).append(int(name))
    found, queue = [], [root]
    while queue:
        for pid in children.get(queue.pop(), []):
            found.append(pid)
            queue.append(pid)
    return found


def _parent(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return -1
