"""The kernels of deals played side by side: up to the next decision of the network, what it is asked, what it answers.

Of a deal only the log is kept (the law's own: what was played, with the outcomes of chance beside it); positions are played
again from it when they are learned from.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.advice import advise
from narabe.envs.rules.goita.moves import (
    apply,
    candidate_at,
    chance_draw,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    team,
    to_move,
)  # fmt: skip
from narabe.envs.rules.goita.record import DEALER, LOG_DEAL, LOG_DEALER
from narabe.envs.rules.goita.sight import observe
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below, uniform

NETWORK, RULES, RANDOM = 0, 1, 2  # who plays a pair


@kernel
def legal_actions(s, out):
    """Write the legal actions of the player to move into ``out``; how many there are."""
    n = 0
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, np.int64(i)))
        if is_legal(s, a):
            out[n] = a
            n += 1
    return n


@kernel
def settle(s, kinds, chance, own, pads, legal):
    """Play all that is not the network's to decide: chance turns, only actions, and the pairs of other players.

    ``kinds``: who plays each pair; ``chance``, ``own``: streams (uint64[1]) of chance and of random players.
    """
    while not is_over(s):
        mover = np.int64(to_move(s))
        if mover == 0:
            apply(s, np.int64(chance_draw(s, chance)))
            continue
        n = legal_actions(s, legal)
        if n > 1:
            kind = kinds[team(s, mover)]
            if kind == NETWORK:
                return
            if kind == RULES:
                apply(s, np.int64(advise(s, pads[0])))
            else:
                apply(s, np.int64(legal[below(own, np.int64(n))]))
        else:
            apply(s, np.int64(legal[0]))


@kernel
def settle_all(records, places, kinds, chance, own, pads, legal, payoffs):
    """`settle` the deals at ``places``; ``payoffs`` (len(places), players): of those that are over now, NaN for others."""
    for j in range(places.shape[0]):
        p = np.int64(places[j])
        s = records[p]
        settle(s, kinds[p], chance[p : p + 1], own[p : p + 1], pads, legal)
        for player in range(payoffs.shape[1]):
            payoffs[j, player] = payoff(s, player + 1) if is_over(s) else np.nan


@kernel
def look(records, places, planes, rows, actions):
    """Write what the players to move see (``planes``), and all that they may do: in row ``rows[i]`` ``actions[i]``.

    Returns how many actions that are.
    """
    m = 0
    for j in range(places.shape[0]):
        s = records[np.int64(places[j])]
        observe(s, np.int64(to_move(s)), planes[j])
        n = legal_actions(s, actions[m:])
        rows[m : m + n] = j
        m += n
    return m


@kernel
def play_best(records, places, rows, actions, worth, epsilon, own):
    """Play the worthiest action at each place (of equal ones the first), or with probability ``epsilon`` a random one."""
    i, m = 0, rows.shape[0]
    for j in range(places.shape[0]):
        p = np.int64(places[j])
        first, best = i, i
        while i < m and rows[i] == j:
            if worth[i] > worth[best]:
                best = i
            i += 1
        if epsilon > 0.0 and uniform(own[p : p + 1]) < epsilon:
            best = first + below(own[p : p + 1], np.int64(i - first))
        apply(records[p], np.int64(actions[best]))


# ---- from logs --------------------------------------------------------------------------------------------------------


@kernel
def play_entry(s, entry, dealt, d):
    """Play an entry of a log; ``d``: how many deals (``dealt``) were made before it. How many are after it."""
    if entry == LOG_DEAL:
        apply(s, np.int64(dealt[d]))
        return d + 1
    apply(s, DEALER + (entry - LOG_DEALER) if entry >= LOG_DEALER else entry)
    return d


@kernel
def find_decisions(start, scratch, kinds, entries, ends, dealt, dealt_ends, legal, games, plies, payoffs):
    """Find the decisions of the network in whole logs, one after the other in ``entries`` and ``dealt``.

    Written: ``games`` and ``plies`` (int32), of each decision the game and how many entries of its log come before;
    ``payoffs`` (games, players). Returns how many decisions there are. ``scratch`` is one record.
    """
    found, first, d = 0, np.int64(0), np.int64(0)
    s = scratch[0]
    for g in range(ends.shape[0]):
        scratch[0] = start[0]
        s = scratch[0]
        for i in range(first, ends[g]):
            mover = np.int64(to_move(s))
            if mover > 0 and kinds[g, team(s, mover)] == NETWORK and legal_actions(s, legal) > 1:
                games[found], plies[found] = g, i - first
                found += 1
            d = play_entry(s, np.int64(entries[i]), dealt, d)
        for player in range(payoffs.shape[1]):
            payoffs[g, player] = payoff(s, player + 1)
        first = np.int64(ends[g])
    return found


@kernel
def put_positions(start, records, places, entries, firsts, lengths, dealt, dealt_firsts):
    """Play the first ``lengths[j]`` entries of a log from ``firsts[j]`` on in ``records[places[j]]``, from the start."""
    for j in range(places.shape[0]):
        p = np.int64(places[j])
        records[p] = start[0]
        s = records[p]
        d = np.int64(dealt_firsts[j])
        for i in range(firsts[j], firsts[j] + lengths[j]):
            d = play_entry(s, np.int64(entries[i]), dealt, d)
