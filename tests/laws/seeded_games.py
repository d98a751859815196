"""A few seeded games as JSON lines, for a process with compiled code and one without to print the same.

Run it by `NUMBA_DISABLE_JIT=1 python -m narabe.tests.laws.seeded_games`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from narabe.envs import Game, game
from narabe.envs.rules import calls
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below, new_stream, next_bits, uniform
from narabe.search.perft import counts
from narabe.search.playout import playout, random_action

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("gomoku", {"width": 6, "height": 5}),
    ("omok", {"size": 6, "row": 4, "recursive": True}),
    ("capture_gomoku", {"size": 7}),
    ("renju", {"size": 6, "row": 4, "bans": "both"}),
    ("gomocku", {"size": 5, "stones": 4, "chance": 6, "coloured": 5}),
    ("gomocku", {"width": 6, "height": 5, "stones": 4, "chance": 4, "coloured": 3, "deal": "physical"}),
    ("gomocku", {"size": 5, "stones": 2, "chance": 8, "coloured": 10, "foul_restores": "all", "phase2_bans": "all",
                 "must_flip": True}),
]  # fmt: skip


@kernel
def draw(states, rng):
    return random_action(states[0], rng)


@kernel
def finish(states, rng):
    return playout(states[0], rng)


def one_game(played: Game, seed: int) -> dict[str, Any]:
    """Everything that a game's kernels say along a random game, with some moves taken back and played out again."""
    state, rng = played.start(), new_stream(seed)
    moves, keys, faults, seen = [], [], [], 0
    while not state.is_over:
        move = int(draw(state.record, rng))
        faults.append("".join(str(int(calls.fault(state.record, 0, a))) for a in range(played.num_actions)))
        moves.append(played.text_of(move))
        state.play(move)
        keys.append(f"{state.key:x} {state.canonical_key[0]:x}")
        seen = seen * 31 % 1_000_003 + int(state.observe(0).sum()) + state.legal_mask().sum().item()
    for _ in range(5):
        state.undo()
    again = state.record.copy()
    plies = int(finish(again, rng))
    return {
        "game": played.spec, "seed": seed, "moves": moves, "keys": keys, "faults": faults, "seen": seen,
        "text": state.to_text(), "plies": plies, "over": int(calls.facts(again, 0)[2]), "stream": int(rng[0]),
    }  # fmt: skip


def lines() -> list[str]:
    """The numbers of a stream, the games, and one perft."""
    rng = new_stream(5)
    numbers = [[int(next_bits(rng)) for _ in range(5)], [int(below(rng, 1000)) for _ in range(20)]]
    numbers += [[float(uniform(rng)) for _ in range(5)]]
    found: list[Any] = [numbers, counts(game("omok", size=4, row=3).start(), 2)]
    found += [one_game(game(name, **options), seed) for name, options in GAMES for seed in (1, 2)]
    return [json.dumps(entry) for entry in found]


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # 64-bit words wrap around
        print("\n".join(lines()))
