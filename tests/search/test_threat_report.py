"""The threats in one position, as people see them."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from narabe import envs
from narabe.envs import Game, State
from narabe.search.threats.report import Point, Side, Threats, threats_of

PENTE = "capture_gomoku"


def texts(points: tuple[Point, ...]) -> list[str]:
    return [point.text for point in points]


# ---- by playing everything out ----


def turned(state: State, seat: int) -> State:
    """The same stones with this seat to move, set up anew."""
    board = state.game.face.board(state)  # type: ignore[attr-defined]
    black, white = (list(map(int, np.flatnonzero(board == colour))) for colour in (1, 2))
    pairs = tuple(int(n) for n in state.record["pairs"][0])
    return state.game.position(black=black, white=white, to_move=("black", "white")[seat], pairs=pairs)


def wins_of(state: State, seat: int) -> set[int]:
    """Where a seat would win at once if it were to move."""
    if state.is_over:
        return set()
    state = turned(state, seat)
    return {int(a) for a in state.legal_actions() if state.copy().play(int(a)).winners == (seat,)}


def fours_of(state: State, seat: int) -> dict[int, tuple[set[int], set[int]]]:
    """For every move that makes a winning point: where its player would win, and the replies after which he cannot."""
    before, found = wins_of(state, seat), {}
    state = turned(state, seat)
    for a in map(int, state.legal_actions()):
        after = state.copy().play(a)
        wins = wins_of(after, seat)
        if wins - before and not after.is_over:
            replies = {int(b): after.copy().play(int(b)) for b in after.legal_actions()}
            found[a] = (
                wins,
                {b for b, reply in replies.items() if reply.winners != (seat,) and not wins_of(reply, seat)},
            )
    return found


def middle_games(game: Game, count: int) -> list[State]:
    """Random games that are not over, with stones near each other."""
    rng, found = random.Random(7), []
    while len(found) < count:
        state = game.start()
        for _ in range(rng.randint(8, 16)):
            if not state.is_over:
                state.play(rng.choice([int(a) for a in state.legal_actions()]))
        if not state.is_over:
            found.append(state)
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "gomoku:size=6",
        "freestyle:size=6,row=4",
        "renju:size=6",
        "omok:size=5,row=4",
        f"{PENTE}:size=5,row=4,opening=none",
    ],
)
def test_what_is_told_is_what_happens(spec: str) -> None:
    seen = 0
    for state in middle_games(envs.game(spec), 4):
        for seat in (0, 1):
            found = threats_of(state, seat)
            for side in (found.own, found.other):
                assert {point.action for point in side.wins} == wins_of(state, side.seat)
                fours = {
                    four.action: ({p.action for p in four.threatens}, {p.action for p in four.parries})
                    for four in side.fours
                }
                assert fours == fours_of(state, side.seat)
                seen += len(fours)
                here = turned(state, side.seat)
                banned = {a for a in range(state.game.num_actions) if "banned" in (here.why_illegal(a) or "")}
                assert {point.action for point in side.forbidden} == banned
                legal = set(map(int, here.legal_actions()))
                assert {point.action for point in side.threes} <= legal
    assert seen >= 4


# ---- what is shown ----


@pytest.fixture
def white_wins_by_a_ban() -> State:
    """Renju: White's four on D8 could only be parried on H8, where Black would make two fours."""
    black = "C8 H4 H5 H7 E11 F10 I7 I8"
    return envs.game("renju").position(black=black, white="E8 F8 G8 A1 A15 O1 C13", to_move="white")


def test_a_parry_that_is_forbidden(white_wins_by_a_ban: State) -> None:
    found = white_wins_by_a_ban.threats()
    fours = {four.text: four for four in found.fours}
    assert (texts(fours["D8"].threatens), texts(fours["D8"].parries)) == (["H8"], [])
    assert [str(point) for point in found.other.forbidden] == ["H8 (double four)"]
    assert "D8 (no parry)" in str(found) and "H8 (double four)" in str(found)
    assert found.won and len(found.vcf) == 3


