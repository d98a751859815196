"""The last plies of Gomocku: exact values, merging of quiet cells, what Star1 and Star2 save, the stored suite."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.experiments.study_star import AT_MOST, Late, faults, late_position, measure, rich_cells, stored_suite, total
from narabe.search.star import Solved, Star
from narabe.tests.oracles.expectimax import expectimax

SMALL = game("gomocku", size=5, stones=4, chance=3, coloured=3)
NINE = game("gomocku", size=9)
METHODS = ["expectimax", "alphabeta", "star1", "star2"]
SUITE = stored_suite()


def search(state: State, method: str = "star2", table: int = 0, merge: bool = True, **limits: int) -> Solved:
    return Star(state.game, method, table, merge).search(state.record, **limits)


def late(size: int, plies: int, seeds: range, noise: float = 4.0) -> list[State]:
    g = game("gomocku", size=size)
    found = [late_position(g, plies, seed, noise, size) for seed in seeds]
    return [state for state in found if state is not None]


def some_end(seed: int, plies: int) -> State | None:
    """A random game on the small board, to `plies` plies before its end."""
    rng, state = np.random.default_rng(seed), SMALL.start(seed=seed)
    while not state.is_over and state.ply < 14 - plies:
        state.play(int(rng.choice(state.legal_actions())))
    return None if state.is_over else state


@pytest.mark.parametrize("plies", [1, 2])
def test_the_last_plies_on_a_small_board_have_the_values_of_the_naive_oracle(plies: int) -> None:
    states = [state for seed in range(16 if plies == 1 else 5) if (state := some_end(seed, plies)) is not None]
    for state in states:
        value = expectimax(state)
        for method in METHODS:
            for merge in (False, True):
                assert search(state, method, merge=merge).value[0] == pytest.approx(value, abs=1e-12)
    assert states


@pytest.mark.parametrize("plies", [1, 2])
def test_quiet_cells_that_are_merged_change_no_value(plies: int) -> None:
    """`alike` of the law: exact for the last ply and the one before, whatever the cells are."""
    states = late(9, plies, range(60))
    saved = 0
    for state in states:
        apart, merged = (search(state, "expectimax", merge=merge) for merge in (False, True))
        assert merged.value[0] == pytest.approx(apart.value[0], abs=1e-12)
        saved += apart.nodes - merged.nodes
    assert len(states) > 20
    assert saved > 10_000 * (plies - 1)


def test_two_plies_before_the_end_no_search_needs_more_nodes_than_the_one_before() -> None:
    """Of Star2 this holds on the whole; a tree of some hundred nodes may cost it a few more than Star1."""
    sums = np.zeros(4)
    for state in late(9, 2, range(60)) + late(15, 2, range(20)):
        found = [search(state, method) for method in METHODS]
        assert max(f.value[0] for f in found) - min(f.value[0] for f in found) < 1e-12
        nodes = [f.nodes for f in found]
        assert nodes[0] >= nodes[1] >= nodes[2] >= nodes[3] / 1.1
        sums += nodes
    assert (sums[1:] < sums[:-1]).all()


def test_a_table_changes_no_value() -> None:
    for state in late(9, 3, range(200, 212)):
        value = search(state).value[0]
        for method in METHODS[1:]:
            found = Star(state.game, method, 1 << 12).solve(state.record)
            assert found.exact
            assert found.value[0] == pytest.approx(value, abs=1e-12)


# ---- the suite ------------------------------------------------------------------------------------------------------


def test_the_suite_is_what_it_says() -> None:
    """At least forty positions, half of them rich in flips, on both boards, each as its seed gives it."""
    assert len(SUITE) >= 40
    assert Counter(late.rich for late in SUITE) == {True: len(SUITE) // 2, False: len(SUITE) // 2}
    assert {late.size for late in SUITE} == {9, 15}
    for late in SUITE:
        state = late.state()
        pieces = state.game.options["stones"] + state.game.options["chance"]
        assert 2 * pieces - state.ply == late.plies
        assert rich_cells(state) == late.cells
        assert state.to_text() == late.text
        assert late.cells >= 5 if late.rich else late.cells <= 2


def test_positions_of_the_suite_on_9x9_meet_what_the_whole_suite_must_meet() -> None:
    """The command ``python -m narabe.experiments.study_star`` does this for all positions, with expectimax."""
    methods = METHODS[1:]
    rows = [measure(late, methods) for late in SUITE if late.size == 9]
    assert faults(rows, methods) == []
    for method, limit in AT_MOST.items():
        assert total(rows, method, True) <= limit * total(rows, "alphabeta", True)


def test_faults_are_found() -> None:
    late = Late(9, 3, True, 1, 5, "")
    row = {**vars(late), **{m: {"nodes": n, "value": v} for m, n, v in zip(METHODS, (90, 50, 60, 40), (0, 0, 0, 1e-9))}}
    wrong = "; ".join(faults([row], METHODS))
    for part in ("values [0, 0, 0, 1e-09]", "nodes [90, 50, 60, 40]", "star1 needs 120.0%", "star2 needs 80.0%"):
        assert part in wrong
