"""The patterns of block stacking, each by the words of its description.

ダブルリーチ double reach, 空き3 open three, 中空け gap reach, 空中封じ air seal, クロス cross, 天空 sky.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from narabe.envs import State, game, tactics


def floor(*columns: str, **options: Any) -> State:
    """Columns between walls; an empty text is an empty column."""
    return game("connect_four", width=len(columns), height=6, **options).position(columns=list(columns))


def named(state: State, name: str, seat: int | None = 0) -> list[tactics.Finding]:
    return [found for found in tactics.find(state) if (found.name, found.seat) == (name, seat)]


def test_a_double_reach_is_two_winning_cells_that_one_reply_cannot_stop() -> None:
    """重ならない二箇所で4つ揃える候補が出来て、同時には防げない: two cells that can be played now."""
    (found,) = named(floor("", "r", "r", "r", "", "y", "y"), "double reach")
    assert found.keys == ((0, 0), (4, 0)) and found.cells == ((1, 0), (2, 0), (3, 0))
    assert not named(floor("y", "r", "r", "r", "", "y", ""), "double reach")  # one side stopped


def test_a_double_reach_is_also_one_cell_with_another_right_above_it() -> None:
    """その場所に相手が置いてもやはり4つ揃えられる: whoever plays there, Red has four."""
    (found,) = named(floor("rr", "rr", "rr", "", "y", "y", "yy"), "double reach")
    assert found.keys == ((3, 0), (3, 1)) and len(found.cells) == 6
    # the upper cell alone is no reach that can be played: the one below it has to be filled first
    assert not named(floor("yr", "yr", "yr", "", "r", "y", ""), "double reach")
    # two winning cells, of which one hangs higher
    assert not named(floor("yr", "rr", "yr", "", "", "y", ""), "double reach")


def test_at_the_ceiling_there_is_no_cell_above() -> None:
    low = game("connect_four", width=7, height=2)
    assert named(low.position(columns=["rr", "rr", "rr", "", "yy", "yy", ""]), "double reach")
    lower = game("connect_four", width=7, height=1)
    assert not named(lower.position(columns=["r", "r", "r", "", "y", "y", ""]), "double reach")


def test_an_open_three_has_both_ends_open() -> None:
    """両端が空いた状態で3つの列: a kind of double reach; both end cells can be played at once."""
    state = floor("", "r", "r", "r", "", "", "y")
    (found,) = named(state, "open three")
    assert (found.cells, found.keys) == (((1, 0), (2, 0), (3, 0)), ((0, 0), (4, 0)))
    assert named(state, "double reach")
    assert not named(floor("r", "r", "r", "", "", "", "y"), "open three")  # the wall
    assert not named(floor("", "yr", "yr", "yr", "r", "", "y"), "open three")  # the left end hangs in the air
    assert not named(floor("yy", "yr", "yr", "yr", "y", "", ""), "open three")  # one end is filled
    assert named(floor("r", "yr", "yr", "yr", "y", "", ""), "open three")  # on the second level


def test_an_open_three_may_be_diagonal() -> None:
    state = floor("", "yr", "yyr", "ryyr", "yryy", "", "")
    (found,) = named(state, "open three")
    assert found.keys == ((0, 0), (4, 4)) and found.cells == ((1, 1), (2, 2), (3, 3))
    assert not named(floor("", "yr", "yyr", "ryyr", "yry", "", ""), "open three")  # the upper end hangs in the air


def test_a_gap_reach_leaves_one_cell_between() -> None:
    """2個おいて1つ離して置く: XX.X or X.XX, the gap playable."""
    for columns, key in ((("r", "r", "", "r", "", "", "y"), 2), (("y", "r", "", "r", "r", "", ""), 2)):
        (found,) = named(floor(*columns), "gap reach")
        assert found.keys == ((key, 0),) and len(found.cells) == 3
        assert tactics.winning_cells(floor(*columns), 0) == [(key, 0)]
    assert not named(floor("yr", "yr", "", "yr", "r", "y", ""), "gap reach")  # the gap hangs in the air
    assert named(floor("yr", "yr", "y", "yr", "r", "r", ""), "gap reach")
    assert not named(floor("r", "r", "y", "r", "", "", ""), "gap reach")  # filled


def test_two_with_one_between_can_become_an_open_three() -> None:
    """2個のブロックを1つ離して置き、あとから真中において空き3を狙う: .X.X."""
    state = floor("", "r", "", "r", "", "y", "y")
    (found,) = named(state, "gap reach")
    assert (found.cells, found.keys) == (((1, 0), (3, 0)), ((2, 0),))
    assert named(state.game.position(columns=["", "r", "r", "r", "", "y", "y"]), "open three")
    assert not named(floor("r", "", "r", "", "", "y", "y"), "gap reach")  # the wall shuts one end


def test_an_air_seal_is_three_side_by_side_on_the_second_level() -> None:
    """二段目に横に一列に3個並べた状態."""
    assert not named(floor("", "yr", "yr", "ry", "y", "", ""), "air seal")
    (found,) = named(floor("", "yr", "rr", "yr", "", "", "y"), "air seal")
    assert found.cells == ((1, 1), (2, 1), (3, 1)) and found.keys == ()
    assert not named(floor("", "r", "r", "r", "", "", ""), "air seal")  # on the floor
    assert not named(floor("", "yyr", "ryr", "yrr", "", "", ""), "air seal")  # on the third


def test_a_cross_is_chequered_and_mirror_symmetric() -> None:
    """左右対称にチェス盤のように; it belongs to nobody."""
    (found,) = named(floor("", "r", "yr", "r", "", "", ""), "cross", None)
    assert len(found.cells) == 4
    assert named(floor("", "ryr", "yr", "ryr", "", "", "y"), "cross", None)  # other blocks may lie apart
    assert not named(floor("", "ryr", "yr", "r", "", "", ""), "cross", None)  # not symmetric
    assert not named(floor("", "r", "yy", "r", "", "", ""), "cross", None)  # not chequered
    assert not named(floor("", "r", "y", "r", "", "", ""), "cross", None)  # one level is no chessboard


def test_a_sky_is_an_alternating_tower() -> None:
    """1つのブロックの上に延々と交互に積まれた状態."""
    (found,) = named(floor("", "", "ryryr", "", "y", "", ""), "sky", None)
    assert found.cells == tuple((2, r) for r in range(5))
    assert not named(floor("", "", "ryr", "", "", "", ""), "sky", None)
    assert not named(floor("", "", "ryrry", "", "", "", ""), "sky", None)


def test_patterns_go_around_a_cylinder_and_along_an_open_floor() -> None:
    around = game("stacking_cylinder").position(columns=["r", "r", "", "y", "y", "", "r"])
    (found,) = named(around, "open three")
    assert found.cells == ((6, 0), (0, 0), (1, 0)) and found.keys == ((5, 0), (2, 0))
    far = game("stacking").position(columns=["r", "r", "r"], anchor=1)
    assert named(far, "open three")[0].keys == ((30, 0), (34, 0))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["r", "r", "r", ""], [("gap reach", {(3, 0)})]),  # the one key has red blocks on both sides: no open three
        (["r", "", "r", ""], []),  # the ends of `.X.X.` are one cell
        (["r", "", "r", "", ""], [("gap reach", {(1, 0)})]),  # one column wider they are two
        (["r", "r", "r", "", ""], [("open three", {(3, 0), (4, 0)})]),
    ],
)
def test_around_a_narrow_cylinder_cells_are_counted_once(columns: list[str], expected: list[Any]) -> None:
    """Turned and mirrored too: each pattern once, its ends two different cells."""
    played = game("stacking_cylinder", width=len(columns))
    for k in range(len(columns)):
        turned = columns[-k:] + columns[:-k] if k else columns
        findings = tactics.find(played.position(columns=turned, to_move="yellow"))
        found = [
            (f.name, {((c - k) % len(columns), r) for c, r in f.keys}) for f in findings if f.name != "double reach"
        ]
        assert found == expected, turned


@pytest.mark.parametrize("row", [3, 4, 5, 6])
@pytest.mark.parametrize("extra", [0, 1, 2])
def test_no_pattern_is_found_twice_or_has_a_cell_twice(row: int, extra: int) -> None:
    """Random low towers on cylinders hardly wider than a row."""
    rng = random.Random(row + 10 * extra)
    played = game("stacking_cylinder", width=max(row, 4) + extra, row=row)
    for _ in range(40):
        columns = ["".join(rng.choice("rrry") for _ in range(rng.randint(0, 2))) for _ in range(max(row, 4) + extra)]
        try:
            found = tactics.find(played.position(columns=columns))
        except ValueError:  # both sides hold a row
            continue
        whole = [(f.name, f.seat, frozenset(f.cells), frozenset(f.keys)) for f in found]
        assert len(whole) == len(set(whole)), columns
        for f in found:
            assert len(set(f.cells + f.keys)) == len(f.cells + f.keys), (columns, f)
            assert f.name != "open three" or len(f.keys) == 2


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        (["ry", "yr", "", "", "", "", "yr"], 6),
        (["r", "yr", "r", "", "", "", ""], 4),
        (["ry", "yr", "", "", "", "", "y"], 0),  # not symmetric
        (["ry", "ry", "", "", "", "", "ry"], 0),  # not chequered
        (["ry", "yr"], 0),  # shorter boards below
        (["ry", "yr", "ry", "yr"], 8),  # all around: every column may be the middle
        (["ry", "yr", "r", "yr"], 7),
        (["ryr", "yr", "r", "y"], 0),  # all around, and not symmetric
        (["ry", "yr", "ry", "yr", "ry"], 0),  # all around an odd number of columns, equal ones are neighbours
    ],
)
def test_a_cross_may_go_around_a_cylinder(columns: list[str], cells: int) -> None:
    """However the cylinder is turned; five columns side by side between walls are a cross, around they are none."""
    columns = columns + [""] * (4 - len(columns))
    played = game("stacking_cylinder", width=len(columns))
    for k in range(len(columns)):
        turned = columns[-k:] + columns[:-k] if k else columns
        found = named(played.position(columns=turned, to_move="yellow"), "cross", None)
        assert [len(set(f.cells)) for f in found] == [cells] * (cells > 0), turned
    assert named(floor("ry", "yr", "ry", "yr", "ry"), "cross", None)


def test_patterns_are_found_for_both_sides_and_drawn() -> None:
    state = floor("", "r", "r", "r", "", "yy", "")
    assert {found.seat for found in tactics.find(state)} == {0}
    scene = tactics.draw(state)
    assert scene.winning == (1, 2, 3) and set(scene.heat) == {0, 4}
    assert scene.captions[1:] == ("double reach of Red", "open three of Red")
    one = tactics.draw(state, named(state, "open three")[0])
    assert one.captions[1:] == ("open three of Red",)
    with pytest.raises(TypeError, match="no stacking game"):
        tactics.find(game("gomoku").start())
