"""PUCT and Gumbel AlphaZero for one game at a time, as plain as can be: recursion, dictionaries, every sum made anew.

A node keeps the sum of the values of every player. Only random draws are shared with the search that is tested, and the
order in which they are made.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from narabe.envs import Game
from narabe.envs.rules import calls
from narabe.search.puct.root import ABSENT, draw_dirichlet, gumbel

CHANCE = 0
Evaluate = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
Prove = Callable[[np.ndarray], np.ndarray | None]


@dataclass
class Node:
    """``mover``: who moved here; ``turn``: who moves, None where values are certain; ``own``: the network's values."""

    mover: int
    turn: int | None = -1
    visits: int = 0
    totals: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    priors: dict[int, float] = field(default_factory=dict)  # by legal action; empty while not expanded
    legal: int = 0  # legal actions; of a chance turn the slots kept for its outcomes
    children: dict[int, Node] = field(default_factory=dict)

    @property
    def q(self) -> float:
        return self.totals[self.mover - 1] / self.visits

    def make_certain(self, values: list[float]) -> None:
        self.turn, self.own = None, values

    def slots(self) -> tuple[int, int]:
        """Nodes and edges of the subtree."""
        below = [c.slots() for c in self.children.values()]
        edges = self.legal if self.turn == CHANCE else len(self.priors)
        return 1 + sum(n for n, _ in below), edges + sum(e for _, e in below)


