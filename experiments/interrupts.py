"""Ctrl-C, held back until it can do no harm.

An interrupt that strikes a compiler, a lock or a half-written line leaves them broken. Within `deferred()` the first
one waits for a place marked by `interruptible()` or `check()`; a second one strikes at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _State:
    pending = False
    open = False


def _handle(signum: int, frame: FrameType | None) -> None:
    if _State.open or _State.pending:
        raise KeyboardInterrupt
    _State.pending = True


@contextmanager
def deferred() -> Iterator[None]:
    """Holds back interrupts in its body. Does nothing outside the main thread, and where they are ignored or ours."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) in (
        signal.SIG_IGN,
        _handle,
    ):
        yield
        return
    _State.pending = _State.open = False
    before = signal.signal(signal.SIGINT, _handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _State.pending = _State.open = False


@contextmanager
def interruptible() -> Iterator[None]:
    """Lets interrupts through in its body, and the one that waits: for waiting that has nothing to lose."""
    _State.open = True
    try:
        check()
        yield
    finally:
        _State.open = False


def check() -> None:
    """Raises `KeyboardInterrupt` if one was held back."""
    if _State.pending:
        raise KeyboardInterrupt
