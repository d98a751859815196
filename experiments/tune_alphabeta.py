"""Tunes the weights of the alpha-beta estimate by logistic regression on games that the engine plays against itself.

    python -m narabe.experiments.tune_alphabeta --out search/alphabeta/tuned.py

Games on boards of several sizes start from random stones near the middle that a short search finds balanced. Every position
in which neither side can win at once, and the side to move not by continuous fours, is a row: its features, and the result
of the game. A fifth of the games is held out. A round plays with the weights of the round before; the first one plays with
naive weights.

What both sides have of the weak kinds tells little about who wins, but it grows with the board: weights for it that a
constant (the tempo) sets off on one board are absurd on another. So the fit is in differences and sums of both sides,
and those sums are drawn to zero much harder.
"""

from __future__ import annotations

import argparse
import pathlib
import random
import runpy
import time
from dataclasses import dataclass, fields

import numpy as np

from narabe.envs import State, game
from narabe.envs.game import Game
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.envs.rules.lines import CLOSED_THREE
from narabe.search.alphabeta import Engine, as_weights
from narabe.search.alphabeta.evaluation import features
from narabe.search.alphabeta.moves import next_winning_cell, stands, two_fours
from narabe.search.alphabeta.weights import FEATURES, LOGIT, NAMES, TEMPO
from narabe.search.threats.desk import WON
from narabe.search.threats.desk import new_desk as vcf_desk
from narabe.search.threats.desk import new_table as vcf_table
from narabe.search.threats.vcf import find

GAMES = ("freestyle", "gomoku", "renju", "omok", "capture_gomoku")
SIZES = (9, 11, 13, 15, 19)
BALANCED = 150  # points within which an opening may start
WEAK_SUMS = 1e4  # times the penalty: for what both sides have of a weak kind
NAIVE: dict[str, float] = {
    "own_kind_2": 2, "own_kind_3": 2, "own_kind_4": 10, "own_kind_5": 14, "own_kind_6": 16, "own_kind_7": 70,
    "own_kind_8": 90, "own_kind_9": 80, "own_kind_10": 500, "other_kind_2": -2, "other_kind_3": -2, "other_kind_4": -7,
    "other_kind_5": -10, "other_kind_6": -12, "other_kind_7": -40, "other_kind_8": -60, "other_kind_9": -40,
    "other_kind_10": -200, "own_pairs_1": 80, "own_pairs_2": 180, "own_pairs_3": 350, "own_pairs_4": 700, "other_pairs_1": -80,
    "other_pairs_2": -180, "other_pairs_3": -350, "other_pairs_4": -700, "own_taking": 60, "other_taking": -30, "tempo": 30,
}  # fmt: skip


@kernel
def row_of(states, patterns, desks, failures, out):
    """Write the features of the position and return whether the estimate would be asked for it."""
    s, p = states[0], patterns[0]
    read(s, p)
    i = np.int64(s.mover) - 1
    if next_winning_cell(s, p, i, np.int64(-1)) >= 0 or next_winning_cell(s, p, 1 - i, np.int64(-1)) >= 0:
        return False
    if two_fours(s, p, i, np.int64(-1)) >= 0 and stands(s, i):
        return False
    if find(s, p, desks[0], failures, np.int64(200), np.int64(400)) == WON:
        return False
    features(s, p, out)
    return True


@dataclass
class Rows:
    """``features`` int32 (n, FEATURES), ``mover`` int8 (n,), ``result`` float64 (n,) for the side to move; ``game`` and the
    ``size`` of its board, int64 (n,)."""

    features: np.ndarray
    mover: np.ndarray
    result: np.ndarray
    game: np.ndarray
    size: np.ndarray


class Collector:
    """Plays games of one kind and keeps their rows."""

    def __init__(self, played: Game, weights: np.ndarray, nodes: int, seed: int) -> None:
        self.game, self.nodes = played, nodes
        self.engine = Engine(played, mb=2, weights=weights)
        self.rng = random.Random(seed)
        self._patterns, self._desks, self._failures = new_patterns(1), vcf_desk(1), vcf_table(1)

    def opening(self) -> State:
        """A balanced position after two to six random stones near the middle."""
        width, height = self.game.options["width"], self.game.options["height"]
        while True:
            state = self.game.start()
            reach = self.rng.choice((3, 4, 5))
            for _ in range(self.rng.randint(2, 6)):
                near = [
                    int(a)
                    for a in state.legal_actions()
                    if max(abs(a // width - height // 2), abs(a % width - width // 2)) <= reach
                ]
                state.play(self.rng.choice(near))
            if not state.is_over and abs(self.engine.search(state.record, nodes=self.nodes).score) < BALANCED:
                return state

    def play(self, number: int) -> Rows:
        """The rows of one game. One move in ten is made after a tenth of the nodes, so that games differ."""
        state = self.opening()
        kept, movers = [], []
        while not state.is_over:
            row = np.zeros(FEATURES, np.int32)
            if row_of(state.record, self._patterns, self._desks, self._failures, row):
                kept.append(row)
                movers.append(state.to_play)
            nodes = self.nodes // 10 if self.rng.random() < 0.1 else self.nodes
            state.play(self.engine.search(state.record, nodes=nodes).move)
        mover = np.array(movers, np.int8)
        result = np.array([(state.payoffs[seat] + 1) / 2 for seat in movers])
        size = self.game.options["width"]
        return Rows(
            np.array(kept, np.int32).reshape(-1, FEATURES),
            mover,
            result,
            np.full(len(kept), number),
            np.full(len(kept), size),
        )


def collect(name: str, weights: np.ndarray, games: int, nodes: int, seed: int) -> Rows:
    """The rows of so many games: every second one on the game's own board, the others on all smaller `SIZES` by turns."""
    own = game(name).options["width"]
    sizes = [size for smaller in SIZES if smaller < own for size in (own, smaller)]
    collectors = {size: Collector(game(name, size=size), weights, nodes, seed) for size in sizes}
    parts = [collectors[sizes[k % len(sizes)]].play(k) for k in range(games)]
    return Rows(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Rows)))


