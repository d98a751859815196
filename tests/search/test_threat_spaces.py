"""Threat-space search: what it finds, what of that is confirmed, and that nothing is left behind."""

from __future__ import annotations

import pytest

from narabe import envs
from narabe.envs import State
from narabe.envs.rules import core
from narabe.search.threats import Solver, check
from narabe.search.threats.spaces_face import SpaceSearch, ThreatSequence

DOUBLE_THREE = "H8 I8 H9 I10", "A1 A3 A5 C1"  # G8 makes both
SOLVERS: dict[str, Solver] = {}  # their tables are large, so each is made once


def position(spec: str, black: str, white: str, to_move: str = "black") -> State:
    return envs.game(spec, size=15).position(black=black, white=white, to_move=to_move)


def solver_of(state: State) -> Solver:
    return SOLVERS.setdefault(state.game.spec, Solver(state.game, mb=1))


def found(state: State, seat: int | None = None) -> ThreatSequence | None:
    before = state.record.copy()
    sequence = solver_of(state).spaces(state, seat)
    assert not core.differences(before, state.record)
    return sequence


def confirmed(state: State, method: str = "spaces") -> bool | None:
    answer = solver_of(state).vct(state, method=method)
    assert (answer.proof is not None) == bool(answer.won)
    if answer.proof is not None:
        check(answer.proof)
    return answer.won


def words(state: State, sequence: ThreatSequence | None) -> list[str]:
    """Gains with their costs, as text."""
    assert sequence is not None and len(sequence.gains) == len(sequence.costs)
    text = state.game.text_of
    return [" ".join([text(g), *map(text, sorted(c))]) for g, c in zip(sequence.gains, sequence.costs)]


def test_double_three() -> None:
    """G8 makes threes on two lines; the one on the row is parried at its ends."""
    state = position("gomoku", *DOUBLE_THREE)
    first, last = words(state, found(state))
    assert first == "G8 F8 J8" and last in ("J11", "F7")
    assert confirmed(state) and confirmed(state, "auto")
    passed = position("gomoku", *DOUBLE_THREE, to_move="white")
    assert words(passed, found(passed, 0)) == [first, last]
    assert found(passed) is None and confirmed(passed) is None


def test_a_closed_end_costs_one_cell_more() -> None:
    """Only K8 makes an open four of H8 to J8, so what completes that parries as well."""
    state = position("gomoku", "H8 I8 J9 J10", "F8 A1 A3 C1")
    first, last = words(state, found(state))
    assert first == "J8 G8 K8 L8" and last in ("J7", "J11")
    assert confirmed(state)


def test_four_and_three() -> None:
    state = position("freestyle", "H8 I8 J8 K9 K10", "G8 A1 A3 C1 C5")
    first, last = words(state, found(state))
    assert first == "K8 L8" and last in ("K7", "K11")
    assert confirmed(state)


CHAINS = "H5 H6 H7 J9 J10 J11 K8", "H4 J12 A1 G7 I6 I7 I10 G5 K9 M8 K10"


def test_chains_that_meet() -> None:
    """The fours on H8 and J8 have nothing to do with each other; only both together make I8 an open four."""
    state = position("freestyle", *CHAINS)
    steps = words(state, found(state))
    assert sorted(steps[:2]) == ["H8 H9", "J8 J7"] and steps[2:] == ["I8"]
    assert confirmed(state)
    for cell in ("H9", "J7"):  # one of the chains is gone
        assert found(position("freestyle", CHAINS[0], f"{CHAINS[1]} {cell}")) is None


def test_a_candidate_that_fails() -> None:
    """White's reply on K8 to the four makes a three with L9 and M10, and fours come before the double three on J10."""
    state = position("freestyle", "H8 I8 J8 K9 K11", "G8 L5 L6 L7 L9 K13 M10")
    assert words(state, found(state))[:2] == ["L8 K8", "J10 G7 I9 L12"]
    assert confirmed(state) is None
    assert confirmed(state, "auto") is False and confirmed(state, "dfpn") is False


def test_what_the_defender_threatens_comes_first() -> None:
    """White would win on K4, so Black's double three on G8 comes too late, unless K4 is a threat as well."""
    black, white = DOUBLE_THREE[0], "A1 L4 M4 N4 O4"
    assert found(position("gomoku", black, white)) is None
    state = position("gomoku", black + " K5 K6", white + " A3 A5")
    steps = words(state, found(state))
    assert steps[0].startswith("K4 ") and len(steps) > 1
    assert confirmed(state)


@pytest.mark.parametrize("spec", ["freestyle", "renju", "omok", "gomoku"])
def test_nothing_to_find(spec: str) -> None:
    for stones in (("H8", "H9", "black"), ("H8 I8", "H9 G7", "white")):
        state = position(spec, *stones)
        assert found(state) is None and confirmed(state) is None


def test_forbidden_gains() -> None:
    """In renju the double three is forbidden to Black, and allowed to White."""
    state = position("renju", *DOUBLE_THREE)
    assert state.game.action_of("G8") not in state.legal_actions()
    sequence = found(state)
    assert sequence is None or state.game.action_of("G8") != sequence.gains[0]
    white = position("renju", DOUBLE_THREE[1], DOUBLE_THREE[0], "white")
    assert words(white, found(white))[0] == "G8 F8 J8"
    assert confirmed(white)


def test_a_forbidden_parry() -> None:
    """Nothing parries White's four: its one cell would be an overline of Black's."""
    state = position("renju", "D8 I5 I6 I7 I9 I10", "E8 F8 G8 A1 A3 O2", "white")
    assert words(state, found(state)) == ["H8"]
    assert confirmed(state)


def test_where_there_is_no_such_search() -> None:
    for spec in ("capture_gomoku", "gomocku"):
        state = envs.game(spec).start()
        with pytest.raises(ValueError, match="no threat-space search"):
            Solver(state.game, mb=1).spaces(state)
        with pytest.raises(ValueError, match="no threat-space search"):
            SpaceSearch(state.game)
    with pytest.raises(ValueError, match="method"):
        Solver(envs.game("gomoku"), mb=1).vct(envs.game("gomoku").start(), method="tree")
