"""Boards whose forbidden points are known from outside: Omok in two readings, renju by the RIF text, reports of faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narabe.envs import Game, State, game
from narabe.envs.rules import line
from narabe.envs.rules.jit import kernel
from narabe.tests.laws.diagrams import replay, stones, winner

DATA = Path(__file__).parents[1] / "data"
KINDS = {
    "DoubleThree": "double three", "DoubleFour": "double four", "Overline": "overline", "Forbidden": "",
    "3x3x3 forbidden": "double three", "4x3x3 forbidden": "double three",
    "4x4x3 forbidden": "double four", "4x4x4 forbidden": "double four",
}  # fmt: skip


def read(name: str) -> Any:
    text = (DATA / name).read_text()
    return [json.loads(line) for line in text.splitlines()] if name.endswith("jsonl") else json.loads(text)


def free_points(state: State) -> list[int]:
    taken = set(sum(stones(state), []))
    return [cell for cell in range(state.game.num_actions) if cell not in taken]


def forbidden(state: State) -> dict[str, str]:
    """Every free point that is not legal, with the reason."""
    points = [state.game.text_of(cell) for cell in set(free_points(state)) - set(state.legal_actions().tolist())]
    return {point: str(state.why_illegal(point)).split(": ")[1] for point in points}


@kernel
def bans(states: np.ndarray, player: int, cells: np.ndarray) -> np.ndarray:
    """The ban codes of cells, though the game may be over."""
    return np.array([line.ban(states[0], player - 1, cell) for cell in cells])


OMOK_BOARDS = read("omok_forbidden_boards.json")


@pytest.mark.parametrize("recursive", [False, True], ids=["simple", "recursive"])
@pytest.mark.parametrize("colour", ["X", "O"])
def test_omok_boards(colour: str, recursive: bool) -> None:
    """200 boards of 13, 15 and 19: the forbidden points of a colour are exactly those listed."""
    assert len(OMOK_BOARDS) == 200
    games = {n: game("omok", size=n, recursive=recursive) for n in (13, 15, 19)}
    finished = 0
    for number, case in enumerate(OMOK_BOARDS):
        state = games[case["n"]].position(black=case["X"], white=case["O"], to_move=colour)
        if state.is_over:  # a five stands on this random board, so nothing is legal; the bans can still be read
            finished += 1
            cells = np.array(free_points(state))
            found = {state.game.text_of(cell) for cell in cells[bans(state.record, " XO".index(colour), cells) != 0]}
        else:
            found = set(forbidden(state))
        assert found == set(case["recursive" if recursive else "simple"][colour]), f"board {number}"
    assert finished < 20 and sum(len(case["simple"][colour]) for case in OMOK_BOARDS) > 100


def renju_position(case: dict[str, Any]) -> State:
    assert (case["rule"], case["side"]) == ("renju", "black")
    return game("renju", size=case["size"]).position(black=case["black"], white=case["white"])


def test_renju_boards() -> None:
    """150 boards: the points forbidden to Black are exactly those listed, and White may play everywhere."""
    boards = read("renju_forbidden_boards.jsonl")
    assert len(boards) == 150 and sum(len(case["forbidden"]) for case in boards) > 100
    for case in boards:
        state = renju_position(case)
        assert set(forbidden(state)) == set(case["forbidden"]), case["id"]
        white = state.game.position(black=case["black"], white=case["white"], to_move="white")
        assert forbidden(white) == {}


RENJU_CASES = {case["id"]: case for case in read("renju_forbidden_cases.jsonl")}
WHOLE, POINTS = (
    [name for name, case in RENJU_CASES.items() if ("all_forbidden" in case) == whole] for whole in (True, False)
)


@pytest.mark.parametrize("name", POINTS)
def test_renju_points_and_the_kind_of_their_foul(name: str) -> None:
    case = RENJU_CASES[name]
    found = forbidden(renju_position(case)).get(case["point"])
    if case["expected"] == "None":
        assert found is None
    else:
        assert found is not None and found.startswith(KINDS[case["expected"]])


def test_a_renju_board_with_every_kind_of_foul() -> None:
    assert (len(WHOLE), len(POINTS)) == (1, 85)
    case = RENJU_CASES[WHOLE[0]]
    found = forbidden(renju_position(case))
    assert set(found) == set(case["all_forbidden"])
    assert all(found[point].startswith(KINDS[kind]) for point, kind in case["all_forbidden"].items())


CONTESTED = read("contested_and_reported.json")


@pytest.mark.parametrize("case", CONTESTED["contested"], ids=lambda case: case["id"])
def test_where_checkers_differ_the_rif_reading_holds(case: dict[str, Any]) -> None:
    """The only point that extends one of the threes makes a five at the same time: that is no three in renju."""
    assert any("RIF" in voice for voice in case["allowed_by"])
    assert case["point"] not in forbidden(renju_position(case))
    omok = game("omok", size=15, recursive=True).position(black=case["black"], white=case["white"])
    assert case["point"] in forbidden(omok)  # there the point only has to be legal, and a five is


GOMOCUP = {
    0: "freestyle",
    1: "gomoku",
    4: "renju",
    8: "gomoku",
}  # 8 is caro: not ours, but its answers are legal in gomoku


def gomocup_game(case: dict[str, Any]) -> Game:
    return game(GOMOCUP[case["rule"]], size=case.get("size", 15))


@pytest.mark.parametrize("case", CONTESTED["reported"], ids=lambda case: case["source"].rsplit("/", 1)[1])
def test_reported_positions_are_reached_and_go_on(case: dict[str, Any]) -> None:
    state = replay(gomocup_game(case), case["position"])
    assert not state.is_over and len(state.legal_actions()) > 0


def test_the_reported_hang_has_one_forbidden_defence() -> None:
    (case,) = [case for case in CONTESTED["reported"] if "no hang" in case["expect"]]
    assert set(forbidden(replay(gomocup_game(case), case["position"]))) == {"G7"}


@pytest.mark.parametrize(
    "case", read("gomocup_rule_checks.json")["checks"], ids=lambda c: f"{c['rule']}-{c['position']}"
)
def test_gomocup_entry_checks(case: dict[str, Any]) -> None:
    """An answer that the check accepts is legal, and either all of them win or none; one that it rejects is banned."""
    state = replay(gomocup_game(case), case["position"])
    for point in case["accept"] or ():
        assert state.why_illegal(point) is None
    for point in case["reject"] or ():
        assert "banned" in str(state.why_illegal(point))
    winning = [p for p in case["accept"] or () if winner(state.copy().play(p)) is not None]
    assert winning in ([], case["accept"])
