"""The worker's half of the executor: what a task holds around code that may misbehave.

A task is called as ``function(payload, guard)`` and puts each step that it does not trust inside ``guard.step(...)``.
The step says how long and how much memory it may take, and carries a note that comes back should the step never end.
This module imports neither numpy nor numba, so that a worker's environment is set before either is loaded.
"""

from __future__ import annotations

import math
import os
import pickle
import re
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from narabe.experiments.shared import Shared, loads

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_STATM = Path("/proc/self/statm")
_MEGABYTE = 1 << 20
_TRACEBACK_LINES = 12


class DeadlinePassed(Exception):
    """A step ended by itself, but after its deadline."""


@dataclass(frozen=True)
class Failure:
    """Why a task gave no value.

    Attributes:
        kind: `deadline` (its step was killed), `died` (its process ended in the step), or `error` (an exception
            left the task's function).
        detail: what happened, in words; a traceback for an error.
        note: the note of the step it was in, None outside of any step.
    """

    kind: str
    detail: str
    note: Any = None


class Guard:
    """The plain guard: notices a passed deadline only afterwards, and applies the limit of memory."""

    def __init__(self) -> None:
        self.note: Any = None
        self.spoiled = False
        """Set by a task after which this process should not be used again."""

    @contextmanager
    def step(self, note: Any, seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
        """Runs the body as a step of at most `seconds`, allowed `memory` megabytes above what is in use now.

        Raises `DeadlinePassed` if the body ended too late, and `MemoryError` from within the body. After an exception
        the step stays the current one until the next begins: whatever is still wrong is its own.
        """
        self._begin(note, seconds)
        started = time.monotonic()
        with memory_limit(memory):
            yield
        elapsed = time.monotonic() - started
        self._end()
        if elapsed > seconds:
            raise DeadlinePassed(f"took longer than {seconds:g} s")

    def _begin(self, note: Any, seconds: float) -> None:
        self.note = note

    def _end(self) -> None:
        self.note = None


class _ReportingGuard(Guard):
    """The guard inside a worker: tells the parent when a step begins and ends."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection

    def _begin(self, note: Any, seconds: float) -> None:
        super()._begin(note, seconds)
        self._connection.send(("begin", note, seconds))

    def _end(self) -> None:
        super()._end()
        self._connection.send(("end",))


def memory_limit(megabytes: int | None) -> Any:
    """A context in which this process may take `megabytes` of address space more than it has; past that, `MemoryError`.

    Works on Linux, by the soft RLIMIT_AS. Where /proc/self/statm or the limit is missing (Windows, macOS) there is no
    limit. Address space counts, not use: a library that reserves much and uses little needs a generous limit.
    """
    if megabytes is None or resource is None or not _STATM.exists():
        return nullcontext()
    return _address_space_limit(megabytes)


@contextmanager
def _address_space_limit(megabytes: int) -> Iterator[None]:
    pages = int(_STATM.read_text().split()[0])
    limit = pages * resource.getpagesize() + megabytes * _MEGABYTE
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    for other in (soft, hard):
        limit = limit if other == resource.RLIM_INFINITY else min(limit, other)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def short_traceback(error: BaseException) -> str:
    """The last lines of a traceback, without this module's frames and without memory addresses, which differ by run."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename not in (__file__, _CONTEXTLIB)]
    lines = traceback.format_list(frames) + traceback.format_exception_only(type(error), error)
    text = "".join(lines).rstrip().splitlines()[-_TRACEBACK_LINES:]
    return re.sub(r"\b0x[0-9a-f]+", "0x...", "\n".join(text))


_CONTEXTLIB = contextmanager.__code__.co_filename


def attempt(function: Any, payload: Any, guard: Guard) -> tuple[Any, Failure | None]:
    """The value of `function(payload, guard)`, or the failure that an exception from it is."""
    guard.note, guard.spoiled = None, False
    try:
        return function(payload, guard), None
    except (Exception, SystemExit) as error:  # a task may raise anything; that is its outcome
        return None, Failure("error", short_traceback(error), guard.note)


@dataclass(frozen=True)
class Sealed:
    """A task in pickled form, for who hands it on and need not know it: function and payload, and the parts these share."""

    message: bytes
    parts: tuple[Shared[Any], ...]


def unseal(sealed: Sealed, guard: Guard) -> bytes:
    """Does a sealed task; its value is pickled as well."""
    function, payload = loads(sealed.message, {part.id: part for part in sealed.parts})
    return pickle.dumps(function(payload, guard), pickle.HIGHEST_PROTOCOL)


def serve(connection: Connection) -> None:
    """The main function of a worker: does the tasks that come in until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()  # a group of its own, so that engines started by an agent end with the worker
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _end_with_parent()
    guard = _ReportingGuard(connection)
    parts: dict[str, Shared[Any]] = {}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            message, needed, news = pickle.loads(connection.recv_bytes())
            parts = {id: Shared.of_bytes(id, news[id]) if id in news else parts[id] for id in needed}
            value, failure = None, None
            try:
                function, payload = loads(message, parts)
            except Exception as error:  # importing what a task names may raise anything
                failure = Failure("error", short_traceback(error))
            else:
                value, failure = attempt(function, payload, guard)
            connection.send(("done", value, failure, guard.spoiled or failure is not None))


def _end_with_parent() -> None:
    """Ends this process, and all that it started, as soon as its parent is gone, even in the middle of a step."""
    import multiprocessing

    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is None:
            return
        parent.join()
        if hasattr(os, "killpg"):
            os.killpg(os.getpgrp(), signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="end-with-parent").start()
