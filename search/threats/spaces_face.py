"""Threat-space search in Python: sequences of threats, and the cells to which a confirming search is held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game, State
from narabe.envs.rules import line
from narabe.envs.rules.line.patterns import WORDS, new_patterns
from narabe.search.threats.desk import UNKNOWN
from narabe.search.threats.spaces import search
from narabe.search.threats.spaces_desk import COSTS, FOUND, LENGTH, new_desk

WORK = 200_000
"""Stones that a search lays at most, about a fifth of a second."""


@dataclass(frozen=True)
class ThreatSequence:
    """A candidate for a win: threats in order, the last of which wins or leaves more than one stone can parry.

    The defender's own fours are not reckoned with, so it may fail: only a search such as `Solver.vct` confirms it.
    """

    gains: tuple[int, ...]
    """Where the attacker plays."""
    costs: tuple[tuple[int, ...], ...]
    """For each gain the cells on which the defender may parry it, all thought to be taken at once; none for the last."""
    nodes: int
    """Threats that the search has found on the way."""

    @property
    def cells(self) -> tuple[int, ...]:
        """Gains and costs, in ascending order."""
        return tuple(sorted({*self.gains, *(cell for cells in self.costs for cell in cells)}))


def can_search(game: Game) -> bool:
    """Is it a line game without captures?"""
    return game.law is line and not game.options["captures"]


class SpaceSearch:
    """Threat-space search in one game.

    Raises `ValueError` for a game with captures, whose stones may go again, so that threats cannot be put together from parts
    that were looked at apart; and for Gomocku, where laying ends before all costs are laid.
    """

    def __init__(self, game: Game) -> None:
        if not can_search(game):
            raise ValueError(
                f"no threat-space search in {game.spec}: threats are put together from parts looked at apart, so the stones "
                "must stay where they are, for as long as it takes"
            )
        self._desk, self._patterns = new_desk(), new_patterns()
        self.nodes = 0

    def find(self, turn: State, count: int = FOUND, work: int = WORK) -> tuple[list[ThreatSequence], bool]:
        """(at most ``count`` candidates for the side to move, the shortest of each stage first; was everything looked at?)."""
        if not 1 <= count <= FOUND:
            raise ValueError(f"count {count}: 1 to {FOUND}")
        result = search(turn.record, self._patterns, self._desk, count, work)
        desk = self._desk[0]
        self.nodes = int(desk["n_nodes"])
        found = []
        for k in range(int(desk["n_found"])):
            path = desk["found"][k * LENGTH : k * LENGTH + int(desk["found_length"][k])].tolist()
            gains = (*(int(desk["gain"][node]) for node in path), int(desk["found_gain"][k]))
            costs = [tuple(desk["costs"][n * COSTS : n * COSTS + int(desk["n_costs"][n])].tolist()) for n in path]
            found.append(ThreatSequence(gains, (*costs, ()), self.nodes))
        return found, result != UNKNOWN


def add_cells(mask: np.ndarray, sequence: ThreatSequence) -> None:
    """Add the cells of a sequence to a set (uint64, one bit a cell), as the search for threats takes it."""
    for cell in sequence.cells:
        mask[cell >> 6] |= np.uint64(1 << (cell & 63))


def new_mask() -> np.ndarray:
    """A set of cells, empty."""
    return np.zeros(WORDS, np.uint64)
