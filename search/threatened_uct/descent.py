"""Simulations of threat-aware UCT: down the tree, back where a proof is met, a playout, and up again.

A new node is judged at once: the side to move has a winning move; or the other side has, and then only parries become
children; or there is a victory by continuous fours. A node that is thereby lost for the player who chose it does not
count as a simulation: the descent takes the move back and goes on with another one, so what is proven never blurs a mean.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.core import apply, is_legal, is_over, payoff, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, read, step_back
from narabe.search.threatened_uct.children import SPARE, is_near, list_moves, mark_near
from narabe.search.threatened_uct.proofs import REST, UNSEEN, conclude, open_node, prove, verdict_of
from narabe.search.threatened_uct.replies import list_parries, winning_cell
from narabe.search.threatened_uct.rollout import decisive_playout
from narabe.search.threatened_uct.work import DRAWN, HOPELESS, OPEN
from narabe.search.threats.desk import UNLIMITED, WON
from narabe.search.threats.vcf import find
from narabe.search.playout import playout
from narabe.search.threatened_uct.values import static_value
from narabe.search.tree import BONUS, MEAN
from narabe.search.uct import MAX_DEPTH

NO_SLOT = -1
PRIOR_ONE = 1 << 20


@kernel
def begin(states, patterns, desk, table, max_fours):
    """Read the patterns of ``states[0]``; (the root's verdict as far as a look or a VCF tells, the winning move or -1)."""
    s, p = states[0], patterns[0]
    read(s, p)
    if is_over(s):
        return winner_of(s), np.int64(-1)
    i = to_move(s) - 1
    if find(s, p, desk[0], table, max_fours, np.int64(UNLIMITED)) == WON:
        return i + 1, np.int64(desk[0].move)
    return np.int64(OPEN), np.int64(-1)


@kernel
def winner_of(s):
    """Of a game that is over: DRAWN or the player who won."""
    worth = payoff(s, 1)
    return np.int64(DRAWN) if worth == 0.0 else np.int64(1) if worth > 0.0 else np.int64(2)


@kernel
def judge(s, p, w, nodes, stats, used, slot, desk, table, max_fours):
    """Prove a new node, or give it its children where only parries will do, or leave it as it is.

    ``s`` is its state, by the move of the node's player.
    """
    w.judged += 1
    if is_over(s):
        prove(nodes, stats, slot, winner_of(s))
        return
    i = to_move(s) - 1
    if winning_cell(s, p, desk, i) >= 0:
        prove(nodes, stats, slot, i + 1)
        return
    if winning_cell(s, p, desk, 1 - i) >= 0:
        list_parries(s, p, w, desk)
        if w.n == 0:
            prove(nodes, stats, slot, 2 - i)
            return
        reserve(w, nodes, used, slot)
    if find(s, p, desk, table, max_fours, np.int64(UNLIMITED)) == WON:
        prove(nodes, stats, slot, i + 1)


@kernel
def reserve(w, nodes, used, node):
    """Make the moves in ``w.cells`` the children of a node, if the tree has room."""
    first, n = used[0], np.int64(w.n)
    if first + n <= nodes.shape[0]:
        nodes[node].first, nodes[node].width = first, n
        used[0] = first + n
        for k in range(n):
            nodes[first + k].action = w.cells[k]


@kernel
def expand(s, p, w, nodes, used, node, desk, rng):
    """Give a node its children: parries where the other side would win at once, else moves in order of their promise."""
    w.n = 0
    i = to_move(s) - 1
    if winning_cell(s, p, desk, 1 - i) >= 0:
        list_parries(s, p, w, desk)
    if w.n == 0:
        list_moves(s, p, w, rng)
    reserve(w, nodes, used, node)


@kernel
def close(s, p, w, nodes, node, desk, table):
    """All children are lost: look at the moves left out. Those that do not lose at once become children too: OPEN.

    The winner if there is none; HOPELESS if there are more than the tree has slots for.
    """
    n = nodes[node]
    if nodes[n.first + n.tried].action == UNSEEN:
        return np.int64(HOPELESS)
    i = to_move(s) - 1
    mark_near(s, w)
    found = 0
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if not is_near(s, w, a) and is_legal(s, a):
            if not _loses(s, p, w, a, i, desk, table):
                if found == SPARE:
                    nodes[n.first + n.width - 1].action = UNSEEN
                    return np.int64(OPEN)
                nodes[n.first + n.tried + found].action = a | 1 << 20
                found += 1
    n.width = n.tried + found
    return np.int64(OPEN) if found > 0 else 2 - i


@kernel
def _loses(s, p, w, a, i, desk, table):
    """Does the other side win at once, or by VCF, after the mover ``i`` plays ``a``?"""
    w.judged += 1
    apply(s, a)
    follow(s, p, a)
    lost = not is_over(s) and (
        winning_cell(s, p, desk, 1 - i) >= 0
        or find(s, p, desk, table, np.int64(w.vcf[1]), np.int64(UNLIMITED)) == WON
    )
    undo(s)
    step_back(p)
    return lost


@kernel
def choose(nodes, stats, w, node, mover):
    if w.opt[1] == 0:
        return choose_wide(nodes, stats, w, node, mover)
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    scale = w.c * math.sqrt(max(np.int64(n.visits), 1))
    best, best_bound, visits, total = np.int64(NO_SLOT), -1e300, 0, 0.0
    for slot in range(first, first + tried):
        bound = stats[slot, MEAN] + scale * stats[slot, BONUS]
        if bound > best_bound:
            best, best_bound = np.int64(slot), bound
        if bound > -1e300:
            visits += nodes[slot].visits
            total += nodes[slot].total
    if tried < n.width:
        slot = first + tried
        action = np.int64(nodes[slot].action)
        if action >= 0:
            prior = (action >> 9) / PRIOR_ONE
            fpu = total / max(visits, 1) - w.opt[2]
            if best < 0 or fpu + scale * prior > best_bound:
                open_node(nodes, stats, slot, action & 511, mover)
                stats[slot, BONUS] = max(prior, 1e-6)
                n.tried = tried + 1
                return slot, True
    return best, False


@kernel
def choose_wide(nodes, stats, w, node, mover):
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    width = w.c * math.sqrt(math.log(max(np.int64(n.visits), 1)))
    best, best_bound, alive = np.int64(NO_SLOT), -1e300, 0
    for slot in range(first, first + tried):
        bound = stats[slot, MEAN] + width * stats[slot, BONUS]
        if bound > best_bound:
            best, best_bound = np.int64(slot), bound
        if bound > -1e300:
            alive += 1
    if tried < n.width and n.visits >= w.widening * alive * alive:
        slot = first + tried
        action = np.int64(nodes[slot].action)
        if action >= 0:
            open_node(nodes, stats, slot, action & 511, mover)
            n.tried = tried + 1
            return slot, True
    return best, False


@kernel
def descend(s, p, w, nodes, stats, used, desk, table, rng):
    """Go down from the root to a leaf that is open; True if it is to be played out.

    ``s`` and ``p`` are then at the leaf, ``w.depth`` plies below the root. With False the leaf is a proven draw, or it is
    hopeless (all moves near stones are lost), or ``w.verdict`` says that the search is over.
    """
    node, depth = np.int64(0), np.int64(0)
    w.path[0] = 0
    while depth < MAX_DEPTH - 1:
        if nodes[node].first < 0:
            if depth == 0 or nodes[node].visits > 0:
                expand(s, p, w, nodes, used, node, desk, rng)
            if nodes[node].first < 0:
                break
        child, fresh = choose(nodes, stats, w, node, to_move(s))
        w.depth = depth
        if child < 0:
            outcome = close(s, p, w, nodes, node, desk, table)
            if outcome == HOPELESS:
                if depth == 0:
                    w.verdict = HOPELESS
                return False
            if outcome == OPEN:
                continue
            if depth == 0:
                w.verdict = outcome
                return False
            prove(nodes, stats, node, outcome)
            depth = settle(s, p, w, nodes, stats, depth)
            if depth < 0:
                return False
            node = np.int64(w.path[depth])
            continue
        action = np.int64(nodes[child].action)
        apply(s, action)
        follow(s, p, action)
        depth += 1
        w.path[depth], w.depth = child, depth
        if fresh:
            judge(s, p, w, nodes, stats, used, child, desk, table, np.int64(w.vcf[0 if depth == 1 else 1]))
        if stats[child, BONUS] > 0.0:
            node = child
            if fresh and nodes[node].first < 0:
                break
            continue
        if not fresh:  # a proven draw that nothing else is better than
            return False
        depth = settle(s, p, w, nodes, stats, depth)
        if depth < 0:
            return False
        node = np.int64(w.path[depth])
    w.depth = depth
    return True


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
def back_up(w, nodes, stats, value, root_totals):
    """Add the payoff (of player 1) to every node of the path, each for the player who moved into it."""
    for d in range(w.depth + 1):
        slot = np.int64(w.path[d])
        n = nodes[slot]
        n.visits += 1
        n.total += value if n.mover == 1 else -value if n.mover == 2 else 0.0
        if d == 0 or stats[slot, BONUS] > 0.0:
            stats[slot, MEAN] = n.total / n.visits
            if w.opt[1] == 0:
                stats[slot, BONUS] = 1.0 / math.sqrt(n.visits)
            else:
                stats[slot, BONUS] *= n.visits / (n.visits + 1.0)
    root_totals[0] += value
    root_totals[1] -= value


@kernel
def simulate(states, patterns, work, count, nodes, stats, used, root_totals, desk, table, rng):
    """Up to ``count`` simulations from ``states[0]``, whose patterns are ``patterns[0]``; returns how many were made.

    ``states[1]`` and ``states[2]`` are scratch. It stops when ``work[0].verdict`` is no longer OPEN.
    """
    states[1] = states[0]
    s, p, w = states[1], patterns[0], work[0]
    done = 0
    while done < count and w.verdict == OPEN:
        open_leaf = descend(s, p, w, nodes, stats, used, desk[0], table, rng)
        if w.verdict == OPEN:
            value = 0.0
            if open_leaf:
                if w.opt[0] >= 2:
                    value = static_value(s, p, w)
                if w.opt[0] != 2:
                    states[2] = s
                    if w.opt[0] == 1:
                        playout(states[2], rng)
                    else:
                        decisive_playout(states[2], rng)
                    if w.opt[0] == 3:
                        value = 0.5 * value + 0.5 * payoff(states[2], 1)
                    else:
                        value = payoff(states[2], 1)
            elif stats[w.path[w.depth], BONUS] > 0.0:  # hopeless
                value = -1.0 if to_move(s) == 1 else 1.0
            back_up(w, nodes, stats, value, root_totals)
            done += 1
        for _ in range(w.depth):
            undo(s)
            step_back(p)
    return done
