"""Positions of the line games for the suite: wins by fours, wins by threats, fours and threes to be answered.

Moves drawn at random within a square in the middle of the board make positions in which both sides have threats. One is
taken only if every legal move of it is proven to be right or wrong, by searches for continuous fours (which are exhaustive)
and for continuous threats.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from narabe.envs import Game, State
from narabe.search.threats import Solver
from narabe.search.threats.check import ProofError

DRAWN_PLIES = (14, 28)
"""Moves of a position drawn at random: from so many to below so many."""
VCF_PLIES, VCT_PLIES = 5, 5
"""A win must take so many plies at least, the winning move included."""
NODES = 4_000
"""Of a search for continuous threats."""
DEPTH = 5
"""Fours that may delay a loss, where it is proven."""


class Prover:
    """What follows from a move in one game."""

    def __init__(self, game: Game) -> None:
        self.solver = Solver(game, mb=16)

    def fours(self, state: State, seat: int | None = None, plies: int | None = None) -> int:
        """Length of a win by continuous fours of the seat (to move, unless given), 0 if there is none."""
        answer = self.solver.vcf(state, seat, max_plies=plies)
        return len(answer.line) if answer.won else 0

    def threats(self, state: State) -> int:
        """Length of a win by continuous threats of the side to move, 0 if none was found and proven."""
        try:
            answer = self.solver.vct(state, nodes=NODES)
        except ProofError:
            return 0
        return len(answer.line) if answer.won else 0

    def winning(self, state: State, deep: bool) -> list[int] | None:
        """The moves that win by force (`deep`: not by fours alone); None unless all the others are proven to lose."""
        seat, wins, unclear = state.to_play, list[int](), list[int]()
        for move in state.legal_actions():
            with after(state, move):
                if state.is_over:
                    if state.payoffs[seat] <= 0:
                        return None
                    wins.append(int(move))
                elif not self.fours(state):
                    unclear.append(int(move))
        for move in unclear:
            with after(state, move):
                if all(self._answered(state, reply, seat, deep) for reply in state.legal_actions()):
                    wins.append(move)
                elif not any(self._lost_after(state, reply, DEPTH) for reply in self._parries(state, seat)):
                    return None
        return sorted(wins)

    def lost(self, state: State, depth: int) -> bool:
        """Is the side to move proven to lose to continuous fours, after `depth` fours of its own at most?"""
        seat = state.to_play
        for move in state.legal_actions():
            with after(state, move):
                if state.is_over:
                    if state.payoffs[seat] >= 0:
                        return False
                elif not self.fours(state) and not (
                    depth > 0
                    and self.fours(state, seat, 1)
                    and any(self._lost_after(state, reply, depth - 1) for reply in self._parries(state, seat))
                ):
                    return False
        return True

    def _answered(self, state: State, reply: int, seat: int, deep: bool) -> bool:
        with after(state, reply):
            if state.is_over:
                return state.payoffs[seat] > 0
            return bool(self.fours(state) or (deep and self.threats(state)))

    def _lost_after(self, state: State, reply: int, depth: int) -> bool:
        with after(state, reply):
            return not state.is_over and self.lost(state, depth)

    def _parries(self, state: State, seat: int) -> list[int]:
        """Replies after which the seat does not win at once; none if it does not threaten to."""
        if not self.fours(state, seat, 1):
            return []
        found = []
        for reply in state.legal_actions():
            with after(state, reply):
                if not state.is_over and not self.fours(state, plies=1):
                    found.append(int(reply))
        return found


@contextmanager
def after(state: State, move: int) -> Iterator[None]:
    """The state after a move, in the body."""
    state.play(int(move))
    try:
        yield
    finally:
        state.undo()


def drawn(game: Game, seed: int) -> Iterator[State]:
    """Positions of random moves within a square in the middle of the board: in these both sides have many threats."""
    width, height = game.options["width"], game.options["height"]
    rows, columns = np.divmod(np.arange(width * height), width)
    number = 0
    while True:
        rng = np.random.default_rng((seed, number))
        number += 1
        side, plies = int(rng.integers(6, 9)), int(rng.integers(*DRAWN_PLIES))
        left, low = (width - side) // 2, (height - side) // 2
        inside = (columns >= left) & (columns < left + side) & (rows >= low) & (rows < low + side)
        state = game.start()
        while not state.is_over and state.ply < plies:
            legal = state.legal_actions()
            state.play(int(rng.choice(legal[inside[legal]] if inside[legal].any() else legal)))
        if not state.is_over:
            yield state


def kind_of(prover: Prover, state: State) -> str | None:
    """The category that a position could belong to."""
    seat = state.to_play
    mine, theirs = prover.fours(state), prover.fours(state, 1 - seat)
    if not theirs:
        return None  # then quiet moves are good as well, and which are cannot be proven
    if mine:
        return "vcf" if mine >= VCF_PLIES and theirs > 1 else None
    if theirs == 1:
        return "block_four"
    if prover.threats(state) >= VCT_PLIES:
        return "vct"
    return "block_three"


def right_moves(prover: Prover, state: State, kind: str) -> list[int] | None:
    """The right moves of a position of this category, None if it is none or not all of its moves are proven."""
    if kind in ("vcf", "vct"):
        return prover.winning(state, kind == "vct")
    seat, right = state.to_play, []
    for move in map(int, state.legal_actions()):
        with after(state, move):
            if state.is_over:
                return None
            if kind == "block_three" and prover.fours(state, seat, 1):
                return None  # a four only puts the answer off
            if not prover.fours(state, plies=1 if kind == "block_four" else None):
                right.append(move)
    return right
