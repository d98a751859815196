"""Tasks for the tests of executors: module-level functions, so that any process can do them."""

from __future__ import annotations

import os
import time
from pathlib import Path

PREPARED: list[str] = []
OPENED: list[str] = []


def double(number, guard):
    return 2 * number


def prepare(name, guard):
    PREPARED.append(name)
    return os.getpid()


def whoami(_, guard):
    return os.getpid(), tuple(PREPARED)


def fail(words, guard):
    raise ValueError(words)


def spoil(_, guard):
    guard.spoiled = True
    return os.getpid()


def die(step, guard):
    if step is None:
        os._exit(5)
    with guard.step("harmless"):
        pass
    with guard.step(step):
        os._exit(5)


def hang(note, guard):
    with guard.step(note, seconds=0.2):
        while True:
            time.sleep(60)


def be_late(_, guard):
    with guard.step("late", seconds=1e-4):
        time.sleep(0.01)


def take_memory(megabytes, guard):
    with guard.step("taking", memory=64):
        return len(bytearray(megabytes << 20))


def take_memory_unguarded(megabytes, guard):
    return len(bytearray(megabytes << 20))


def threads(_, guard):
    return os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"]


def wait_for(path, guard):
    """Writes its process id to the file, and then works for very long."""
    with guard.step("for ever"):
        Path(path).write_text(str(os.getpid()))
        while True:
            time.sleep(60)


class Parcel:
    """Its unpickling is put down."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return _unpack, (self.name,)


def _unpack(name):
    OPENED.append(name)
    return Parcel(name)


def look_into(parts, guard):
    """The names of some shared parcels, this process, and all parcels that were ever unpacked in it."""
    return [part.value.name for part in parts], os.getpid(), tuple(OPENED)


def kill_parent(_, guard):
    """Ends the process that started this one, and so both."""
    os.kill(os.getppid(), 9)
    time.sleep(60)


def nap(seconds, guard):
    time.sleep(seconds)
    return os.getpid()
