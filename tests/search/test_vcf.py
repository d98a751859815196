"""Victory by continuous fours: what is found, by which rules, and that nothing is left behind."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from narabe import envs
from narabe.envs import State
from narabe.envs.rules import core
from narabe.envs.rules.line.patterns import new_patterns
from narabe.search.threats import Answer, Solver, check
from narabe.search.threats import replay as R
from narabe.search.threats.solver import hand_over, prepare, replay

DATA = pathlib.Path(__file__).parents[1] / "data"
MATES = [json.loads(line) for line in (DATA / "renju_mate_cases.jsonl").read_text().splitlines()]
VCF_MATES = [mate for mate in MATES if mate["kind"] == "vcf"]


def position(spec: str, black: str, white: str, to_move: str = "black", **more: tuple[int, int]) -> State:
    return envs.game(spec).position(black=black, white=white, to_move=to_move, **more)


def solved(state: State, seat: int | None = None, **limits: int) -> Answer:
    """The answer, after its proof was checked, its line played, and the state and the scratch found as they were."""
    solver, before = Solver(state.game, mb=1), state.record.copy()
    answer = solver.vcf(state, seat, **limits)
    assert not core.differences(before, state.record)
    desk = solver._desk[0]
    assert not desk["hot"].any() and not desk["active"].any()
    fresh = new_patterns()
    prepare(state.record, fresh)
    if not state.is_over:
        assert all(
            np.array_equal(fresh[name], solver._patterns[name])
            for name in ("sets", "counts", "words", "active", "takes", "n_log", "n_words", "n_marks")
        )
    if answer.won:
        assert answer.proof is not None
        counts = check(answer.proof)
        assert counts.plies >= len(answer.line)
        played = answer.proof.state()
        for move in answer.line:
            played.play(move)
        assert played.payoffs[answer.proof.seat] == 1
    else:
        assert answer.proof is None and answer.line == []
    return answer


def words(state: State, answer: Answer) -> str:
    return " ".join(state.game.text_of(move) for move in answer.line)


# ---- known mates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mate", VCF_MATES, ids=[mate["id"] for mate in VCF_MATES])
def test_known_mates(mate: dict) -> None:
    state = envs.game("renju").position(black=mate["black"], white=mate["white"], to_move=mate["side"])
    assert solved(state).won
    if mate["depth_solved"]:
        assert solved(state, max_plies=2 * mate["depth_solved"] + 1).won
    passed = envs.game("renju").position(
        black=mate["black"], white=mate["white"], to_move="white" if mate["side"] == "black" else "black"
    )
    assert solved(passed, ("black", "white").index(mate["side"])).won


# ---- the rules ------------------------------------------------------------------------------------------------------


def swapped(black: str, white: str, to_move: str, swap: bool) -> dict[str, str]:
    if not swap:
        return {"black": black, "white": white, "to_move": to_move}
    return {"black": white, "white": black, "to_move": "white" if to_move == "black" else "black"}


@pytest.mark.parametrize("swap", [False, True])
def test_both_colours(swap: bool) -> None:
    """A four and a three: K8 makes both, then K11 or K7 a four that is open at both ends."""
    state = envs.game("freestyle").position(**swapped("H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5", "black", swap))
    answer = solved(state)
    assert answer.won and len(answer.line) == 5 and words(state, answer).startswith("K8 L8")
    assert not solved(state, max_plies=4).won


@pytest.mark.parametrize(
    ("spec", "black", "white"),
    [("freestyle", True, True), ("gomoku", True, True), ("renju", False, True), ("omok", True, True)],
)
def test_double_four(spec: str, black: bool, white: bool) -> None:
    """H8 makes two fours, each closed on one side."""
    stones = "E8 F8 G8 H5 H6 H7", "D8 H4 A1 B3 C2 O1"
    for swap, won in ((False, black), (True, white)):
        state = envs.game(spec, size=15).position(**swapped(*stones, "black", swap))
        answer = solved(state)
        assert answer.won == won
        if won:
            assert words(state, answer).startswith("H8")


@pytest.mark.parametrize(
    ("spec", "length"), [("freestyle", 1), ("gomoku", 0), ("renju", 0), ("omok", 1), ("renju:bans=both", 0)]
)
def test_six_in_a_row(spec: str, length: int) -> None:
    state = envs.game(spec, size=15).position(black="C8 D8 E8 G8 H8", white="A1 B3 C5 O1 N3", to_move="black")
    assert len(solved(state).line) == length


def test_a_row_of_six_does_not_threaten_under_exact_five() -> None:
    """G8 makes two fours, one of which F8 completes to six."""
    for spec, won in (("freestyle", True), ("gomoku", False)):
        state = position(spec, "D8 E8 H8 I8 G5 G6 G7", "G4 A1 C1 E1 A3 O1 O3")
        assert solved(state).won == won


@pytest.mark.parametrize(("spec", "won"), [("renju", True), ("gomoku", False), ("freestyle", False)])
def test_forbidden_parry(spec: str, won: bool) -> None:
    """White's four on H8 can only be parried on I8, which is an overline of Black's (and wins under freestyle)."""
    state = position(spec, "D8 I5 I6 I7 I9 I10", "E8 F8 G8 A1 A3 O2", "white")
    answer = solved(state)
    assert answer.won == won
    if won:
        assert len(answer.line) == 3 and words(state, answer).startswith("H8")


def test_a_defender_who_wins_first() -> None:
    """Black's fours do not help while White has a four of his own that they do not stop."""
    state = position("freestyle", "H8 I8 J8 K9 K10", "C2 D2 E2 F2 G8")
    assert not solved(state).won
    assert solved(position("freestyle", "H8 I8 J8 K9 K10 B2", "C2 D2 E2 G8 O1 O3")).won


