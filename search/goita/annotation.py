"""Deals that were played, judged with open hands: what every ply was worth, and what could have been had.

A deal comes as its positions, before every ply and after the last one (`narabe.envs.goita_records.states_of`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from narabe.envs.game import State
from narabe.envs.rules.goita import record as R
from narabe.search.goita.law import position_of_state
from narabe.search.goita.position import Position
from narabe.search.goita.solver import OpenHands

MISTAKE, BLUNDER = "?", "??"


@dataclass(frozen=True)
class Note:
    """What open hands tell of one ply. Values are points of the deal for the mover's pair, below 0 where it loses."""

    number: int
    """Of the ply in its deal, from 1."""
    seat: int
    """Who moved, from 0; -1 where the rules moved (hands that go out at once)."""
    text: str
    """What was played, as the game writes it: 14, p, silent ..."""
    action: int | None
    """The same as an action; None if seat is -1."""
    values: dict[int, int] = field(default_factory=dict)
    """Of every legal action; empty for what is said about many shi, and where nothing is solved."""
    solved: bool = True
    """False: the time did not suffice."""

    @property
    def value(self) -> int | None:
        """Of what was played."""
        return self.values.get(self.action) if self.action is not None else None

    @property
    def best(self) -> int | None:
        """The most that could be had: the value of the position."""
        return max(self.values.values(), default=None)

    @property
    def best_actions(self) -> list[int]:
        """All that keep this value, sorted."""
        return sorted(action for action, value in self.values.items() if value == self.best)

    @property
    def loss(self) -> int:
        """How much what was played fell short of the best."""
        return self.best - self.value if self.best is not None and self.value is not None else 0

    @property
    def mark(self) -> str:
        """`BLUNDER` where a win became a loss, `MISTAKE` where less was lost, else nothing."""
        if not self.loss:
            return ""
        assert self.best is not None and self.value is not None
        return BLUNDER if self.value < 0 < self.best else MISTAKE


class OutOfTime(Exception):
    """A ply was not solved in time."""


def annotate(
    states: Sequence[State], solver: OpenHands, first: int = 1, seconds: float | None = None
) -> Iterator[Note]:
    """The notes of a deal's plies, from the last one back to ply number ``first``: late plies are solved in no time.

    ``states``: the positions before every ply and after the last one. ``seconds``: at most so long for each ply. The
    solver must be made for the game's options; its ``tick`` is called meanwhile and may raise to stop.

    >>> from narabe.envs import game
    >>> from narabe.envs.goita_records import read
    >>> from narabe.envs.goita_records.replay import states_of
    >>> line = "11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145,252,3p,4p,124,2p,383"
    >>> (states,) = states_of(read(line), game("goita"))
    >>> (note,) = annotate(states, OpenHands(states[0].game, mb=1), first=13)
    >>> note.text, note.value, note.best, [states[0].game.text_of(a) for a in note.best_actions], note.mark
    ('83', -4, -4, ['p', '81', '83'], '')
    """
    for number in range(len(states) - 1, first - 1, -1):
        before, after = states[number - 1], states[number]
        action = _action(before, after)
        if action is None:
            yield Note(number, -1, "declare", None)
            continue
        seat, text = before.to_play, before.game.text_of(action)
        if before.record["phase"][0] != R.PLAY:
            yield Note(number, seat, text, action)
            continue
        try:
            values = _values(solver, position_of_state(before), seconds)
        except OutOfTime:
            yield Note(number, seat, text, action, solved=False)
        else:
            yield Note(number, seat, text, action, values)


def _action(before: State, after: State) -> int | None:
    """What led from a position to the next; None where the rules had declared a hand before."""
    known = len(before.history)
    return after.history[known] if len(after.history) > known else None


def _values(solver: OpenHands, position: Position, seconds: float | None) -> dict[int, int]:
    """The values of all actions, or `OutOfTime`."""
    if seconds is None:
        return solver.values(position)
    others, due = solver.tick, time.monotonic() + seconds
    solver.tick = _timed(due, others)
    try:
        return solver.values(position)
    finally:
        solver.tick = others


def _timed(due: float, others: Callable[[], None] | None) -> Callable[[], None]:
    def tick() -> None:
        if others is not None:
            others()
        if time.monotonic() >= due:
            raise OutOfTime

    return tick
