"""Positions with known right answers (``tests/data/rule_cases.json``), asked of the law as a person would ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from narabe.envs import Game, IllegalMove, State, game
from narabe.tests.laws.diagrams import replay, stones, winner

DATA = Path(__file__).parents[1] / "data"
FILE: dict[str, Any] = json.loads((DATA / "rule_cases.json").read_text())
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in FILE["cases"]}
WORDS = {"five": "five in a row", "pairs": "five pairs", "five and pairs": "five in a row and five pairs"}
BANS = ("double three", "double four", "overline")


def game_for(rule_set: str, size: int) -> Game:
    options = dict(FILE["rule_sets"][rule_set])
    return game(options.pop("base"), size=size, **options)


def position_for(case: dict[str, Any], rule_set: str) -> State:
    played = game_for(rule_set, case["size"])
    if "moves" in case:
        return replay(played, case["moves"])
    pairs = tuple(case.get("pairs", (0, 0)))
    return played.position(black=case["black"], white=case["white"], to_move=case["side"], pairs=pairs)


def asked(*needed: str) -> list[tuple[str, str]]:
    """(case, rule set) of every case that has the entries ``needed``."""
    found = [(name, case) for name, case in CASES.items() if all(key in case for key in needed)]
    return [
        (name, rules)
        for name, case in found
        for rules in case.get("expect", case.get("forbidden", [case.get("rules")]))
    ]


@pytest.mark.parametrize(("name", "rule_set"), asked("play", "expect"))
def test_the_move_of_a_case_ends_as_reported(name: str, rule_set: str) -> None:
    case, state = CASES[name], position_for(CASES[name], rule_set)
    before, expected, side = state.to_text(), case["expect"][rule_set], case["side"]
    if expected in BANS:
        assert str(state.why_illegal(case["play"])).startswith(f"{case['play']}: {expected}")
        assert state.game.action_of(case["play"]) not in state.legal_actions()
        with pytest.raises(IllegalMove, match=expected):
            state.play(case["play"])
        assert state.to_text() == before  # a forbidden point is refused, not lost
        return
    assert state.why_illegal(case["play"]) is None
    state.play(case["play"])
    if expected == "goes on":
        assert not state.is_over and state.reason is None
    else:
        assert (winner(state), state.reason) == (side, WORDS[expected])
        assert len(state.legal_actions()) == 0
        assert "the game is over" in str(state.why_illegal("A15"))


@pytest.mark.parametrize(("name", "rule_set"), asked("play", "taken"))
def test_a_move_takes_what_the_case_says_and_no_more(name: str, rule_set: str) -> None:
    case, state = CASES[name], position_for(CASES[name], rule_set)
    black, white = (set(cells) for cells in stones(state))
    taken = {state.game.action_of(point) for point in case["taken"]}
    state.play(case["play"])
    assert [set(cells) for cells in stones(state)] == [black | {state.game.action_of(case["play"])}, white - taken]
    assert state.record["pairs"][0].tolist() == case["pairs_after"]
    if not state.is_over:
        assert taken <= set(state.legal_actions())  # emptied points are free at once


@pytest.mark.parametrize(("name", "rule_set"), asked("forbidden"))
def test_the_forbidden_points_of_a_case_are_exactly_these(name: str, rule_set: str) -> None:
    case, state = CASES[name], position_for(CASES[name], rule_set)
    free = [cell for cell in range(state.game.num_actions) if cell not in sum(stones(state), [])]
    refused = set(free) - set(state.legal_actions().tolist())
    assert {state.game.text_of(cell) for cell in refused} == set(case["forbidden"][rule_set])


def test_a_whole_game_of_captures_move_by_move() -> None:
    case = CASES["P2"]
    state = game_for("capture_gomoku", 19).start()
    for number, move in enumerate(case["moves"], 1):
        before = sum(stones(state), [])
        state.play(move)
        gone = {state.game.text_of(cell) for cell in set(before) - set(sum(stones(state), []))}
        assert gone == set(case["captures"].get(str(number), ())), f"move {number}"
        assert state.is_over == (number == len(case["moves"]))
    assert (winner(state), state.reason) == ("black", "five pairs")
    assert state.record["pairs"][0].tolist() == case["pairs"] == [5, 4]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "refused" in case])
def test_the_tournament_opening_refuses_and_accepts(name: str) -> None:
    case, state = CASES[name], position_for(CASES[name], "capture_gomoku")
    for point in case["refused"]:
        assert "three or more points from the centre" in str(state.why_illegal(point))
    for point in case["accepted"]:
        assert state.why_illegal(point) is None
        assert state.game.action_of(point) in state.legal_actions()


def test_no_case_is_left_out() -> None:
    """Every entry of the file is read by a test above."""
    families = [{"play", "expect"}, {"forbidden"}, {"captures", "winner"}, {"refused", "accepted"}]
    assert all(any(keys <= set(case) for keys in families) for case in CASES.values())
    assert {name[0] for name in CASES} >= {"A", "P"} and len(CASES) >= 30
