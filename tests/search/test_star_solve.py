"""`Star.solve`: deeper and deeper, within nodes or time, with what is found so far shown on the way."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from narabe.search.star import Solved, Star
from narabe.tests.search.star_sample import sample
from narabe.tests.search.test_star_trees import ANY, start


def deep() -> Star:
    return Star(ANY, table=1 << 12)


TREE = next(s for seed in range(100) if (s := start(seed, levels=14, branch=4, strict=1)).to_play >= 0)


def test_it_goes_deeper_until_the_value_is_exact_and_shows_each_search() -> None:
    shown: list[tuple[int | None, bool]] = []
    found = deep().solve(TREE.record, progress=lambda f: shown.append((f.plies, f.exact)))
    assert [plies for plies, _ in shown] == list(range(1, len(shown) + 1))
    assert [exact for _, exact in shown] == [False] * (len(shown) - 1) + [True]
    assert (found.plies, found.complete) == (len(shown), True)
    assert found.value == deep().search(TREE.record).value


def test_a_limited_depth_is_not_exact_but_complete() -> None:
    found = deep().solve(TREE.record, plies=2)
    assert (found.plies, found.exact, found.complete) == (2, False, True)
    assert found.principal_variation[0] == found.action


@pytest.mark.parametrize("nodes", [1, 500])
def test_a_budget_of_nodes_is_kept_after_the_first_search(nodes: int) -> None:
    first = deep().solve(TREE.record, plies=1).nodes
    found = deep().solve(TREE.record, nodes=nodes)
    assert found.nodes <= max(first, nodes) + 1
    assert not found.complete and not found.exact
    assert TREE.why_illegal(found.action) is None


@pytest.mark.parametrize("ms", [1e-9, 1.0])
def test_a_budget_of_time_makes_one_search_at_least(ms: float) -> None:
    found = deep().solve(TREE.record, ms=ms)
    assert found.plies is not None
    assert TREE.why_illegal(found.action) is None


def test_a_search_that_is_broken_off_says_so() -> None:
    found = deep().search(TREE.record, nodes=100)
    assert not found.complete and not found.exact
    assert 100 <= found.nodes <= 110


def test_an_interrupt_leaves_the_search_usable() -> None:
    search = deep()

    def interrupt(found: Solved) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.solve(TREE.record, progress=interrupt)
    assert search.solve(TREE.record).value == deep().solve(TREE.record).value


def test_the_position_is_left_as_it_was() -> None:
    before = TREE.record.copy()
    deep().solve(TREE.record, nodes=2000)
    np.testing.assert_array_equal(TREE.record, before)


def test_what_makes_no_sense_is_refused() -> None:
    over = TREE.copy()
    while not over.is_over:
        over.play(int(np.flatnonzero([over.why_illegal(a) is None for a in range(8)])[0]))
    with pytest.raises(ValueError, match="the game is over"):
        deep().solve(over.record)
    with pytest.raises(ValueError, match="plies=0: at least one"):
        deep().search(TREE.record, plies=0)


def test_compiled_and_plain_python_search_the_same() -> None:
    code = "from narabe.tests.search.star_sample import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()
