"""How far a long job is: a bar in a terminal, a plain line now and then anywhere else."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from narabe.experiments.progress import LINE_SECONDS


class Counter:
    """Counts up to ``total`` while its ``with`` block runs; ``stored`` of them were done by an earlier start."""

    def __init__(self, console: Console, what: str, total: int, stored: int = 0) -> None:
        self._console, self._what, self._total, self._done = console, what, total, stored
        bar = (BarColumn(30), MofNCompleteColumn(), TextColumn(f"{what}  {{task.description}}"))
        times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        self._bar = Progress(*bar, *times, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=total, completed=stored)
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def at(self, done: int, words: str = "") -> None:
        """So many are done; what else is to be said of it."""
        self._done = done
        self._bar.update(self._task, completed=done, description=words)
        if not self._console.is_terminal and time.monotonic() - self._last >= LINE_SECONDS:
            self._last = time.monotonic()
            more = f"; {words}" if words else ""
            self._console.print(f"{done} of {self._total} {self._what}{more}", highlight=False)