def test_counter_fours() -> None:
    """The reply on L8 makes a four of White's, which Black must parry; he wins only if that parry is a four again."""
    stones = "H8 I8 J8 K9 K10", "G8 L5 L6 L7 O15"
    assert not solved(position("freestyle", *stones)).won
    more = stones[0] + " L4", stones[1] + " A1"
    assert not solved(position("freestyle", *more)).won
    state = position("freestyle", more[0] + " M9 O9", more[1] + " A5 C1")
    answer = solved(state)
    assert answer.won and words(state, answer).startswith("K8 L8 L9 N9")


# ---- captures -------------------------------------------------------------------------------------------------------

CAPTURES = "capture_gomoku:size=13,opening=none"


def test_a_capture_parries_two_fours() -> None:
    """H8 makes two fours; White's H9 stands in the way of one and takes F7 and G8 out of the other."""
    black, white = "E8 F8 G8 H5 H6 H7 F7", "D8 H4 E6 A1 M1 M3 A13 G6"
    assert len(solved(position("freestyle:size=13", black, white)).line) == 3
    assert not solved(position(CAPTURES, black, white)).won
    answer = solved(position(CAPTURES, black, white.replace("E6", "B6")))
    assert len(answer.line) == 3


def test_a_capture_wins_first() -> None:
    """White takes his fifth pair before Black's open four becomes a five."""
    black, white = "D8 E8 F8 E9", "E7 A1 M1 M3"
    assert solved(position(CAPTURES, black, white)).won
    assert not solved(position(CAPTURES, black, white, pairs=(0, 4))).won


def test_a_capture_uncovers_a_four() -> None:
    """J10 makes a four on row 10 and takes I9 and H8, which shut the row of four on row 8."""
    black, white = "D8 E8 F8 G8 G7 K10 L10 M10", "C8 H8 I9 A1 M1 M3"
    assert not solved(position("freestyle:size=13", black, white)).won
    state = position(CAPTURES, black, white)
    answer = solved(state)
    assert len(answer.line) == 3 and words(state, answer).startswith("J10")


def test_the_fifth_pair() -> None:
    """With four pairs taken, a stone that brackets two pairs threatens to win on two cells."""
    black, white = "A13", "E5 F6 E4 F4 M1 M3"
    state = position(CAPTURES, black, white, pairs=(4, 0))
    answer = solved(state)
    assert len(answer.line) == 3 and words(state, answer).startswith("D4")
    assert not solved(position(CAPTURES, black, white, pairs=(3, 0))).won
    at_once = solved(position(CAPTURES, "D4", white, pairs=(4, 0)))
    assert words(state, at_once) in ("G7", "G4")


def test_a_win_with_several_parries() -> None:
    """White parries by taking or by blocking, and each reply has a node of its own."""
    rng = np.random.default_rng(0)
    most = 0
    game = envs.game(CAPTURES.replace("13", "7"))
    for _ in range(300):
        cells = rng.permutation(49)[:24].tolist()
        try:
            state = game.position(black=cells[::2], white=cells[1::2], pairs=(2, 2))
        except ValueError:
            continue
        answer = solved(state) if not state.is_over else None
        if answer and answer.proof:
            most = max(most, int(np.diff(answer.proof.first).max()))
    assert most >= 2


# ---- Gomocku --------------------------------------------------------------------------------------------------------


def test_gomocku_within_the_first_phase() -> None:
    game = envs.game("gomocku")
    first = 2 * game.options["stones"]
    moves = ["H8", "A1", "H9", "C1", "H10", "E1"]
    state = game.start()
    for move in moves:
        state.play(move)
    answer = solved(state)
    assert answer.won and len(answer.line) == 3
    late = game.position(black="H8 H9 H10", white="A1 C1 E1", ply=first - 2)
    assert not solved(late).won
    assert Solver(game).vcf(state.play("H7"), 0).won


# ---- limits and errors ----------------------------------------------------------------------------------------------


