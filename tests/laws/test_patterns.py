"""Line patterns, kept along random games and taken back, against a naive reading of the cells and against `read`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narabe.envs import game
from narabe.envs.rules import calls
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, THREES_SET
from narabe.envs.rules.line.record import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE
from narabe.envs.rules.lines import (
    CLOSED_THREE,
    FOUR,
    FOUR_MASK,
    FOURS,
    KINDS,
    OVERLONG,
    ROWS,
    THREE,
    THREE_MASK,
    THREES,
    WIN,
)
from narabe.envs.rules.random import new_stream
from narabe.tests.laws import pattern_games
from narabe.tests.laws.gomocku_play import OPTIONS as GOMOCKU
from narabe.tests.laws.pattern_games import RED, Kept, Naive, draw, lay_by_words, play, same

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("freestyle", {"size": 7}),
    ("freestyle", {"size": 3, "row": 3}),
    ("freestyle", {"width": 3, "height": 8}),
    ("freestyle", {"width": 8, "height": 4, "row": 4}),
    ("gomoku", {"size": 8}),
    ("gomoku", {"size": 6, "row": 4}),
    ("gomoku", {"width": 9, "height": 3, "row": 3}),
    ("omok", {"size": 8}),
    ("omok", {"size": 6, "exact": True, "same_line": True, "recursive": True}),
    ("renju", {"size": 8}),
    ("renju", {"size": 6, "row": 4}),
    ("capture_gomoku", {"size": 7, "opening": "none"}),
    ("capture_gomoku", {"size": 7}),
    ("capture_gomoku", {"width": 10, "height": 5, "row": 4, "exact": True}),
]
LARGE: list[tuple[str, dict[str, Any]]] = [
    ("gomoku", {"size": 20}),
    ("renju", {"size": 15}),
    ("omok", {"width": 20, "height": 11}),
    ("capture_gomoku", {"size": 19}),
    ("gomocku", {"size": 15, "stones": 12, "chance": 8, "coloured": 8}),
]


def spec(of: tuple[str, dict[str, Any]]) -> str:
    return game(of[0], **of[1]).spec


@pytest.mark.parametrize("of", SMALL, ids=spec)
def test_small_boards_at_every_move(of: tuple[str, dict[str, Any]]) -> None:
    name, options = of
    met: Counter = Counter()

    def note(kept: Kept, naive: Naive) -> None:
        met.update(kind for i in range(2) for kind in range(KINDS) if naive.counts[i][kind])
        met.update(f"set {of}" for of in (THREES_SET, FOURS_SET, ROWS_SET) if naive.members(0, of))

    for seed in range(12):
        play(game(name, **options), seed, checks=note)
    assert met["set 2"] and met["set 3"]


@pytest.mark.parametrize("least", [CLOSED_THREE, THREE, FOUR])
def test_lines_of_low_grades_may_be_left_out(least: int) -> None:
    for seed in range(4):
        for name, options in SMALL:
            play(game(name, **options), seed, every=3, least=least)


@pytest.mark.parametrize("of", LARGE, ids=spec)
def test_large_boards(of: tuple[str, dict[str, Any]]) -> None:
    name, options = of
    play(game(name, **options), seed=3, every=20)


@pytest.mark.parametrize(
    "title", ["as in the source", "chance almost from the start", "all backs red", "must flip", "every option"]
)
def test_turned_pieces_and_red_walls(title: str) -> None:
    met: Counter = Counter()
    for seed in range(6):
        play(game("gomocku", **GOMOCKU[title]), seed, checks=lambda kept, naive: met.update(kept.board()))
    assert met[RED] > 0


def test_many_captures() -> None:
    taken = 0
    for seed in range(20):
        kept = play(game("capture_gomoku", size=6, opening="none"), seed)
        taken += int(kept.states["pairs"][0].sum())
    assert taken >= 40


@pytest.mark.parametrize("of", [of for of in SMALL + LARGE if of[0] == "capture_gomoku"], ids=spec)
def test_words_can_be_followed_alone(of: tuple[str, dict[str, Any]]) -> None:
    taken = 0
    for seed in range(4):
        kept, rng = Kept(game(of[0], **of[1]).start()), new_stream(seed)
        first = kept.snapshot()
        while not kept.over and kept.moves < 60:
            lay_by_words(kept.states, 0, kept.patterns, 0, int(draw(kept.states, 0, rng, 12)))
            kept.check_words(kept.patterns, kept.naive_words(kept.naive()))
        taken += int(kept.states["pairs"][0].sum())
        while kept.moves:
            kept.back(kept.moves % 2 == 0)
        assert same(kept.snapshot(), first) == []
    assert taken > 0


@st.composite
def any_game(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """Options of a line game, all of them, and a seed."""
    width, height = draw(st.integers(3, 20)), draw(st.integers(3, 20))
    row = draw(st.sampled_from([row for row in ROWS if row <= max(width, height)]))
    flag = st.booleans()
    options = {
        "width": width, "height": height, "row": row, "exact": draw(flag), "double_three": draw(flag),
        "double_four": draw(flag), "overline": draw(flag), "bans": draw(st.sampled_from(["both", "black"])),
        "recursive": row > 3 and draw(flag), "same_line": draw(flag), "captures": draw(flag),
    }  # fmt: skip
    return options, draw(st.integers(0, 1 << 20))


@settings(max_examples=60)
@given(any_game())
def test_any_rules_on_any_board(drawn: tuple[dict[str, Any], int]) -> None:
    options, seed = drawn
    cells = options["width"] * options["height"]
    play(game("freestyle", **options), seed, every=1 + cells // 12, returns=0.3)


# ---- bans ------------------------------------------------------------------------------------------------------------


def ban_by_classes(classes: list[int], s: Any) -> int:
    """The fault that four classes give by shape alone."""
    if any(entry & WIN for entry in classes):
        return 0
    if s["overline"] and any(entry & OVERLONG for entry in classes):
        return OVERLINE
    if s["double_four"] and sum((entry & FOUR_MASK) >> FOURS for entry in classes) >= 2:
        return DOUBLE_FOUR
    threes = [(entry & THREE_MASK) >> THREES for entry in classes]
    if s["double_three"] and (sum(threes) if s["same_line"] else sum(n > 0 for n in threes)) >= 2:
        return DOUBLE_THREE
    return 0


BANS: list[tuple[str, dict[str, Any]]] = [
    ("omok", {"size": 8}),
    ("omok", {"size": 7, "same_line": True}),
    ("omok", {"size": 8, "recursive": True}),
    ("renju", {"size": 9}),
    ("renju", {"size": 6, "row": 4}),
    ("freestyle", {"size": 7, "double_four": True, "overline": True, "exact": True}),
    ("freestyle", {"size": 7, "double_three": True, "captures": True}),
    ("gomocku", {"size": 7}),
]


@pytest.mark.parametrize("of", BANS, ids=spec)
def test_the_bans_of_the_law_follow_from_the_classes(of: tuple[str, dict[str, Any]]) -> None:
    """`fault` on every empty cell; where a three must be a real one, the shape is all that the classes tell."""
    name, options = of
    met: Counter = Counter()

    def check(kept: Kept, naive: Naive) -> None:
        s = kept.states[0]
        if kept.over or (kept.gomocku and int(s["ply"]) >= int(s["first"])):
            return
        i = int(s["mover"]) - 1
        real = not kept.gomocku and bool(s["recursive"] or s["five_spoils_three"])
        classes = kept.facts(kept.patterns)[0]
        for a in naive.levels[i]:
            why = int(calls.fault(kept.states, 0, a))
            shape = ban_by_classes(classes[i, a].tolist(), s) if s["bound"][i] else 0
            assert why == shape or (real and shape == DOUBLE_THREE and why == 0), kept.game.text_of(a)
            met[why] += 1

    for seed in range(16):
        play(game(name, **options), seed, returns=0.1, checks=check)
    due = {"double_three": DOUBLE_THREE, "double_four": DOUBLE_FOUR, "overline": OVERLINE}
    made = game(name, **options)
    assert all(met[fault] for option, fault in due.items() if made.options.get(option, True))


# ---- plain Python ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code with plain Python")
def test_plain_python_keeps_the_same_patterns() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "narabe.tests.laws.pattern_games"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines() == pattern_games.sample()


def test_a_walk_through_a_set_begins_anywhere() -> None:
    """`next_in` from every cell, in words of 64 cells, on a board with more than six of them."""
    kept, rng = Kept(game("freestyle", size=20).start()), np.array([5], np.uint64)
    while not kept.over and kept.moves < 150:
        kept.step(rng)
    naive = kept.check()
    for i in range(2):
        for level in (THREES_SET, FOURS_SET, ROWS_SET):
            cells = naive.members(i, level)
            for a in range(-1, kept.cells):
                above = [cell for cell in cells if cell > a]
                assert pattern_games.next_member(kept.patterns, 0, i, level, a) == (above[0] if above else -1)
