"""Depth-first proof-number search on a stack of its own, so that it runs in slices and can be looked at meanwhile.

Source: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002); thresholds loosened by a quarter as in
Pawlewicz, Lew, "Improving depth-first PN-search: 1 + epsilon trick" (2007); where lines of play run together, the work of
the most demanding move plus one for each other instead of their sum, against counting it many times: Ueda, Hashimoto,
Hashimoto, Iida, "Weak proof-number search" (2008).

No position can come back (a stone stays, and what is taken away counts as pairs), so there are no cycles to care for.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, step_back
from narabe.envs.rules.line.record import MAX_CELLS, SOURCES
from narabe.search.proving.case import canonical, is_symmetric, note_move, note_undo
from narabe.search.proving.judge import candidates, judge
from narabe.search.proving.pairing import pair_up
from narabe.search.proving.table import (
    INFINITE,
    MISS,
    NO_MOVE,
    delta_of,
    look_up,
    phi_of,
    store,
)  # fmt: skip

DEPTH, NODES, PHI, DELTA, STATE = range(5)
"""Of the control array, all int64: depth now, positions judged so far, the numbers last found, and what to do next."""
CONTROLS = 5
ENTER, LOOK, LEAVE, DONE = range(4)

FRAME = law_dtype(
    "proving_frame",
    [*SOURCES, __file__],
    [
        ("key", np.uint64),  # canonical
        ("turned", np.int64),  # the symmetry that gives it
        ("phi_limit", np.int64),  # the search leaves the position when one of its numbers reaches its limit
        ("delta_limit", np.int64),
        ("since", np.int64),  # positions judged before this one was entered
        ("count", np.int64),  # moves that are not refuted yet
        ("best", np.int64),  # index of the move looked at now
        ("moves", np.int16, (MAX_CELLS,)),
        ("phi", np.int32, (MAX_CELLS,)),  # of the positions after them, from their side to move
        ("delta", np.int32, (MAX_CELLS,)),
        ("keys", np.uint64, (MAX_CELLS,)),
    ],
)


def new_frames(n: int) -> np.ndarray:
    """``n`` zeroed frames (without JIT as a recarray)."""
    from numba.core import config

    frames = np.zeros(n, FRAME)
    return frames.view(np.recarray) if config.DISABLE_JIT else frames


@kernel
def play(s, p, case, a):
    core.apply(s, a)
    follow(s, p, a)
    note_move(s, case, a)


@kernel
def take_back(s, p, case, a):
    note_undo(s, case, a)
    step_back(p)
    core.undo(s)


@kernel
def weigh(s, p, case, table, frame, a):
    """(phi, delta) of the position after the move ``a``, judged or from the table; its key goes to the frame's next place."""
    play(s, p, case, a)
    phi, delta = judge(s, p, case)
    key, _ = canonical(s, case)
    if phi != 0 and delta != 0:
        word = look_up(table, key)
        if word != MISS:
            phi, delta = phi_of(word), delta_of(word)
    frame.keys[frame.count] = key
    take_back(s, p, case, a)
    return phi, delta


@kernel
def expand(s, p, case, table, frame):
    """Write the moves of a position with their numbers. A move that decides it is left as the only one."""
    n = candidates(s, p, case, frame.moves)
    twins = is_symmetric(case)
    frame.count = 0
    for j in range(n):
        a = np.int64(frame.moves[j])
        phi, delta = weigh(s, p, case, table, frame, a)
        m = frame.count
        if delta == 0:
            frame.moves[0], frame.phi[0], frame.delta[0], frame.count = a, phi, delta, 1
            return n
        if phi == 0:
            continue
        if twins:
            seen = False
            for k in range(m):
                if frame.keys[k] == frame.keys[m]:
                    seen = True
                    break
            if seen:
                continue
        frame.moves[m], frame.phi[m], frame.delta[m], frame.count = a, phi, delta, m + 1
    return n


