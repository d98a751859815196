"""Hopeless games broken off: where the agents of both sides have long agreed about who wins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from narabe.experiments.tournament_args import TournamentError

REASON = "adjudicated: both sides agreed"
"""How such a game ends, in its record."""


@dataclass(frozen=True)
class Adjudication:
    """The rule: in ``plies`` moves in a row, the agents gave the same side a value of at least ``margin``.

    ``margin`` is an expected payoff, above 0 and at most 1; ``plies`` is at least 2, so that both sides have a say.
    """

    margin: float
    plies: int

    @classmethod
    def of(cls, values: dict[str, float]) -> Adjudication | None:
        """From the values of an option, None where there are none; `TournamentError` for ones that cannot be meant.

        >>> Adjudication.of({"margin": 0.95, "plies": 8.0})
        Adjudication(margin=0.95, plies=8)
        """
        if not values:
            return None
        margin, plies = values["margin"], values["plies"]
        if not 0 < margin <= 1:
            raise TournamentError(f"--adjudicate margin={margin:g}: it must be above 0 and at most 1, a certain win")
        if plies < 2 or plies != int(plies):
            raise TournamentError(f"--adjudicate plies={plies:g}: it must be a whole number from 2 up")
        return cls(margin, int(plies))


class Watch:
    """What the agents of a game think of it, move by move.

    ``teams``: the seats of each of its two sides, as in `Game.teams`.

    >>> watch = Watch(Adjudication(0.9, 2), teams=((0,), (1,)))
    >>> watch.heard(0, (0.95, -0.95)), watch.heard(1, (0.8, -0.8)), watch.heard(0, (0.95, -0.95)), watch.heard(1, (1, -1))
    (None, None, None, 0)
    """

    def __init__(self, rule: Adjudication, teams: Sequence[Sequence[int]]) -> None:
        self.rule, self.teams = rule, teams
        self._favourite: int | None = None
        self._heard: list[int] = []  # the sides that named the favourite, move by move

    def heard(self, seat: int, value: Any) -> int | None:
        """The agent on ``seat`` chose a move, and gave ``value`` (by seat; None: nothing). Returns the side that has won."""
        favourite = self._favoured(value)
        if favourite is None or favourite != self._favourite:
            self._favourite, self._heard = favourite, []
        if favourite is not None:
            self._heard.append(next(side for side, seats in enumerate(self.teams) if seat in seats))
        agreed = len(self._heard) >= self.rule.plies and len(set(self._heard[-self.rule.plies :])) == len(self.teams)
        return favourite if agreed else None

    def _favoured(self, value: Any) -> int | None:
        """The side whose seats are all worth the margin; None for none, and for a value that is none."""
        try:
            worth = [float(x) for x in value]
        except (TypeError, ValueError):
            return None
        for side, seats in enumerate(self.teams):
            if all(
                seat < len(worth) and math.isfinite(worth[seat]) and worth[seat] >= self.rule.margin for seat in seats
            ):
                return side
        return None
