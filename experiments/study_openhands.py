"""The open-hands solver of Goita at length: how long deals take, and how often the dealer's pair wins.

    python -m narabe.experiments.study_openhands --deals 300 --seed 1
    python -m narabe.experiments.study_openhands --deals 100 --seed 1 --placed 0 4 8 12 16 20

Each deal is solved twice, for win or loss and for points, each from an empty table; a deal whose two answers disagree ends
the study with exit status 1. `--placed`: the same for positions of these deals after so many cards of random play; deals
that are over by then are left out. Ctrl-C ends the study early and shows what there is. Times are CPU time of one core.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from dataclasses import dataclass, field

import tyro

from narabe.search.goita import OpenHands, Position
from narabe.search.goita.solver import Goal

PACK = "1" * 10 + "2222333344445555667788"
SAY_SECONDS = 10.0
GOALS: tuple[Goal, ...] = ("win", "points")


@dataclass(frozen=True)
class StudyOpenhands:
    """Solve random deals with open hands."""

    deals: int = 300
    """How many."""
    seed: int = 1
    """Of the deals and of the random play."""
    placed: tuple[int, ...] = (0, 12)
    """After how many cards on the table, from 0 (the deal) to 28."""
    goals: tuple[Goal, ...] = GOALS
    """What to solve for."""
    mb: float = 64.0
    """Memory for the table in MiB."""


@dataclass
class Sample:
    """What was measured of one goal after so many cards."""

    seconds: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)

    def line(self, name: str) -> str:
        spent, ms = sum(self.seconds), sorted(1000 * s for s in self.seconds)
        return (
            f"{name:<28}{len(ms):6,} positions  mean {statistics.mean(ms):10.3f} ms  median {statistics.median(ms):9.3f}  "
            f"worst {ms[-1]:10.3f}  {statistics.mean(self.nodes):11,.0f} nodes  {sum(self.nodes) / spent / 1e6:5.2f} M nodes/s"
        )


def deal(rng: random.Random) -> Position:
    """Any deal and dealer, hands with special rules included."""
    cards = list(PACK)
    rng.shuffle(cards)
    return Position(tuple("".join(cards[8 * seat : 8 * seat + 8]) for seat in range(4)), rng.randrange(4))


def random_plays(position: Position, rng: random.Random, placed: tuple[int, ...]) -> dict[int, Position]:
    """The first position with a choice after each number of cards placed (or a card more), as far as the deal gets."""
    found: dict[int, Position] = {}
    for count in sorted(placed):
        while 32 - sum(map(len, position.hands)) < count or len(position.actions()) == 1:
            action = rng.choice(position.actions())
            if position.goes_out(action):
                return found
            position = position.after(action)
        found[count] = position
    return found


class Study:
    """The deals so far."""

    def __init__(self, args: StudyOpenhands) -> None:
        self.args = args
        self.solver = OpenHands(mb=args.mb)
        self.samples = {(count, goal): Sample() for count in sorted(args.placed) for goal in args.goals}
        self.wins: list[int] = []
        """Of the dealer's pair, 1 or 0 by deal."""

    def measure(self, position: Position, goal: Goal, sample: Sample) -> int:
        self.solver.table.clear()
        nodes, start = self.solver.nodes, time.process_time()
        value = self.solver.value(position, goal)
        sample.seconds.append(time.process_time() - start)
        sample.nodes.append(self.solver.nodes - nodes)
        return value

    def solve(self, rng: random.Random) -> bool:
        """One deal and its positions; whether all goals agree."""
        agreed = True
        for count, position in random_plays(deal(rng), rng, self.args.placed).items():
            values = [self.measure(position, goal, self.samples[count, goal]) for goal in self.args.goals]
            if count == 0:
                self.wins.append(int(values[0] > 0))
            if len({value > 0 for value in values}) > 1:
                print(f"DISAGREEMENT: {position} is worth {values}", flush=True)
                agreed = False
        return agreed

    def report(self) -> None:
        for (count, goal), sample in self.samples.items():
            if sample.seconds:
                print(sample.line(f"{goal} after {count} cards"))
        if self.wins:
            share, n = statistics.mean(self.wins), len(self.wins)
            error = math.sqrt(share * (1 - share) / n)
            print(f"the dealer's pair wins {100 * share:.1f} % of {n:,} deals, standard error {100 * error:.1f}")


def run(args: StudyOpenhands) -> int:
    """Do what the arguments ask for; returns the exit status."""
    if args.deals < 1 or not args.placed or not args.goals or not all(0 <= n <= 28 for n in args.placed):
        print("give at least one deal, one goal and one number of cards from 0 to 28", file=sys.stderr)
        return 2
    study, rng = Study(args), random.Random(args.seed)
    study.solver.value(Position(("11", "22", "33", "44"), 0))  # compiles
    said, wrong, status = time.monotonic(), 0, 0
    try:
        for n in range(args.deals):
            wrong += not study.solve(rng)
            if time.monotonic() - said >= SAY_SECONDS:
                said = time.monotonic()
                print(f"{n + 1:,} of {args.deals:,} deals", flush=True)
    except KeyboardInterrupt:
        print("stopped early; so far:", flush=True)
        status = 130
    study.report()
    return 1 if wrong else status


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyOpenhands, description=__doc__)))


if __name__ == "__main__":
    main()
