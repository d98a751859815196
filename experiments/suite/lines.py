"""Positions of the line games for the suite: wins by fours, wins by threats, fours and threes to be answered, captures.

Moves drawn at random within a square in the middle of the board make positions in which both sides have threats. One is
taken only if every legal move of it is proven to be right or wrong, see `prover`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from narabe import agents
from narabe.envs import Game, State, game
from narabe.experiments.judging import choices
from narabe.experiments.suite.prover import Prover, after
from narabe.experiments.suite.replies import WINS, UndecidedError

FILLED, FILLED_QUIET, FILLED_TAKING = (0.3, 0.55), (0.2, 0.4), (0.8, 1.3)
"""Moves of a position drawn at random, as a share of the square's cells; the last where stones are taken, and cells filled
again."""
LONG_VCF, LONG_VCT = 9, 11
"""Plies of a long win at least, the winning move included; others take 5 or more."""
SHALLOW, DEEP = "alphabeta:nodes=1000,mb=1", "alphabeta:nodes=200000,mb=4"
"""Who misses the right move of a long win by threats, and who may not prove another move to win."""
SEEDS = 4
"""Of the greedy agent's ties."""


@dataclass(frozen=True)
class Found:
    """A position of a category: its right moves, and the plies of the shortest win that it is about, 0 where there is none."""

    state: State
    right: list[int]
    plies: int = 0


