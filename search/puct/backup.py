"""What a simulation brings back: the values of its last position, to every node of its path."""

from __future__ import annotations

from narabe.envs.rules.jit import kernel


@kernel
def back_up(nodes, path, d, totals, values, row):
    """Add ``values[row]`` to the path of game ``d``, at each node for who moved into it and for who is to move.

    ``totals``: float64 by player, of the root.
    """
    for step in range(d.depth + 1):
        n = nodes[path[step]]
        n.visits += 1
        n.bonus = 1.0 / (1.0 + n.visits)
        if n.mover > 0:
            n.gain += values[row, n.mover - 1]
            n.q = n.gain / n.visits
        if n.turn > 0:
            n.own += values[row, n.turn - 1]
    for player in range(totals.shape[0]):
        totals[player] += values[row, player]
    d.evaluated += 1


@kernel
def back_up_certain(nodes, path, d, totals, values, top):
    """The same of a simulation whose nodes from step ``top`` on are certain: each is worth just what it is.

    Those above take the values of the topmost.
    """
    for step in range(d.depth + 1):
        n = nodes[path[step]]
        row = path[max(step, top)]
        n.visits += 1
        n.bonus = 1.0 / (1.0 + n.visits)
        if n.mover > 0:
            gain = values[row, n.mover - 1]
            n.gain = gain * n.visits if step >= top else n.gain + gain
            n.q = gain if step >= top else n.gain / n.visits
        if n.turn > 0:
            n.own += values[row, n.turn - 1]
    for player in range(totals.shape[0]):
        totals[player] += values[path[top], player]
    d.evaluated += 1