def test_captures() -> None:
    game = envs.game("capture_gomoku", size=9, opening="none")
    state = game.position(black="A1 B5 C5 D5 E5 H2", white="A5 D6 D7 F9", to_move="white")
    found = state.threats()
    assert texts(found.other.wins) == ["F5"]
    state = game.position(black="C5 D5 E5 F5 E3", white="E4 B5 A9 B9 G4", to_move="white")
    found = state.threats()
    assert [(capture.text, texts(capture.taken)) for capture in found.captures] == []
    state = game.position(black="D8 E5", white="D6 D7 C6 E7", to_move="black")
    (capture,) = state.threats().captures
    assert (capture.text, texts(capture.taken)) == ("D5", ["D6", "D7"])
    assert "takes pairs   D5 (takes D6 D7)" in str(state.threats())


def test_a_capture_that_breaks_a_four() -> None:
    game = envs.game("capture_gomoku", size=9, opening="none")
    state = game.position(black="C5 D5 E5 D4", white="B5 D3 A9 I1", to_move="black")
    four = {four.text: four for four in state.threats().fours}["F5"]
    assert texts(four.threatens) == ["G5"]
    assert texts(four.parries) == ["G5", "D6"]  # D6 takes D5 and D4


def test_if_the_other_passed() -> None:
    state = envs.game("gomoku", size=9).position(black="C5 D5 E5 F5", white="B5 A1 A3", to_move="white")
    found = state.threats(seat=0)
    assert found.passed and found.won
    assert texts(found.wins) == texts(found.vcf) == ["G5"]
    assert str(found).splitlines()[1:3] == ["Black, if White passed", "  wins at once  G5"]
    assert state.to_play == 1
    mine = state.threats()
    assert (mine.seat, mine.won, texts(mine.other.wins)) == (1, False, ["G5"])
    assert mine.scene().marks == {mine.other.wins[0].action: "danger"}


def test_table_and_pictures() -> None:
    state = envs.game("freestyle", size=9).position(
        black="C5 D5 F5 E6 E7 E8", white="B5 G6 A1 A3 E9 B8", to_move="black"
    )
    found = state.threats()
    assert isinstance(found, Threats) and isinstance(found.own, Side)
    assert found.won and texts(found.vcf)[0] == "E5" and len(found.vcf) == 3
    lines = str(found).splitlines()
    assert lines[:3] == ["freestyle:size=9, move 13", "Black, to move", "  wins at once  none"]
    assert any(line.startswith("  VCF           E5 ") and line.endswith("(3 plies)") for line in lines)
    scene = found.scene()
    assert [scene.numbers[point.action] for point in found.vcf] == ["1", "2", "3"]
    assert scene.cells[found.vcf[1].action] == "white"
    assert scene.captions[-1] == "VCF of Black: 3 plies"
    assert set(scene.legend) == set(scene.marks.values())
    assert not found.scene(line=False, marks=False).marks
    assert "X1" in found.ansi()
    ElementTree.fromstring(found.svg())
    page = found._repr_html_()
    assert "<svg" in page and "<table" in page
    assert found.vcf[0].text in page
    assert "<Threats of Black" in repr(found)


def test_a_budget_may_be_too_small() -> None:
    state = envs.game("freestyle", size=9).position(
        black="C5 D5 F5 E6 E7 E8 H1 H2 I3", white="B5 G6 A1 A3 E9 B8 C1 C2 D9", to_move="black"
    )
    assert state.threats(nodes=None).won is True
    few = state.threats(nodes=1)
    assert few.won in (True, None)
    assert few.won or "unknown (" in str(few)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (envs.game("connect_four").start(), "connect_four has no threats"),
        (envs.game("goita").start(), "goita has no threats"),
        (envs.game("gomoku", size=5).position(black="A1 B1 C1 D1 E1", to_move="white"), "the game is over"),
    ],
)
def test_where_there_are_no_threats(state: State, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        state.threats()


def test_no_such_seat() -> None:
    with pytest.raises(ValueError, match="seat 2"):
        envs.game("gomoku").start().threats(seat=2)


def test_gomocku_in_its_first_phase() -> None:
    game = envs.game("gomocku")
    state = game.start()
    assert texts(state.threats().wins) == []
    assert state.threats().won is False
