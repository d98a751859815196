"""Our trees, learners and measures beside OpenSpiel's, on a small Goita that is written twice.

    python -m narabe.tests.search.compare_spiel --game goita_two_by_six --iterations 1

OpenSpiel goes through every history in Python, so the larger game takes it many minutes. Exit status 1 if anything differs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import tyro
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from narabe.envs import game
from narabe.search import cfr as ours
from narabe.tests.search.spiel_goita import TwoHandsGame

CARDS = {"goita_two_by_four": (3, 1, 0, 2, 0, 0, 0, 2), "goita_two_by_six": (4, 2, 0, 2, 0, 0, 2, 2)}
LEARNERS = ((ours.Cfr, cfr.CFRSolver), (ours.CfrPlus, cfr.CFRPlusSolver))
Table = dict[str, dict[int, float]]


class TablePolicy(spiel_policy.Policy):
    """A policy of ours, for OpenSpiel: probability by action, by information state."""

    def __init__(self, theirs: Any, table: Table) -> None:
        super().__init__(theirs, [0, 1])
        self.table = table

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        return self.table[state.information_state_string()]


def states_of(tree: ours.GameTree, theirs: TwoHandsGame) -> list[Any]:
    """For each information set one of their states, reached by the same deal and actions."""
    number = {position.hands: i for i, (position, _) in enumerate(theirs.deals)}
    found = []
    for info in range(tree.num_infos):
        words = tree.state(info).record["start_hand"][0][:2].tolist()
        first, second = (tuple(word >> 4 * (kind - 1) & 15 if kind else 0 for kind in range(9)) for word in words)
        state = theirs.new_initial_state()
        state.apply_action(number[first, second])
        for action in tree.history(info)[1:]:  # after the deal
            state.apply_action(action)
        found.append(state)
    return found


def table_of(tree: ours.GameTree, names: list[str], policy: np.ndarray) -> Table:
    """The policy by their names of the information sets."""
    slots = [tree.slots(info) for info in range(tree.num_infos)]
    return {name: dict(zip(tree.actions[s].tolist(), policy[s].tolist())) for name, s in zip(names, slots)}


def differences(name: str, iterations: int) -> Iterator[tuple[str, float]]:
    """What is compared, and by how much it differs at most."""
    tree, theirs = ours.GameTree.of(game(name)), TwoHandsGame(CARDS[name])
    states = states_of(tree, theirs)
    names = [state.information_state_string() for state in states]
    yield "information sets that are one of theirs twice", float(len(names) - len(set(names)))
    actions = [state.legal_actions() == tree.actions[tree.slots(i)].tolist() for i, state in enumerate(states)]
    yield "information sets with other actions", float(actions.count(False))
    rng = np.random.default_rng(1)
    lopsided = rng.random(tree.num_slots) ** 4
    lopsided /= np.repeat(np.add.reduceat(lopsided, tree.infos["first"]), tree.infos["width"])
    for label, policy in {
        "a random policy": lopsided,
        "CFR+ after 100": ours.CfrPlus(tree).run(100).average_policy(),
    }.items():
        yield from measured(tree, theirs, label, policy, TablePolicy(theirs, table_of(tree, names, policy)))
    for mine, solver_of in LEARNERS:
        solver, label = solver_of(theirs), f"{mine.__name__} after {iterations}"
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        policy, average = mine(tree).run(iterations).average_policy(), solver.average_policy()
        yield (
            f"{label}: policy",
            max(
                abs(p - average.action_probabilities(state)[a])
                for state, row in zip(states, table_of(tree, names, policy).values())
                for a, p in row.items()
            ),
        )


def measured(
    tree: ours.GameTree, theirs: TwoHandsGame, label: str, policy: np.ndarray, table: TablePolicy
) -> Iterator[tuple[str, float]]:
    """Expected value and exploitability of one policy."""
    value = expected_game_score.policy_value(theirs.new_initial_state(), [table, table])
    yield f"{label}: value", float(np.abs(np.subtract(ours.expected_values(tree, policy), value)).max())
    conv = exploitability.nash_conv(theirs, table, use_cpp_br=False)
    yield f"{label}: exploitability", abs(ours.exploitability(tree, policy) - conv / 2)


def main(game: str = "goita_two_by_four", iterations: int = 5) -> None:
    """Compare everything, and print the differences."""
    worst, begun = 0.0, time.perf_counter()
    for what, difference in differences(game, iterations):
        worst = max(worst, difference)
        print(f"{time.perf_counter() - begun:8.1f} s  {what}: {difference:.1e}", flush=True)
    sys.exit(1 if worst > 1e-9 else 0)


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
