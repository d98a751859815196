"""Rows about searches that have no peer: alpha-beta, threats, chance trees, open hands. Positions are fixed."""

from __future__ import annotations

import random
from collections.abc import Callable

from narabe.experiments import bench_engine, study_openhands
from narabe.experiments.bench_rows import Measure, Row, rate
from narabe.experiments.suite.positions import load
from narabe.search.alphabeta import Engine
from narabe.search.goita import OpenHands, Position
from narabe.search.star import Star
from narabe.search.threats import Solver

DEPTH = 8
DEALS = 8


def repeated(prepare: Callable[[], Callable[[], int]]) -> Measure:
    """Units of work a CPU second of what ``prepare`` returns, which is called once before, to compile."""

    def measure(seconds: float) -> float:
        work = prepare()
        work()
        return rate(lambda n: sum(work() for _ in range(n)), seconds)

    return measure


def each(measure: Measure, factor: float) -> Measure:
    """The time of a unit instead, in seconds by ``factor``."""
    return lambda seconds: factor / measure(seconds)


def alphabeta(name: str) -> Callable[[], int]:
    """Nodes of a search of a fixed depth, in the first of the engine's positions in a game."""
    state = bench_engine.position(*next(of for of in bench_engine.POSITIONS if of[0] == name))

    def work() -> int:
        return int(Engine(state.game, 16).search(state.record, depth=DEPTH).nodes)

    return work


def threats(category: str) -> Callable[[], int]:
    """Wins found and checked, from empty tables, in the positions of the suite in Gomoku."""
    states = [puzzle.state() for puzzle in load() if puzzle.category == category and puzzle.game.startswith("gomoku:")]
    solver = Solver(states[0].game, mb=1)

    def work() -> int:
        for state in states:
            solver.clear()
            assert (solver.vcf if category == "vcf" else solver.vct)(state).won
        return len(states)

    return work


def star() -> Callable[[], int]:
    """Positions of the suite in Gomocku, each from an empty table."""
    states = [puzzle.state() for puzzle in load() if puzzle.category == "gomocku"]
    search = Star(states[0].game, table=1 << 12)

    def work() -> int:
        for state in states:
            search.clear()
            search.search(state.record)
        return len(states)

    return work


def open_hands(cards: int) -> Callable[[], int]:
    """Deals of Goita with this many cards laid at random, for win or loss, each from an empty table."""
    rng, positions = random.Random(1), list[Position]()
    while len(positions) < DEALS:
        positions += study_openhands.random_plays(study_openhands.deal(rng), rng, (cards,)).values()
    solver = OpenHands(mb=16)

    def work() -> int:
        for position in positions:
            solver.table.clear()
            solver.value(position, "win")
        return len(positions)

    return work


def rows() -> list[Row]:
    """Every row, in the order in which they are shown."""
    return [
        Row("alpha-beta nodes 15x15 freestyle", "a second", repeated(lambda: alphabeta("freestyle"))),
        Row("alpha-beta nodes 19x19 capture gomoku", "a second", repeated(lambda: alphabeta("capture_gomoku"))),
        Row("vcf with checked proof, suite", "us each", each(repeated(lambda: threats("vcf")), 1e6), None, False),
        Row("vct with checked proof, suite", "ms each", each(repeated(lambda: threats("vct")), 1e3), None, False),
        Row("star2 late gomocku, suite", "ms each", each(repeated(star), 1e3), None, False),
        Row("goita open hands, full deals", "ms each", each(repeated(lambda: open_hands(0)), 1e3), None, False),
        Row("goita open hands, after 12 cards", "us each", each(repeated(lambda: open_hands(12)), 1e6), None, False),
    ]
