"""Goita's law and its naive oracle against npm's goita-core, on many random games.

    python -m narabe.experiments.study_goita

Every position's legal moves, turn, end and score; what differs is printed with the game that shows it. Exit status 1 if
there was any, 2 if goita-core is missing. Only from a checkout of the repository: the oracle lives in its ``tests/``.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass

import tyro

CHUNK = 500  # games handed to Node at once


@dataclass(frozen=True)
class StudyGoita:
    """Compare with goita-core on random games of random deals without special hands."""

    positions: int = 100_000
    """How many positions at least."""
    seed: int = 1_000
    """Of deals and moves; the tests use other seeds."""


def run(args: StudyGoita) -> int:
    """Compare; returns the exit status."""
    try:
        from narabe.tests.laws.goita_games import compare_with_goita_core, play_out, random_deal, why_no_goita_core
        from narabe.tests.laws.goita_traces import law_legal
        from narabe.tests.oracles.goita import Options
    except ImportError as error:
        print(f"the oracles are not installed with narabe, run this from a checkout of the repository ({error})")
        return 2
    if missing := why_no_goita_core():
        print(missing)
        return 2
    rng, options = random.Random(args.seed), Options(named_kings=True, specials="off")
    total: Counter[str] = Counter()
    while total["positions"] < args.positions:
        deals = [random_deal(options, rng) for _ in range(CHUNK)]
        games = [play_out(deal, rng.choice) for deal in deals if max(map(deal.shi, range(4))) < 6]
        try:
            total += compare_with_goita_core(games, law_legal)
        except AssertionError as error:
            print(f"they differ: {error}")
            return 1
        total["games"] += len(games)
    print(", ".join(f"{name} {count:,}" for name, count in sorted(total.items())))
    return 0


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyGoita, description=__doc__)))


if __name__ == "__main__":
    main()
