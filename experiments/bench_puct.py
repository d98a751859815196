"""What the tree side of PUCT and Gumbel search costs a leaf, the network being free.

    python -m narabe.experiments.bench_puct --out runs/puct.json

Searches of random positions side by side, with arrays made beforehand as the answers of the network: what is timed is
selection, play, observation, mask, expansion, back-up and the calls from Python. Columns: CPU microseconds a simulation
and a leaf (a position that the network would be asked about), the same divided among the two kernels, mean depth of a
leaf and mean number of legal actions, microseconds to begin, to read and to move on a root, a game.
"""

from __future__ import annotations

import json
import os
import pathlib
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from narabe.envs import Game, State
from narabe.experiments.bench import machine, one_core
from narabe.experiments.bench_rows import _after
from narabe.search.puct import Gumbel, Puct, Search

GAMES = {
    "gomoku": Game("gomoku"),
    "freestyle": Game("freestyle"),
    "renju": Game("renju"),
    "omok": Game("omok", size=15),
    "omok19": Game("omok"),
    "capture_gomoku": Game("capture_gomoku", size=15),
    "gomocku": Game("gomocku"),
}


@dataclass(frozen=True)
class BenchPuct:
    """Measure the tree side of searches with a network that costs nothing."""

    games: tuple[str, ...] = tuple(GAMES)
    """Which games, all on 15x15 but omok19."""
    batch: int = 64
    """Games side by side."""
    sims: int = 100
    """Simulations of a search."""
    plies: int = 20
    """Random plies before the positions searched."""
    sharpness: float = 2.0
    """Standard deviation of the logits: 0 is a uniform policy."""
    repeats: int = 5
    """The best of so many is taken."""
    searches: int = 6
    """Searches of a batch in each."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


def answers(game: Game, args: BenchPuct) -> list[tuple[np.ndarray, np.ndarray]]:
    """What the network will say, call by call: small values, random logits."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(37):
        logits = rng.normal(0, args.sharpness, (args.batch, game.num_actions)).astype(np.float32)
        values = rng.uniform(-0.3, 0.3, (args.batch, 1)).astype(np.float32)
        found.append((logits, np.concatenate([values, -values], axis=1)))
    return found


def spent(
    search: Search, records: np.ndarray, said: list[tuple[np.ndarray, np.ndarray]], args: BenchPuct
) -> dict[str, float]:
    """CPU seconds of the parts of some searches, and what they did."""
    clock = time.process_time
    times = dict.fromkeys(("begin", "leaves", "give", "found", "advance"), 0.0)
    counts = dict.fromkeys(("leaves", "sims", "depth", "legal", "calls"), 0)
    streams = np.arange(1, len(records) + 1, dtype=np.uint64)
    for _ in range(args.searches):
        t0 = clock()
        search.begin(records, streams)
        times["begin"] += clock() - t0
        while True:
            t0 = clock()
            leaves = search.leaves()
            t1 = clock()
            times["leaves"] += t1 - t0
            k = len(leaves)
            if k == 0:
                break
            counts["leaves"] += k
            counts["depth"] += int(search.trees.desks["depth"][leaves.games].sum())
            counts["legal"] += int(leaves.masks.sum(dtype=np.int64))
            logits, values = said[counts["calls"] % len(said)]
            counts["calls"] += 1
            t0 = clock()
            search.give(logits[:k], values[:k])
            times["give"] += clock() - t0
        t0 = clock()
        found = search.found(np.arange(len(records)))
        t1 = clock()
        search.advance(found.action)
        times["found"] += t1 - t0
        times["advance"] += clock() - t1
        counts["sims"] += int(found.simulations.sum())
        streams = search.streams.copy()
    return {**{f"s_{name}": t for name, t in times.items()}, **counts}


def measure(name: str, kind: str, args: BenchPuct) -> dict[str, Any]:
    """The figures of one search of one game."""
    game = GAMES[name]
    positions: list[State] = [_after(game, args.plies, seed) for seed in range(args.batch)]
    records = np.concatenate([state.record for state in positions])
    make = Puct if kind == "puct" else Gumbel
    search = make(game, args.batch, args.sims)
    said = answers(game, args)
    spent(search, records, said, args)
    best = min(
        (spent(search, records, said, args) for _ in range(args.repeats)), key=lambda r: r["s_leaves"] + r["s_give"]
    )
    n, moves = best["leaves"], args.searches * args.batch
    core = best["s_leaves"] + best["s_give"]
    return {
        "game": game.spec,
        "search": kind,
        "us_per_leaf": 1e6 * core / n,
        "us_per_sim": 1e6 * core / best["sims"],
        "us_leaves": 1e6 * best["s_leaves"] / n,
        "us_give": 1e6 * best["s_give"] / n,
        "depth": best["depth"] / n,
        "legal": best["legal"] / n,
        "us_begin": 1e6 * best["s_begin"] / moves,
        "us_found": 1e6 * best["s_found"] / moves,
        "us_advance": 1e6 * best["s_advance"] / moves,
    }


def main(args: BenchPuct) -> None:
    """Measure, print, write."""
    one_core()
    rows = [measure(name, kind, args) for name in args.games for kind in ("puct", "gumbel")]
    table = Table(title=f"{args.batch} games, {args.sims} simulations, one core")
    for column in rows[0]:
        table.add_column(column.replace("_", " "))
    for row in rows:
        table.add_row(*(f"{x:.2f}" if isinstance(x, float) else str(x) for x in row.values()))
    Console(width=160).print(table)
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"machine": machine(), "cores": os.cpu_count(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(tyro.cli(BenchPuct))
