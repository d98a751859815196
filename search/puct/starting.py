"""Between searches: put positions at the roots, move roots on, read what was found."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import CHANCE, apply, has, is_over, key, mask_init, payoff, redeal, to_move
from narabe.envs.rules.jit import kernel
from narabe.search.puct.certain import best_of_all, drop_lost, settled_edge, won_edge
from narabe.search.puct.halving import root_choice
from narabe.search.puct.improving import improved_policy
from narabe.search.puct.root import begin_root
from narabe.search.puct.trees import ENDED, NONE, best_edge, clear, find_child, reroot, write_line


@kernel
def first_chance(records):
    """The first record at a chance turn, -1 if there is none."""
    for i in range(records.shape[0]):
        if not is_over(records[i]) and to_move(records[i]) == CHANCE:
            return i
    return -1


@kernel
def begin_all(
    records, games, planned, roots, root_masks, nodes, edges, desks, totals, clean, odds, spent, scratch, streams,
    settings, rng,
):  # fmt: skip
    """Begin the search of ``records[i]`` in game ``games[i]``, ``planned[i]`` simulations long.

    The game's tree is kept if it may be and its root is this position. What was drawn but not seen is drawn anew
    (``rng``: any stream), so that it is not looked at.
    """
    for i in range(games.shape[0]):
        g = np.int64(games[i])
        d = desks[g]
        roots[g] = records[i]
        s = roots[g]
        d.over, d.done = is_over(s), 0
        d.evaluated = d.over  # the payoffs of a finished game are all that there is to tell
        d.planned = 0 if d.over else planned[i]
        for player in range(totals.shape[1]):
            totals[g, player] = payoff(s, player + 1) if d.over else 0.0
        if has(s, "redeal") and not d.over:
            redeal(s, np.int64(to_move(s)), rng)
        mask_init(s, root_masks[g])
        k = np.uint64(key(s))
        kept = settings[0].reuse and d.rooted and d.root_key == k and not d.over
        d.rooted, d.root_key = 1, k
        root = nodes[d.node0]
        if kept and root.turn > 0 and root.first >= 0:
            begin_root(nodes, edges, d, settings[0], clean[g], odds[g], spent[g], scratch, streams[g : g + 1])
        else:
            clear(nodes, d, ENDED if d.over else np.int64(to_move(s)))


@kernel
def advance_all(games, actions, roots, nodes, edges, values, desks, places, order):
    """Move the root of game ``games[i]`` on by ``actions[i]``, or forget the tree where it knows no such child."""
    for i in range(games.shape[0]):
        d = desks[games[i]]
        if not d.rooted:
            continue
        child = find_child(nodes, edges, np.int64(d.node0), np.int64(actions[i]))
        if child < 0:
            d.rooted = 0
            continue
        reroot(nodes, edges, values, d, child, places, order)
        s = roots[games[i]]
        apply(s, np.int64(actions[i]))
        d.root_key = key(s)


@kernel
def read_all(
    games, nodes, edges, values, desks, totals, odds, spent, scratch, settings,
    visits, policy, value, action, lines, simulations, certain,
):  # fmt: skip
    """Write what was found in each of ``games``: a row each of ``visits`` ... ``certain``, which hold zeros before."""
    solve = settings[0].solve != 0
    for i in range(games.shape[0]):
        g = np.int64(games[i])
        d = desks[g]
        root = np.int64(d.node0)
        n = nodes[root]
        simulations[i], action[i] = d.done, NONE
        write_line(nodes, edges, np.int64(NONE), lines[i], solve)
        for player in range(value.shape[1]):
            value[i, player] = totals[g, player] / d.evaluated
        certain[i] = d.over
        if d.over or n.first < 0:
            continue
        whole = 0
        for e in range(n.first, n.first + n.tried):
            a = np.int64(edges[e].action)
            visits[i, a] = nodes[edges[e].child].visits
            whole += visits[i, a]
        if settings[0].gumbel:
            improved_policy(nodes, edges, values, root, settings[0], scratch, policy[i])
            level = np.int64(0)
            for a in range(spent.shape[1]):
                level = max(level, np.int64(spent[g, a]))
            any_edge = d.nodes > 0  # no node is made here, so there is room
            e = root_choice(nodes, edges, values, d, settings[0], odds[g], spent[g], scratch, level, any_edge)
        else:
            e = best_edge(nodes, edges, root, solve)
            for k in range(n.first, n.first + n.width):
                a = np.int64(edges[k].action)
                policy[i, a] = visits[i, a] / whole if whole > 0 else edges[k].prior
        if solve:
            drop_lost(nodes, edges, root, policy[i])
            won = won_edge(nodes, edges, root)
            best = np.int64(edges[won].child) if won >= 0 else best_of_all(nodes, edges, values, root, np.int64(n.turn))
            if best >= 0:
                certain[i] = 1
                e = settled_edge(nodes, edges, root)
                for player in range(value.shape[1]):
                    value[i, player] = values[best, player]
            if won >= 0:
                e = won
                policy[i, :] = 0.0
                policy[i, edges[won].action] = 1.0
        action[i] = edges[e].action
        if e < n.first + n.tried:
            write_line(nodes, edges, np.int64(edges[e].child), lines[i], solve)
        else:  # nothing was tried
            lines[i, 0] = action[i]
