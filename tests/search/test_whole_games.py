"""The prover of whole games against plain minimax, on all boards up to 16 cells: who wins, how soon, and the proofs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from narabe.envs import Game, State, game
from narabe.search.proving import Prover
from narabe.search.threats import check
from narabe.tests.oracles.proofs import hold, longest_play
from narabe.tests.oracles.whole_games import Minimax

RULES: dict[str, dict[str, Any]] = {
    "gomoku": {},
    "freestyle": {},
    "omok": {},
    "renju": {"recursive": False},
    "capture_gomoku": {"opening": "none"},
}
QUICK = ((3, 3, 3), (4, 3, 3), (3, 4, 4), (5, 3, 3), (4, 4, 3))  # width, height, row
LONG = ((5, 3, 4), (3, 5, 5), (4, 4, 4))
FOLLOWED = 3_000  # positions of a proof of not losing that plain Python is to follow


def made(name: str, board: tuple[int, int, int]) -> Game:
    width, height, row = board
    return game(name, width=width, height=height, row=row, **RULES[name])


def agree(state: State, prover: Prover, minimax: Minimax, *, follow: bool = True) -> int:
    """One position; returns the plies of the win, 0 for a draw."""
    outcome, plies = minimax.solve(state)
    winner = None if outcome == 0 else state.to_play if outcome > 0 else 1 - state.to_play
    verdict, where = prover.solve(state, shortest=True), state.to_text()
    assert (verdict.winner, verdict.is_draw) == (winner, winner is None), where
    for proof in verdict.proofs:
        check(proof)
        assert proof.position == where
    if winner is None:
        assert [prover.wins(state, seat) for seat in (0, 1)] == [False, False], where
        assert sorted((proof.seat, proof.goal) for proof in verdict.proofs) == [(0, "hold"), (1, "hold")], where
        for proof in verdict.proofs:
            if follow and len(proof) < FOLLOWED // 10:
                hold(proof, minimax)
        return 0
    assert (verdict.plies, verdict.exact) == (plies, True), where
    assert [(proof.seat, proof.goal) for proof in verdict.proofs] == [(winner, "win")], where
    assert prover.wins(state, winner, plies) and not prover.wins(state, winner, plies - 2), where
    assert not prover.wins(state, 1 - winner), where
    if follow and plies <= 7:
        assert longest_play(verdict.proofs[0]) == plies, where
    return plies


@pytest.mark.parametrize("board", QUICK, ids=lambda board: "{}x{} row {}".format(*board))
@pytest.mark.parametrize("name", RULES)
def test_from_the_start(name: str, board: tuple[int, int, int]) -> None:
    of = made(name, board)
    agree(of.start(), Prover(of, mb=16), Minimax(of, 1 << 19))


@pytest.mark.parametrize(
    ("name", "board"), [("gomoku", (5, 3, 4)), ("freestyle", (3, 5, 5)), ("omok", (4, 4, 4)), ("renju", (4, 4, 4))]
)
def test_longer_games_from_the_start(name: str, board: tuple[int, int, int]) -> None:
    of = made(name, board)
    assert agree(of.start(), Prover(of, mb=64), Minimax(of, 1 << 21), follow=False) == 0


def random_play(of: Game, plies: int, rng: np.random.Generator) -> State | None:
    """A position after so many random plies; None if the game was over by then."""
    state = of.start()
    while state.ply < plies and not state.is_over:
        state.play(int(rng.choice(state.legal_actions())))
    return None if state.is_over else state


@pytest.mark.parametrize("board", [*QUICK, *LONG], ids=lambda board: "{}x{} row {}".format(*board))
@pytest.mark.parametrize("name", RULES)
def test_on_the_way(name: str, board: tuple[int, int, int]) -> None:
    of, rng = made(name, board), np.random.default_rng(sum(board))
    prover, minimax = Prover(of, mb=16), Minimax(of, 1 << 20)
    first, found = (5 if board in LONG else 1), []
    for _ in range(60):
        state = random_play(of, int(rng.integers(first, of.num_actions - 2)), rng)
        if state is not None and len(found) < 15:
            found.append(agree(state, prover, minimax))
    assert len(found) >= 8
    assert min(found) == 0 or max(found) >= 5


def test_with_pairs_taken_before() -> None:
    """Set-up positions of capture Gomoku, in which a few pairs decide."""
    of, rng = made("capture_gomoku", (4, 4, 4)), np.random.default_rng(2)
    prover, minimax, wins = Prover(of, mb=16), Minimax(of, 1 << 20), 0
    for _ in range(60):
        cells = rng.permutation(of.num_actions)
        n, m = (int(k) for k in rng.integers(3, 6, 2))
        pairs = (int(rng.integers(3, 5)), int(rng.integers(3, 5)))
        side = str(rng.choice(["black", "white"]))
        state = of.position(black=cells[:n], white=cells[n : n + m], to_move=side, pairs=pairs)
        wins += not state.is_over and agree(state, prover, minimax) > 1
    assert wins > 10
