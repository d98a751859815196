"""The checker of proofs against plain Python: proofs with one thing changed at random pass here if they pass there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from narabe.envs import game
from narabe.envs.game import IllegalMove
from narabe.search.proving import Prover
from narabe.search.threats import DEAD, LIGHT, WIN_NOW, Proof, ProofError, Solver, check
from narabe.tests.oracles.proofs import hold, longest_play
from narabe.tests.oracles.whole_games import Minimax
from narabe.tests.search.threat_positions import BY_NAME, batches, state_of

FAULTS = (AssertionError, IllegalMove)


def spoiled(proof: Proof, rng: np.random.Generator) -> Proof | None:
    """The proof with another move, reply or answer in one place; None if that is no graph any more."""
    arrays = {name: getattr(proof, name).copy() for name in ("move", "reply", "child", "otherwise")}
    name = str(rng.choice([name for name, array in arrays.items() if len(array)]))
    k = int(rng.integers(len(arrays[name])))
    if name in ("move", "reply"):
        arrays[name][k] = rng.integers(proof.game.num_actions)
    else:
        reasons = [WIN_NOW] if proof.goal == "win" else [WIN_NOW, DEAD, LIGHT]
        arrays[name][k] = rng.choice([*reasons, int(rng.integers(len(proof)))])
    try:
        return replace(proof, **arrays)
    except ValueError:
        return None


def passes(proof: Proof) -> int:
    """Plies that the checker counts, 0 if it refuses the proof."""
    try:
        return check(proof).plies
    except ProofError:
        return 0


def compare_spoiled(proof: Proof, rng: np.random.Generator, minimax: Minimax | None, tally: Counter) -> None:
    """Ten changes of one proof. A "hold" that the checker believes must hold; one it refuses may be lost on its words alone."""
    for _ in range(10):
        other = spoiled(proof, rng)
        if other is None:
            continue
        plies = passes(other)
        try:
            naive = longest_play(other) if minimax is None else hold(other, minimax)
        except FAULTS:
            naive = 0
        except RecursionError:
            naive = -1
        tally[plies > 0] += 1
        where = f"{other.to_json()}: check {plies}, plain {naive}"
        assert plies == naive if minimax is None else naive > 0 or plies == 0, where


@pytest.mark.parametrize("name", ["freestyle", "renju", "capture gomoku", "captures in rows of four", "gomocku"])
def test_spoiled_proofs_of_fours(name: str) -> None:
    rng, tally = np.random.default_rng(1), Counter()  # type: ignore[var-annotated]
    for made, records in batches(BY_NAME[name], 60, seed=5):
        solver = Solver(made, mb=1)
        for i in range(len(records)):
            proof = solver.vcf(state_of(made, records, i)).proof
            if proof is not None and len(proof) <= 40 and sum(tally.values()) < 150:
                compare_spoiled(proof, rng, None, tally)
    assert tally[True] > 10 and tally[False] > 10


@pytest.mark.parametrize("name", ["freestyle", "gomoku", "omok", "capture_gomoku"])
def test_spoiled_proofs_of_whole_games(name: str) -> None:
    rng, won, held = np.random.default_rng(2), Counter(), Counter()  # type: ignore[var-annotated]
    options = {"opening": "none"} if name == "capture_gomoku" else {}
    for size in ({"width": 4, "height": 4, "row": 3}, {"width": 4, "height": 3, "row": 4}):
        of = game(name, **size, **options)
        prover, minimax = Prover(of, mb=4), Minimax(of, 1 << 19)
        for _ in range(12):
            state = of.start()
            for _ in range(int(rng.integers(3, 6))):
                if not state.is_over:
                    state.play(int(rng.choice(state.legal_actions())))
            if state.is_over:
                continue
            for proof in prover.solve(state).proofs:
                if len(proof) <= 150:
                    win = proof.goal == "win"
                    compare_spoiled(proof, rng, None if win else minimax, won if win else held)
    assert won[True] > 5 and won[False] > 5
    assert held[False] > 5
