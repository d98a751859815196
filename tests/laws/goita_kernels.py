"""Kernels over many random games of Goita, for tests of its law."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.goita.record import ANNOUNCE
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below


@kernel
def step(s, rng):
    """A random legal action, or what chance draws."""
    if core.to_move(s) == 0:
        core.apply(s, np.int64(core.chance_draw(s, rng)))
    else:
        core.apply(s, np.int64(random_action(s, rng)))


@kernel
def same(a, b):
    """Are two rows of numbers equal?"""
    for i in range(a.shape[0]):
        if a[i] != b[i]:
            return False
    return True


@kernel
def look(s, player, plane, mask):
    """Write what a player sees: its observation, and its legal actions if it is its turn, else none; is it?"""
    core.observe(s, player, plane)
    for a in range(mask.shape[0]):
        mask[a] = False
    if core.to_move(s) != player:
        return False
    core.legal_mask(s, mask)
    return True


@kernel
def count_faults(states, raw, planes, masks, games, rng, faults):
    """Play games from ``states[0]``; count the views in which a redeal shows or leaves what it must not.

    ``raw``: the same records as bytes. ``faults``: the observation changed; the key changed; the turn or the legal actions
    changed; two truths that the player cannot tell apart became two records. The fifth is no fault, but the number of
    views that were as the truth. Returns the number of views.

    The turn may change where another seat is being asked about its 市民: the player does not see that, and its view shows
    what comes next to its knowledge, a question to itself or the first play.
    """
    n, views = core.num_players(states[0]), 0
    for _ in range(games):
        states[1] = states[0]
        while not core.is_over(states[1]):
            step(states[1], rng)
            for player in range(1, n + 1):
                p = np.int64(player)
                views += 1
                asked = look(states[1], p, planes[0], masks[0])
                known = core.info_key(states[1], p)
                states[2] = states[1]
                core.redeal(states[2], p, rng)
                asked_then = look(states[2], p, planes[1], masks[1])
                faults[0] += not same(planes[0].ravel(), planes[1].ravel())
                faults[1] += core.info_key(states[2], p) != known
                if asked or core.to_move(states[1]) == 0 or states[1].phase != ANNOUNCE:
                    faults[2] += not (asked == asked_then and same(masks[0], masks[1]))
                faults[4] += core.key(states[2]) == core.key(states[1])
                seed = rng[0]
                states[3] = states[1]
                core.redeal(states[3], p, rng)
                rng[0] = seed
                core.redeal(states[2], p, rng)
                faults[3] += not same(raw[2], raw[3])
    return views


@kernel
def redeal_keys(states, player, keys, rng):
    """Deal ``states[0]`` anew for a player, once a row of ``keys``, and write the keys of all seats."""
    for i in range(keys.shape[0]):
        states[1] = states[0]
        core.redeal(states[1], player, rng)
        for p in range(keys.shape[1]):
            keys[i, p] = core.info_key(states[1], np.int64(p + 1))


@kernel
def shi_dealt(states, deals, rng, held):
    """Draw deals of four hands; write how many 市民 each seat holds into ``held`` (int8, deals x 4)."""
    s = states[0]
    for i in range(deals):
        code, rest = np.int64(core.chance_draw(s, rng)), np.int64(10)
        for seat in range(3):
            held[i, seat] = (code >> 20 * seat) & 15
            rest -= held[i, seat]
        held[i, 3] = rest


@kernel
def draw_deals(states, out, rng):
    """Draw outcomes of the chance turn that ``states[0]`` is at."""
    for i in range(out.shape[0]):
        out[i] = core.chance_draw(states[0], rng)


@kernel
def counted_deals(states, outcomes, chances):
    """Write the legal outcomes of the chance turn that ``states[0]`` is at, and their chances; returns how many."""
    s, n = states[0], 0
    for i in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, np.int64(i)))
        if core.is_legal(s, a):
            outcomes[n], chances[n] = a, core.chance_weight(s, np.int64(i))
            n += 1
    return n


@kernel
def walk(states, outcomes, keys):
    """Walk the whole game after each deal; write the key of the player to move at every decision; returns how many.

    ``states``: a start before the deal, then room for as many records as a deal has plies.
    """
    count = 0
    choices = np.zeros(states.shape[0], np.int64)  # the next action to try, by depth
    for i in range(outcomes.shape[0]):
        depth = 1
        states[1] = states[0]
        core.apply(states[1], outcomes[i])
        choices[1] = -1
        while depth > 0:
            s = states[depth]
            if choices[depth] < 0:
                choices[depth] = 0
                if core.is_over(s):
                    depth -= 1
                    continue
                keys[count] = core.info_key(s, np.int64(core.to_move(s)))
                count += 1
            a = choices[depth]
            while a < core.num_actions(s) and not core.is_legal(s, np.int64(a)):
                a += 1
            choices[depth] = a + 1
            if a == core.num_actions(s):
                depth -= 1
            else:
                states[depth + 1] = s
                depth += 1
                core.apply(states[depth], np.int64(a))
                choices[depth] = -1
    return count


@kernel
def weight(hand, a):
    """How many moves with named kings an action is, for whoever holds this hand."""
    if a == 0 or (hand >> 28) & 15 < 2:
        return 1
    return 2 if (a - 1) // 8 == 7 or (a - 1) % 8 == 7 else 1


@kernel
def named_action(s, rng):
    """A random legal move with named kings, as an action."""
    hand, chosen, seen = np.int64(s.hand[s.turn]), np.int64(-1), np.int64(0)
    for i in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, np.int64(i)))
        if core.is_legal(s, a):
            for _ in range(weight(hand, a)):
                seen += 1
                if below(rng, seen) == 0:
                    chosen = a
    return chosen


@kernel
def lengths(states, games, named, lazy, rng, plies, plays):
    """Play deals at random from a state before the deal; write plies and plays of each.

    ``named``: the kings have names, which makes more moves; ``lazy``: seats mostly pass where they may.
    """
    for i in range(games):
        states[1] = states[0]
        s = states[1]
        core.apply(s, np.int64(core.chance_draw(s, rng)))
        while not core.is_over(s):
            a = named_action(s, rng) if named else random_action(s, rng)
            if lazy and core.is_legal(s, np.int64(0)) and below(rng, 4) > 0:
                a = 0
            core.apply(s, np.int64(a))
            plies[i] += 1
            plays[i] += a > 0
