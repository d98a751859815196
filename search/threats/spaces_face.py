"""Threat-space search in Python: sequences of threats, and the cells to which a confirming search is held."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game, State
from narabe.envs.rules import line
from narabe.envs.rules.line.patterns import WORDS, new_patterns
from narabe.search.threats.desk import UNKNOWN
from narabe.search.threats.proof import Proof
from narabe.search.threats.spaces import search
from narabe.search.threats.spaces_desk import COSTS, FOUND, LENGTH, new_desk
from narabe.search.threats.vct import THREES, Budget, ThreatSearch

WORK = 200_000
"""Stones that a search lays at most, about a twentieth of a second."""
ALONE_NODES, CANDIDATE_NODES = 50_000, 200_000
"""Nodes that the search of all moves has before candidates are looked for, and those that are spent on these."""


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

    def solve(
        self, threats: ThreatSearch, turn: State, stage: int, plies: int, budget: Budget, alone: bool
    ) -> tuple[bool | None, Proof | None]:
        """(is there a win for the side to move, its proof); None: budget spent, or, ``alone``, no candidate was confirmed.

        Not ``alone`` it takes turns with the search of all moves, which decides most positions at once: candidates come in
        when that search turns out to be long. Arguments otherwise as of `ThreatSearch.find`.
        """
        if alone:
            return self._confirm(threats, turn, plies, budget, budget.nodes)
        won, proof = _with(budget, ALONE_NODES, lambda part: threats.find(turn, stage, plies, part))
        if won is None and not _is_spent(budget):
            won, proof = _with(
                budget, CANDIDATE_NODES, lambda part: self._confirm(threats, turn, plies, part, CANDIDATE_NODES)
            )
        if won is None and not _is_spent(budget):
            won, proof = threats.find(turn, stage, plies, budget)
        return won, proof

    def _confirm(
        self,
        threats: ThreatSearch,
        turn: State,
        plies: int,
        budget: Budget,
        nodes: int,
    ) -> tuple[bool | None, Proof | None]:
        """(True, proof) if a candidate holds when the attacker keeps to its cells and those of the ones before it."""
        mask = np.zeros(WORDS, np.uint64)
        found, _ = self.find(turn)
        budget.spent += self.nodes
        for sequence in found:
            for cell in sequence.cells:
                mask[cell >> 6] |= np.uint64(1 << (cell & 63))
            won, proof = _with(budget, nodes, lambda part: threats.find(turn, THREES, plies, part, mask))
            if won:
                return True, proof
            if _is_spent(budget):
                break
        return None, None


def _with(
    budget: Budget, nodes: int, search: Callable[[Budget], tuple[bool | None, Proof | None]]
) -> tuple[bool | None, Proof | None]:
    """Let a search spend so much of the budget."""
    part = Budget(max(0, min(nodes, budget.nodes - budget.spent)), budget.until, budget.tick)
    result = search(part)
    budget.spent += part.spent
    return result


def _is_spent(budget: Budget) -> bool:
    return budget.spent >= budget.nodes or (budget.until is not None and time.perf_counter() >= budget.until)