def loss(features_: np.ndarray, result: np.ndarray, weights: np.ndarray) -> float:
    """Mean cross-entropy in nats."""
    logit = features_ @ weights
    return float(np.mean(np.logaddexp(0, logit) - result * logit))


def basis() -> tuple[np.ndarray, np.ndarray]:
    """(float64 (FEATURES, FEATURES), bool (FEATURES,)): features times this are differences (own less other) and sums of both
    sides, and the constant; and which of these are sums of a weak kind."""
    turn, is_weak_sum = np.eye(FEATURES), np.zeros(FEATURES, bool)
    for k, name in enumerate(NAMES):
        if name.startswith("own_"):
            mate = NAMES.index(name.replace("own_", "other_"))
            turn[mate, k], turn[k, mate] = -1, 1
            is_weak_sum[mate] = "kind" in name and k + 1 < CLOSED_THREE
    return turn, is_weak_sum


def fit(features_: np.ndarray, result: np.ndarray, penalty: float) -> np.ndarray:
    """Weights (in logits) that minimise the cross-entropy plus ``penalty`` times the squared weights in units of their spread.

    Of sums of a weak kind `WEAK_SUMS` times as much. Newton's method, in the `basis` of differences and sums.
    """
    turn, is_weak_sum = basis()
    turned = features_ @ turn
    spread = np.maximum(turned.std(0), 1e-3)
    spread[TEMPO] = 1.0
    x = turned / spread
    cost = penalty * np.where(is_weak_sum, WEAK_SUMS, 1.0)
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - result) + cost * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(cost)
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return turn @ (w / spread)


def tune(rows: Rows, name: str, penalty: float) -> dict[str, dict[str, float]]:
    """Weights in points; renju, where the bans bind one side, gets a set for each colour to move."""
    held = rows.game // (2 * len(SIZES)) % 5 == 0  # of every size
    out = {}
    for colour, mine in _colours(name, rows):
        x, y, back = rows.features[mine].astype(float), rows.result[mine], held[mine]
        w = fit(x[~back], y[~back], penalty)
        base = y[~back].mean()
        blank = -(y[back] * np.log(base) + (1 - y[back]) * np.log(1 - base)).mean()
        print(
            f"  {name} {colour}: {len(y)} rows, loss {loss(x[~back], y[~back], w):.4f}, "
            f"held out {loss(x[back], y[back], w):.4f} (result alone {blank:.4f})",
            flush=True,
        )
        for size in np.unique(rows.size):
            of_size = back & (rows.size[mine] == size)
            print(f"    {size}x{size}: {of_size.sum()} rows held out, loss {loss(x[of_size], y[of_size], w):.4f}")
        final = fit(x, y, penalty)
        out[colour] = {n: round(float(v) * LOGIT, 1) for n, v in zip(NAMES, final) if abs(v) * LOGIT >= 0.05}
    return out


def _colours(name: str, rows: Rows) -> list[tuple[str, np.ndarray]]:
    if name == "renju":
        return [("black", rows.mover == 0), ("white", rows.mover == 1)]
    return [("both", rows.mover >= 0)]


def main() -> None:
    parser = argparse.ArgumentParser(description="tune the estimate of the alpha-beta engine")
    parser.add_argument("--kinds", nargs="+", default=list(GAMES), help="games to tune")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="games a round and kind")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes a move")
    parser.add_argument("--penalty", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tuned.py"))
    given = parser.parse_args()
    found, made = stored(given.out)
    for name in given.kinds:
        numbers: dict[str, dict[str, float]] = {"both": dict(NAIVE)}
        for turn in range(given.rounds):
            start = time.time()
            rows = collect(name, as_weights(numbers), given.games, given.nodes, given.seed + turn)
            print(f"{name}, round {turn + 1}: {given.games} games in {time.time() - start:.0f} s", flush=True)
            numbers = tune(rows, name, given.penalty)
        found[name] = numbers
        made[name] = f"--rounds {given.rounds} --games {given.games} --nodes {given.nodes} --seed {given.seed}"
        given.out.write_text(as_module(found, made))


def stored(path: pathlib.Path) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, str]]:
    """The weights of a file that is there already, and how they were made; games that are not tuned now stay as they are."""
    if not path.exists():
        return {}, {}
    there = runpy.run_path(str(path))
    return there["TUNED"], there["MADE"]


def as_module(found: dict[str, dict[str, dict[str, float]]], made: dict[str, str]) -> str:
    """The text of ``tuned.py``."""
    lines = [
        '"""The tuned weights of the estimate by game, in points; written by `narabe.experiments.tune_alphabeta`:',
        "",
        *(f"    python -m narabe.experiments.tune_alphabeta --kinds {name} {words}" for name, words in made.items()),
        "",
        "Each with ``--out`` this file: what it holds of other games stays.",
        '"""',
        "",
        "# fmt: off",
        "MADE = {",
        *(f'    "{name}": "{words}",' for name, words in made.items()),
        "}",
        "TUNED = {",
    ]
    for name, sets in found.items():
        lines.append(f'    "{name}": {{')
        for colour, numbers in sets.items():
            lines.append(f'        "{colour}": {{')
            row = "           "
            for key, value in numbers.items():
                item = f' "{key}": {value:g},'
                if len(row) + len(item) > 118:
                    lines.append(row)
                    row = "           "
                row += item
            lines += [row, "        },"]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    main()
