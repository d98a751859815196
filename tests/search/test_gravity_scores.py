"""Scores of the solver against plain minimax, against published outcomes, and against themselves."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from narabe.search.gravity import Board, Position, Solver, plies_to_end, position_of
from narabe.tests.oracles.gravity import Oracle
from narabe.tests.search.gravity_cases import SAMPLE, random_line, stacks_of

# width, height, cylinder, plies from, positions: 300 of 20 plies and more
LATE = [(7, 6, False, 29, 110), (7, 6, True, 30, 50), (6, 5, False, 20, 40), (5, 5, False, 20, 20), (5, 5, True, 20, 20),
        (7, 4, False, 20, 30), (4, 8, True, 22, 30)]  # fmt: skip
# smaller boards, from the start position on
EARLY = [
    (4, 4, False, 4),
    (4, 4, True, 5),
    (5, 3, True, 3),
    (5, 4, False, 8),
    (6, 3, False, 6),
    (3, 5, False, 0),
    (8, 2, True, 6),
]


def compare(oracle: Oracle, solver: Solver, line: list[int]) -> None:
    """Score, columns, distance and line of a position."""
    board, stacks = solver.board, stacks_of(oracle, line)
    position = position_of(board, line)
    score = oracle.score(stacks)
    assert solver.solve(position) == score, line
    assert dict(solver.scores(position)) == {c: oracle.score_of(stacks, c) for c in oracle.columns(stacks)}, line
    plies = oracle.plies_to_end(stacks)
    assert plies_to_end(board, position, score) == plies, line
    assert len(solver.line(position, score)) == plies, line
    assert Solver(board, 1, weak=True).solve(position) == (score > 0) - (score < 0)


@pytest.mark.parametrize(("width", "height", "cylinder", "least", "count"), LATE)
def test_late_positions(width: int, height: int, cylinder: bool, least: int, count: int) -> None:
    oracle, solver = Oracle(width, height, cylinder), Solver(Board(width, height, cylinder), 1)
    rng = random.Random(width * 100 + height)
    for _ in range(count):
        oracle.known.clear()
        compare(oracle, solver, random_line(oracle, rng.randrange(least, width * height - 1), rng))


def test_three_hundred_late_positions() -> None:
    assert sum(count for *_, count in LATE) == 300
    assert all(least >= 20 for *_, least, _ in LATE)


@pytest.mark.parametrize(("width", "height", "cylinder", "least"), EARLY)
def test_positions_of_small_boards(width: int, height: int, cylinder: bool, least: int) -> None:
    oracle, solver = Oracle(width, height, cylinder), Solver(Board(width, height, cylinder), 1)
    rng = random.Random(3)
    for plies in range(least, width * height, 2):
        for _ in range(2):
            compare(oracle, solver, random_line(oracle, plies, rng))


FLAT = {"4x4": 0, "5x4": 0, "6x4": -1, "7x4": 0, "4x5": 0, "5x5": 0, "6x5": 0, "4x6": 0, "5x6": 0, "4x7": 0, "5x7": 0}
CYLINDER = {"4x2": 0, "5x2": 0, "6x2": 0, "7x2": 0, "8x2": 0, "9x2": 0, "10x2": 0, "4x3": 0, "5x3": 0, "6x3": 0, "7x3": 0,
            "8x3": 0, "4x4": 0, "5x4": 0, "6x4": 0, "4x5": 0, "5x5": 0, "6x5": 1, "4x6": 0, "5x6": -1, "4x7": 0, "5x7": 1,
            "4x8": 0, "4x9": 0}  # fmt: skip


@pytest.mark.parametrize("size", FLAT)
def test_outcomes_of_small_boards(size: str) -> None:
    width, height = map(int, size.split("x"))
    assert Solver(Board(width, height), 16, weak=True).solve(Position()) == FLAT[size]


@pytest.mark.parametrize("size", CYLINDER)
def test_outcomes_of_small_cylinders(size: str) -> None:
    width, height = map(int, size.split("x"))
    assert Solver(Board(width, height, True), 16, weak=True).solve(Position()) == CYLINDER[size]


@pytest.mark.parametrize(("line", "score"), SAMPLE["easy"][:5])
def test_positions_of_eight_plies(line: str, score: int) -> None:
    board = Board(7, 6)
    solver = Solver(board, 16)
    position = position_of(board, [int(c) - 1 for c in line])
    assert solver.solve(position) == score
    mirror = position_of(board, [7 - int(c) for c in line])
    assert Solver(board, 16).solve(mirror) == score
    assert solver.remembered(position).known


def test_slices_change_nothing() -> None:
    """A search that stops after every few nodes visits the same nodes."""
    board = Board(6, 5)
    position = position_of(board, [2, 2, 3, 1, 2])
    whole, sliced = Solver(board, 1), Solver(board, 1)
    ticks: list[int] = []
    sliced.slice, sliced.tick = 7, lambda: ticks.append(sliced.nodes)
    assert whole.solve(position) == sliced.solve(position)
    assert whole.nodes == sliced.nodes
    assert len(ticks) >= whole.nodes // 7


def test_a_stopped_search_can_be_begun_again() -> None:
    board = Board(6, 5)
    position = position_of(board, [2, 2, 3, 1, 2])
    expected = Solver(board, 1).solve(position)
    solver = Solver(board, 1)
    solver.slice = 50
    for most in range(100, 1500, 200):

        def tick(most: int = most) -> None:
            if solver.nodes >= most:
                raise KeyboardInterrupt

        solver.tick = tick
        with pytest.raises(KeyboardInterrupt):
            solver.solve(position)
    solver.tick = None
    assert solver.solve(position) == expected


def test_a_table_of_one_bucket_finds_the_same() -> None:
    """What is overwritten is searched again, and nothing else is taken for it."""
    oracle, board = Oracle(5, 4, False), Board(5, 4)
    solver, rng = Solver(board, 32 / (1 << 20)), random.Random(8)
    assert len(solver.table) == 4
    for plies in range(8, 18):
        line = random_line(oracle, plies, rng)
        assert solver.solve(position_of(board, line)) == oracle.score(stacks_of(oracle, line))


def test_boards_turned_on_a_cylinder_are_worth_the_same() -> None:
    board, rng = Board(6, 4, True), random.Random(5)
    oracle = Oracle(6, 4, True)
    for _ in range(10):
        line = random_line(oracle, 9, rng)
        turned = [(c + 2) % 6 for c in line]
        assert Solver(board, 1).solve(position_of(board, line)) == Solver(board, 1).solve(position_of(board, turned))


def test_compiled_and_plain_python_visit_the_same_nodes() -> None:
    code = (
        "from narabe.search.gravity import Board, Solver, position_of\n"
        "for cylinder in (False, True):\n"
        "    board = Board(5, 4, cylinder); solver = Solver(board, 0.01)\n"
        "    print(solver.solve(position_of(board, [2, 2, 2, 1, 3, 1, 3, 3])), solver.nodes)\n"
    )
    texts = []
    for disabled in ("0", "1"):
        env = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert len(texts[0].split()) == 4
