"""Random games along which line patterns are kept, and a naive reading of them from the cells of the board.

Run as a module it prints what `sample` finds: the test compares compiled code with plain Python by it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from narabe.envs import Game, State, game
from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.gomocku.pieces import shown_at
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import (
    FOURS_SET,
    LEVELS,
    NOTHING,
    ROWS_SET,
    THREES_SET,
    class_of,
    count_of,
    first_in,
    follow,
    follow_words,
    kind_of,
    level_of,
    mark,
    new_patterns,
    next_in,
    read,
    step_back,
    turned,
)
from narabe.envs.rules.line.record import COLUMNS, DIAGONALS, MAX_CELLS
from narabe.envs.rules.line.stones import cell_on, stone_at
from narabe.envs.rules.line.words import DOWN, FOURS, ROWS, STRIDE, UP, WORDS_A_LINE
from narabe.envs.rules.lines import FOUR, KIND, KINDS, ROW, SPAN_MASK, THREE
from narabe.envs.rules.random import new_stream
from narabe.tests.oracles.windows import CLOSED, FREE, OWN, REACH, closed, naive_entry

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (rows, columns) of directions 0..3
FIRST_LINES = (COLUMNS, 2 * COLUMNS, DIAGONALS + COLUMNS)  # of directions 1, 2, 3
RED = 3  # a cell that is a wall for both colours
LOGS = ("log", "marks", "word_log")  # what lies beyond their ends is left as it was


# ---- kernels ---------------------------------------------------------------------------------------------------------


@kernel
def begin(states, i, patterns, j):
    read(states[i], patterns[j])


@kernel
def draw(states, i, rng, tries):
    """A random legal action, one that takes a pair if one of the first ``tries`` does; or an outcome of a chance turn."""
    s = states[i]
    if core.to_move(s) == core.CHANCE:
        return np.int64(core.chance_draw(s, rng))
    for _ in range(tries):
        a = random_action(s, rng)
        core.apply(s, a)
        taken = core.captured(s)
        core.undo(s)
        if taken != 0:
            return a
    return random_action(s, rng)


@kernel
def lay(states, i, patterns, j, a):
    """Play on cell ``a`` and follow."""
    core.apply(states[i], a)
    follow(states[i], patterns[j], np.int64(a))


@kernel
def lay_by_words(states, i, patterns, j, a):
    """Play on cell ``a`` and follow by the words alone."""
    core.apply(states[i], a)
    follow_words(states[i], patterns[j], np.int64(a))


@kernel
def cell_of(states, i, line, b):
    return cell_on(states[i], line, b)


@kernel
def turn(states, i, patterns, j, a, before):
    """Do an action of Gomocku that lays nothing; ``before`` (int8) is scratch for what the cells showed."""
    s = states[i]
    for q in range(s.cells):
        before[q] = shown_at(s, q)
    core.apply(s, a)
    mark(patterns[j])
    for q in range(s.cells):
        if shown_at(s, q) != before[q]:
            turned(s, patterns[j], np.int64(q))


@kernel
def back(states, i, patterns, j, first):
    """Take a move back, the patterns ``first`` or the state first."""
    if first:
        step_back(patterns[j])
    core.undo(states[i])
    if not first:
        step_back(patterns[j])


@kernel
def show(states, i, out):
    """Write what lies on each cell: 0 nothing, 1 black, 2 white."""
    s = states[i]
    for a in range(s.cells):
        out[a] = stone_at(s, a)


@kernel
def show_pieces(states, i, out):
    """The same of Gomocku: what each cell shows, which may be `RED`."""
    s = states[i]
    for a in range(s.cells):
        out[a] = shown_at(s, a)


@kernel
def members(patterns, j, i, level, out):
    """Write the cells of a set as `first_in` and `next_in` walk through it; returns how many there are."""
    n, a = 0, first_in(patterns[j], i, level)
    while a >= 0:
        out[n] = a
        n += 1
        a = next_in(patterns[j], i, level, a)
    return n


@kernel
def dump(patterns, j, cells, classes, levels, counts):
    """Write what the accessors say: classes (2, cells, 4), levels (2, cells), counts (2, KINDS)."""
    p = patterns[j]
    for i in range(2):
        for a in range(cells):
            levels[i, a] = level_of(p, i, a)
            for d in range(4):
                classes[i, a, d] = class_of(p, i, a, d)
                assert classes[i, a, d] >> KIND == kind_of(p, i, a, d)
        for k in range(KINDS):
            counts[i, k] = count_of(p, i, k)


@kernel
def next_member(patterns, j, i, level, a):
    return next_in(patterns[j], i, level, np.int64(a))


# ---- the naive reading -----------------------------------------------------------------------------------------------


@cache
def cells_around(width: int, height: int) -> list[list[list[int]]]:
    """For each cell and direction the eleven cells of its window, -1 beyond the edge."""
    found = []
    for a in range(width * height):
        r, c = divmod(a, width)
        found.append([])
        for dr, dc in STEPS:
            at = [(r + k * dr, c + k * dc) for k in range(-REACH, REACH + 1)]
            found[a].append([y * width + x if 0 <= y < height and 0 <= x < width else -1 for y, x in at])
    return found


@cache
def class_of_window(cells: str, row: int, exact: bool) -> int:
    """CLASS of eleven cells as they lie, without the span, which patterns do not keep; the middle one is empty."""
    return naive_entry(closed(cells), row, exact)[0] & ~SPAN_MASK


def naive_level(kinds: list[int]) -> int:
    """The set of a cell with lines of these kinds."""
    best = max(kinds)
    return ROWS_SET if best >= ROW else FOURS_SET if best >= FOUR else THREES_SET if best >= THREE else NOTHING


def takes_pair(board: list[int], width: int, height: int, a: int, d: int, way: int, colour: int) -> bool:
    """Would a stone of ``colour`` on ``a`` take the two cells behind it towards the higher (`UP`) or lower bits of a line?"""
    r, c = divmod(a, width)
    dr, dc = STEPS[d] if d < 3 else (-1, 1)  # the bits of a falling diagonal run towards the lower right
    sign = 1 if way == UP else -1
    seen = []
    for n in range(1, 4):
        y, x = r + sign * n * dr, c + sign * n * dc
        seen.append(board[y * width + x] if 0 <= y < height and 0 <= x < width else RED)
    return seen == [3 - colour, 3 - colour, colour]


def words_as_cells(states: np.ndarray, patterns: np.ndarray, i: int, kind: int) -> set[tuple[int, int]]:
    """Cells and directions of the words of a kind; that only active lines have any is checked on the way."""
    found: set[tuple[int, int]] = set()
    at = i * WORDS_A_LINE + kind
    words, halves = (
        patterns["words"][0].reshape(-1, STRIDE)[at].tolist(),
        patterns["active"][0].reshape(-1, 2)[at].tolist(),
    )
    for line, word in enumerate(words):
        assert bool(word) == bool(halves[line // 64] >> line % 64 & 1)
        if word:
            direction = sum(line >= first for first in FIRST_LINES)
            found |= {(int(cell_of(states, 0, line, b)), direction) for b in range(32) if word >> b & 1}
    return found


@dataclass
class Naive:
    """Patterns read from the cells: by colour, and for empty cells only."""

    classes: list[dict[int, list[int]]] = field(default_factory=lambda: [{}, {}])
    levels: list[dict[int, int]] = field(default_factory=lambda: [{}, {}])
    counts: list[list[int]] = field(default_factory=lambda: [[0] * KINDS, [0] * KINDS])

    def members(self, i: int, level: int) -> list[int]:
        """The cells of a set, in order."""
        return sorted(a for a, of in self.levels[i].items() if of == level)


def naive_patterns(
    board: list[int], width: int, height: int, row: int, exact: tuple[bool, bool], least: int = 0
) -> Naive:
    """The patterns of a board: what lies on each cell, 0 to `RED`. Lines of a kind below ``least`` count as DEAD."""
    found, around = Naive(), cells_around(width, height)
    for i in range(2):
        signs = [FREE, *((OWN, CLOSED) if i == 0 else (CLOSED, OWN)), CLOSED]
        shown = [signs[content] for content in board] + [CLOSED]  # the last is for -1
        for a, content in enumerate(board):
            if content == 0:
                windows = ("".join([shown[q] for q in cells]) for cells in around[a])
                classes = [class_of_window(window, row, exact[i]) for window in windows]
                classes = [entry if entry >> KIND >= least else 0 for entry in classes]
                kinds = [entry >> KIND for entry in classes]
                found.classes[i][a], found.levels[i][a] = classes, naive_level(kinds)
                for kind in kinds:
                    found.counts[i][kind] += 1
    return found


# ---- a game along which they are kept ------------------------------------------------------------------------------


class Kept:
    """A state and its patterns, kept from move to move; `check` compares them with the naive reading and with `read`."""

    def __init__(self, state: State, least: int = 0) -> None:
        self.game, self.states, self.least = state.game, state.record, least
        self.patterns, self.fresh = new_patterns(1, least), new_patterns(1, least)
        self.gomocku = state.game.name == "gomocku"
        self.takes = bool(state.game.options.get("captures"))
        self.cells = int(self.states["cells"][0])
        self.scratch, self.walk = np.zeros(MAX_CELLS, np.int8), np.zeros(MAX_CELLS, np.int64)
        begin(self.states, 0, self.patterns, 0)

    @property
    def over(self) -> bool:
        return bool(self.states["result"][0])

    @property
    def moves(self) -> int:
        return int(self.states["n_moves"][0])

    def step(self, rng: np.ndarray) -> int:
        """Play a random action, with captures more often than not; returns it."""
        a = int(draw(self.states, 0, rng, 12 if self.takes else 0))
        if a < self.cells:
            lay(self.states, 0, self.patterns, 0, a)
        else:
            turn(self.states, 0, self.patterns, 0, a, self.scratch)
        return a

    def back(self, first: bool) -> None:
        back(self.states, 0, self.patterns, 0, first)

    def board(self) -> list[int]:
        if self.gomocku:
            show_pieces(self.states, 0, self.scratch)
        else:
            show(self.states, 0, self.scratch)
        return self.scratch[: self.cells].tolist()

    def naive(self) -> Naive:
        s = self.states[0]
        exact = (bool(s["exact"][0]), bool(s["exact"][1]))
        return naive_patterns(self.board(), int(s["width"]), int(s["height"]), int(s["row"]), exact, self.least)

    def facts(self, patterns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(classes, levels, counts) of a record, as the accessors give them."""
        classes, levels = np.zeros((2, self.cells, 4), np.int64), np.zeros((2, self.cells), np.int64)
        counts = np.zeros((2, KINDS), np.int64)
        dump(patterns, 0, self.cells, classes, levels, counts)
        return classes & ~SPAN_MASK, levels, counts

    def check(self) -> Naive:
        """Every class, level, set and count, kept and read from scratch; returns the naive ones."""
        begin(self.states, 0, self.fresh, 0)
        naive = self.naive()
        words = self.naive_words(naive) if self.takes and self.least == 0 else None
        for patterns in (self.patterns, self.fresh):
            classes, levels, counts = self.facts(patterns)
            for i in range(2):
                for a, expected in naive.classes[i].items():
                    where = f"{'bw'[i]} on {self.game.text_of(a)}"
                    assert classes[i, a].tolist() == expected, f"classes of {where}"
                    assert levels[i, a] == naive.levels[i][a], f"level of {where}"
                for of in (THREES_SET, FOURS_SET, ROWS_SET):
                    n = int(members(patterns, 0, i, of, self.walk))
                    assert self.walk[:n].tolist() == naive.members(i, of), f"set {of} of {'bw'[i]}"
            assert counts.tolist() == naive.counts
            assert not patterns["sets"].reshape(2, LEVELS, -1)[:, NOTHING].any()
            if words is not None:
                self.check_words(patterns, words)
        return naive

    def naive_words(self, naive: Naive) -> list[list[set[tuple[int, int]]]]:
        """By colour and kind, the cells and directions of the words of all lines: rows and fours by the naive classes, pairs
        by the stones."""
        board, s = self.board(), self.states[0]
        found: list[list[set[tuple[int, int]]]] = [[set() for _ in range(WORDS_A_LINE)] for _ in range(2)]
        for i in range(2):
            for a, classes in naive.classes[i].items():
                for d in range(4):
                    kind = classes[d] >> KIND
                    if kind >= FOUR:
                        found[i][ROWS if kind == ROW else FOURS].add((a, d))
                    for way in (UP, DOWN):
                        if takes_pair(board, int(s["width"]), int(s["height"]), a, d, way, i + 1):
                            found[i][way].add((a, d))
        return found

    def check_words(self, patterns: np.ndarray, expected: list[list[set[tuple[int, int]]]]) -> None:
        """The words of all lines, and how many pairs can be taken."""
        for i in range(2):
            for of in range(WORDS_A_LINE):
                assert words_as_cells(self.states, patterns, i, of) == expected[i][of], f"words {of} of {'bw'[i]}"
            assert patterns["takes"][0, i] == len(expected[i][UP]) + len(expected[i][DOWN])

    def snapshot(self) -> dict[str, np.ndarray]:
        """All that a step back must bring back, what is said of occupied cells included."""
        p = self.patterns[0]
        return {name: np.array(p[name]) for name in p.dtype.names if name not in LOGS}


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> list[str]:
    """Names of what differs."""
    return [name for name in a if not np.array_equal(a[name], b[name])]


