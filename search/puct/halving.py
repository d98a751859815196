"""Sequential halving: which of the root's actions is visited next, and which is chosen in the end.

Source: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits" (2013), as used by Danihelka, Guez,
Schrittwieser, Silver, "Policy improvement by planning with Gumbel" (2022). With m actions and n simulations there are
ceil(log2 m) phases; each gives all its actions the same number of visits, one a round, and about n / phases in all. The
better half goes on to the next phase. The last phase, of two actions, is repeated until no simulation is left.

Within a round the actions due are those with as many visits as the round began with, best first; so the halving is done
by leaving the worse half behind, and a few numbers in the game's DESK record are all that must be remembered.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.puct.improving import complete, worth
from narabe.search.puct.trees import DESK, NONE, is_lost, records


@kernel
def begin_halving(d, considered, legal):
    """Plan ``d.planned`` visits over the best ``considered`` of ``legal`` actions."""
    m = min(considered, legal, np.int64(d.planned))
    phases = 0
    while (1 << phases) < m:
        phases += 1
    d.phases, d.least, d.level = phases, min(m, 2), 0
    begin_phase(d, m)


@kernel
def begin_phase(d, m):
    d.considered, d.due = m, m
    d.rounds = max(1, d.planned // (max(1, d.phases) * m))


@kernel
def count_visit(d):
    """A visit of the plan was made."""
    d.due -= 1
    if d.due == 0:
        d.level += 1
        d.rounds -= 1
        d.due = d.considered
        if d.rounds == 0:
            begin_phase(d, max(np.int64(d.least), np.int64(d.considered) // 2))


def schedule(considered: int, sims: int) -> list[int]:
    """How often the action of each visit has been visited before, ``sims`` visits of ``considered`` actions.

    >>> schedule(4, 10)
    [0, 0, 0, 0, 1, 1, 2, 2, 3, 3]
    """
    desks, levels = records(1, DESK), np.zeros(sims, np.int64)
    desks["planned"] = sims
    _follow_plan(desks, considered, levels)
    return [int(level) for level in levels]


@kernel
def _follow_plan(desks, considered, levels):
    d = desks[0]
    begin_halving(d, considered, considered)
    for k in range(levels.shape[0]):
        levels[k] = d.level
        count_visit(d)


@kernel
def root_choice(nodes, edges, values, d, settings, odds, spent, scratch, level, room):
    """The edge of the root with the highest Gumbel + log prior + worth among those visited ``level`` times; NONE if none.

    Untried edges count if there is ``room`` for their nodes. ``odds``, ``spent``: by action. Where all of these are certain
    to be lost, or none is left, the best of those that are not lost, however often they were visited.
    """
    node = np.int64(d.node0)
    mean, scale, _, _ = complete(nodes, edges, values, node, settings, scratch)
    n = nodes[node]
    first = np.int64(n.first)
    best, top, due = np.int64(NONE), -np.inf, False  # due: the best is in the plan and not lost
    lost, lost_top = np.int64(NONE), -np.inf
    for k in range(n.width):
        a = np.int64(edges[first + k].action)
        if k >= n.tried and not room:
            continue
        is_due = spent[a] == level
        q = nodes[edges[first + k].child].q if k < n.tried else mean
        x = odds[a] + worth(q, scale)
        if settings.solve and k < n.tried and is_lost(nodes[edges[first + k].child]):
            if is_due and (lost < 0 or x > lost_top or (x == lost_top and a < edges[lost].action)):
                lost, lost_top = first + k, x
            continue
        if is_due < due or not (is_due or settings.solve):
            continue
        if is_due > due or best < 0 or x > top or (x == top and a < edges[best].action):
            best, top, due = first + k, x, is_due
    return best if best >= 0 else lost
