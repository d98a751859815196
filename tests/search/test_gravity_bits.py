"""Bitboards against cells counted one by one: fours, cells that complete one, mirror images, rotations; the table's keys."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.search.gravity import Board, BoardError, Position, Solver, position_of
from narabe.search.gravity.bits import canonical, completing, has_four, mirrored, popcount
from narabe.search.gravity.board import has_line
from narabe.search.gravity.table import BUCKET, MISS, look_up, lower_bound, packed, scramble, store
from narabe.search.gravity.table import upper_bound as upper

BOARDS = [
    Board(7, 6), Board(7, 6, True), Board(4, 4, True), Board(4, 15, True), Board(8, 7), Board(8, 7, True),
    Board(5, 3, True), Board(9, 2), Board(32, 1, True), Board(16, 3), Board(3, 20), Board(2, 31), Board(1, 63), Board(1, 4),
]  # fmt: skip


def cells_of(board: Board, stones: int) -> set[tuple[int, int]]:
    high = board.height + 1
    return {(i // high, i % high) for i in range(board.bits) if stones >> i & 1}


def fours(board: Board) -> list[set[tuple[int, int]]]:
    """The cells of every line of four."""
    found = []
    for c in range(board.width):
        for r in range(board.height):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(c + i * dc, r + i * dr) for i in range(4)]
                if board.cylinder:
                    cells = [(x % board.width, y) for x, y in cells]
                if all(0 <= x < board.width and 0 <= y < board.height for x, y in cells):
                    found.append(set(cells))
    return found


def falls(line: set[tuple[int, int]], cells: set[tuple[int, int]]) -> bool:
    """Of a vertical line only the highest cell can be the last: nothing is put under a stone."""
    return len({c for c, _ in line}) > 1 or max(line) not in cells


def random_stones(board: Board, rng: np.random.Generator) -> int:
    share = rng.uniform(0.2, 0.7)
    return sum(1 << i for i in range(board.bits) if rng.random() < share) & board.rows(range(board.height))


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_fours_and_cells_that_complete_one(board: Board) -> None:
    """Four different cells in line, no line over the top of a column, none through the walls of a flat board."""
    rng, lines = np.random.default_rng(1), fours(board)
    high, bits, full = np.uint64(board.height + 1), np.uint64(board.bits), np.uint64((1 << board.bits) - 1)
    seen = {False: 0, True: 0}
    for _ in range(150):
        stones = random_stones(board, rng)
        cells = cells_of(board, stones)
        expected = any(line <= cells for line in lines)
        assert has_four(np.uint64(stones), high, bits, full, board.cylinder) == expected == has_line(board, stones)
        seen[expected] += 1
        wins = int(completing(np.uint64(stones), high, bits, full, board.cylinder))
        wins &= board.rows(range(board.height)) & ~stones
        missing = {next(iter(line - cells)) for line in lines if len(line - cells) == 1 and falls(line, cells)}
        assert cells_of(board, wins) == missing
    assert not lines or seen[True]


@pytest.mark.parametrize("board", BOARDS[:6], ids=str)
def test_the_canonical_key_is_that_of_every_image(board: Board) -> None:
    rng = np.random.default_rng(2)
    high, bits, full = np.uint64(board.height + 1), np.uint64(board.bits), np.uint64((1 << board.bits) - 1)
    for _ in range(30):
        line = []
        while len(line) < 6 and (rng.random() < 0.9 or not line):
            line.append(int(rng.integers(board.width)))
            if line.count(line[-1]) > min(board.height, 3):
                line.pop()
        images = [[board.width - 1 - c for c in line]]
        if board.cylinder:
            images += [
                [(c + k) % board.width for c in image] for image in (line, images[0]) for k in range(board.width)
            ]
        keys = set()
        for image in [line, *images]:
            position = position_of(board, image)
            key = np.uint64(position.own + position.taken)
            keys.add(int(canonical(key, np.int64(board.width), high, bits, full, board.cylinder)))
        assert len(keys) == 1
        key = int(key)
        again = int(mirrored(np.uint64(mirrored(np.uint64(key), board.width, high)), board.width, high))
        assert again == key


def test_popcount() -> None:
    rng = np.random.default_rng(3)
    for x in [0, 1, (1 << 64) - 1, *rng.integers(1 << 62, size=50).tolist()]:
        assert popcount(np.uint64(x)) == x.bit_count()


@pytest.mark.parametrize("bits", [2, 5, 12, 13])
def test_scrambling_is_a_bijection(bits: int) -> None:
    """Else two positions could share an entry of the table."""
    full, half = np.uint64((1 << bits) - 1), np.uint64((bits + 1) // 2)
    assert sorted(int(scramble(np.uint64(k), half, full)) for k in range(1 << bits)) == list(range(1 << bits))


def test_the_table_gives_back_what_was_stored_and_nothing_else() -> None:
    table, rng = np.zeros(BUCKET, np.uint64), np.random.default_rng(4)
    for rest in rng.choice(1 << 47, 4, replace=False):
        low, high = sorted(rng.integers(-31, 32, size=2).tolist())
        work = int(rng.integers(32))
        store(table, np.int64(0), np.uint64(rest), packed(low, high, work))
        found = look_up(table, np.int64(0), np.uint64(rest))
        assert (lower_bound(found), upper(found)) == (low, high)
        assert look_up(table, np.int64(0), np.uint64(rest ^ 1)) == MISS
    assert look_up(np.zeros(BUCKET, np.uint64), np.int64(0), np.uint64(0)) == MISS


def test_a_full_bucket_gives_up_what_took_least_work() -> None:
    table = np.zeros(BUCKET, np.uint64)
    for k in range(BUCKET + 1):
        store(table, np.int64(0), np.uint64(100 + k), packed(0, 1, (k + 3) % (BUCKET + 1)))
    kept = [look_up(table, np.int64(0), np.uint64(100 + k)) != MISS for k in range(BUCKET + 1)]
    assert kept == [k + 3 != BUCKET + 1 or k == BUCKET for k in range(BUCKET + 1)]


def test_boards_that_cannot_be_held() -> None:
    for board, words in (((9, 9), "at most 64"), ((0, 4), "1 or more"), ((3, 4, True), "width of 4")):
        with pytest.raises(BoardError, match=words):
            Board(*board)
    with pytest.raises(BoardError, match="needs a table of 4 or more"):
        Solver(Board(8, 7), mb=2)
    with pytest.raises(BoardError, match="move 5: the game is over|move 8: the game is over"):
        position_of(Board(7, 6), [0, 1, 0, 1, 0, 1, 0, 1])
    with pytest.raises(BoardError, match="no room in column 0"):
        position_of(Board(7, 2), [0, 0, 0])
    assert Position().plies == 0