def play(made: Game, seed: int, *, every: int = 1, returns: float = 0.1, least: int = 0, checks: Any = None) -> Kept:
    """A random game with stretches taken back, checked after every so many moves and where a stretch was taken back.

    A step back must restore the whole record as it was before the move. ``checks(kept, naive)`` asks more.
    """
    kept, rng, rnd = Kept(made.start(seed, "manual"), least), new_stream(seed), np.random.default_rng(seed)
    stack, budget = [kept.snapshot()], 3 * made.num_actions
    while not kept.over and budget > 0:
        kept.step(rng)
        stack.append(kept.snapshot())
        budget -= 1
        if len(stack) % every == 0 or kept.over:
            naive = kept.check()
            if checks is not None:
                checks(kept, naive)
        if rnd.random() < returns / every or (kept.over and rnd.random() < 0.5):
            for _ in range(int(rnd.integers(1, min(len(stack), 6)))):
                kept.back(bool(rnd.random() < 0.5))
                stack.pop()
                assert same(kept.snapshot(), stack[-1]) == []
                budget -= 1
            kept.check()
    return kept


# ---- for plain Python ------------------------------------------------------------------------------------------------

SAMPLES: list[tuple[str, dict[str, Any]]] = [
    ("renju", {"size": 6}),
    ("omok", {"width": 7, "height": 4, "row": 4}),
    ("capture_gomoku", {"size": 6, "opening": "none"}),
    ("gomocku", {"size": 5, "stones": 3, "chance": 4, "coloured": 3}),
]


def sample() -> list[str]:
    """Facts of a few games with returns, one JSON text a game."""
    found = []
    for name, options in SAMPLES:
        kept, rng = Kept(game(name, **options).start(1, "manual")), new_stream(9)
        facts: list[Any] = []
        for n in range(40):
            if kept.over or n % 7 == 6:
                kept.back(n % 2 == 0)
            else:
                facts.append(kept.step(rng))
            classes, levels, counts = kept.facts(kept.patterns)
            facts += [classes.sum(0).tolist(), levels.tolist(), counts.tolist(), int(kept.patterns["n_log"][0])]
            facts += [int(members(kept.patterns, 0, n % 2, THREES_SET, kept.walk)), kept.walk[:9].tolist()]
        found.append(json.dumps(facts))
    return found


if __name__ == "__main__":
    with np.errstate(over="ignore"):
        print("\n".join(sample()))