def test_limits() -> None:
    state = position("freestyle", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5")
    assert solved(state, nodes=0).won is None
    assert solved(state, nodes=1).won in (None, True)
    assert solved(state, max_plies=0).won is False
    lost = solved(state, seat=1)
    assert lost.won is False and lost.seconds > 0


@pytest.mark.parametrize("spec", ["gomoku:size=9", "capture_gomoku:size=9,opening=none"])
def test_after_a_pass_in_a_game_that_was_played(spec: str) -> None:
    """The side that has just moved is asked about: its last move stands in no text of the position after the pass."""
    state = envs.game(spec).start()
    for move in ("E5", "A1", "F5", "A3", "G5"):
        state.play(move)
    before = state.to_text()
    answer = Solver(state.game, mb=1).vcf(state, seat=0)
    assert answer.won and len(answer.line) == 3
    assert answer.proof is not None and check(answer.proof).plies == 3
    assert state.to_text() == before and state.undo().to_text() != before


def test_ticks_and_time() -> None:
    mate = max(VCF_MATES, key=lambda mate: len(mate["black"]))
    state = envs.game("renju").position(black=mate["black"], white=mate["white"], to_move=mate["side"])
    solver, ticks = Solver(state.game, mb=1), []
    solver.tick = lambda: ticks.append(1)
    assert solver.vcf(state, ms=10_000).won
    assert ticks
    solver.clear()
    assert solver.vcf(state, ms=0).won in (None, True)


def test_over_and_foreign_states() -> None:
    state = position("freestyle", "H8 I8 J8 K8", "A1 A3 C1 C5")
    assert words(state, solved(state)) in ("G8", "L8")
    state.play("L8")
    assert solved(state).won is False
    with pytest.raises(ValueError, match="this solver is for"):
        Solver(envs.game("renju")).vcf(state)
    with pytest.raises(ValueError, match="seat"):
        Solver(state.game).vcf(state, 2)
    with pytest.raises(ValueError, match="line games"):
        Solver(envs.game("goita"))


def test_no_reply_left() -> None:
    """White's B3 is a four that Black may not parry, but then Black has no legal cell at all, which is a draw."""
    black, white = "D2 B2 E1 A5 E2 C1 E5 E4 A3 C4 A4", "C2 B1 D3 C3 D5 B4 A1 D4 C5 D1 A2 B5"
    state = position("renju:size=5,row=4", black, white, "white")
    assert solved(state).won is False
    assert state.play("B3").reason == "no legal point left"


# ---- the quick check ------------------------------------------------------------------------------------------------


def fault(state: State, line: list[int]) -> int:
    return int(replay(state.record, np.array(line, np.int64)))


def test_the_quick_check_refuses() -> None:
    state = position("freestyle", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5")
    cell = state.game.action_of
    line = [cell(point) for point in ["K8", "L8", "K11", "K12", "K7"]]
    assert fault(state, line) == R.HOLDS
    assert fault(state, line[:-1]) == R.NO_LINE
    assert fault(state, [cell("H8"), *line[1:]]) == R.ILLEGAL
    assert fault(state, [cell("O15"), *line[1:]]) == R.NO_FOUR
    assert fault(state, [line[0], cell("O15"), *line[2:]]) == R.WRONG_REPLY
    assert fault(state, [*line[:4], cell("O15")]) == R.NO_WIN
    assert fault(state, [*line[:4], cell("O15"), cell("O14"), cell("K7")]) == R.GOES_ON
    assert fault(state, [*line[:3], cell("O15"), cell("K7")]) == R.HOLDS
    threatened = position("freestyle", "H8 I8 J8 K9 K10", "C2 D2 E2 F2 G8")
    assert fault(threatened, line) == R.DEFENDER_WINS
    assert {R.ILLEGAL, R.NO_FOUR, R.NO_WIN} < set(R.FAULTS)


def test_a_broken_proof_is_seen() -> None:
    answer = solved(position("freestyle", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5"))
    assert answer.proof is not None
    moves = answer.proof.move.copy()
    moves[1] = 0
    with pytest.raises(ValueError, match="does not hold"):
        check(dataclasses.replace(answer.proof, move=moves))


# ---- handing over ---------------------------------------------------------------------------------------------------


def test_handing_over() -> None:
    state = position("renju", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5")
    other = position("renju", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5", "white")
    before = state.record.copy()
    hand_over(state.record)
    assert state.key == other.key and state.to_play == 1
    hand_over(state.record)
    assert not core.differences(before, state.record)
    gomocku = envs.game("gomocku").start().play("H8")
    before, key = gomocku.record.copy(), gomocku.key
    hand_over(gomocku.record)
    assert gomocku.key != key and gomocku.to_play == 0
    gomocku.play("H9").undo()
    hand_over(gomocku.record)
    assert not core.differences(before, gomocku.record)


# ---- without compilation --------------------------------------------------------------------------------------------


def small_answers() -> list[str]:
    """Some answers on small boards, as text."""
    rng, out = np.random.default_rng(1), []
    for spec in ("freestyle:size=6,row=4", "renju:size=6,row=4", "capture_gomoku:size=6,row=4,opening=none"):
        game = envs.game(spec)
        solver = Solver(game, mb=1)
        for _ in range(6):
            cells = rng.permutation(36)[:12].tolist()
            state = game.position(black=cells[::2], white=cells[1::2])
            answer = solver.vcf(state)
            out.append(f"{answer.won} {answer.line} {answer.nodes}")
    return out


def test_plain_mode() -> None:
    code = "from narabe.tests.search.test_vcf import small_answers; print(small_answers())"
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == str(small_answers())
