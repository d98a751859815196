"""How a run of training shows itself: a bar in a terminal, a line an iteration anywhere; TensorBoard if asked for."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable
from typing import Any, Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from narabe.experiments.args import UsageError


class Display(Protocol):
    """Shows how far a run has come, while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def stage(self, iteration: int, name: str, done: int, total: int) -> None:
        """So many of ``total`` chunks or steps of this stage of an iteration are done."""

    def entry(self, entry: dict[str, Any]) -> None:
        """An iteration is over; its line of the log."""


class Clock:
    """When a run ends: after so many minutes from now, or after an iteration; and how long that will take."""

    def __init__(self, minutes: float | None, iterations: int | None, done: int) -> None:
        self.begun, self._first, self._done = time.monotonic(), done, done
        self._until = None if minutes is None else self.begun + 60 * minutes
        self._iterations = iterations

    def late(self) -> bool:
        """Is the time over?"""
        return self._until is not None and time.monotonic() >= self._until

    def reached(self, iterations: int) -> None:
        """So many iterations have been made in all."""
        self._done = iterations

    def over(self, iterations: int) -> bool:
        """After so many iterations in all, is there nothing more to begin?"""
        self.reached(iterations)
        return self.late() or (self._iterations is not None and iterations >= self._iterations)

    def left(self) -> float | None:
        """Seconds until the end; None while that cannot be told."""
        now = time.monotonic()
        ends = [] if self._until is None else [self._until - now]
        if self._iterations is not None and self._done > self._first:
            each = (now - self.begun) / (self._done - self._first)
            ends.append(each * (self._iterations - self._done))
        return max(0.0, min(ends)) if ends else None


def display(console: Console, clock: Clock, words: Callable[[dict[str, Any]], str] | None = None) -> Display:
    """The display that suits the console; ``words``: of a line of the log (left out: `line`)."""
    return (_Bar if console.is_terminal else _Lines)(console, clock, words or line)


class _Lines:
    def __init__(self, console: Console, clock: Clock, words: Callable[[dict[str, Any]], str]) -> None:
        self._console, self._clock, self._words = console, clock, words

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def stage(self, iteration: int, name: str, done: int, total: int) -> None:
        pass

    def entry(self, entry: dict[str, Any]) -> None:
        left = self._clock.left()
        end = f", {span(left)} left" if left else ""
        self._console.print(self._words(entry) + end, highlight=False, soft_wrap=True)


class _Bar(_Lines):
    """The lines above, and below them a bar of what is being done."""

    def __init__(self, console: Console, clock: Clock, words: Callable[[dict[str, Any]], str]) -> None:
        super().__init__(console, clock, words)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, left="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def stage(self, iteration: int, name: str, done: int, total: int) -> None:
        left = self._clock.left()
        words = "" if left is None else f"{span(left)} left"
        self._progress.update(
            self._task, description=f"iteration {iteration}: {name}", completed=done, total=total, left=words
        )


def line(entry: dict[str, Any]) -> str:
    """A line of the log in words."""
    words = [f"iteration {entry['iteration']}: {entry['games']} games, {entry['positions']} positions"]
    if entry.get("evaluations_per_second"):
        words.append(
            f"{entry['evaluations_per_second']:.0f} evaluations/s ({100 * entry['network_share']:.0f} % network)"
        )
    if entry.get("policy_loss") is not None:
        words.append(f"policy {entry['policy_loss']:.3f}, value {entry['value_loss']:.3f}")
    if entry.get("gate_score") is not None:
        low, high = entry["gate_interval"]
        words.append(
            f"{100 * entry['gate_score']:.0f} % ({100 * low:.0f} to {100 * high:.0f}) against iteration "
            f"{entry['gate_against']}, Elo {entry['elo']:.0f}{'' if entry['gate_passed'] else ', not passed'}"
        )
    words.append(f"{entry['seconds']:.1f} s")
    return ", ".join(words)


def span(seconds: float) -> str:
    """A time in words.

    >>> span(3720), span(65), span(9)
    ('1 h 02 min', '1 min 05 s', '9 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Board:
    """The log for TensorBoard."""

    def __init__(self, folder: pathlib.Path, iteration: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise UsageError("--tensorboard needs tensorboard: pip install 'narabe[tensorboard]'") from None
        self._writer = SummaryWriter(str(folder), purge_step=iteration)

    def entry(self, entry: dict[str, Any]) -> None:
        for name, value in entry.items():
            if isinstance(value, (int, float)) and name != "iteration":
                self._writer.add_scalar(name, value, entry["iteration"])
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()
