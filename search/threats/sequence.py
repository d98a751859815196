"""A line of attack as a threat sequence: what each attack gains, what it costs, and on which earlier ones it rests.

Source: Allis, van den Herik, Huntjens, "Go-Moku and threat-space search" (1993). The *gain square* is where the attacker
plays, the *cost squares* are where the defender may reply, the *rest squares* hold the stones that the threat needs. A threat
*depends* on an earlier one whose gain square is among its rest squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from narabe.envs.scene import Scene
from narabe.search.threats import survey
from narabe.search.threats.report import Point, points

if TYPE_CHECKING:
    from narabe.envs.game import State


@dataclass(frozen=True)
class Step:
    """An attack of a line and the reply to it."""

    number: int
    """Of the attack's ply in the line, from 1."""
    kind: str
    """What it is: "win", "four", "three" (by shape), or "threat" (anything else)."""
    gain: Point
    wins: tuple[Point, ...]
    """Where the attacker would win next; none unless it is a four."""
    costs: tuple[Point, ...]
    """The legal replies to a four after which he could not; none: nothing parries it, and the reply of the line is any move."""
    rests: tuple[Point, ...]
    """The stones of the row, or of the rows that it threatens to complete, without the gain square."""
    needs: tuple[int, ...]
    """Numbers of the earlier attacks on whose stones it rests."""
    reply: Point | None
    """None after the winning move."""

    def __str__(self) -> str:
        words = [f"{self.number:>3} {self.kind:<6} {self.gain.text:<4}"]
        words.append(f"reply {self.reply.text:<4}" if self.reply is not None else " " * 10)
        if self.kind == "four":
            costs = " ".join(point.text for point in self.costs)
            words.append(f"costs {costs or 'nothing parries'}")
        if self.rests:
            words.append(f"rests on {' '.join(point.text for point in self.rests)}")
        if self.needs:
            words.append(f"needs {' '.join(map(str, self.needs))}")
        return "  ".join(words).rstrip()


def steps_of(state: State, line: Sequence[int | str]) -> list[Step]:
    """The steps of a line (attack, reply, attack, ...), whose first move is that of the side to move.

    Raises `IllegalMove` where the line cannot be played.

    >>> from narabe import envs
    >>> state = envs.game("freestyle", size=9).position(black="C5 D5 F5 E6 E7", white="B5 G6 A1 A3 E9", to_move="black")
    >>> for step in steps_of(state, ["E5", "G5", "E4", "E8", "E3"]):
    ...     print(step)
      1 four   E5    reply G5    costs G5  rests on C5 D5 F5
      3 four   E4    reply E8    costs nothing parries  rests on E5 E6 E7  needs 1
      5 win    E3                rests on E4 E5 E6 E7  needs 1 3
    """
    state, found = state.copy(), []
    attacks: dict[int, int] = {}
    for number in range(1, len(line) + 1, 2):
        three = _is_three(state, line[number - 1])
        state.play(line[number - 1])
        gain = state.history[-1]
        wins, costs, rests = _threat(state, gain)
        kind = "win" if state.is_over else "four" if wins else "three" if three else "threat"
        if number < len(line):
            state.play(line[number])
        reply = points(state, state.history[-1:])[0] if number < len(line) else None
        needs = tuple(sorted(attacks[cell] for cell in rests if cell in attacks))
        attacks[gain] = number
        squares = points(state, wins), points(state, costs), points(state, rests)
        found.append(Step(number, kind, points(state, [gain])[0], *squares, needs, reply))
    return found


def _is_three(state: State, move: int | str) -> bool:
    out = np.zeros(int(state.record["cells"][0]), np.int8)
    survey.mark_threes(state.record, 0, out)
    action = state.game.action_of(move) if isinstance(move, str) else int(move)
    return 0 <= action < len(out) and bool(out[action])


def _threat(state: State, gain: int) -> tuple[list[int], list[int], list[int]]:
    """(where the side that has just played on ``gain`` would win, the replies that parry, the stones that it needs)."""
    if state.is_over:
        return [], [], sorted(set(_row(state)) - {gain})
    again = state.copy()
    survey.hand_over(again.record, 0)
    wins = survey.wins_of(again.record)
    costs = survey.parries_of(state.record, state.game.num_actions) if wins else []
    rests: set[int] = set()
    for cell in wins:
        rests |= set(_row(again.copy().play(cell))) - {cell}
    return wins, costs, sorted(rests - {gain})


def _row(state: State) -> Sequence[int]:
    """The cells of the winning row; none if the game ended otherwise."""
    scene = state.scene()
    return scene.winning if isinstance(scene, Scene) else ()
