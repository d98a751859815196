"""Victory by continuous threats: known problems, what counts as a threat, and that every answer is a proof that holds."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

from narabe import envs
from narabe.envs import State
from narabe.envs.rules import core
from narabe.search.threats import Answer, Solver, check
from narabe.search.threats.vct_desk import EXTRA

DATA = pathlib.Path(__file__).parents[1] / "data"
MATES = {mate["id"]: mate for mate in map(json.loads, (DATA / "renju_mate_cases.jsonl").read_text().splitlines())}
SHORT = [name for name, mate in MATES.items() if name.startswith("quintet_test_vct") and "fukumi" not in name]


def position(spec: str, black: str, white: str, to_move: str = "black", **more: tuple[int, int]) -> State:
    return envs.game(spec).position(black=black, white=white, to_move=to_move, **more)


def problem(name: str) -> State:
    mate = MATES[name]
    return position("renju", " ".join(mate["black"]), " ".join(mate["white"]), mate["side"])


def solved(state: State, seat: int | None = None, **options: object) -> Answer:
    """The answer, after the proof was checked once more and the state was found as it had been."""
    before = state.record.copy()
    answer = Solver(state.game, mb=4).vct(state, seat, **options)  # type: ignore[arg-type]
    assert not core.differences(before, state.record)
    assert (answer.proof is not None) == bool(answer.won)
    if answer.proof is not None:
        check(answer.proof)
        played = answer.proof.state()
        for move in answer.line:
            played.play(move)
        assert played.is_over and played.payoffs[answer.proof.seat] == 1
    return answer


@pytest.mark.parametrize("name", SHORT)
def test_problems_of_up_to_thirteen_plies(name: str) -> None:
    assert solved(problem(name)).won is True


def test_a_quiet_move_that_prepares_fours_is_found_among_all_threats_only() -> None:
    state = problem("quintet_test_vct_fukumi_move")
    assert solved(state).won is False
    assert solved(state, threats="all").won is True


def test_a_win_by_fours_is_one_by_threats() -> None:
    state = problem("quintet_test_vcf_white")
    assert Solver(state.game, mb=1).vcf(state).won and solved(state).won


CROSS = "H6 H7 F8 G8"  # H8 makes two open threes


@pytest.mark.parametrize("spec", ["gomoku", "freestyle", "capture_gomoku:size=15,opening=none"])
def test_two_threes_at_once_win(spec: str) -> None:
    answer = solved(position(spec, CROSS, "A1 A3 O15 O13"))
    assert answer.won and len(answer.line) >= 5


@pytest.mark.parametrize("spec", ["renju", "omok:size=15"])
def test_where_two_threes_are_banned_that_move_is_not_used(spec: str) -> None:
    state = position(spec, CROSS, "A1 A3 O15 O13")
    assert state.why_illegal("H8") is not None
    answer = solved(state, max_plies=5)
    assert answer.won is False


def test_white_is_not_bound_in_renju() -> None:
    assert solved(position("renju", "A1 A3 O15 O13 M1", CROSS, "white")).won is True


def test_a_counter_four_that_blocks_saves_the_defender() -> None:
    """Black's two threes, but White's four, parried by Black far away, stands in the way with its fourth stone."""
    quiet = position("gomoku", CROSS, "A1 A3 O15 O13")
    assert solved(quiet, max_plies=7).won is True
    sharp = position("gomoku", f"{CROSS} A15 E1", "A11 A12 A13 O15 B1 C1 D1 M1".replace("M1", "A14"))
    assert solved(sharp, max_plies=7).won is not True  # White makes a five first: A10


def test_a_capture_takes_a_three_away() -> None:
    """White takes G8 and H8 of the row after Black's move, from F8 with I8 closed by a white stone."""
    spec = "capture_gomoku:size=15,opening=none"
    threes = "H6 H7 G8 F8"
    assert solved(position(spec, threes, "A1 A3 O15 O13")).won is True
    broken = position(spec, threes, "I8 A3 O15 O13 H5")
    assert solved(broken, max_plies=5).won is False


def test_limits_and_budgets() -> None:
    state = position("gomoku", CROSS, "A1 A3 O15 O13")
    assert solved(state, max_plies=3).won is False
    assert solved(state, nodes=1).won is None
    assert Solver(state.game).vct(state, ms=0.0).won is None


def test_the_side_not_to_move_is_answered_for_a_passed_turn() -> None:
    state = position("gomoku", CROSS, "A1 A3 O15 O13", "white")
    assert solved(state, seat=0).won is True
    assert solved(state, seat=1).won is False


def test_gomocku_keeps_to_its_first_phase() -> None:
    gomocku = envs.game("gomocku", size=9)
    stones = "E3 E4 C5 D5 A9", "A1 A3 I9 I7 A7"
    early, late = (gomocku.position(black=stones[0], white=stones[1], ply=ply) for ply in (10, 28))
    plies = len(solved(early).line)
    assert plies == 0 or plies >= 5
    assert Solver(gomocku, mb=1).vct(late).won is False  # two plies are left


def test_what_cannot_be_asked_is_said() -> None:
    state = position("gomoku", CROSS, "A1 A3 O15 O13")
    with pytest.raises(ValueError, match="threes or all"):
        Solver(state.game).vct(state, threats="fours")
    with pytest.raises(ValueError, match="the state is of"):
        Solver(envs.game("omok")).vct(state)


def test_the_same_without_compilation() -> None:
    code = (
        "from narabe import envs\n"
        "from narabe.search.threats import Solver\n"
        "game = envs.game('gomoku', size=7)\n"
        "state = game.position(black='D2 D3 B4 C4', white='A1 G7 G1 A7')\n"
        "answer = Solver(game, mb=0.1).vct(state, max_plies=5)\n"
        "print(answer.won, answer.nodes, *answer.line)\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "1")
    ]
    assert runs[0] == runs[1] and runs[0].startswith("True")


def test_what_checks_asked_for_is_forgotten_before_there_is_no_room() -> None:
    """Else a solver that has seen many positions with bans would have a proof refused, and raise."""
    renju = envs.game("renju", size=11)
    solver = Solver(renju, mb=1)
    state = renju.from_text("11/11/2oo7/2x3xx3/4o6/4xo2o2/3x2x1o2/2o2o5/2x1x6/11/5x5 w 17 0-0 F1 -")
    answer = solver.vct(state)
    assert answer.won
    solver._threats.desk["n_extra"] = EXTRA
    assert solver.vct(state).line == answer.line
    assert solver._threats.desk[0]["n_extra"] < EXTRA


def test_after_a_pass_in_gomocku() -> None:
    """No text tells such a position, so it has no proof to hand out; what is found was checked all the same."""
    gomocku = envs.game("gomocku", size=6)
    state = gomocku.from_text("1o3o/oo1ooo/1xx3/1x1o2/1xx3/o5 23 - - -")
    solver = Solver(gomocku, mb=1)
    answers = [solver.vct(state, seat=1 - state.to_play, max_plies=5), solver.vcf(state, seat=1 - state.to_play)]
    assert answers[0].won and len(answers[0].line) > 1
    assert [answer.proof for answer in answers] == [None, None]
    mine = solver.vct(state, max_plies=7)
    assert mine.won is False or mine.proof is not None