@kernel
def enter(s, p, case, table, frame, control):
    """Come to a position that is not decided at a glance: look it up, else write its moves. The next STATE.

    Of the first position the moves are wanted in any case.
    """
    key, turned = canonical(s, case)
    frame.key, frame.turned, frame.since = key, turned, control[NODES]
    if control[DEPTH] > 0:
        word = look_up(table, key)
        if word != MISS:
            phi, delta = phi_of(word), delta_of(word)
            if phi >= frame.phi_limit or delta >= frame.delta_limit or phi == 0 or delta == 0:
                control[PHI], control[DELTA] = phi, delta
                return LEAVE
        if pair_up(s, case):
            phi, delta = (INFINITE, 0) if s.mover == case.attacker + 1 else (0, INFINITE)
            store(table, key, phi, delta, NO_MOVE, 1)
            control[PHI], control[DELTA] = phi, delta
            return LEAVE
    control[NODES] += expand(s, p, case, table, frame)
    return LOOK


@kernel
def add_up(frame):
    """(phi, delta, the second smallest candidate for phi, the largest and the number of addends of delta); sets `best`."""
    phi, second, most, best = np.int64(INFINITE), np.int64(INFINITE), np.int64(0), np.int64(0)
    for j in range(frame.count):
        value, addend = np.int64(frame.delta[j]), np.int64(frame.phi[j])
        if value < phi or (value == phi and j > 0 and addend > frame.phi[best]):
            if value < phi:
                second = phi
            else:
                second = value
            phi, best = value, np.int64(j)
        elif value < second:
            second = value
        if addend > most:
            most = addend
    frame.best = best
    if frame.count == 0:
        return np.int64(INFINITE), np.int64(0), second, most
    if phi == 0:
        return phi, np.int64(INFINITE), second, most
    delta = min(most + frame.count - 1, INFINITE - 1)
    return phi, delta, second, most


@kernel
def look(s, p, case, table, frames, control):
    """Choose the move to look at next, or leave the position when its limits are reached. The next STATE."""
    d = control[DEPTH]
    frame = frames[d]
    phi, delta, second, _ = add_up(frame)
    if phi >= frame.phi_limit or delta >= frame.delta_limit or phi == 0 or delta == 0:
        move = NO_MOVE
        if frame.count > 0:
            move = np.int64(case.turn[frame.turned * MAX_CELLS + np.int64(frame.moves[frame.best])])
        store(table, frame.key, phi, delta, move, control[NODES] - frame.since)
        control[PHI], control[DELTA] = phi, delta
        return LEAVE
    below = frames[d + 1]
    below.phi_limit = min(frame.delta_limit - (frame.count - 1), INFINITE)
    below.delta_limit = min(frame.phi_limit, min(second + second // 4 + 1, INFINITE))
    play(s, p, case, np.int64(frame.moves[frame.best]))
    control[DEPTH] = d + 1
    return ENTER


@kernel
def leave(s, p, case, frames, control):
    """Go back to the position before, and write what was found to the move that led here. The next STATE."""
    if control[DEPTH] == 0:
        return DONE
    control[DEPTH] -= 1
    frame = frames[control[DEPTH]]
    j = np.int64(frame.best)
    take_back(s, p, case, np.int64(frame.moves[j]))
    frame.phi[j], frame.delta[j] = control[PHI], control[DELTA]
    if control[PHI] == 0:  # refuted
        last = frame.count - 1
        frame.moves[j], frame.phi[j], frame.delta[j] = frame.moves[last], frame.phi[last], frame.delta[last]
        frame.count = last
    return LOOK


@kernel
def search(states, patterns, cases, frames, table, control, limit):
    """Go on with a search until it is done or has judged ``limit`` positions in all.

    ``states``, ``patterns``, ``cases``: arrays of one record, which hold the position at the present depth; ``frames``: FRAME
    by depth, the limits of the first set; ``control``: see above.
    """
    s, p, case = states[0], patterns[0], cases[0]
    state = control[STATE]
    while state != DONE and control[NODES] < limit:
        if state == ENTER:
            state = enter(s, p, case, table, frames[control[DEPTH]], control)
        elif state == LOOK:
            state = look(s, p, case, table, frames, control)
        else:
            state = leave(s, p, case, frames, control)
    control[STATE] = state
