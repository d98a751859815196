"""Rows about the solver of boards with gravity."""

from __future__ import annotations

import random
import time

from narabe.experiments.bench_rows import Measure, Row, rate
from narabe.search.gravity import Board, Position, Solver, position_of

MIDDLE = "44444422226"  # 11 plies of 7x6
EIGHT = ("25254656", "23533364", "22333234", "21222755", "77433115")
"""Eight-ply positions of 7x6 in which neither side can win at once: about a million nodes each, a third of the mean."""


def columns(moves: str) -> list[int]:
    return [int(c) - 1 for c in moves]


def node_rate() -> Measure:
    """Nodes a CPU second, from an empty table of 64 MiB."""

    def measure(seconds: float) -> float:
        board = Board(7, 6)
        solver = Solver(board)
        position = position_of(board, columns(EIGHT[1]))
        solver.solve(position)

        def work(n: int) -> int:
            nodes = 0
            for _ in range(n):
                solver.clear()
                solver.solve(position)
                nodes += solver.nodes
            return nodes

        return rate(work, seconds)

    return measure


def cold_time() -> Measure:
    """CPU milliseconds for one of the eight-ply positions, each from an empty table; seconds has no say."""

    def measure(seconds: float) -> float:
        board = Board(7, 6)
        solver, spent = Solver(board), 0.0
        solver.solve(position_of(board, columns(MIDDLE)))
        for moves in EIGHT:
            solver.clear()
            start = time.process_time()
            solver.solve(position_of(board, columns(moves)))
            spent += time.process_time() - start
        return 1000 * spent / len(EIGHT)

    return measure


def late_time() -> Measure:
    """CPU microseconds for a position of 24 plies: 500 random ones, from a table that was empty before the first."""

    def measure(seconds: float) -> float:
        board, rng = Board(7, 6), random.Random(1)
        solver = Solver(board, mb=8)
        positions = [random_position(board, 24, rng) for _ in range(500)]

        def work(n: int) -> int:
            for _ in range(n):
                solver.clear()
                for position in positions:
                    solver.solve(position)
            return n * len(positions)

        work(1)
        return 1e6 / rate(work, seconds)

    return measure


def random_position(board: Board, plies: int, rng: random.Random) -> Position:
    """The position after so many random moves with which nobody has won."""
    while True:
        position = Position()
        while position.plies < plies:
            column = rng.choice(position.columns(board))
            if position.wins_with(board, column):
                break
            position = position.after(board, column)
        else:
            return position


def rows() -> list[Row]:
    """Every row about the solver."""
    return [
        Row("solver nodes 7x6 connect four", "a second", node_rate()),
        Row("solver eight-ply positions, cold table", "CPU ms each", cold_time(), None, False),
        Row("solver positions of 24 plies", "us each", late_time(), None, False),
    ]
