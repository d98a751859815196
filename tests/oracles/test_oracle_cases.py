"""The naive oracle against positions with known right answers (`tests/data`)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from narabe.tests.oracles.lines import (
    BLACK,
    DIRECTIONS,
    EMPTY,
    GOMOKU,
    OMOK,
    RENJU,
    RULE_SETS,
    WHITE,
    IllegalMove,
    Position,
    ban_fault,
    cells_beyond,
    opposite,
    rules_from,
)

DATA = Path(__file__).parents[1] / "data"
SIDES = {"black": BLACK, "white": WHITE}


def read_json(name):
    return json.loads((DATA / name).read_text())


def read_lines(name):
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def in_sight(position, cell, side):
    """How many stones of a side stand within four cells of a cell, on its four lines."""
    arms = [cells_beyond(position.rules, cell, way)[:4] for line in DIRECTIONS for way in (line, opposite(line))]
    return sum(position.board[other] == side for arm in arms for other in arm)


def forbidden_names(position, side):
    """`Position.forbidden` in names, sooner: each ban needs at least four own stones in sight of the point."""
    return {
        position.rules.name(cell)
        for cell in position.empty_cells()
        if in_sight(position, cell, side) >= 4 and ban_fault(position.rules, position.board, cell, side)
    }


@pytest.mark.parametrize("reading", ["simple", "recursive"])
def test_omok_forbids_the_known_points_of_200_boards_to_either_side(reading):
    for row in read_json("omok_forbidden_boards.json"):
        rules = replace(OMOK, recursive=reading == "recursive").resized(row["n"])
        position = Position.set_up(rules, row["X"], row["O"])
        for side, mark in ((BLACK, "X"), (WHITE, "O")):
            assert forbidden_names(position, side) == set(row[reading][mark]), f"{mark} on\n{position}"


def test_renju_forbids_the_known_points_of_150_boards():
    for row in read_lines("renju_forbidden_boards.jsonl"):
        position = Position.set_up(RENJU, row["black"], row["white"])
        assert forbidden_names(position, BLACK) == set(row["forbidden"]), f"{row['id']}\n{position}"


def test_looking_only_where_four_stones_are_in_sight_misses_no_forbidden_point():
    row = next(row for row in read_lines("renju_forbidden_cases.jsonl") if "all_forbidden" in row)
    position = Position.set_up(RENJU, row["black"], row["white"])
    assert {position.rules.name(cell) for cell in position.forbidden()} == forbidden_names(position, BLACK)


RENJU_FAULTS = {
    "None": {None},
    "DoubleThree": {"double three"},
    "DoubleFour": {"double four"},
    "Overline": {"overline"},
    "3x3x3 forbidden": {"double three"},
    "4x3x3 forbidden": {"double three"},
    "4x4x3 forbidden": {"double four"},
    "4x4x4 forbidden": {"double four"},
    "Forbidden": {"double three", "double four", "overline"},
}


@pytest.mark.parametrize("row", read_lines("renju_forbidden_cases.jsonl"), ids=lambda row: row["id"])
def test_renju_names_the_fault_of_a_published_case(row):
    position = Position.set_up(RENJU, row["black"], row["white"])
    if "all_forbidden" in row:
        faults = {position.rules.name(cell): position.fault(cell) for cell in position.forbidden()}
        assert faults.keys() == row["all_forbidden"].keys()
        assert all(faults[point] in RENJU_FAULTS[kind] for point, kind in row["all_forbidden"].items())
    else:
        assert position.fault(row["point"]) in RENJU_FAULTS[row["expected"]]


def test_renju_reads_the_contested_point_as_the_rif_does():
    (row,) = read_json("contested_and_reported.json")["contested"]
    assert Position.set_up(RENJU, row["black"], row["white"]).fault(row["point"]) is None


def split_moves(text):
    """``h8g10`` as ``["h8", "g10"]``."""
    starts = [index for index, character in enumerate(text) if character.isalpha()]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def test_a_reported_position_leaves_black_moves_though_the_only_block_is_forbidden():
    row = next(row for row in read_json("contested_and_reported.json")["reported"] if row["rule"] == 4)
    position = Position.replay(RENJU, split_moves(row["position"]))
    assert [RENJU.name(cell) for cell in position.forbidden()] == ["G7"]
    assert len(position.legal()) == 225 - 10 - 1


GOMOCUP_RULES = {0: RULE_SETS["freestyle"], 1: GOMOKU, 4: RENJU}
GOMOCUP_CHECKS = [row for row in read_json("gomocup_rule_checks.json")["checks"] if row["rule"] in GOMOCUP_RULES]


@pytest.mark.parametrize("row", GOMOCUP_CHECKS, ids=lambda row: f"rule {row['rule']} {row['position']}")
def test_the_entry_check_of_gomocup(row):
    position = Position.replay(GOMOCUP_RULES[row["rule"]].resized(row["size"]), split_moves(row["position"]))
    for move in row["reject"] or []:
        assert position.fault(move) == "double three"
    for move in row["accept"] or []:
        assert position.fault(move) is None


RULE_CASES = read_json("rule_cases.json")


def rule_cases(field):
    """One parameter for each case that has a field, named by its id and what it shows."""
    return [pytest.param(case, id=f"{case['id']} {case['what']}") for case in RULE_CASES["cases"] if field in case]


def rules_for(name, size):
    return rules_from(RULE_CASES["rule_sets"][name]).resized(size)


def verdict(position, move):
    """What happens when a move is tried, in the words of the file."""
    return position.fault(move) or " and ".join(sorted(position.play(move).reasons)) or "goes on"


@pytest.mark.parametrize("case", rule_cases("play"))
def test_a_single_move(case):
    for name, expected in case["expect"].items():
        rules = rules_for(name, case["size"])
        pairs = tuple(case.get("pairs", (0, 0)))
        position = Position.set_up(rules, case["black"], case["white"], SIDES[case["side"]], pairs)
        assert verdict(position, case["play"]) == expected, name


@pytest.mark.parametrize("case", rule_cases("taken"))
def test_a_capture_removes_the_pairs_and_nothing_else(case):
    rules = rules_for("capture_gomoku", case["size"])
    before = Position.set_up(rules, case["black"], case["white"], SIDES[case["side"]], tuple(case["pairs"]))
    after = before.play(case["play"])
    expected = list(before.board)
    expected[rules.cell(case["play"])] = before.to_move
    for name in case["taken"]:
        expected[rules.cell(name)] = EMPTY
    assert after.board == expected
    assert after.pairs == tuple(case["pairs_after"])


@pytest.mark.parametrize("case", rule_cases("forbidden"))
def test_the_forbidden_points_after_a_game(case):
    for name, expected in case["forbidden"].items():
        position = Position.replay(rules_for(name, case["size"]), case["moves"])
        assert [position.rules.name(cell) for cell in position.forbidden()] == expected, name


@pytest.mark.parametrize("case", rule_cases("captures"))
def test_a_whole_capture_game(case):
    position = Position.start(rules_for(case["rules"], case["size"]))
    for number, move in enumerate(case["moves"], start=1):
        assert not position.is_over
        before, position = position, position.play(move)
        taken = [cell for cell, content in enumerate(before.board) if content and not position.board[cell]]
        expected = case["captures"].get(str(number), [])
        assert {position.rules.name(cell) for cell in taken} == set(expected), f"move {number}, {move}"
    assert position.winner == SIDES[case["winner"]]
    assert position.reasons == set(case["reasons"])
    assert position.pairs == tuple(case["pairs"])


@pytest.mark.parametrize("case", rule_cases("refused"))
def test_the_tournament_opening(case):
    position = Position.replay(rules_for(case["rules"], case["size"]), case["moves"])
    assert all(position.fault(move) == "opening" for move in case["refused"])
    assert all(position.fault(move) is None for move in case["accepted"])


def test_a_move_after_the_end_is_refused():
    over = Position.set_up(GOMOKU, ["K8", "L8", "M8", "N8"]).play("O8")
    assert over.winner == BLACK and over.legal() == []
    with pytest.raises(IllegalMove, match="over"):
        over.play("A1")