class Maker:
    """Takes positions of one line game for the categories; each method is one and gives None where it is not to be taken."""

    def __init__(self, spec: str) -> None:
        self.game, self._players = game(spec), dict[str, agents.Agent]()
        self.prover = Prover(self.game)

    def positions(self, category: str, seed: int) -> Iterator[Found]:
        """All of a category that are found in random positions, which follow from the seed."""
        take: Callable[[State], Found | None] = getattr(self, category)
        filled = FILLED_QUIET if category == "vct_long" else FILLED
        if self.game.options["captures"]:
            filled = FILLED_TAKING
        for state in drawn(self.game, seed, filled):
            self.prover.clear()
            try:
                found = take(state)
            except UndecidedError:
                continue
            if found and found.right:
                yield found

    # ---- the categories ----

    def vcf(self, state: State) -> Found | None:
        plies = self._fours(state, LONG_VCF - 2)
        return Found(state, self.prover.winning(state, False), plies) if plies >= 5 else None

    def vcf_long(self, state: State) -> Found | None:
        plies = self._fours(state)
        return Found(state, self.prover.winning(state, False), plies) if plies >= LONG_VCF else None

    def vct(self, state: State) -> Found | None:
        if not self._threatened(state) or self.prover.fours(state) or not self.prover.threats(state):
            return None
        if self._shown(state, "greedy", SEEDS):
            return None
        plies = self.prover.length(state, "vct")
        return Found(state, self.prover.winning(state, True), plies) if plies >= 5 else None

    def vct_long(self, state: State) -> Found | None:
        seat, prover = state.to_play, self.prover
        if prover.fours(state, 1 - seat) or prover.fours(state) or not prover.threats(state):
            return None
        if self._shown(state, SHALLOW) or self._shown(state, "greedy", SEEDS):
            return None
        plies = prover.length(state, "vct")
        if plies < LONG_VCT:
            return None
        right = prover.beginning(state)
        return Found(state, right, plies) if right and not self._another(state, right) else None

    def block_four(self, state: State) -> Found | None:
        seat, prover = state.to_play, self.prover
        if prover.fours(state) or not prover.fours(state, 1 - seat, 1):
            return None
        return Found(
            state, [move for move, answer in prover.replies.after_each(state).items() if answer not in (1, WINS)]
        )

    def block_three(self, state: State) -> Found | None:
        prover = self.prover
        if not self._threatened(state) or prover.fours(state) or prover.threats(state):
            return None
        return self._block(state)

    def capture_win(self, state: State) -> Found | None:
        prover = self.prover
        if not prover.fours(state, 1 - state.to_play) or prover.fours(state, plies=1) or not prover.fours(state):
            return None
        if not takes(state, prover.solver.vcf(state).line) or self._shown(state, "greedy", SEEDS, deep=False):
            return None
        return Found(state, prover.winning(state, False), prover.length(state, "vcf"))

    def capture_block(self, state: State) -> Found | None:
        prover, other = self.prover, 1 - state.to_play
        if prover.fours(state) or not prover.fours(state, other):
            return None
        return self._block(state)

    # ---- what they ask ----

    def _fours(self, state: State, most: int | None = None) -> int:
        """Plies of the shortest win by fours if the opponent, if it were his turn, had one too, but not at once; else 0."""
        prover = self.prover
        if not self._threatened(state) or not prover.fours(state) or prover.fours(state, plies=3):
            return 0
        if most and not prover.fours(state, plies=most):
            return 0
        return prover.length(state, "vcf")

    def _threatened(self, state: State) -> bool:
        """Has the opponent a win by fours if it were his turn, but no move that wins at once?"""
        other = 1 - state.to_play
        return self.prover.fours(state, other) and not self.prover.fours(state, other, 1)

    def _block(self, state: State) -> Found | None:
        """The moves that leave the opponent no win by fours; None if one is a four, or the greedy agent's."""
        prover, seat = self.prover, state.to_play
        answers = prover.replies.after_each(state)
        right = [move for move, answer in answers.items() if answer == 0]
        for move in right:
            with after(state, move):
                if prover.fours(state, seat, 1):
                    return None  # it only puts the answer off
        if any(move in right for move in self._played(state, "greedy", SEEDS)):
            return None
        return Found(state, right) if any(map(partial(self._holds, state), right)) else None

    def _holds(self, state: State, move: int) -> bool:
        """Does the opponent have no win by threats after this move? (If he always has, no answer is better than another.)"""
        with after(state, move):
            return self.prover.threats(state) is False

    def _shown(self, state: State, spec: str, seeds: int = 1, deep: bool = True) -> bool:
        """Does this agent play a move that wins by threats (`deep`; else by fours) whatever the reply?"""
        seat = state.to_play
        for move in self._played(state, spec, seeds):
            with after(state, move):
                if not state.is_over and self.prover.wins_after(state, seat, deep):
                    return True
        return False

    def _another(self, state: State, right: Sequence[int]) -> bool:
        """Does a long search prove that a move wins which is not among these?"""
        (view,) = [state.view(state.to_play)]
        (analysis,) = self._player(DEEP).choose([view])
        return (
            bool(analysis.proven) and (analysis.value or (0.0, 0.0))[state.to_play] > 0 and analysis.action not in right
        )

    def _played(self, state: State, spec: str, seeds: int) -> set[int]:
        """The moves of an agent, with so many seeds."""
        return {int(choices(self._player(spec), [state.copy()], seed)[0]) for seed in range(seeds)}

    def _player(self, spec: str) -> agents.Agent:
        if spec not in self._players:
            self._players[spec] = agents.make(spec, self.game)
        return self._players[spec]


def takes(state: State, line: Sequence[int]) -> bool:
    """Is a stone taken by a move of this line?"""
    then = state.copy()
    for move in line:
        pairs = then.record["pairs"][0].sum()
        if then.play(move).record["pairs"][0].sum() > pairs:
            return True
    return False


def drawn(game: Game, seed: int, filled: tuple[float, float] = FILLED) -> Iterator[State]:
    """Positions of random moves within a square in the middle of the board: in these both sides have many threats."""
    width, height = game.options["width"], game.options["height"]
    rows, columns = np.divmod(np.arange(width * height), width)
    number = 0
    while True:
        rng = np.random.default_rng((seed, number))
        number += 1
        side = int(rng.integers(6, 3 * width // 4 + 1))
        plies = round(side * side * rng.uniform(*filled))
        left, low = (width - side) // 2, (height - side) // 2
        inside = (columns >= left) & (columns < left + side) & (rows >= low) & (rows < low + side)
        state = game.start()
        while not state.is_over and state.ply < plies:
            legal = state.legal_actions()
            state.play(int(rng.choice(legal[inside[legal]] if inside[legal].any() else legal)))
        if not state.is_over:
            yield state
