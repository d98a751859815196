"""The threat searches against brute force, fifty times as long as the tests and from other seeds.

    python -m narabe.experiments.study_threats
    python -m narabe.experiments.study_threats --search vct --vct-plies 7 --positions 2000 --rules freestyle "rows of four"

Random positions of each rule set on boards of 4x4 to 7x7: answers without and with limits of plies, lines, proofs (checked
and now and then followed through in plain Python), and what the other side could do if its opponent passed. Prints
each disagreement with the position and the rules that show it again, then a line a rule set. Exit status 1 if there was any.
What is done is kept in `--out`, a line of JSON a piece: the same command goes on where it was stopped. Only from a checkout
of the repository: brute force lives in its ``tests/``.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pathlib
import signal
import sys
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from narabe.tests.search.threat_compare import Plan, Tally

CHUNK = 500  # positions a task
SMALL = {False: ((6, 6), (7, 6), (7, 7)), True: ((5, 4), (5, 5), (6, 5))}
"""Boards for threats, by whether a row is of four."""


@dataclass(frozen=True)
class StudyThreats:
    """Compare the threat searches with brute force on many random positions."""

    positions: int = 100_000
    """How many of each rule set and search."""
    search: tuple[Literal["vcf", "vct"], ...] = ("vcf", "vct")
    """Victory by continuous fours, by continuous threats."""
    rules: tuple[str, ...] = ()
    """The rule sets, by their names in the report; all if none is named."""
    vcf_plies: int = 9
    """How far brute force looks for fours."""
    vct_plies: int = 5
    """How far for threats."""
    every_threat: bool = False
    """Threats that are no threes too; slow."""
    first_seed: int = 1_000
    """Seeds count up from here; the tests use those below 100."""
    jobs: int = os.cpu_count() or 1
    """Processes."""
    out: pathlib.Path | None = None
    """Keep what is done there, and skip what is there already."""


def compare_chunk(plan: Plan, seed: int) -> Tally:
    """One task, in a worker process."""
    from narabe.tests.search.threat_compare import compare

    return compare(plan, seed)


def plans_of(args: StudyThreats) -> list[Plan]:
    """What is compared; `ValueError` for a rule set that does not exist."""
    from narabe.tests.search.threat_compare import Plan
    from narabe.tests.search.threat_positions import BY_NAME

    unknown = [name for name in args.rules if name not in BY_NAME]
    if unknown:
        raise ValueError(f"no rule set {unknown[0]!r}: {', '.join(BY_NAME)}")
    threats = "all" if args.every_threat else "threes"
    found = []
    for search in args.search:
        for name in args.rules or BY_NAME:
            boards = SMALL["of four" in name] if search == "vct" else ()
            plies = args.vcf_plies if search == "vcf" else args.vct_plies
            found.append(Plan(name, search, args.positions, plies, boards, threats if search == "vct" else "threes"))
    return found


class Store:
    """Pieces that are done, kept in a file or nowhere."""

    def __init__(self, path: pathlib.Path | None) -> None:
        self.path = path
        self.done: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                piece = json.loads(line)
                self.done[piece.pop("piece")] = piece

    def add(self, key: str, tally: Tally) -> None:
        piece = {**asdict(tally), "lengths": dict(tally.lengths)}
        self.done[key] = piece
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps({"piece": key, **piece}) + "\n")

    def tally(self, keys: list[str]) -> Tally:
        """The sum of these pieces, as far as they are done."""
        from narabe.tests.search.threat_compare import Tally

        total = Tally()
        for piece in (self.done[key] for key in keys if key in self.done):
            lengths = Counter({int(length): n for length, n in piece["lengths"].items()})
            total.add(Tally(**{**piece, "lengths": lengths}))
        return total


def report(plan: Plan, tally: Tally) -> str:
    """One line of the figures."""
    lengths = " ".join(f"{length}:{n:,}" for length, n in sorted(tally.lengths.items()) if length)
    return (
        f"{plan.name:<32}{tally.positions:9,} positions, won within {plan.plies}: {tally.wins:,} ({lengths}), "
        f"longer: {tally.longer:,}, by other threats: {tally.wider:,}, disagreements: {len(tally.disagreements)}"
    )


def ignore_interrupts() -> None:
    """A worker leaves Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(args: StudyThreats) -> int:
    """Run all plans; returns the exit status."""
    try:
        plans = plans_of(args)
    except ImportError as error:
        print(f"brute force is not installed with narabe, run this from a checkout of the repository ({error})")
        return 2
    except ValueError as error:
        print(error)
        return 2
    store, status = Store(args.out), 0
    keys: dict[str, list[str]] = {plan.name: [] for plan in plans}
    tasks: list[tuple[str, Plan, int]] = []
    for plan in plans:
        for k in range(-(-plan.count // CHUNK)):
            piece = replace(plan, count=min(CHUNK, plan.count - k * CHUNK))
            key = f"{piece} {args.first_seed + k}"
            keys[plan.name].append(key)
            if key not in store.done:
                tasks.append((key, piece, args.first_seed + k))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    spawn = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(args.jobs, spawn, ignore_interrupts) as pool,
        Progress(*columns, console=Console(stderr=True)) as progress,
    ):
        bar = progress.add_task("positions", total=sum(piece.count for _, piece, _ in tasks))
        running: dict[Future[Tally], tuple[str, Plan]] = {
            pool.submit(compare_chunk, piece, seed): (key, piece) for key, piece, seed in tasks
        }
        try:
            for done in as_completed(running):
                key, piece = running[done]
                store.add(key, done.result())
                for line in done.result().disagreements:
                    progress.console.print(f"{piece.name}: {line}", markup=False, highlight=False)
                progress.advance(bar, piece.count)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            progress.console.print("stopped early; so far:")
            status = 130
    wrong = 0
    for plan in plans:
        tally = store.tally(keys[plan.name])
        wrong += len(tally.disagreements)
        print(report(plan, tally))
    return 1 if wrong else status


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyThreats, description=__doc__)))


if __name__ == "__main__":
    main()
