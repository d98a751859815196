"""Small Goita solved: the counts that are known, OpenSpiel's values for rules that are written apart from ours."""

from __future__ import annotations

import pytest

from narabe.envs import game
from narabe.search.cfr import CfrPlus, ExternalSampling, GameTree, TreeError, exploitability


@pytest.mark.parametrize(
    ("name", "infos", "decisions"), [("goita_two_by_four", 299, 400), ("goita_two_by_six", 88383, 221655)]
)
def test_the_counts_are_known(name: str, infos: int, decisions: int) -> None:
    tree = GameTree.of(game(name))
    assert (tree.num_infos, tree.num_decisions) == (infos, decisions)
    low, high = tree.payoff_range
    learner = CfrPlus(tree).run(50)
    assert exploitability(tree, learner.average_policy()) < 0.005 * (high - low)


def test_samples_come_to_the_same_equilibrium() -> None:
    tree = GameTree.of(game("goita_two_by_four"))
    assert exploitability(tree, ExternalSampling(tree, seed=3).run(20000).average_policy()) < 0.002


def test_four_players_are_refused() -> None:
    with pytest.raises(TreeError, match="4 players"):
        GameTree.of(game("goita_four_by_four"))


def test_open_spiel_finds_the_same() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is an optional peer (pip install narabe[peers])")
    from narabe.tests.search.compare_spiel import differences

    found = dict(differences("goita_two_by_four", iterations=3))
    assert len(found) == 8
    assert {what: d for what, d in found.items() if d > 1e-12} == {}
