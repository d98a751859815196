"""What an environment does to records, written once against the generic law: begin, step, look.

`single.py` calls these on a batch of one, `vector.py` on a batch of any size, so the two cannot drift apart. Beside the
states, a batch has these arrays, all with one entry a game:

- ``masks``: side records of the incremental legal moves (`core.new_masks`);
- ``rngs`` (uint64): the streams that chance turns are drawn from; ``first``: what they were when the game began;
- ``seats`` (int64): whose view is shown, from 0; ``over`` (bool): has the game ended, by law or by an illegal move?

``start`` and ``start_mask`` hold one record each: the position before the first chance turn.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.game import OVER_SEAT
from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.jit import kernel

OUTSIDE = -1  # the fault of a number that is no action at all; the law has a code for every other fault
DEALS = 1000  # deals that end the game before anybody has moved are dealt again, at most so often


@kernel
def settle(s, m, rng):
    """Play chance turns until a player is to move or the game is over."""
    if core.has(s, "chance_draw"):
        while core.to_move(s) == core.CHANCE and not core.is_over(s):
            core.apply(s, np.int64(core.chance_draw(s, rng)))
            core.mask_update(s, m)


@kernel
def look(s, m, seat, over, obs, legal):
    """Write the planes that the seat sees into ``obs`` and the legal moves, none at the end, into ``legal`` (int8)."""
    core.observe(s, seat + 1, obs)
    if over:
        for a in range(legal.shape[0]):
            legal[a] = 0
    else:
        core.mask_write(s, m, legal)


@kernel
def begin(states, masks, rngs, first, start, start_mask, i):
    """Put game ``i`` at its start, chance turns played; returns the seat to play."""
    for _ in range(DEALS):
        first[i] = rngs[i]
        states[i] = start[0]
        masks[i] = start_mask[0]
        settle(states[i], masks[i], rngs[i : i + 1])
        if not core.is_over(states[i]):
            break
    return np.int64(core.to_move(states[i])) - 1


@kernel
def fault_of(s, a):
    """0 if the number ``a`` is a legal action, else the law's code for what is wrong, or OUTSIDE."""
    if a < 0 or a >= core.num_actions(s):
        return np.int64(OUTSIDE)
    return np.int64(core.fault(s, a))


@kernel
def play(s, m, rng, a, rewards):
    """Play ``a`` for the side to move, and the chance turns after it; an illegal ``a`` forfeits the game.

    Writes each seat's reward (float64). Returns (mover's seat, seat to play or OVER_SEAT, result, fault).
    """
    mover = np.int64(core.to_move(s)) - 1
    players = rewards.shape[0]
    fault = fault_of(s, a)
    if fault != 0:
        losers = 0
        for seat in range(players):
            losers += core.team(s, seat + 1) == core.team(s, mover + 1)
        for seat in range(players):
            lost = core.team(s, seat + 1) == core.team(s, mover + 1)
            rewards[seat] = -1.0 if lost else losers / (players - losers)
        return mover, np.int64(OVER_SEAT), np.int64(0), fault
    core.apply(s, a)
    core.mask_update(s, m)
    settle(s, m, rng)
    if not core.is_over(s):
        rewards[:] = 0.0
        return mover, np.int64(core.to_move(s)) - 1, np.int64(0), fault
    for seat in range(players):
        rewards[seat] = core.payoff(s, seat + 1)
    return mover, np.int64(OVER_SEAT), np.int64(core.result(s)), fault


@kernel
def step_one(states, masks, rngs, seats, over, a, obs, legal, rewards):
    """One step of game 0; returns (reward of the mover, seat to play or OVER_SEAT, result, fault, was it a limit)."""
    s, m = states[0], masks[0]
    mover, to_play, result, fault = play(s, m, rngs, a, rewards)
    over[0] = to_play == OVER_SEAT
    seats[0] = mover if over[0] else to_play
    look(s, m, seats[0], over[0], obs, legal)
    return rewards[mover], to_play, result, fault, core.truncated(s)


