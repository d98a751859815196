"""Counterfactual regret minimisation and best responses as textbooks have them: recursion over histories, dictionaries.

Everything here goes through a tree of `Node` and names an information set by (player, the law's key).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from narabe.envs import State
from narabe.envs.rules import core

Name = tuple[int, int]
Policy = dict[Name, dict[int, float]]
"""Probability by action, by information set."""


@dataclass
class Node:
    """``player``: 0 chance, -1 the game is over. ``gain``: payoff of the first player. ``chance``: of each outcome."""

    player: int
    name: Name = (0, 0)
    gain: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)
    chance: dict[int, float] = field(default_factory=dict)


def grown(state: State) -> Node:
    """The tree below a state whose chance is played by hand."""
    if state.is_over:
        return Node(-1, gain=state.payoffs[0])
    s, player = state.record[0], state.to_play + 1
    node = Node(player, (player, int(core.info_key(s, player)) if player else 0))
    for i in range(core.num_candidates(s)):
        action = int(core.candidate_at(s, i))
        if core.is_legal(s, action):
            node.children[action] = grown(state.copy().play(action))
            if player == 0:
                node.chance[action] = core.chance_weight(s, i)
    return node


def value(node: Node, policy: Policy) -> float:
    """Expected payoff of the first player."""
    if node.player < 0:
        return node.gain
    shares = policy[node.name] if node.player else node.chance
    return sum(shares[a] * value(child, policy) for a, child in node.children.items())


def best_value(root: Node, policy: Policy, player: int) -> float:
    """What the player gets who replies best to the other's part of ``policy``."""
    histories: dict[Name, list[tuple[Node, float]]] = defaultdict(list)

    def collect(node: Node, weight: float) -> None:
        if node.player == player:
            histories[node.name].append((node, weight))
        for action, child in node.children.items():
            share = {0: node.chance, 3 - player: policy.get(node.name, {})}.get(node.player, {}).get(action, 1.0)
            collect(child, weight * share)

    def choice(name: Name) -> int:
        if name not in chosen:
            actions = histories[name][0][0].children
            chosen[name] = max(actions, key=lambda a: sum(w * worth(node.children[a]) for node, w in histories[name]))
        return chosen[name]

    def worth(node: Node) -> float:
        if node.player < 0:
            return node.gain if player == 1 else -node.gain
        if node.player == player:
            return worth(node.children[choice(node.name)])
        shares = policy[node.name] if node.player else node.chance
        return sum(shares[a] * worth(child) for a, child in node.children.items())

    chosen: dict[Name, int] = {}
    collect(root, 1.0)
    return worth(root)


class TextbookCfr:
    """CFR, or with ``plus`` CFR+, with alternating updates; iteration t of CFR+ has weight t in the average."""

    def __init__(self, root: Node, plus: bool = False) -> None:
        self.root, self.plus, self.t = root, plus, 0
        self.regrets: Policy = {}
        self.totals: Policy = {}
        self._enter(root)

    def _enter(self, node: Node) -> None:
        if node.player > 0:
            self.regrets[node.name] = dict.fromkeys(node.children, 0.0)
            self.totals[node.name] = dict.fromkeys(node.children, 0.0)
        for child in node.children.values():
            self._enter(child)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.t += 1
            for player in (1, 2):
                policy = normal(self.regrets)
                self._update(self.root, player, policy, 1.0, 1.0)
                if self.plus:
                    for regrets in self.regrets.values():
                        for a in regrets:
                            regrets[a] = max(regrets[a], 0.0)

    def _update(self, node: Node, me: int, policy: Policy, mine: float, others: float) -> float:
        """``mine``, ``others``: probability of the history as far as the player, or the other and chance, make it."""
        if node.player < 0:
            return node.gain if me == 1 else -node.gain
        if node.player != me:
            shares = policy[node.name] if node.player else node.chance
            return sum(p * self._update(node.children[a], me, policy, mine, others * p) for a, p in shares.items())
        shares = policy[node.name]
        values = {a: self._update(node.children[a], me, policy, mine * p, others) for a, p in shares.items()}
        mean = sum(p * values[a] for a, p in shares.items())
        for a, p in shares.items():
            self.regrets[node.name][a] += others * (values[a] - mean)
            self.totals[node.name][a] += (self.t if self.plus else 1) * mine * p
        return mean

    def average(self) -> Policy:
        return normal(self.totals)


def normal(weights: Policy) -> Policy:
    """Shares in the positive weights of each information set; equal ones if there are none."""
    policy = {}
    for name, row in weights.items():
        total = sum(max(w, 0.0) for w in row.values())
        policy[name] = {a: max(w, 0.0) / total if total > 0 else 1 / len(row) for a, w in row.items()}
    return policy
