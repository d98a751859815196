"""UCT with random playouts, written once against the generic law: n players, turns in any order, chance turns.

One simulation is one descent and one full random playout. Untried children come first, in random order; then
``mean + c * sqrt(log(parent visits) / visits)``, the mean being that of the player who moves (Kocsis and Szepesvari,
"Bandit based Monte-Carlo planning", 2006). A chance turn is drawn by its law and never chosen.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import calls, core
from narabe.envs.rules.core import (
    CHANCE,
    apply,
    candidate_at,
    chance_draw,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    to_move,
)
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below
from narabe.search.playout import playout
from narabe.search.tree import BONUS, MEAN, Tree, find_child, new_node

MAX_DEPTH = 1024
MAX_NODES = 2_000_000  # slots of a tree, 48 bytes each
# Self-play of UCT on Gomoku, this against others: 800 simulations on 9x9 do not tell 0.05 to 0.3 apart and 0.5 is weaker
# (44 % of 200 games); with 6,000, 0.5 beats 0.3 (58 % of 60) and 0.05 loses (23 %); few visits a move ask for less.
# To come to exact values on tiny games takes 1.0.
EXPLORATION = 0.4
NO_SLOT = -1


@kernel
def expand(s, nodes, used, node):
    """Reserve a block for the children of ``node``, whose state is ``s``, if the tree has room."""
    n = num_candidates(s)
    first = used[0]
    if first + n > nodes.shape[0]:
        return
    nodes[node].first = first
    nodes[node].width = n
    used[0] = first + n
    if to_move(s) != CHANCE:
        for k in range(n):
            nodes[first + k].action = candidate_at(s, k)


@kernel
def next_untried(s, nodes, stats, node, rng):
    """Turn a random untried action of ``node`` into a child and return its slot; illegal candidates are struck off."""
    n = nodes[node]
    while n.tried < n.width:
        slot = n.first + n.tried
        pick = slot + below(rng, n.width - n.tried)
        action = np.int64(nodes[pick].action)
        if is_legal(s, action):
            nodes[pick].action = nodes[slot].action
            new_node(nodes, stats, slot, action, to_move(s))
            n.tried += 1
            return np.int64(slot)
        nodes[pick].action = nodes[n.first + n.width - 1].action
        n.width -= 1
    return NO_SLOT


@kernel
def drawn_child(s, nodes, stats, node, rng):
    """Draw the outcome of a chance turn; (its action, its slot or NO_SLOT where the tree has no room for it)."""
    action = np.int64(chance_draw(s, rng))
    slot = find_child(nodes, node, action)
    n = nodes[node]
    if slot < 0 and n.tried < n.width:
        slot = n.first + n.tried
        new_node(nodes, stats, slot, action, np.int64(CHANCE))
        n.tried += 1
    return action, np.int64(slot)


@kernel
def select(nodes, stats, node, c):
    """The tried child with the highest upper confidence bound."""
    first = nodes[node].first
    width = c * math.sqrt(math.log(nodes[node].visits))
    best, best_bound = first, -1e300
    for slot in range(first, first + nodes[node].tried):
        bound = stats[slot, MEAN] + width * stats[slot, BONUS]
        if bound > best_bound:
            best, best_bound = slot, bound
    return np.int64(best)


@kernel
def descend(s, nodes, stats, used, path, c, rng):
    """Go down from the root, playing on ``s``, until a new node, a leaf or the end; returns the depth reached.

    Nodes are expanded on their second visit, so that a tree of limited size holds what is worth holding.
    """
    node, depth = np.int64(0), np.int64(0)
    path[0] = 0
    while depth < MAX_DEPTH - 1 and not is_over(s):
        if nodes[node].first < 0:
            if node == 0 or nodes[node].visits > 0:
                expand(s, nodes, used, node)
            if nodes[node].first < 0:
                break
        tried_before = nodes[node].tried
        if to_move(s) == CHANCE:
            action, child = drawn_child(s, nodes, stats, node, rng)
            apply(s, action)
            if child < 0:
                break
        else:
            child = next_untried(s, nodes, stats, node, rng)
            if child < 0:
                if nodes[node].tried == 0:
                    break
                child = select(nodes, stats, node, c)
            apply(s, np.int64(nodes[child].action))
        fresh = nodes[node].tried > tried_before
        depth += 1
        path[depth] = child
        node = child
        if fresh:
            break
    return depth


@kernel
def back_up(s, nodes, stats, path, depth, root_totals):
    """Add the payoffs of the finished game ``s`` to every node of the path, each for the player who moved into it."""
    for d in range(depth + 1):
        n = nodes[path[d]]
        n.visits += 1
        if n.mover != CHANCE:
            n.total += payoff(s, np.int64(n.mover))
        stats[path[d], MEAN] = n.total / n.visits
        stats[path[d], BONUS] = 1.0 / math.sqrt(n.visits)
    for player in range(root_totals.shape[0]):
        root_totals[player] += payoff(s, player + 1)


@kernel
def simulate(states, count, nodes, stats, used, root_totals, path, c, rng):
    """``count`` simulations from ``states[0]`` (``states[1]`` is scratch). Returns the plies played."""
    plies = 0
    for _ in range(count):
        states[1] = states[0]
        s = states[1]
        depth = descend(s, nodes, stats, used, path, c, rng)
        plies += depth + playout(s, rng)
        back_up(s, nodes, stats, path, depth, root_totals)
    return plies


@dataclass
class Found:
    """What a search found, and what was kept from the searches before it.

    ``visits``: int64 by action, of the root's children; ``value``: float64 by seat, the mean payoff of the simulations
    made from this root; ``principal_variation``: the most visited line; ``simulations``: made by this search;
    ``slots``: slots of the tree in use; ``proven``: the payoff of the player to move if it is certain, else None.
    """

    visits: np.ndarray
    value: np.ndarray
    principal_variation: list[int]
    simulations: int
    slots: int
    proven: float | None = None


class Uct:
    """A search that keeps its tree: `search` a position, `advance` by each action played, `search` again.

    A tree whose root is not the position searched (by its exact key) is dropped.

    ``max_nodes`` bounds memory (48 bytes a slot; a slot is reserved for each candidate of an expanded node), whatever
    the budget. Games with hidden parts need a search over information sets and are refused.

    >>> from narabe.envs import game
    >>> from narabe.envs.rules.random import new_stream
    >>> g = game("gomoku", size=5, row=4)
    >>> found = Uct(g).search(g.start().record, new_stream(1), sims=200)
    >>> int(found.visits.sum()), len(found.visits)
    (200, 25)
    """

    CHUNK = 256  # simulations between two looks at the clock

    def __init__(self, game: Game, c: float = EXPLORATION, max_nodes: int = MAX_NODES) -> None:
        if core.hides(game.law):
            raise core.LawError("plain UCT would look into hidden hands here: use a search over information sets")
        self.num_actions, self.c = game.num_actions, float(c)
        self.tree = Tree(max_nodes, game.num_players)
        self.path = np.zeros(MAX_DEPTH, np.int32)
        self.states = core.new_states(game.law, 2)
        self._root: int | None = None  # key of the state at the root; None: the tree is empty

    def advance(self, action: int) -> None:
        """Keep the part of the tree below an action that was played."""
        if self._root is not None and self.tree.advance(action):
            calls.apply(self.states, 0, action)
            self._root = int(calls.key(self.states, 0))
        else:
            self.clear()

    def clear(self) -> None:
        """Forget the tree."""
        self.tree.clear()
        self._root = None

    def search(self, record: np.ndarray, rng: np.ndarray, sims: int | None = None, ms: float | None = None) -> Found:
        """Search ``record`` (array of one state) by a number of simulations or for a time in milliseconds.

        However short the time, one simulation is made.
        """
        if (sims is None) == (ms is None):
            raise ValueError("give a budget: either sims or ms")
        if sims is not None and (sims < 1 or sims != int(sims)):
            raise ValueError(f"sims={sims}: a whole number of simulations, at least one")
        deadline = time.perf_counter() + (ms or 0.0) / 1000
        self._place(record)
        done = 0
        while done == 0 or (done < sims if sims is not None else time.perf_counter() < deadline):
            # by the clock, the first call makes one simulation: it may compile or meet a slow law
            count = min(int(sims) - done, 1 << 20) if sims is not None else self.CHUNK if done else 1
            made = self._simulate(count, rng)
            done += made
            self.tree.root_simulations += made
            if made < count:  # there is nothing more to find out
                break
        return self._found(done)

    def _place(self, record: np.ndarray) -> None:
        """Make the position the root."""
        key = int(calls.key(record, 0))
        if key != self._root:  # the tree is of another position: it would mislead
            self.clear()
        self.states[0] = record[0]
        self._root = key

    def _simulate(self, count: int, rng: np.ndarray) -> int:
        """Up to ``count`` simulations; returns how many were made."""
        t = self.tree
        simulate(self.states, count, t.nodes, t.stats, t.used, t.root_totals, self.path, self.c, rng)
        return count

    def _found(self, done: int) -> Found:
        t = self.tree
        value = t.root_totals / t.root_simulations
        return Found(t.root_visits(self.num_actions), value, t.principal_variation(), done, int(t.used[0]))
