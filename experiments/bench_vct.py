"""How fast victories by continuous threats are found in a file of problems.

    python -m narabe.experiments.bench_vct tests/data/renju_mate_cases.jsonl
    python -m narabe.experiments.bench_vct problems.jsonl --threats all --seconds 60 --only long

A line of the file is a JSON object as for `bench_threats`, of the kind "vct". A time runs from the state to the proof that the
law has checked; compiling is done before the first. Every problem starts with empty tables.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from dataclasses import dataclass
from typing import Literal

import tyro

from narabe import envs
from narabe.experiments.bench_threats import SIDES, stones_of
from narabe.search.threats import Solver


@dataclass(frozen=True)
class BenchVct:
    """Measure the search for continuous threats."""

    file: tyro.conf.Positional[pathlib.Path]
    """JSON lines with problems."""
    game: str = "renju"
    """The rules."""
    threats: Literal["threes", "all"] = "threes"
    """What the attacker tries."""
    method: Literal["auto", "dfpn", "spaces"] = "auto"
    """Which search."""
    seconds: float = 20.0
    """Give a problem up after so long."""
    mb: float = 256.0
    """Tables in MiB."""
    only: str = ""
    """Problems whose name holds this text."""


def main() -> int:
    """Print a line for each problem; a win by another first move than the file's is marked, its proof was checked as well."""
    args = tyro.cli(BenchVct)
    game = envs.game(args.game)
    problems = [json.loads(line) for line in args.file.read_text().splitlines()]
    solver, solved, count = Solver(game, mb=args.mb), 0, 0
    # a win and a search that fails, so that all is compiled before the clock runs
    for stones in ("A1 A3 A5 C1", "G8 I11 F8 C1"):
        state = game.position(black="H8 I8 H9 I10", white=stones, to_move="black")
        solver.vct(state, threats="all", ms=1000, method=args.method)
    for problem in problems:
        if problem.get("kind") != "vct" or args.only not in problem["id"]:
            continue
        black, white = stones_of(problem)
        state = game.position(black=black, white=white, to_move=SIDES[SIDES.index(problem["side"])])
        solver.clear()
        before = time.perf_counter()
        answer = solver.vct(state, threats=args.threats, ms=1000 * args.seconds, method=args.method)
        took = time.perf_counter() - before
        first = game.text_of(answer.line[0]) if answer.won else "-"
        expected = first in problem.get("first_moves", [first])
        count, solved = count + 1, solved + bool(answer.won)
        verdict = {True: "won", False: "none", None: "unknown"}[answer.won]
        plies = len(answer.line) if answer.won else 0
        print(
            f"{problem['id']:40} {verdict:8} {took:8.3f} s {answer.nodes:>11,} nodes {plies:3} plies  {first}"
            + ("" if expected or not answer.won else f"  (the file has {' '.join(problem['first_moves'])})"),
            flush=True,
        )
    print(f"solved {solved} of {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
