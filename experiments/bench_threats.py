"""How fast victories by continuous fours are found in a file of problems.

    python -m narabe.experiments.bench_threats problems.jsonl
    python -m narabe.experiments.bench_threats problems.jsonl --game freestyle --passes 5

A line of the file is a JSON object with ``side``, the attacker (who is to move), and the stones: ``stones``, one text such as
"g12h12", Black's and White's in turn, or ``black`` and ``white``, lists of points. Lines of a ``kind`` other than "vcf" are
left out.

What is timed is one compiled call a problem: the board set up from its stones, the patterns read, the search, and the line
checked by the law. The time of the call itself, about half a microsecond, is in it. Each problem counts with its best time
of all passes, since a machine also does other things; the table of failures is emptied before each pass, so no problem is
met twice with what is known of it.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import tyro

from narabe import envs
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line import setup
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.threats.desk import UNLIMITED, WON, new_desk, new_table
from narabe.search.threats.replay import HOLDS, fault_of_line
from narabe.search.threats.vcf import find

SIDES = ("black", "white")


@dataclass(frozen=True)
class BenchThreats:
    """Measure the search for continuous fours."""

    file: tyro.conf.Positional[pathlib.Path]
    """JSON lines with problems."""
    game: str = "renju"
    """The rules."""
    mb: float = 16.0
    """Table of failures in MiB."""
    nodes: int = 10_000_000
    """Give a problem up after so many."""
    passes: int = 3
    """How often every problem is solved."""


@kernel
def solve(states, start, boards, k, mover, patterns, desks, table, max_nodes):
    """Set problem ``k`` up, solve it, check the line. (WON, NONE or UNKNOWN; does the line hold?)"""
    states[0] = start[0]
    s, p, desk = states[0], patterns[0], desks[0]
    board = boards[k]
    stones = 0
    for a in range(len(board)):
        if board[a] != 0:
            stones += 1
    setup(s, board, mover, stones, 0, 0, -1, 0)
    read(s, p)
    found = find(s, p, desk, table, max_nodes, UNLIMITED)
    return found, found != WON or fault_of_line(s, desk.line, desk.length) == HOLDS


def stones_of(problem: dict[str, Any]) -> tuple[list[str], list[str]]:
    if "stones" in problem:
        points = re.findall(r"[a-zA-Z]\d+", problem["stones"])
        return points[0::2], points[1::2]
    return list(problem["black"]), list(problem["white"])


def load(path: pathlib.Path, game: envs.Game) -> tuple[np.ndarray, np.ndarray]:
    """(boards int8 by problem and cell, attackers 1 or 2) of the problems in a file."""
    boards, sides = [], []
    for line in path.read_text().splitlines():
        problem = json.loads(line)
        if problem.get("kind", "vcf") != "vcf":
            continue
        board = np.zeros(game.num_actions, np.int8)
        for colour, points in enumerate(stones_of(problem), 1):
            for point in points:
                board[game.action_of(point)] = colour
        boards.append(board)
        sides.append(1 + SIDES.index(problem["side"]))
    return np.array(boards), np.array(sides)


def measure(args: BenchThreats, game: envs.Game) -> dict[str, np.ndarray]:
    boards, sides = load(args.file, game)
    start = game.start().record
    states, patterns, desk, table = start.copy(), new_patterns(), new_desk(), new_table(args.mb)
    n = len(boards)
    won, holds, nodes, seconds = np.zeros(n, int), np.ones(n, bool), np.zeros(n, int), np.full(n, np.inf)
    solve(states, start, boards, 0, sides[0], patterns, desk, table, args.nodes)
    for _ in range(args.passes):
        table[:] = 0
        for k in range(n):
            before = time.thread_time_ns()
            won[k], fits = solve(states, start, boards, k, sides[k], patterns, desk, table, args.nodes)
            seconds[k] = min(seconds[k], (time.thread_time_ns() - before) / 1e9)
            nodes[k] = desk[0]["nodes"]
            holds[k] &= fits
    return {"side": sides, "won": won == WON, "holds": holds, "nodes": nodes, "seconds": seconds}


def row(name: str, found: dict[str, np.ndarray], chosen: np.ndarray) -> str:
    ms, nodes = 1000 * found["seconds"][chosen], found["nodes"][chosen]
    rate = nodes.sum() / ms.sum() / 1000
    return (
        f"{name:6} solved {found['won'][chosen].sum()} of {chosen.sum()}; ms: median {np.median(ms):.3f}, "
        f"99 % {np.percentile(ms, 99):.3f}, worst {ms.max():.3f}; nodes: median {np.median(nodes):.0f}, "
        f"99 % {np.percentile(nodes, 99):.0f}, worst {nodes.max()}; {rate:.2f} M nodes/s"
    )


def main() -> int:
    """Print a line for each side; exit status 1 if a line that was found does not hold."""
    args = tyro.cli(BenchThreats)
    found = measure(args, envs.game(args.game))
    for k, side in enumerate(SIDES, 1):
        if (found["side"] == k).any():
            print(row(side, found, found["side"] == k))
    print(row("both", found, found["side"] > 0))
    wrong = np.flatnonzero(~found["holds"])
    if len(wrong):
        print(f"lines that do not hold: problems {wrong.tolist()}")
    return 1 if len(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
