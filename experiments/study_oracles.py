"""The laws against the naive oracles, ten times as long as the tests and from other seeds.

    python -m narabe.experiments.study_oracles

Prints each disagreement with the position and the options that show it again, then one line with the totals. Exit status
1 if there was any. Only from a checkout of the repository: the oracles live in its ``tests/``.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from narabe.tests.laws.differential import Plan, Tally

CHUNK = 2_500  # positions a task


@dataclass(frozen=True)
class StudyOracles:
    """Compare the laws with the naive oracles on many random positions."""

    times: float = 10.0
    """How many times as many positions as the tests compare."""
    first_seed: int = 1_000
    """Seeds count up from here; the tests use those from 0."""
    jobs: int = os.cpu_count() or 1
    """Processes."""


def compare_chunk(plan: Plan, seed: int) -> Tally:
    """One task, in a worker process."""
    from narabe.tests.laws.differential import compare

    return compare(plan, seed)


def run(args: StudyOracles) -> int:
    """Run all plans; returns the exit status."""
    try:
        from narabe.tests.laws.differential import PLANS, Tally, compare
    except ImportError as error:
        print(f"the oracles are not installed with narabe, run this from a checkout of the repository ({error})")
        return 2
    plans = [replace(plan, count=round(plan.count * args.times)) for plan in PLANS]
    tasks = [(piece, args.first_seed + seed) for plan in plans for piece, seed in plan.chunks(CHUNK)]
    total, console = Tally(), Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    compare(replace(PLANS[0], count=1), 0)  # compiles once, for all processes
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(args.jobs, spawn) as pool, Progress(*columns, console=console) as progress:
        bar = progress.add_task("positions", total=sum(piece.count for piece, _ in tasks))
        running = {pool.submit(compare_chunk, piece, seed): piece for piece, seed in tasks}
        for done in as_completed(running):
            tally = done.result()
            total.add(tally)
            for line in tally.disagreements:
                progress.console.print(f"{running[done].name}: {line}", markup=False, highlight=False)
            progress.advance(bar, running[done].count)
    asked = ", ".join(f"{fault or 'legal'} {n:,}" for fault, n in total.faults.most_common())
    ends = ", ".join(f"{end} {n:,}" for end, n in total.ends.most_common())
    print(f"{total.cells:,} cells asked about: {asked}")
    print(f"{sum(total.ends.values()):,} moves played: {ends}")
    print(f"{total.positions} positions, {len(total.disagreements)} disagreements")
    return 1 if total.disagreements else 0


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyOracles, description=__doc__)))


if __name__ == "__main__":
    main()
