"""The compiled stacking law beside the naive oracle: random games under many sets of options."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from narabe.envs import Game, State, game
from narabe.envs.rules import core
from narabe.envs.rules.stacking import record as R
from narabe.tests.oracles.stacking import Stacking

REASONS = {
    R.ROW: "row", R.CLAIMED: "claimed", R.RESIGNED: "resigned", R.FALSE_CLAIM: "false claim", R.OLDER: "older",
    R.RETAKEN: "retaken", R.FULL: "full", R.LIMIT: "limit",
}  # fmt: skip

SETS: list[dict[str, Any]] = [
    {},
    {"reach": 1, "span": 4},
    {"span": 3, "max_height": 4, "reach": 3, "plies": 12},
    {"width": 7, "height": 6},
    {"width": 3, "boards": 2, "height": 4},
    {"width": 5, "height": 0, "max_height": 5, "row": 3},
    {"height": 2, "row": 5, "span": 8},
    {"width": 4, "height": 5, "cylinder": True},
    {"width": 6, "height": 4, "cylinder": True, "row": 6},
    {"width": 5, "cylinder": True, "max_height": 8, "players": 3},
    {"width": 7, "height": 6, "players": 3, "row": 3, "resign": True},
    {"players": 4, "claim": True, "false_claim": "loses", "resign": True, "row": 3},
    {"width": 6, "height": 3, "players": 3, "claim": True, "unclaimed_four": "reversed", "row": 3},
    {"width": 6, "height": 4, "players": 4, "claim": True, "unclaimed_four": "draw", "row": 3, "false_claim": "loses"},
    {"width": 5, "height": 6, "players": 4, "resign": True, "row": 6},
    {"width": 6, "height": 5, "claim": True, "row": 3},
    {"width": 6, "height": 5, "claim": True, "row": 3, "unclaimed_four": "draw", "resign": True},
    {"width": 5, "height": 5, "claim": True, "row": 3, "unclaimed_four": "reversed", "resign": True},
    {"width": 7, "height": 6, "resign": True, "unclaimed_four": "reversed"},
    {"takeback": True, "row": 3},
    {"takeback": True, "after_takeback": "draw", "width": 5, "height": 5, "row": 3},
    {"takeback": True, "after_takeback": "first_winner", "width": 7, "height": 6},
    {"takeback": True, "claim": True, "width": 5, "height": 6, "row": 3},
    {"takeback": True, "claim": True, "unclaimed_four": "draw", "after_takeback": "draw", "row": 3, "resign": True},
    {"takeback": True, "resign": True, "after_takeback": "first_winner", "width": 5, "height": 6, "row": 3},
    {"takeback": True, "claim": True, "false_claim": "loses", "unclaimed_four": "reversed", "after_takeback":
     "first_winner", "row": 3, "width": 4, "height": 8, "cylinder": True, "plies": 20},
]  # fmt: skip


def compare(state: State, naive: Stacking) -> None:
    s = state.record[0]
    assert {state.game.text_of(a) for a in state.legal_actions()} == naive.legal()
    assert state.is_over == naive.over
    assert {name for bit, name in REASONS.items() if s["result"] & bit} == naive.reasons
    assert bool(s["truncated"]) == ("limit" in naive.reasons)
    assert state.payoffs == pytest.approx(naive.payoffs())
    if not state.is_over:
        assert state.to_play == naive.mover
    board, columns = state.game.face.board(state), int(s["columns"])
    named = {}
    for r, c in zip(*np.nonzero(board)):
        named[int(c) + 1 if naive.width else int(c) - columns // 2, int(r)] = int(board[r, c]) - 1
    assert named == naive.blocks


def choose(naive: Stacking, rng: random.Random) -> str:
    """A random move; claims in vain and resigning are rare, taking back is not."""
    legal = sorted(naive.legal())
    if "takeback" in legal:
        return rng.choice(["takeback", "takeback", "accept"])
    if "grant" in legal:
        return rng.choice(["grant", "grant", "refuse"])
    in_vain = naive.options["claim"] and not naive.has_row(naive.mover)
    rare = [move for move in legal if move == "resign" or (in_vain and move.endswith("!"))]
    often = [move for move in legal if move not in rare]
    return rng.choice(rare) if rare and (not often or rng.random() < 0.04) else rng.choice(often)


@pytest.mark.parametrize("options", SETS, ids=lambda o: ",".join(f"{k}={v}" for k, v in o.items()) or "default")
def test_random_games_are_those_of_the_oracle(options: dict[str, Any]) -> None:
    played = game("stacking", **options)
    rng, reasons = random.Random(7), set()
    for _ in range(20):
        state, naive = played.start(), Stacking(played.options)
        compare(state, naive)
        while not naive.over:
            move = choose(naive, rng)
            state.play(move)
            naive.play(move)
            compare(state, naive)
        reasons |= naive.reasons
        back(state, rng)
    assert reasons


def back(state: State, rng: random.Random) -> None:
    """Undo some actions and play them again: the same record."""
    after, actions = state.record.copy(), list(state.history)
    count = rng.randint(1, len(actions))
    for _ in range(count):
        state.undo()
    for action in actions[-count:]:
        state.play(action)
    assert core.differences(state.record, after) == []


def test_the_games_reach_every_kind_of_end() -> None:
    """What the random games above must come to, so that they test something."""
    seen: set[str] = set()
    for options in SETS:
        played: Game = game("stacking", **options)
        for seed in range(20):
            rng, naive = random.Random(seed), Stacking(played.options)
            grants = 0
            while not naive.over:
                move = choose(naive, rng)
                grants += move == "grant"
                naive.play(move)
            seen |= naive.reasons | ({"two takebacks"} if grants > 1 else set())
            seen |= {"drawn after dropping out"} if naive.winner is None and naive.out else set()
    assert seen >= {*REASONS.values(), "two takebacks", "drawn after dropping out"}
