"""Proofs of whole games against plain minimax, and against what is known of small boards."""

from __future__ import annotations

import numpy as np
import pytest

from narabe import envs
from narabe.search.proving import Prover
from narabe.search.threats import check
from narabe.tests.search.plain_values import Plain

GAMES = ("gomoku", "freestyle", "omok", "renju", "capture_gomoku:opening=none")
SMALL = ((3, 3), (4, 3), (3, 4))


def spec(game: str, width: int, height: int, row: int) -> str:
    return f"{game}{',' if ':' in game else ':'}width={width},height={height},row={row}"


def random_position(game: envs.Game, empties: int, rng: np.random.Generator) -> envs.State:
    """A game played at random down to so many empty cells; begun again where it ends before."""
    state = game.start()
    while int(state.record["n_empty"][0]) > empties:
        state.play(int(rng.choice(state.legal_actions())))
        if state.is_over:
            state = game.start()
    return state


def agrees(state: envs.State, prover: Prover, plain: Plain) -> None:
    """Winner, length and proofs of one position against plain minimax."""
    winner, plies = plain.of(state)
    verdict = prover.solve(state, shortest=True)
    assert verdict.is_known and verdict.winner == winner, state.to_text()
    assert verdict.plies == plies and verdict.exact == (winner is not None), state.to_text()
    assert len(verdict.proofs) == (1 if winner is not None else 2)
    for proof in verdict.proofs:
        counts = check(proof)
        assert winner is None or counts.plies == plies
        assert proof.seat == winner if winner is not None else proof.goal == "hold"


@pytest.mark.parametrize("name", GAMES)
def test_every_board_of_up_to_twelve_cells(name: str) -> None:
    for width, height in SMALL:
        for row in (3, 4):
            if row <= max(width, height):
                game = envs.game(spec(name, width, height, row))
                agrees(game.start(), Prover(game, mb=1), Plain(21))


@pytest.mark.parametrize("name", GAMES[:-1])
@pytest.mark.parametrize(("size", "row"), [(4, 3), (4, 4), (5, 4), (5, 5), (6, 5), (7, 5)])
def test_random_positions(name: str, size: int, row: int) -> None:
    game = envs.game(spec(name, size, size, row))
    rng = np.random.default_rng(size * 10 + row)
    prover, plain = Prover(game, mb=1), Plain(18)
    for _ in range(25):
        agrees(random_position(game, 9, rng), prover, plain)


@pytest.mark.parametrize(("size", "row"), [(4, 3), (4, 4), (5, 4), (5, 5)])
def test_random_positions_with_captures(size: int, row: int) -> None:
    """What is taken leaves empty cells, so such games are long."""
    game = envs.game(spec(GAMES[-1], size, size, row))
    rng = np.random.default_rng(size * 10 + row)
    prover, plain = Prover(game, mb=1), Plain(21)
    for _ in range(6):
        agrees(random_position(game, 3, rng), prover, plain)