@dataclass
class Plain:
    """The options of `Puct` and `Gumbel`; ``considered`` 0 is PUCT."""

    game: Game
    evaluate: Evaluate
    c: float = 2.5
    c_growth: float = 19652.0
    fpu: float = 0.2
    root_fpu: float = 0.2
    noise: float = 0.0
    concentration: float = 10.83
    considered: int = 0
    visit_offset: float = 50.0
    value_scale: float = 1.0
    gumbel_scale: float = 1.0
    probabilities: bool = False
    max_nodes: int = 1 << 30
    max_edges: int = 1 << 30
    solve: bool = True
    prove: Prove = lambda s: None

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.root, self.nodes, self.edges = Node(0), 1, 0

    def advance(self, action: int) -> None:
        child = self.root.children.get(action)
        self.clear()
        if child is not None:
            self.root = child
            child.mover = 0
            self.nodes, self.edges = child.slots()

    # ---- a search ---------------------------------------------------------------------------------------------------

    def search(self, record: np.ndarray, rng: np.ndarray, sims: int) -> None:
        if not self.root.priors or self.root.turn is None:
            self.clear()
        self.rng, self.values = rng, np.zeros(self.game.num_players)
        self.evaluated = 0
        if not self.root.priors:
            self.root.turn = int(calls.facts(record, 0)[0])
            self.finish(self.root, self.ask(record.copy(), self.root, True))
        self.begin_root(sims)
        self.simulation = 0
        while self.simulation < sims and not (self.simulation and self.settled):
            self.record, self.settled = record, False
            self.visit(record.copy(), self.root)
            self.simulation += 1

    def begin_root(self, sims: int) -> None:
        legal = sorted(self.root.priors)
        self.root_priors = dict(self.root.priors)
        if self.noise:
            noise = self.by_action(dict.fromkeys(legal, 0.0))
            draw_dirichlet(noise, self.concentration, self.rng)
            for a in legal:
                mixed = self.root.priors[a] * (1.0 - self.noise) + self.noise * noise[a]
                self.root_priors[a] = float(np.float32(mixed))
        if self.considered:
            self.odds = {}
            for a in legal:
                draw = self.gumbel_scale * float(gumbel(self.rng)) if self.gumbel_scale else 0.0
                self.odds[a] = math.log(max(self.root_priors[a], 1e-45)) + draw
            self.spent = dict.fromkeys(legal, 0)
            self.levels = halving(min(self.considered, len(legal), sims), sims)

    def by_action(self, given: dict[int, float]) -> np.ndarray:
        out = np.full(self.game.num_actions, ABSENT)
        for a, x in given.items():
            out[a] = x
        return out

    def ask(self, s: np.ndarray, node: Node | None, is_root: bool = False) -> list[float]:
        """What the network says of ``s``, kept in the node."""
        game, player = self.game, int(calls.facts(s, 0)[0])
        observation = np.zeros((1, *game.observation_shape), np.int8)
        mask = np.zeros((1, game.num_actions), np.int8)
        calls.observe(s, 0, player, observation[0])
        calls.legal_mask(s, 0, mask[0])
        proven = None if is_root else self.prove(s)
        if proven is not None:
            values = [float(v) for v in proven]
            if node is not None:
                node.make_certain(values)
            return values
        outputs, answers = self.evaluate(observation, mask, np.array([player]))
        values = [float(v) for v in answers[0]]
        if node is not None:
            node.own = values
            legal = np.flatnonzero(mask[0])
            node.legal = len(legal)
            if self.edges + len(legal) <= self.max_edges:
                self.edges += len(legal)
                node.priors = dict(zip(map(int, legal), shares(outputs[0][legal], self.probabilities)))
        return values

    def visit(self, s: np.ndarray, node: Node) -> list[float]:
        """One simulation from ``node`` on, whose position is ``s``; returns the values it brings back."""
        if node.turn == -1:
            self.arrive(s, node)
        if node.turn is None:
            values = node.own
        elif node.turn == CHANCE:
            values = self.visit_chance(s, node)
        elif not node.priors:
            asks = not node.visits or self.edges + node.legal <= self.max_edges
            values = self.ask(s, node) if asks else node.own
        else:
            action = self.choose(node)
            if action is None:
                values = node.own
            else:
                if action not in node.children:
                    node.children[action] = Node(int(node.turn))
                    self.nodes += 1
                calls.apply(s, 0, action)
                values = self.visit(s, node.children[action])
                if self.solve:
                    values = self.learn_certain(node, node.children[action], values)
        self.finish(node, values)
        return values

    def learn_certain(self, node: Node, child: Node, values: list[float]) -> list[float]:
        """What ``node`` brings back after a visit of ``child``: what is certain of it, if that is known now."""
        if child.turn is not None or node.turn is None or node.turn == CHANCE:
            return values
        best = self.outcome(node, child)
        if node is self.root:
            self.settled = best is not None
        elif best is not None and (len(values) == 2 or child.own[node.turn - 1] >= 1):
            node.make_certain(best)
            return best
        return values

    def outcome(self, node: Node, child: Node | None = None) -> list[float] | None:
        """The payoffs of an expanded node if ``child`` (any, if None) is won or all are certain."""
        seat = (node.turn or 0) - 1
        for c in [child] if child else [node.children[a] for a in sorted(node.children)]:
            if c.turn is None and c.own[seat] >= 1:
                return c.own
        if len(node.children) < node.legal or any(c.turn is not None for c in node.children.values()):
            return None
        return max((c.own for c in node.children.values()), key=lambda own: own[seat])

    def ending_action(self, s: np.ndarray) -> int | None:
        """The lowest action that ends the game with a payoff of 1."""
        player, mask = int(calls.facts(s, 0)[0]), np.zeros(self.game.num_actions, np.int8)
        calls.legal_mask(s, 0, mask)
        for action in map(int, np.flatnonzero(mask)):
            t = s.copy()
            calls.apply(t, 0, action)
            if calls.facts(t, 0)[1] and payoffs(t, self.game)[player - 1] >= 1:
                return action
        return None

    def finish(self, node: Node, values: list[float]) -> None:
        node.totals = node.totals or [0.0] * len(values)
        for player, value in enumerate(values):
            node.totals[player] += value
        node.visits += 1
        if self.solve and node.turn is None:
            node.totals = [node.visits * value for value in node.own]
        if node is self.root:
            self.values += values
            self.evaluated += 1

    def arrive(self, s: np.ndarray, node: Node) -> None:
        mover, over, _ = calls.facts(s, 0)
        node.turn = None if over else int(mover)
        if over:
            node.own = payoffs(s, self.game)
        elif self.solve and mover != CHANCE and (action := self.ending_action(s)) is not None:
            after = s.copy()
            calls.apply(after, 0, action)
            node.make_certain(payoffs(after, self.game))

    def visit_chance(self, s: np.ndarray, node: Node) -> list[float]:
        action = int(calls.chance_draw(s, 0, self.rng))
        if not node.legal:
            out = np.zeros(1024, np.int64)
            width = int(calls.candidates(s, 0, out))
            if width and self.edges + width <= self.max_edges:
                node.legal = width
                self.edges += width
        calls.apply(s, 0, action)
        if action not in node.children:
            if not node.legal or len(node.children) == node.legal or self.nodes >= self.max_nodes:
                return self.beyond(s)
            node.children[action] = Node(CHANCE)
            self.nodes += 1
        return self.visit(s, node.children[action])

    def beyond(self, s: np.ndarray) -> list[float]:
        """A position behind a chance turn that the tree has no room for."""
        while True:
            mover, over, _ = calls.facts(s, 0)
            if over:
                return payoffs(s, self.game)
            if mover != CHANCE:
                return self.ask(s, None)
            calls.apply(s, 0, int(calls.chance_draw(s, 0, self.rng)))

    # ---- choices ----------------------------------------------------------------------------------------------------

    def choose(self, node: Node) -> int | None:
        """The action to follow from an expanded node, None if there is no room for its node."""
        priors = self.root_priors if node is self.root else node.priors
        open_actions = [a for a in priors if a not in node.children] if self.nodes < self.max_nodes else []
        if self.solve and node is self.root and not self.simulation and self.nodes < self.max_nodes:
            action = self.ending_action(self.record)
            if action is not None:
                return self.chosen(node, action)
        if not self.considered:
            scores = self.puct(node, priors)
        elif node is not self.root:
            scores = self.lag(node, priors)
        else:
            scores = self.halved(node, self.levels[self.simulation])
        able = [a for a in scores if a in node.children or a in open_actions]
        fit = [a for a in able if not self.is_lost(node, a)]
        if self.solve and self.considered and node is self.root and not fit:  # what the plan wants is lost
            scores = self.all_odds(node)
            fit = [a for a in scores if (a in node.children or a in open_actions) and not self.is_lost(node, a)]
        if not fit and self.considered and node is self.root:
            fit = able
        if not fit:
            planned = self.considered and node is self.root
            return next(iter(node.children)) if self.solve and node.children and not planned else None
        return self.chosen(node, max(fit, key=lambda a: (scores[a], -a)))

    def chosen(self, node: Node, action: int) -> int:
        if self.considered and node is self.root:
            self.spent[action] += 1
        return action

    def is_lost(self, node: Node, action: int) -> bool:
        child = node.children.get(action)
        return self.solve and child is not None and child.turn is None and child.q <= -1

    def puct(self, node: Node, priors: dict[int, float]) -> dict[int, float]:
        n, seat = node.visits, (node.turn or 0) - 1
        rate = self.c + math.log((1.0 + n + self.c_growth) / self.c_growth)
        tried = math.fsum(priors[a] for a in node.children)
        fpu = self.root_fpu if node is self.root else self.fpu
        first = node.totals[seat] / n - fpu * math.sqrt(tried)
        scores = {}
        for a, p in priors.items():
            child = node.children.get(a)
            q, visits = (child.q, child.visits) if child else (first, 0)
            scores[a] = q + rate * math.sqrt(n) * p * (1.0 / (1.0 + visits))
        return scores

    def completed(self, node: Node) -> dict[int, float]:
        """c_scale * (c_visit + most visits) * q by action, q from 0 to 1, the mixed value for those not tried."""
        priors = self.root_priors if node is self.root else node.priors
        tried = node.children
        mean = node.own[(node.turn or 0) - 1]
        visits = sum(c.visits for c in tried.values())
        if tried:
            mass = sum(max(priors[a], 1e-45) for a in tried)
            mean = (mean + visits * sum(max(priors[a], 1e-45) * c.q for a, c in tried.items()) / mass) / (1 + visits)
        scale = (self.visit_offset + max((c.visits for c in tried.values()), default=0)) * self.value_scale
        return {a: scale * (1 + (tried[a].q if a in tried else mean)) / 2 for a in priors}

    def improved(self, node: Node) -> dict[int, float]:
        priors = self.root_priors if node is self.root else node.priors
        logits = {a: math.log(max(priors[a], 1e-45)) + w for a, w in self.completed(node).items()}
        top = max(logits.values())
        weights = {a: math.exp(x - top) for a, x in logits.items()}
        whole = math.fsum(weights.values())
        return {a: w / whole for a, w in weights.items()}

    def lag(self, node: Node, priors: dict[int, float]) -> dict[int, float]:
        policy = self.improved(node)
        visits = {a: node.children[a].visits if a in node.children else 0 for a in policy}
        return {a: policy[a] - visits[a] / (1 + sum(visits.values())) for a in policy}

    def halved(self, node: Node, level: int) -> dict[int, float]:
        return {a: x for a, x in self.all_odds(node).items() if self.spent[a] == level}

    def all_odds(self, node: Node) -> dict[int, float]:
        return {a: self.odds[a] + worth for a, worth in self.completed(node).items()}

    # ---- what was found ---------------------------------------------------------------------------------------------

    def visits(self) -> list[int]:
        out = [0] * self.game.num_actions
        for a, child in self.root.children.items():
            out[a] = child.visits
        return out

    def won(self) -> int | None:
        """The lowest action that is certain to win."""
        root = self.root.children
        found = [a for a, c in root.items() if c.turn is None and c.q >= 1] if self.solve else []
        return min(found, default=None)

    def policy(self) -> np.ndarray:
        out = np.zeros(self.game.num_actions)
        won = self.won()
        if won is not None:
            out[won] = 1
            return out
        if self.considered:
            for a, p in self.improved(self.root).items():
                out[a] = p
        else:
            out = np.array(self.visits()) / sum(self.visits())
        lost = [a for a in self.root.children if self.is_lost(self.root, a)]
        if out.sum() - out[lost].sum() > 1e-6:
            out[lost] = 0
            out /= out.sum()
        return out

    def action(self) -> int:
        children, won = self.root.children, self.won()
        if won is not None:
            return won
        if self.solve and self.outcome(self.root) is not None:
            return max(children, key=lambda a: (children[a].q, children[a].visits, -a))
        if not self.considered:
            last = [a for a in children if not self.is_lost(self.root, a)] or list(children)
            return max(last, key=lambda a: (children[a].visits, children[a].q, -a))
        level = max(self.spent[a] for a in self.spent)
        worth = self.all_odds(self.root)
        due = [a for a in worth if self.spent[a] == level]
        fit = [a for a in due if not self.is_lost(self.root, a)]
        if self.solve:
            fit = fit or [a for a in worth if not self.is_lost(self.root, a)] or due
        return max(fit, key=lambda a: (worth[a], -a))

    def value(self) -> np.ndarray:
        """What the root is worth by seat: exact if it is certain, else the mean of what was brought back."""
        exact = self.outcome(self.root) if self.solve and self.root.priors else None
        return self.values / self.evaluated if exact is None else np.array(exact)


def payoffs(s: np.ndarray, game: Game) -> list[float]:
    out = np.zeros(game.num_players)
    calls.payoffs(s, 0, out)
    return [float(x) for x in out]


def shares(outputs: np.ndarray, probabilities: bool) -> list[float]:
    """Priors of the legal actions, each rounded to float32."""
    weights = [float(x) if probabilities else math.exp(float(x) - float(max(outputs))) for x in outputs]
    whole = math.fsum(weights)
    return [float(np.float32(w / whole if whole else 1 / len(weights))) for w in weights]


def halving(m: int, sims: int) -> list[int]:
    """How often the action of each visit was visited before: all m once or more, then the best half, then its half ..."""
    if m == 1:
        return list(range(sims))
    phases, levels, level, left = math.ceil(math.log2(m)), [], 0, m
    while len(levels) < sims:
        for _ in range(max(1, sims // (phases * left))):
            levels += [level] * left
            level += 1
        left = max(2, left // 2)
    return levels[:sims]
