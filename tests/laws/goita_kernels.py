"""Kernels over many random games of Goita, for tests of its law."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.goita.record import ANNOUNCE
from narabe.envs.rules.jit import kernel


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

    ``raw``: the same records as bytes. ``faults``, a row while games go on and one for their ends: the observation
    changed; the key changed; the turn or the legal actions changed; two truths that the player cannot tell apart became
    two records. The fifth is no fault, but the number of views that were as the truth. Returns the number of views.

    The turn may change where another seat is being asked about its 市民 and the player waits to be asked about its own:
    it does not see that, and its view shows it asked.
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
                row = faults[1] if core.is_over(states[1]) else faults[0]
                row[0] += not same(planes[0].ravel(), planes[1].ravel())
                row[1] += core.info_key(states[2], p) != known
                if asked or core.to_move(states[1]) == 0 or states[1].phase != ANNOUNCE:
                    row[2] += not (asked == asked_then and same(masks[0], masks[1]))
                row[4] += core.key(states[2]) == core.key(states[1])
                seed = rng[0]
                states[3] = states[1]
                core.redeal(states[3], p, rng)
                rng[0] = seed
                core.redeal(states[2], p, rng)
                row[3] += not same(raw[2], raw[3])
    return views


@kernel
def redeal_keys(states, player, keys, rng):
    """Deal ``states[0]`` anew for a player, once a row of ``keys``, and write the keys of all seats."""
    for i in range(keys.shape[0]):
        states[1] = states[0]
        core.redeal(states[1], player, rng)
        for p in range(keys.shape[1]):
            keys[i, p] = core.info_key(states[1], np.int64(p + 1))
