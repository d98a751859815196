"""One walk over a law writes a game's whole tree into arrays; nothing else here needs the law.

The children of a node are one block, and a block is laid down when its parent is met: so an index is always above that
of its parent, one sweep from the front goes from the root down, and one from the back goes up. Information sets
are numbered as they are met, which is after those of the same player that lead to them.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import (
    CHANCE,
    apply,
    candidate_at,
    chance_weight,
    has,
    info_key,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    to_move,
    undo,
)
from narabe.envs.rules.jit import kernel

NONE = -1
CHANCE_NODE, END_NODE = -1, -2  # in place of an information set

NODE = np.dtype(
    [
        ("node_of_cfr", np.int32),  # the parent, NONE for the root
        ("info", np.int32),  # information set; CHANCE_NODE, END_NODE
        ("first", np.int32),  # the children are nodes first to first + width - 1
        ("width", np.int32),
        ("action", np.int64),  # that led here
        ("chance", np.float64),  # product of the chances on the way here
        ("gain", np.float64),  # payoff of the first player; 0 before the end
        ("own", np.int32, (2,)),  # the last slot of each player on the way here, or NONE
    ],
    align=True,
)
INFO = np.dtype(
    [
        ("info_of_cfr", np.uint64),  # the law's key
        ("player", np.int32),
        ("first", np.int32),  # the actions are slots first to first + width - 1, in ascending order
        ("width", np.int32),
        ("before", np.int32),  # the player's last slot before, NONE if this is the first decision
        ("node", np.int32),  # the first history of the set
    ],
    align=True,
)
WORK = np.dtype(
    [
        ("work_of_cfr", np.int32),  # the node that the state stands for
        ("nodes", np.int32),  # how many there are
        ("infos", np.int32),
        ("slots", np.int32),
        ("other", np.int32),  # the node to which `where` is in contradiction
    ],
    align=True,
)

DONE, FULL, UNCOUNTED, WEIGHTS, STUCK, SUM, PAST, ACTIONS = range(8)
TOLERANCE = 1e-9
_SPREAD, _32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@kernel
def find(infos, table, word, player):
    """Where the table holds, or would hold, the information set of this key and player (``table``: number + 1, or 0)."""
    size = table.shape[0]
    i = np.int64(((((word ^ np.uint64(player)) * _SPREAD) >> _32) * np.uint64(size)) >> _32)
    while table[i] > 0:
        known = infos[table[i] - 1]
        if known.info_of_cfr == word and known.player == player:
            break
        i = i + 1 if i + 1 < size else 0
    return i


@kernel
def lay_children(s, nodes, w):
    """Append a node for each legal candidate (on a chance turn: for each possible outcome) of the state; DONE or a fault."""
    node = nodes[w.work_of_cfr]
    chance, total, n = to_move(s) == CHANCE, 0.0, num_candidates(s)
    if chance and n == 0:
        return UNCOUNTED
    node.first = w.nodes
    for i in range(n):
        a = np.int64(candidate_at(s, i))
        if not is_legal(s, a):
            continue
        weight = chance_weight(s, i) if chance else 1.0
        total += weight
        if weight <= 0.0:
            continue
        if w.nodes == nodes.shape[0]:
            return FULL
        child = nodes[w.nodes]
        child.node_of_cfr, child.action, child.chance = w.work_of_cfr, a, node.chance * weight
        child.own[0], child.own[1] = node.own[0], node.own[1]
        w.nodes += 1
    node.width = w.nodes - node.first
    if node.width == 0:
        return STUCK
    return WEIGHTS if chance and abs(total - 1.0) > TOLERANCE else DONE


@kernel
def sort_children(nodes, node):
    """Bring the actions of a decision in ascending order: candidates come in none that an information set could share."""
    first = np.int64(nodes[node].first)
    for i in range(first + 1, first + nodes[node].width):
        a, j = nodes[i].action, i
        while j > first and nodes[j - 1].action > a:
            nodes[j].action = nodes[j - 1].action
            j -= 1
        nodes[j].action = a


@kernel
def word_of(s, player, node):
    """What names the information set: the law's key; where the law has none, every history is a set of its own."""
    if has(s, "info_key"):
        return np.uint64(info_key(s, player))
    return np.uint64(node)


@kernel
def enter_info(s, nodes, infos, actions, table, w):
    """Find or number the information set of the decision and give its slots to the children; DONE, PAST or ACTIONS."""
    at, player = np.int64(w.work_of_cfr), np.int64(to_move(s))
    node = nodes[at]
    sort_children(nodes, at)
    place = find(infos, table, word_of(s, player, at), player)
    if table[place] == 0:
        info = infos[w.infos]
        info.info_of_cfr, info.player, info.node = word_of(s, player, at), player, at
        info.first, info.width, info.before = w.slots, node.width, node.own[player - 1]
        for i in range(node.width):
            actions[w.slots + i] = nodes[node.first + i].action
        w.slots += node.width
        w.infos += 1
        table[place] = w.infos
    node.info = table[place] - 1
    info = infos[node.info]
    w.other = info.node
    if info.before != node.own[player - 1]:
        return PAST
    if info.width != node.width:
        return ACTIONS
    for i in range(node.width):
        if actions[info.first + i] != nodes[node.first + i].action:
            return ACTIONS
        nodes[node.first + i].own[player - 1] = info.first + i
    return DONE


@kernel
def expand(s, nodes, infos, actions, table, w):
    """Write what the state is into its node, with its children; DONE or a fault."""
    node = nodes[w.work_of_cfr]
    if is_over(s):
        node.info, node.gain = END_NODE, payoff(s, 1)
        return SUM if abs(node.gain + payoff(s, 2)) > TOLERANCE else DONE
    fault = lay_children(s, nodes, w)
    if fault != DONE:
        return fault
    if to_move(s) == CHANCE:
        node.info = CHANCE_NODE
        return DONE
    return enter_info(s, nodes, infos, actions, table, w)


@kernel
def step(s, nodes, w):
    """Go to the next node in depth-first order, on the state too; False after the last one."""
    at = np.int64(w.work_of_cfr)
    if nodes[at].width > 0:
        at = np.int64(nodes[at].first)
        apply(s, nodes[at].action)
        w.work_of_cfr = at
        return True
    while at > 0:
        undo(s)
        parent = nodes[at].node_of_cfr
        if at + 1 < nodes[parent].first + nodes[parent].width:
            apply(s, nodes[at + 1].action)
            w.work_of_cfr = at + 1
            return True
        at = np.int64(parent)
    return False


@kernel
def info_word(states, player):
    """The law's key of what the player knows in ``states[0]``."""
    return np.uint64(info_key(states[0], player))


@kernel
def walk(states, nodes, infos, actions, table, work, slice_nodes):
    """Go on with the walk for about so many nodes: (is it over?, DONE or the fault at node ``work_of_cfr``)."""
    s, w = states[0], work[0]
    limit = w.nodes + slice_nodes
    while w.nodes < limit:
        fault = expand(s, nodes, infos, actions, table, w)
        if fault != DONE:
            return True, fault
        if not step(s, nodes, w):
            return True, DONE
    return False, DONE
