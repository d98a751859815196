"""Simulations of threat-aware UCT: down the tree, back where a proof is met, a value, and up again.

A new node is judged at once (`judging`). If it is thereby lost for the player who chose it, that does not count as a
simulation: the descent takes the move back and goes on with another one, so what is proven never blurs a mean.

Children are selected by mean + c * prior * sqrt(parent visits) / (visits + 1), as in Rosin, "Multi-armed bandits with episode
context" (2011), in the form of Silver et al. (2016); one not tried yet counts as a little worse than those tried.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.core import apply, payoff, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, step_back
from narabe.search.alphabeta.evaluation import estimate
from narabe.search.alphabeta.weights import LOGIT
from narabe.search.playout import playout
from narabe.search.threatened_uct.children import CELL, PRIOR, PRIOR_ONE
from narabe.search.threatened_uct.judging import close, expand, judge
from narabe.search.threatened_uct.proofs import conclude, is_open, open_node, prove
from narabe.search.threatened_uct.work import HOPELESS, OPEN
from narabe.search.tree import BONUS, MEAN
from narabe.search.uct import MAX_DEPTH

NO_SLOT = -1


@kernel
def choose(nodes, stats, w, node, mover, depth):
    """The open child to follow; (its slot, is it new?), NO_SLOT if all that may be tried are proven.

    Notes in ``w.safe`` whether a proven draw is among the children.
    """
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    scale = w.c * math.sqrt(max(np.int64(n.visits), 1))
    best, best_bound, visits, total = np.int64(NO_SLOT), -1e300, 0, 0.0
    w.safe[depth] = 0
    for slot in range(first, first + tried):
        bonus = stats[slot, BONUS]
        if bonus > 0.0:
            visits += nodes[slot].visits
            total += nodes[slot].total
            bound = stats[slot, MEAN] + scale * bonus
            if bound > best_bound:
                best, best_bound = np.int64(slot), bound
        elif stats[slot, MEAN] == 0.0:
            w.safe[depth] = mover
    if tried < n.width:
        slot = first + tried
        packed = np.int64(nodes[slot].action)
        if packed >= 0:
            prior = (packed >> PRIOR) / PRIOR_ONE
            if best < 0 or total / max(visits, 1) - w.caution + scale * prior > best_bound:
                open_node(nodes, stats, slot, packed & CELL, mover, prior)
                n.tried = tried + 1
                return slot, True
    return best, False


@kernel
def descend(s, p, w, nodes, stats, used, desk, table, rng):
    """Go down from the root to an open leaf, to be valued; True if it is hopeless: what has slots is proven, and not won.

    ``s`` and ``p`` are then at the leaf, ``w.depth`` plies below the root; or ``w.verdict`` says that the search is over.
    """
    node, depth = np.int64(0), np.int64(0)
    w.path[0] = 0
    while depth < MAX_DEPTH - 1:
        w.depth = depth
        if nodes[node].first < 0:
            if depth == 0 or nodes[node].visits > 0:
                expand(s, p, w, nodes, used, node, desk, rng)
            if nodes[node].first < 0:
                return False
        child, fresh = choose(nodes, stats, w, node, to_move(s), depth)
        if child >= 0:
            action = np.int64(nodes[child].action)
            apply(s, action)
            follow(s, p, action)
            depth += 1
            w.path[depth], w.depth = child, depth
            if fresh:
                judge(s, p, w, nodes, stats, used, child, desk, table, np.int64(w.fours[0 if depth == 1 else 1]))
            if is_open(stats, child):
                node = child
                if fresh and nodes[node].first < 0:
                    return False
                continue
        else:
            verdict = close(s, p, w, nodes, stats, node, desk, table)
            if verdict == OPEN:
                continue
            if verdict == HOPELESS or depth == 0:
                if depth == 0:
                    w.verdict = verdict
                return True
            prove(nodes, stats, node, verdict)
        depth = settle(s, p, w, nodes, stats, depth)
        if depth < 0:
            return False
        node = np.int64(w.path[depth])
    return False


@kernel
def settle(s, p, w, nodes, stats, depth):
    """Go up from a proven node as long as its parent is proven by it; the depth of the first open one, -1 if there is none."""
    while depth > 0:
        child, node = np.int64(w.path[depth]), np.int64(w.path[depth - 1])
        undo(s)
        step_back(p)
        depth -= 1
        w.depth = depth
        winner = conclude(nodes, stats, node, child)
        if winner == OPEN:
            return depth
        if depth == 0:
            w.verdict = winner
        else:
            prove(nodes, stats, node, winner)
    return np.int64(-1)


@kernel
def value_of(states, p, w, rng):
    """The expected payoff of player 1 at the leaf ``states[1]``: the estimate and a playout (on ``states[2]``), mixed."""
    s = states[1]
    value = 0.0
    if w.trust > 0.0:
        value = w.trust * math.tanh(estimate(s, p, w) / (2.0 * LOGIT))
        if to_move(s) == 2:
            value = -value
    if w.trust < 1.0:
        states[2] = s
        playout(states[2], rng)
        value += (1.0 - w.trust) * payoff(states[2], 1)
    return value


@kernel
def back_up(w, nodes, stats, value, root_totals):
    """Add a payoff of player 1 to every node of the path, each for the player who moved into it.

    Who has a proven draw at hand need not put up with less.
    """
    for d in range(np.int64(w.depth), -1, -1):
        if d < w.depth and w.safe[d] != 0:
            value = max(value, 0.0) if w.safe[d] == 1 else min(value, 0.0)
        slot = np.int64(w.path[d])
        n = nodes[slot]
        n.visits += 1
        n.total += value if n.mover == 1 else -value if n.mover == 2 else 0.0
        stats[slot, MEAN] = n.total / n.visits
        stats[slot, BONUS] *= n.visits / (n.visits + 1.0)
    root_totals[0] += value
    root_totals[1] -= value


@kernel
def simulate(states, patterns, work, count, nodes, stats, used, root_totals, desks, table, rng):
    """Up to ``count`` simulations from ``states[0]``, whose patterns are ``patterns[0]``; returns how many were made.

    ``states[1]`` and ``states[2]`` are scratch. It stops when ``work[0].verdict`` is no longer OPEN.
    """
    states[1] = states[0]
    s, p, w = states[1], patterns[0], work[0]
    done = 0
    while done < count and w.verdict == OPEN:
        hopeless = descend(s, p, w, nodes, stats, used, desks[0], table, rng)
        if w.verdict == OPEN:
            if not hopeless:
                value = value_of(states, p, w, rng)
            elif w.safe[w.depth] != 0:
                value = 0.0
            else:
                value = -1.0 if to_move(s) == 1 else 1.0
            back_up(w, nodes, stats, value, root_totals)
            done += 1
        for _ in range(w.depth):
            undo(s)
            step_back(p)
    return done
