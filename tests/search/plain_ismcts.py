"""Information-set MCTS once more, as plain as can be: dicts by what is known, each action with its own counts.

It draws from the random stream in the same order as `narabe.search.ismcts`, so that both must count the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from narabe.envs import Game
from narabe.envs.rules import calls
from narabe.envs.rules.core import info_key
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below
from narabe.tests.search.plain_uct import CHANCE, candidates, is_legal, is_over, playout, to_move


@kernel
def _info_key(states, player):
    return np.uint64(info_key(states[0], player))


@dataclass
class Edge:
    visits: int = 0
    total: float = 0.0
    available: int = 0


@dataclass
class Node:
    visits: int = 0
    edges: dict[int, Edge] = field(default_factory=dict)  # by action, those never tried included
    untried: list[int] = field(default_factory=list)  # where the mover's knowledge is the node's


class PlainIsmcts:
    def __init__(self, game: Game, c: float, single: bool, cap: int = 1 << 60) -> None:
        self.game, self.c, self.single, self.cap = game, c, single, cap

    def search(self, record: np.ndarray, rng: np.ndarray, sims: int) -> None:
        self.nodes: dict[tuple[int, int], Node] = {}
        self.used = 0
        self.seen: list[float] = []
        self.totals = np.zeros(self.game.num_players)
        self.player = to_move(record)
        self.root = self.key(record)
        for _ in range(sims):
            s = record.copy()
            if hasattr(self.game.law, "redeal"):
                calls.redeal(s, 0, self.player, rng)
            path = self.descend(s, rng)
            playout(s, rng)
            payoffs = np.zeros(self.game.num_players)
            calls.payoffs(s, 0, payoffs)
            self.totals += payoffs
            self.seen = [min([*self.seen, *payoffs]), max([*self.seen, *payoffs])]
            for mover, edge in path:
                edge.visits += 1
                edge.total += payoffs[mover - 1]

    def visits(self) -> dict[int, int]:
        """Visits of the root's actions."""
        return {action: edge.visits for action, edge in self.nodes[self.root].edges.items() if edge.visits}

    def key(self, s: np.ndarray) -> tuple[int, int]:
        mover = to_move(s)
        return mover, int(_info_key(s, self.player if self.single else mover))

    def descend(self, s: np.ndarray, rng: np.ndarray) -> list[tuple[int, Edge]]:
        path: list[tuple[int, Edge]] = []
        while not is_over(s):
            mover = to_move(s)
            if mover == CHANCE:
                calls.apply(s, 0, int(calls.chance_draw(s, 0, rng)))
                continue
            legal = [a for a in candidates(s) if is_legal(s, a)]
            node = self.node(s, legal)
            if node is None:
                break
            for action in legal:
                node.edges.setdefault(action, Edge())
            if self.single and mover != self.player:
                action = self.of_those_seen(node, legal, rng)
            else:
                action = self.of_those_known(node, rng)
            node.visits += 1
            edge = node.edges[action]
            path.append((mover, edge))
            calls.apply(s, 0, action)
            if edge.visits == 0:
                break
        return path

    def node(self, s: np.ndarray, legal: list[int]) -> Node | None:
        key = self.key(s)
        if key not in self.nodes and self.used + len(legal) <= self.cap and len(self.nodes) < max(1, self.cap // 4):
            self.used += len(legal)
            self.nodes[key] = Node(untried=legal.copy())
        return self.nodes.get(key)

    def of_those_known(self, node: Node, rng: np.ndarray) -> int:
        if not node.untried:
            return max(node.edges, key=lambda a: self.bound(node.edges[a], node.visits))
        k = int(below(rng, len(node.untried)))
        action = node.untried[k]
        node.untried[k] = node.untried[0]
        del node.untried[0]
        # the edges are looked at in the order in which they were tried
        node.edges = {a: node.edges.pop(a) for a in [*self.tried(node), action]} | node.edges
        return action

    @staticmethod
    def tried(node: Node) -> list[int]:
        return [a for a, edge in node.edges.items() if edge.visits]

    def of_those_seen(self, node: Node, legal: list[int], rng: np.ndarray) -> int:
        untried = [a for a in legal if node.edges[a].visits == 0]
        if untried:
            action = untried[below(rng, len(untried))]
        else:
            action = max(legal, key=lambda a: self.bound(node.edges[a], node.edges[a].available))
        for a in legal:
            node.edges[a].available += 1
        return action

    def bound(self, edge: Edge, available: int) -> float:
        low, high = self.seen
        c = self.c * (0.5 * (high - low) if high > low else 1.0)
        return edge.total / edge.visits + c * math.sqrt(math.log(available)) * (1.0 / math.sqrt(edge.visits))
