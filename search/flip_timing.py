"""To turn pieces now, or to wait: the exact value of every move of a late position of Gomocku.

The value of a move is what it is worth with best play by both to the end, every order of backs weighed by its chance
(`narabe.search.star`). A move is a cell with a choice of what to turn, ``none`` included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from narabe.envs.faces.gomocku import flips_text
from narabe.envs.game import State
from narabe.envs.rules import gomocku
from narabe.envs.rules.core import alike
from narabe.envs.rules.gomocku import record as R
from narabe.envs.rules.jit import kernel
from narabe.search.flip_odds import flip_odds
from narabe.search.star import Star

SAME = 1e-9
"""Values that differ by less are equal: searches are right to 1e-12."""


class TimingError(ValueError):
    """A position whose moves cannot be compared; the message says what is wrong with it."""


@dataclass(frozen=True)
class Choice:
    """A move: ``cell`` and ``flips`` as text (``none``: nothing is turned), and what it is worth.

    ``value``: expected payoff of the mover, in [-1, 1], exact to 1e-12. ``win``, ``foul``: chances that the move makes
    five, or a row too long, at once. ``same``: further cells that are worth the same because nothing tells them apart.
    """

    cell: str
    flips: str
    value: float
    win: Fraction
    foul: Fraction
    same: tuple[str, ...] = ()

    @property
    def turns(self) -> bool:
        """Is anything turned?"""
        return self.flips != "none"

    def __str__(self) -> str:
        return f"{self.cell} turning {self.flips}" if self.turns else self.cell


@dataclass
class Timing:
    """All moves of a position, best first; equal ones in the order of the board."""

    choices: list[Choice] = field(default_factory=list)
    nodes: int = 0

    @property
    def now(self) -> Choice | None:
        """The best move that turns something; None if there is none."""
        return next((choice for choice in self.choices if choice.turns), None)

    @property
    def later(self) -> Choice | None:
        """The best move that turns nothing; None if there is none."""
        return next((choice for choice in self.choices if not choice.turns), None)

    @property
    def gain(self) -> float:
        """What turning now is worth above waiting, in payoff; 0.0 where there is only one of the two."""
        return self.now.value - self.later.value if self.now is not None and self.later is not None else 0.0

    def declined(self) -> dict[str, float]:
        """By cell where something may be turned: what its best turn is worth above laying the piece there and turning none."""
        plain = {choice.cell: choice.value for choice in self.choices if not choice.turns}
        best: dict[str, float] = {}
        for choice in self.choices:
            if choice.turns:
                best.setdefault(choice.cell, choice.value)
        return {cell: value - plain[cell] for cell, value in best.items() if cell in plain}


@kernel
def _class_of(states, action):
    return alike(states[0], action)


def flip_timing(
    state: State,
    star: Star | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Timing:
    """Solve every move of a late position for the side to move.

    ``star``: a search to use, whose table stays warm; ``seconds``: at most so long. ``progress`` is called with (moves
    solved, moves in all). Raises `TypeError` for another game, `TimingError` where nothing can be turned yet (the first
    phase), where the turn is not at its beginning, or where the time does not suffice.

    >>> from narabe.envs import game
    >>> small = game("gomocku", size=5, stones=4, chance=2, coloured=2)
    >>> state = small.position(black="A1 B1 D1 E1 A5", white="C1 B3 D3 E4 A4", ply=10)
    >>> found = flip_timing(state)
    >>> str(found.now), found.now.value, str(found.later), found.later.value
    ('A3 turning N', 1.0, 'A2', 0.0)
    """
    if state.game.law is not gomocku:
        raise TypeError(f"flips are timed in Gomocku, not in {state.game.spec}")
    if state.is_over:
        raise TimingError("the game is over")
    record = state.record[0]
    if record["stage"] != R.PLACE:
        raise TimingError("the position is in the middle of a turn: give one in which a cell is to be named")
    if record["ply"] < record["first"]:
        raise TimingError(f"ply {record['ply']}: pieces are turned from ply {record['first']} on")
    star = star or Star(state.game)
    deadline = None if seconds is None else time.perf_counter() + seconds
    seat, found = state.to_play, Timing()
    now = state.view(seat).state()
    now.chance = "manual"
    moves = list(_moves(now))
    for n, (cell, same, mask, after) in enumerate(moves):
        value = after.payoffs[seat] if after.is_over else 0.0
        if not after.is_over:
            solved = star.search(after.record, deadline=deadline)
            if not solved.complete:
                left = int(record["plies"] - record["ply"])
                raise TimingError(
                    f"{n} of {len(moves)} moves were solved in {seconds:g} s with {left} plies left: "
                    "allow more seconds, or take a later position"
                )
            value, found.nodes = solved.value[seat], found.nodes + solved.nodes
        odds = flip_odds(state, cell, mask)
        text = state.game.text_of
        found.choices.append(
            Choice(text(cell), flips_text(mask), float(value), odds.win, odds.foul, tuple(map(text, same)))
        )
        if progress is not None:
            progress(n + 1, len(moves))
    found.choices.sort(key=lambda choice: -round(choice.value / SAME))
    return found


def _moves(state: State) -> Iterator[tuple[int, list[int], int, State]]:
    """(cell, other cells that are alike, directions, state after it) of every move, the reveals still to come."""
    cells = state.game.options["width"] * state.game.options["height"]
    classes: dict[int, list[int]] = {}
    legal = [int(action) for action in state.legal_actions()]
    for action in legal:
        kind = int(_class_of(state.record, action))
        if kind:
            classes.setdefault(kind, []).append(action)
    doubles = {action for members in classes.values() for action in members[1:]}
    for action in legal:
        if action in doubles:
            continue
        same = next((members[1:] for members in classes.values() if members[0] == action), [])
        after = state.copy().play(action)
        if after.is_over or int(after.record["stage"][0]) != R.CHOOSE:
            yield action, same, 0, after
            continue
        for flips in after.legal_actions():
            yield action, same, int(flips) - cells, after.copy().play(int(flips))
