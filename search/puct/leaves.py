"""The two kernels of a step for all games at once: gather the positions to ask the network about, take in its answers.

A game whose simulation ends at a known value (the end of the game, a proven node, no more room) goes on with its next one
at once, so that every step brings a position of each game that still has simulations to make.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from narabe.envs.rules.core import mask_write, observe, payoff, to_move
from narabe.envs.rules.jit import kernel
from narabe.search.puct.backup import back_up, back_up_certain
from narabe.search.puct.certain import is_settled, spread
from narabe.search.puct.descending import descend
from narabe.search.puct.expanding import expand, is_sound
from narabe.search.puct.root import begin_root
from narabe.search.puct.trees import ENDED


@dataclass(frozen=True)
class Leaves:
    """Positions that a search asks about; the arrays are its own and hold until it gathers again.

    ``games``: int64 (k,), ascending; ``observations``: int8 (k, planes, height, width), as the player to move sees it;
    ``masks``: int8 (k, actions), 1 where legal; ``players``: int64 (k,), the player to move, from 1. The positions
    themselves are ``states[games]`` of the search.
    """

    games: np.ndarray
    observations: np.ndarray
    masks: np.ndarray
    players: np.ndarray

    def __len__(self) -> int:
        return len(self.games)


@kernel
def gather(
    roots, states, root_masks, masks, nodes, edges, values, desks, paths, totals, odds, spent, scratch, known, streams,
    settings, games, observations, legal, players,
):  # fmt: skip
    """Simulate each game until it needs the network or has made its simulations; returns how many need it.

    ``roots``, ``root_masks``: by game; ``states``: where each game's simulation is; ``masks``, ``scratch`` (float64 by
    action), ``known`` (float64 (1, players)): scratch. Written, a row a position: ``games`` ... ``players``.
    """
    k = 0
    for g in range(roots.shape[0]):
        d = desks[g]
        while not d.waiting and d.done < d.planned:
            states[g] = roots[g]
            masks[0] = root_masks[g]
            s, m = states[g], masks[0]
            asks = descend(
                s, m, nodes, edges, values, paths[g], d, settings[0], odds[g], spent[g], scratch, streams[g : g + 1]
            )
            if asks:
                d.waiting = 1
                games[k], players[k] = g, to_move(s)
                observe(s, players[k], observations[k])
                mask_write(s, m, legal[k])
                k += 1
            else:
                if d.leaf >= 0 and settings[0].solve and nodes[d.leaf].turn == ENDED:
                    bring_back(nodes, edges, values, paths[g], d, totals[g])
                elif d.leaf >= 0:
                    back_up(nodes, paths[g], d, totals[g], values, np.int64(d.leaf))
                else:
                    for player in range(known.shape[1]):
                        known[0, player] = payoff(s, player + 1)
                    back_up(nodes, paths[g], d, totals[g], known, 0)
                d.done += 1
    return k


@kernel
def bring_back(nodes, edges, values, path, d, totals):
    """Bring back a certain leaf; if that settles the root, the search is over."""
    back_up_certain(nodes, path, d, totals, values, spread(nodes, edges, values, path, d))
    if is_settled(nodes, edges, values, path, d):
        d.planned = d.done + 1


@kernel
def take_in(
    nodes, edges, values, desks, paths, totals, clean, odds, spent, scratch, actions, streams, settings, games, legal,
    outputs, answers, proven,
):  # fmt: skip
    """Take in the answers to the gathered positions: expand, back up, make a new root ready.

    ``outputs``: float32 (k, actions); ``answers``: float64 (k, players); ``proven``: float64 (k, players), a row that is
    not NaN makes its node an end of these payoffs (not the root, which must be expanded). ``scratch`` (float64), ``actions``
    (int32): scratch by action.
    """
    for k in range(games.shape[0]):
        g = np.int64(games[k])
        d = desks[g]
        leaf = np.int64(d.leaf)
        is_proven = d.depth > 0 and not np.isnan(proven[k, 0])
        for player in range(answers.shape[1]):
            if is_proven:
                answers[k, player] = proven[k, player]
            if leaf >= 0:
                values[leaf, player] = answers[k, player]
        if leaf >= 0:
            if is_proven:
                nodes[leaf].turn = ENDED
            else:
                expand(nodes, edges, d, leaf, outputs, legal, k, settings[0], scratch, actions)
        if is_proven and leaf >= 0 and settings[0].solve:
            bring_back(nodes, edges, values, paths[g], d, totals[g])
        else:
            back_up(nodes, paths[g], d, totals[g], answers, k)
        d.waiting = 0
        if d.depth > 0:
            d.done += 1
        else:
            rng = streams[g : g + 1]
            begin_root(nodes, edges, d, settings[0], clean[g], odds[g], spent[g], scratch, rng)


@kernel
def first_unsound(outputs, legal, answers, proven, probabilities):
    """The first row that cannot be used, -1 if all can; rows proven otherwise are not looked at."""
    for k in range(legal.shape[0]):
        if np.isnan(proven[k, 0]) and not is_sound(outputs, legal, answers, probabilities, k):
            return k
    return -1
