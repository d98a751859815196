"""Tunes the priors of threat-aware UCT: which move a quiet position asks for, learnt from games of the alpha-beta engine.

    python -m narabe.experiments.tune_uct_priors --out search/threatened_uct/tuned.py

Games start from random stones near the middle. Every position in which neither side can win at once, nor the side to move
by continuous fours, is a row: what each legal move near the stones makes and takes away (`FEATURES`), and the move the engine
played. The weights maximise the likelihood of the engine's moves under a softmax over the moves of a position
(a conditional logit); a fifth of the games is held out.
"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys
import time
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from narabe.envs import State, game
from narabe.envs.game import Game
from narabe.envs.rules.core import to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.envs.rules.line.record import MAX_CELLS
from narabe.envs.rules.lines import KINDS, ROW, TWIN_FOUR
from narabe.search.alphabeta import Engine
from narabe.search.threatened_uct.children import features_of, is_near, mark_near
from narabe.search.threatened_uct.replies import winning_cell
from narabe.search.threatened_uct.work import FEATURES, new_work
from narabe.search.threats.desk import WON, new_desk, new_table
from narabe.search.threats.vcf import find

GUESSES = {TWIN_FOUR: 5.0, ROW: 8.0, KINDS + TWIN_FOUR: 5.0, KINDS + ROW: 8.0}
GAMES = ("gomoku", "freestyle", "renju", "omok", "capture_gomoku")


@kernel
def rows_of(states, patterns, work, desks, table, cells, out):
    """Write the candidates and their features; how many there are, 0 if the position is not quiet."""
    s, p, w, desk = states[0], patterns[0], work[0], desks[0]
    read(s, p)
    i = to_move(s) - 1
    if winning_cell(s, p, desk, i) >= 0 or winning_cell(s, p, desk, 1 - i) >= 0:
        return 0
    if find(s, p, desk, table, np.int64(200), np.int64(400)) == WON:
        return 0
    mark_near(s, w)
    n = 0
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if is_near(s, w, a):
            cells[n] = a
            features_of(s, p, a, i, out[n])
            n += 1
    return n


@dataclass
class Rows:
    """``features`` int8 (n, FEATURES) of all candidates; ``first`` int64: where each position begins; ``chosen`` int64: the
    place of the move played; ``game`` int64 by position."""

    features: np.ndarray
    first: np.ndarray
    chosen: np.ndarray
    game: np.ndarray


class Collector:
    def __init__(self, played: Game, nodes: int, seed: int) -> None:
        self.game, self.nodes = played, nodes
        self.engine = Engine(played, mb=2)
        self.rng = random.Random(seed)
        self.rooms = new_patterns(1), new_work(1), new_desk(1), new_table(1)

    def opening(self) -> State:
        width, height = self.game.options["width"], self.game.options["height"]
        while True:
            state = self.game.start()
            reach = self.rng.choice((2, 3, 4))
            for _ in range(self.rng.randint(2, 6)):
                legal = [int(a) for a in state.legal_actions()]
                near = [a for a in legal if max(abs(a // width - height // 2), abs(a % width - width // 2)) <= reach]
                state.play(self.rng.choice(near or legal))
            if not state.is_over:
                return state

    def collect(self, games: int) -> Rows:
        parts, chosen, numbers, sizes = [], [], [], []
        cells, out = np.zeros(MAX_CELLS, np.int64), np.zeros((MAX_CELLS, FEATURES), np.int8)
        for number in range(games):
            state = self.opening()
            while not state.is_over:
                nodes = max(self.nodes // 10, 500) if self.rng.random() < 0.1 else self.nodes
                n = rows_of(state.record, *self.rooms, cells, out)
                move = self.engine.search(state.record, nodes=nodes).move
                place = np.flatnonzero(cells[:n] == move)
                if nodes == self.nodes and len(place):
                    parts.append(out[:n].copy())
                    chosen.append(int(place[0]))
                    sizes.append(n)
                    numbers.append(number)
                state.play(move)
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return Rows(np.concatenate(parts), first, first + np.array(chosen), np.array(numbers))


def loss(weights: np.ndarray, rows: Rows, penalty: float, base: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean negative log-likelihood in nats and its gradient, plus ``penalty`` times the squared distance from ``base``."""
    x = rows.features.astype(np.float32)
    logit = x @ weights
    top = np.maximum.reduceat(logit, rows.first)
    sizes = np.diff(np.append(rows.first, len(x)))
    e = np.exp(logit - np.repeat(top, sizes))
    total = np.add.reduceat(e, rows.first)
    p = e / np.repeat(total, sizes)
    n = len(rows.first)
    value = float(np.mean(top + np.log(total) - logit[rows.chosen]))
    gradient = (x.T @ p - x[rows.chosen].sum(0)) / n
    off = weights - base
    return value + penalty * float(off @ off), gradient + 2 * penalty * off


def accuracy(weights: np.ndarray, rows: Rows) -> float:
    logit = rows.features.astype(np.float32) @ weights
    top = np.maximum.reduceat(logit, rows.first)
    return float(np.mean(logit[rows.chosen] >= top - 1e-6))


def part(rows: Rows, mine: np.ndarray) -> Rows:
    sizes = np.diff(np.append(rows.first, len(rows.features)))
    keep = np.repeat(mine, sizes)
    first = np.concatenate([[0], np.cumsum(sizes[mine])[:-1]]).astype(np.int64)
    return Rows(rows.features[keep], first, first + (rows.chosen - rows.first)[mine], rows.game[mine])


def fit(rows: Rows, penalty: float) -> np.ndarray:
    base = np.zeros(FEATURES)
    found = minimize(loss, base, (rows, penalty, base), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights = np.asarray(found.x)
    for feature, guess in GUESSES.items():  # what ends the game does not occur in quiet positions, or hardly
        if (rows.features[:, feature] > 0).sum() < 100:
            weights[feature] = guess
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description="tune the priors of threat-aware UCT")
    parser.add_argument("--kinds", nargs="+", default=list(GAMES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2000, help="nodes of the engine a move")
    parser.add_argument("--penalty", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tuned.py"))
    given = parser.parse_args()
    found: dict[str, np.ndarray] = {}
    for name in given.kinds:
        start = time.time()
        rows = Collector(game(name), given.nodes, given.seed).collect(given.games)
        held = rows.game % 5 == 0
        w = fit(part(rows, ~held), given.penalty)
        for words, some in (("fitted", ~held), ("held out", held)):
            these = part(rows, some)
            print(
                f"{name} {words}: {len(these.first)} positions, {len(these.features) / len(these.first):.0f} moves each, "
                f"loss {loss(w, these, 0, w)[0]:.3f}, first choice {accuracy(w, these):.3f} ({time.time() - start:.0f} s)",
                flush=True,
            )
        found[name] = fit(rows, given.penalty)
        given.out.write_text(as_module(found, given))


def as_module(found: dict[str, np.ndarray], given: argparse.Namespace) -> str:
    command = " ".join(["python -m narabe.experiments.tune_uct_priors", *sys.argv[1:]])
    lines = [
        '"""The tuned weights of the priors by game, written by `narabe.experiments.tune_uct_priors`:',
        "",
        f"    {command}",
        "",
        f"{given.games} games a kind, {given.nodes} nodes a move.",
        '"""',
        "",
        "# fmt: off",
        "TUNED = {",
    ]
    for name, weights in found.items():
        lines.append(f'    "{name}": [')
        for k in range(0, len(weights), 12):
            lines.append("        " + " ".join(f"{float(v):.3f}," for v in weights[k : k + 12]))
        lines.append("    ],")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    main()
