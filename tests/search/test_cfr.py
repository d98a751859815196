"""CFR, CFR+ and external sampling: against a textbook step for step, on Kuhn poker's known equilibria, and resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from narabe.envs import Game
from narabe.search.cfr import METHODS, Cfr, CfrPlus, ExternalSampling, GameTree, expected_values, exploitability
from narabe.search.cfr.learner import Learner
from narabe.tests.games import fog, game_of, poker
from narabe.tests.oracles.regrets import TextbookCfr, grown
from narabe.tests.search.test_cfr_measure import by_name

KUHN = game_of(poker, cards=3)
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree.of(KUHN)


@pytest.mark.parametrize("method", [Cfr, CfrPlus])
@pytest.mark.parametrize("g", [KUHN, *(game_of(fog, seed=i, levels=6, branch=3, dead=5) for i in (0, 3, 5, 9))])
def test_every_step_is_that_of_the_textbook(g: Game, method: type[Cfr]) -> None:
    tree = GameTree.of(g)
    ours, naive = method(tree), TextbookCfr(grown(g.start(chance="manual")), plus=method is CfrPlus)
    for _ in range(40):
        ours.run(1)
        naive.run(1)
        for mine, theirs in ((ours.regrets, naive.regrets), (ours.average_policy(), naive.average())):
            found = by_name(tree, mine)
            assert found.keys() == theirs.keys()
            assert max(abs(found[n][a] - theirs[n][a]) for n in found for a in found[n]) < 1e-12


def bets(tree: GameTree, policy: np.ndarray) -> dict[tuple[int, str], float]:
    """Probability of betting (or calling) by card 0, 1, 2 and what was played: p pass, b bet."""
    found = {}
    for info in range(tree.num_infos):
        state = tree.state(info)
        card = int(state.record["hand"][0][state.to_play])
        found[card, "".join("pb"[a] for a in state.history[1:])] = float(policy[tree.slots(info)][poker.BET])
    return found


def test_kuhn_poker_has_its_known_equilibria(kuhn: GameTree) -> None:
    """The first player is free in one number, and loses 1/18 of a chip; payoffs here are half of the chips."""
    policy = CfrPlus(kuhn).run(10000).average_policy()
    assert exploitability(kuhn, policy) < 1e-5
    assert 2 * expected_values(kuhn, policy)[0] == pytest.approx(-1 / 18, abs=2e-5)
    bet = bets(kuhn, policy)
    bluff = bet[0, ""]
    assert -1e-3 < bluff < 1 / 3 + 1e-3
    first = {(2, ""): 3 * bluff, (1, ""): 0, (0, "pb"): 0, (1, "pb"): bluff + 1 / 3, (2, "pb"): 1}
    second = {(0, "b"): 0, (1, "b"): 1 / 3, (2, "b"): 1, (0, "p"): 1 / 3, (1, "p"): 0, (2, "p"): 1}
    assert {k: bet[k] for k in (first | second)} == pytest.approx(first | second, abs=5e-3)


@every_method
def test_exploitability_falls(kuhn: GameTree, method: type[Learner]) -> None:
    learner, found = method(kuhn), []
    for n in (10, 100, 1000, 10000):
        found.append(exploitability(kuhn, learner.run(n - learner.iterations).average_policy()))
    assert found == sorted(found, reverse=True)
    assert 0 <= found[-1] < (0.01 if method is ExternalSampling else 1e-4)
    assert learner.iterations == 10000


@every_method
def test_a_run_that_is_taken_up_again_is_one_run(kuhn: GameTree, method: type[Learner]) -> None:
    once, again = method(kuhn).run(60), method(kuhn).run(25).run(0).run(35)
    np.testing.assert_array_equal(once.average_policy(), again.average_policy())
    np.testing.assert_array_equal(once.current_policy(), again.current_policy())


def test_a_seed_fixes_all_samples(kuhn: GameTree) -> None:
    first, same, other = (ExternalSampling(kuhn, seed).run(50).average_policy() for seed in (1, 1, 2))
    assert (first == same).all() and (first != other).any()


def test_samples_are_unbiased() -> None:
    """Over many seeds the first regrets of the first player are, on average, those of CFR."""
    tree = GameTree.of(game_of(fog, seed=7, levels=5, branch=3, dead=0))
    mine = np.repeat(tree.infos["player"] == 1, tree.infos["width"])
    exact = Cfr(tree).run(1).regrets[mine]
    samples = np.array([ExternalSampling(tree, seed).run(1).regrets[mine] for seed in range(2000)])
    errors = samples.std(axis=0) / np.sqrt(len(samples))
    assert np.abs(exact).max() > 0.05
    assert (np.abs(samples.mean(axis=0) - exact) <= 4.5 * errors + 1e-12).all()


def test_solve_stops_and_goes_on(kuhn: GameTree) -> None:
    seen: list[int] = []
    learner = Cfr(kuhn).solve(iterations=700, progress=lambda so_far: seen.append(so_far.iterations))
    assert learner.iterations == seen[-1] == 700 and seen == sorted(set(seen))
    assert learner.solve(iterations=50).iterations == 750
    np.testing.assert_array_equal(learner.average_policy(), Cfr(kuhn).run(750).average_policy())
    assert learner.solve(seconds=0).iterations == 751
    assert learner.solve(seconds=1e-3, iterations=1).iterations == 752
    for wrong in ({}, {"iterations": -1}):
        with pytest.raises(ValueError):
            learner.solve(**wrong)


def sample() -> str:
    """What each method learns of a random game, as text: for comparing compiled code with plain Python."""
    tree = GameTree.of(game_of(fog, seed=3, levels=6, branch=3, dead=5))
    policies = [method(tree).run(5).average_policy() for method in METHODS.values()]
    return json.dumps([[exploitability(tree, p), *expected_values(tree, p), *p.tolist()] for p in policies])


def test_compiled_and_plain_python_give_the_same() -> None:
    code = "from narabe.tests.search.test_cfr import sample; print(sample())"
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    np.testing.assert_allclose(json.loads(plain.stdout), json.loads(sample()), rtol=0, atol=1e-12)
