"""The kernels of the training loop: openings, moves with the chance turns after them, and what is drawn from a policy."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import CHANCE, apply, chance_draw, has, is_over, legal_mask, observe, payoff, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import next_bits, uniform

TRIES = 50  # openings drawn in vain before a shorter one is drawn


@kernel
def play_chance(s, rng):
    """Play chance turns, until a player is to move or the game is over."""
    if has(s, "chance_draw"):
        while not is_over(s) and to_move(s) == CHANCE:
            apply(s, np.int64(chance_draw(s, rng)))


@kernel
def begin_game(records, i, start, plies, rng):
    """Put ``start[0]`` and then ``plies`` random plies into ``records[i]``; returns the plies played.

    Openings that end the game are drawn again, and after `TRIES` of them shorter ones.
    """
    while True:
        for _ in range(TRIES):
            records[i] = start[0]
            s = records[i]
            play_chance(s, rng)
            played = 0
            while played < plies and not is_over(s):
                apply(s, np.int64(random_action(s, rng)))
                play_chance(s, rng)
                played += 1
            if not is_over(s) or plies == 0:
                return played
        plies -= 1


@kernel
def play_moves(records, games, actions, streams, payoffs):
    """Play ``actions[j]`` in ``records[games[j]]``, and the chance turns after it by ``streams[games[j]]``.

    Written: ``payoffs``, float64 (len(games), players): those of a game that is over now, NaN for others.
    """
    for j in range(games.shape[0]):
        g = np.int64(games[j])
        s = records[g]
        apply(s, np.int64(actions[j]))
        play_chance(s, streams[g : g + 1])
        for player in range(payoffs.shape[1]):
            payoffs[j, player] = payoff(s, player + 1) if is_over(s) else np.nan


@kernel
def look(records, games, observations, masks, players):
    """Write what the player to move of ``records[games[j]]`` sees, may do, and who it is (from 1)."""
    for j in range(games.shape[0]):
        s = records[np.int64(games[j])]
        players[j] = to_move(s)
        observe(s, np.int64(players[j]), observations[j])
        legal_mask(s, masks[j])


@kernel
def draw_bits(streams, games, out):
    """The next 64 bits of each game's stream, uint64."""
    for j in range(games.shape[0]):
        g = np.int64(games[j])
        out[j] = next_bits(streams[g : g + 1])


@kernel
def draw_numbers(streams, games, out):
    """The next number in [0, 1) of each game's stream, float64."""
    for j in range(games.shape[0]):
        g = np.int64(games[j])
        out[j] = uniform(streams[g : g + 1])


@kernel
def draw_actions(policy, temperature, numbers, drawn, actions):
    """Where ``drawn[j]``, replace ``actions[j]`` by one drawn from ``policy[j]`` ** (1 / temperature) with ``numbers[j]``."""
    for j in range(policy.shape[0]):
        if not drawn[j]:
            continue
        top, whole = 0.0, 0.0
        for a in range(policy.shape[1]):
            top = max(top, policy[j, a])
        for a in range(policy.shape[1]):
            if policy[j, a] > 0.0:
                whole += math.exp(math.log(policy[j, a] / top) / temperature)
        left, chosen = numbers[j] * whole, np.int64(-1)
        for a in range(policy.shape[1]):
            if policy[j, a] > 0.0 and (chosen < 0 or left >= 0.0):
                chosen = a
                left -= math.exp(math.log(policy[j, a] / top) / temperature)
        actions[j] = chosen


@kernel
def prune(nodes, edges, desks, clean, settings, games, policy):
    """Take from the visits of PUCT what only the noise had asked for, and write the shares that are left to ``policy``.

    A child that is not the most visited keeps as many visits as PUCT with the clean priors and the final values would
    have given it before preferring the most visited one (Wu, "Accelerating self-play learning in Go", 2019: policy target
    pruning); one that would keep a single visit keeps none.
    """
    for j in range(games.shape[0]):
        g = np.int64(games[j])
        root = nodes[desks[g].node0]
        first, end = np.int64(root.first), np.int64(root.first) + root.tried
        best = first
        for e in range(first + 1, end):
            if nodes[edges[e].child].visits > nodes[edges[best].child].visits:
                best = e
        whole = np.float64(root.visits)
        factor = settings[0].c + math.log((1.0 + whole + settings[0].c_growth) / settings[0].c_growth)
        factor *= math.sqrt(whole)
        top = nodes[edges[best].child]
        goal = top.q + factor * clean[g, edges[best].action] / (1.0 + top.visits)
        left = 0.0
        policy[j, :] = 0.0
        for e in range(first, end):
            child = nodes[edges[e].child]
            visits = np.float64(child.visits)
            if e != best and child.q < goal:
                wanted = math.ceil(factor * clean[g, edges[e].action] / (goal - child.q) - 1.0)
                visits = min(visits, max(0.0, wanted))
                visits = 0.0 if visits <= 1.0 else visits
            policy[j, edges[e].action] = visits
            left += visits
        for e in range(first, end):
            policy[j, edges[e].action] /= left
