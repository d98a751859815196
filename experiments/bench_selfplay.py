"""How fast self-play is: positions a second and the network's share of the time, by game and size of the network.

    narabe bench --selfplay --only connect_four
    python -m narabe.experiments.bench_selfplay --shapes 5 64 --sims 64 --precision bfloat16 --out runs/selfplay.json

One process on one core plays with a network of random weights, for so many positions. Columns, in CPU time: positions a
second that the network was asked about; about so many of them recorded; the network's share of the time; microseconds a
position in the network and beside it (search, laws, observations, calls from Python); mean batch.
"""

from __future__ import annotations

import json
import os
import pathlib
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.table import Table

from narabe import envs
from narabe.agents.evaluating import Evaluator
from narabe.agents.networks import Network
from narabe.experiments.args import UsageError
from narabe.experiments.bench import machine, one_core
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.training import tasks
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.selfplay import play_chunk
from narabe.search.puct import Evaluate

GAMES = ("connect_four", "gomoku:size=9", "gomoku", "omok:size=15", "capture_gomoku:size=15", "gomocku")
SHAPES = ((2, 16), (4, 32), (6, 64))


@dataclass(frozen=True)
class BenchSelfplay:
    """Measure self-play with random weights."""

    games: tuple[str, ...] = GAMES
    """Which games."""
    shapes: tuple[tuple[int, int], ...] = SHAPES
    """Blocks and channels of the networks."""
    flight: int = 32
    """Games side by side."""
    sims: int = TrainArgs.sims
    """Simulations of a full search."""
    fast_sims: int = TrainArgs.fast_sims
    """Simulations of a fast search."""
    precision: str = "float32"
    """Of the network: float32 or bfloat16."""
    positions: int = 10_000
    """Positions that the network is asked about."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


class Enough(Exception):
    """So many positions were asked about."""


class Counted:
    """A network that counts and times its calls, and raises `Enough` in the end."""

    def __init__(self, evaluate: Evaluate, positions: int) -> None:
        self.evaluate, self.left = evaluate, positions
        self.calls = self.positions = 0
        self.seconds, self.begun = 0.0, time.process_time()

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        if self.positions >= self.left:
            raise Enough
        begun = time.process_time()
        answers = self.evaluate(observations, masks, players)
        self.seconds += time.process_time() - begun
        self.calls, self.positions = self.calls + 1, self.positions + len(players)
        return answers


def measure(spec: str, blocks: int, channels: int, args: BenchSelfplay) -> dict[str, Any]:
    """The figures of one game with one network."""
    game = envs.game(spec)
    settings = TrainArgs(
        game=spec, blocks=blocks, channels=channels, flight=args.flight, chunk_games=1_000_000 // args.sims,
        sims=args.sims, fast_sims=args.fast_sims,
    )  # fmt: skip
    torch.manual_seed(1)
    evaluate = Evaluator(Network(game, tasks.shape_of(settings)), game, precision=args.precision)
    counted = Counted(evaluate, 0)
    for positions in (2 * args.sims * args.flight, args.positions):  # the first time all is compiled
        counted = Counted(evaluate, positions)
        with suppress(Enough):
            play_chunk(game, counted, settings, np.random.SeedSequence(1))
    seconds, n = time.process_time() - counted.begun, counted.positions
    share = settings.full_share
    searched = share * args.sims + (1 - share) * args.fast_sims
    return {
        "game": game.spec,
        "network": f"{blocks}x{channels}",
        "evaluations_per_second": n / seconds,
        "recorded_per_second": n / seconds * share / searched,
        "network_share": counted.seconds / seconds,
        "us_network": 1e6 * counted.seconds / n,
        "us_beside": 1e6 * (seconds - counted.seconds) / n,
        "mean_batch": n / counted.calls,
    }


def run(args: BenchArgs) -> int:
    """`narabe bench --selfplay`: the games whose name contains one of the words of ``args.only``; returns the exit status."""
    games = tuple(spec for spec in GAMES if not args.only or any(word in spec for word in args.only))
    if not games:
        raise UsageError(f"no game of --selfplay contains any of {args.only}; games: {', '.join(GAMES)}")
    main(BenchSelfplay(games, out=args.out))
    return 0


def main(args: BenchSelfplay) -> None:
    """Measure, print, write."""
    one_core()
    torch.set_num_threads(1)
    rows = [measure(spec, blocks, channels, args) for spec in args.games for blocks, channels in args.shapes]
    table = Table(title=f"self-play, {args.flight} games side by side, {args.sims} and {args.fast_sims} simulations")
    for column in rows[0]:
        table.add_column(column.replace("_", " "))
    for row in rows:
        table.add_row(*(f"{x:.2f}" if isinstance(x, float) else str(x) for x in row.values()))
    Console(width=160).print(table)
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"machine": machine(), "cores": os.cpu_count(), "rows": rows}, indent=1) + "\n")
        print(f"written to {args.out}")


if __name__ == "__main__":
    main(tyro.cli(BenchSelfplay))