@kernel
def look_one(states, masks, seat, over, obs, legal):
    """`look` at game 0."""
    look(states[0], masks[0], np.int64(seat), over[0], obs, legal)


@kernel
def pick_all(states, waiting, rng, actions):
    """Write a uniformly random legal action for each game, 0 where it is ``waiting``; ``rng``: one stream for all."""
    for i in range(states.shape[0]):
        actions[i] = 0 if waiting[i] else random_action(states[i], rng)


@kernel
def step_all(
    states, masks, rngs, first, seats, over, start, start_mask, actions, waiting, elapsed, limit,
    obs, legal, reward, rewards, terminated, truncated, to_play, results, faults,
):  # fmt: skip
    """One step of every game; those that are ``waiting`` (bool) begin anew instead. Returns how many ended.

    ``actions`` and ``elapsed`` (steps since the game began) are int64; a game is truncated at step ``limit``, 0 for
    never, and where the law says that a limit of the program ended it. Written, one entry or row a game: ``obs``,
    ``legal``, ``reward`` (float64, of the mover), ``rewards`` (float64, by seat), ``terminated``, ``truncated`` (bool),
    ``to_play``, ``results``, ``faults`` (int64).
    """
    ended = 0
    for i in range(states.shape[0]):
        results[i], faults[i] = 0, 0
        if waiting[i]:
            to_play[i] = begin(states, masks, rngs, first, start, start_mask, i)
            seats[i], over[i], elapsed[i] = to_play[i], False, 0
            reward[i], rewards[i, :] = 0.0, 0.0
            truncated[i] = False
        else:
            mover, seat, result, fault = play(states[i], masks[i], rngs[i : i + 1], actions[i], rewards[i])
            elapsed[i] += 1
            over[i] = seat == OVER_SEAT
            seats[i] = mover if over[i] else seat
            to_play[i], results[i], faults[i] = seat, result, fault
            reward[i] = rewards[i, mover]
            truncated[i] = core.truncated(states[i]) or (limit > 0 and elapsed[i] >= limit)
        terminated[i] = over[i]
        ended += 1 if terminated[i] or truncated[i] else 0
        look(states[i], masks[i], seats[i], over[i], obs[i], legal[i])
    return ended


@kernel
def reset_rows(states, masks, rngs, first, seats, over, start, start_mask, rows, elapsed, laid):
    """Begin the games whose ``rows`` (bool) entry is set; with ``laid``, at the positions that their records hold."""
    for i in range(states.shape[0]):
        if rows[i]:
            if laid:
                core.mask_init(states[i], masks[i])
                seats[i] = np.int64(core.to_move(states[i])) - 1
            else:
                seats[i] = begin(states, masks, rngs, first, start, start_mask, i)
            over[i], elapsed[i] = False, 0


@kernel
def look_all(states, masks, seats, over, rows, obs, legal, to_play):
    """Look at the games whose ``rows`` (bool) entry is set; the others' ``obs``, ``legal``, ``to_play`` are left."""
    for i in range(states.shape[0]):
        if rows[i]:
            look(states[i], masks[i], seats[i], over[i], obs[i], legal[i])
            to_play[i] = OVER_SEAT if over[i] else seats[i]


@kernel
def prepare(start, start_mask):
    """Fill the mask record of the start; returns whether the game is over before anybody has moved."""
    core.mask_init(start[0], start_mask[0])
    return core.to_move(start[0]) != core.CHANCE and core.is_over(start[0])


@kernel
def first_fault(states, actions, waiting):
    """(index, fault) of the first game whose action is illegal, waiting games left out; (-1, 0) if there is none."""
    for i in range(states.shape[0]):
        if not waiting[i]:
            fault = fault_of(states[i], actions[i])
            if fault != 0:
                return i, fault
    return -1, np.int64(0)


@kernel
def fault_at(states, i, a):
    """`fault_of` for game ``i``."""
    return fault_of(states[i], a)
