"""UCT once more, as plain as can be: nodes are objects with lists, nothing is bounded but the number of slots.

It draws from the random stream in the same order as `narabe.search.uct`, so that both must build the same tree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from narabe.envs import Game
from narabe.envs.rules import calls
from narabe.envs.rules.random import below

CHANCE = 0


@dataclass
class Node:
    action: int = -1
    mover: int = CHANCE  # who moved into the node
    visits: int = 0
    total: float = 0.0  # payoffs of the mover
    children: list[Node] = field(default_factory=list)
    untried: list[int] | None = None  # None: not expanded
    outcomes: int = 0  # of a chance turn

    def slots(self) -> int:
        """How many slots the array tree keeps for the node's children and theirs."""
        own = (self.outcomes or len(self.untried) + len(self.children)) if self.untried is not None else 0
        return own + sum(child.slots() for child in self.children)

    def child(self, action: int) -> Node | None:
        return next((child for child in self.children if child.action == action), None)


class PlainUct:
    def __init__(self, game: Game, c: float, cap: int) -> None:
        self.game, self.c, self.cap = game, c, cap
        self.clear()

    def clear(self) -> None:
        self.root, self.used = Node(), 1
        self.totals = np.zeros(self.game.num_players)

    def advance(self, action: int) -> None:
        child = self.root.child(action)
        self.clear()
        if child is not None:
            self.root = child
            child.mover, child.total = CHANCE, 0.0
            self.used = 1 + child.slots()

    def line(self) -> list[int]:
        """The most visited line; of equals the one with the better mean, then the lower action."""
        line, node = [], self.root
        while node.children:
            node = max(node.children, key=lambda n: (n.visits, n.total / n.visits, -n.action))
            line.append(node.action)
        return line

    def search(self, record: np.ndarray, rng: np.ndarray, sims: int) -> None:
        for _ in range(sims):
            s = record.copy()
            path = self.descend(s, rng)
            playout(s, rng)
            payoffs = np.zeros(self.game.num_players)
            calls.payoffs(s, 0, payoffs)
            self.totals += payoffs
            for node in path:
                node.visits += 1
                node.total += payoffs[node.mover - 1] if node.mover != CHANCE else 0.0

    def descend(self, s: np.ndarray, rng: np.ndarray) -> list[Node]:
        path, fresh = [self.root], False
        while not fresh and not is_over(s):
            node, mover = path[-1], to_move(s)
            if node.untried is None and (node is self.root or node.visits > 0):
                self.expand(s, node, mover)
            if node.untried is None:
                break
            if mover == CHANCE:
                child = self.outcome(node, int(calls.chance_draw(s, 0, rng)))
            else:
                child = self.try_next(s, node, mover, rng) or self.best(node)
            fresh = child.visits == 0
            calls.apply(s, 0, child.action)
            path.append(child)
        return path

    def expand(self, s: np.ndarray, node: Node, mover: int) -> None:
        actions = candidates(s)
        if self.used + len(actions) <= self.cap:
            self.used += len(actions)
            node.untried = [] if mover == CHANCE else actions
            node.outcomes = len(actions) if mover == CHANCE else 0

    def outcome(self, node: Node, action: int) -> Node:
        child = node.child(action)
        if child is None:
            child = Node(action, CHANCE)
            node.children.append(child)
        return child

    def try_next(self, s: np.ndarray, node: Node, mover: int, rng: np.ndarray) -> Node | None:
        while node.untried:
            pick = int(below(rng, len(node.untried)))
            action = node.untried[pick]
            if is_legal(s, action):
                node.untried[pick] = node.untried[0]
                del node.untried[0]
                node.children.append(Node(action, mover))
                return node.children[-1]
            node.untried[pick] = node.untried[-1]
            node.untried.pop()
        return None

    def best(self, node: Node) -> Node:
        width = self.c * math.sqrt(math.log(node.visits))
        return max(node.children, key=lambda n: n.total / n.visits + width * (1.0 / math.sqrt(n.visits)))


def playout(s: np.ndarray, rng: np.ndarray) -> list[int]:
    """Plays random legal actions to the end; returns them."""
    played = []
    while not is_over(s):
        played.append(int(calls.chance_draw(s, 0, rng)) if to_move(s) == CHANCE else random_action(s, rng))
        calls.apply(s, 0, played[-1])
    return played


def random_action(s: np.ndarray, rng: np.ndarray) -> int:
    """The first legal one of 17 draws, else one of all legal ones, each kept with the chance of one in those so far."""
    actions = candidates(s)
    for _ in range(17):
        action = actions[below(rng, len(actions))]
        if is_legal(s, action):
            return action
    legal = [a for a in actions if is_legal(s, a)]
    return [a for i, a in enumerate(legal) if below(rng, i + 1) == 0][-1]


def candidates(s: np.ndarray) -> list[int]:
    out = np.zeros(1024, np.int64)
    return [int(a) for a in out[: calls.candidates(s, 0, out)]]


def is_legal(s: np.ndarray, action: int) -> bool:
    return calls.fault(s, 0, action) == 0


def is_over(s: np.ndarray) -> bool:
    return bool(calls.facts(s, 0)[1])


def to_move(s: np.ndarray) -> int:
    return int(calls.facts(s, 0)[0])
