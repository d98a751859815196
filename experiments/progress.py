"""How a running tournament shows itself: a live table in a terminal, a plain line now and then anywhere else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from narabe.experiments.referee import GameRecord
from narabe.experiments.report import standings_table
from narabe.experiments.standings import standings

LINE_SECONDS = 10.0
"""Between two plain lines."""

TABLE_SECONDS = 1.0
"""Between two drawings of the live table."""


class Display(Protocol):
    """Shows how far a tournament has come, while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def show(self, records: Sequence[GameRecord]) -> None:
        """Called with all games that are over, after each one."""


def display(
    console: Console, agents: Sequence[str], total: int, stored: int, words: Callable[[], str] | None = None
) -> Display:
    """The display that suits the console, for `total` games of which `stored` are over from an earlier run.

    `words`: what else is to be said of the games so far, such as where a sequential test stands.
    """
    if console.is_terminal:
        return _LiveTable(console, agents, total, stored, words)
    return _Lines(console, total, stored, words)


class _LiveTable:
    def __init__(
        self, console: Console, agents: Sequence[str], total: int, stored: int, words: Callable[[], str] | None = None
    ) -> None:
        self._agents, self._stored, self._words, self._width = agents, stored, words, console.width
        self._progress = Progress(
            BarColumn(30),
            MofNCompleteColumn(),
            TextColumn("games  {task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._bar = self._progress.add_task("games", total=total, completed=stored, rate="")
        self._live = Live(self._progress, console=console, transient=True)
        self._begun = self._drawn = time.monotonic()

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, records: Sequence[GameRecord]) -> None:
        moment = time.monotonic()
        self._progress.update(
            self._bar, completed=len(records), rate=_rate(len(records) - self._stored, moment - self._begun)
        )
        if moment - self._drawn >= TABLE_SECONDS:
            self._drawn = moment
            words = [Text(self._words())] if self._words else []
            self._live.update(
                Group(self._progress, *words, standings_table(standings(self._agents, records), width=self._width))
            )


class _Lines:
    def __init__(self, console: Console, total: int, stored: int, words: Callable[[], str] | None = None) -> None:
        self._console, self._total, self._stored, self._done = console, total, stored, stored
        self._words = words
        self._begun = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._print_now_and_then, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def show(self, records: Sequence[GameRecord]) -> None:
        self._done = len(records)

    def _print_now_and_then(self) -> None:
        while not self._over.wait(LINE_SECONDS):
            self._console.print(self.line(time.monotonic() - self._begun), highlight=False)

    def line(self, elapsed: float) -> str:
        """Where things stand `elapsed` seconds after the beginning."""
        played = self._done - self._stored
        text = f"{self._done} of {self._total} games, {_rate(played, elapsed)}"
        if played:
            most = "at most " if self._words else ""
            text += f", {most}{_span(elapsed / played * (self._total - self._done))} left"
        return f"{text}; {self._words()}" if self._words else text


def _rate(played: int, seconds: float) -> str:
    if not played or seconds <= 0:
        return "none yet"
    return f"{played / seconds:.1f} a second" if played > seconds else f"{60 * played / seconds:.1f} a minute"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
