"""The table of a search by proof numbers, and the ring that holds the moves of the positions in it.

An entry keeps the numbers of a position and where its list of moves lies. The ring is overwritten from its oldest lists on;
an entry whose list is gone keeps its numbers, and the position is looked at again when it is next entered.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.threats.vct_desk import BUCKET

MOST_WORK = 1 << 30
NO_LIST = -1


@kernel
def slot_of(entries, key):
    """Index of the entry of a position, -1 if there is none."""
    first = np.int64(key >> np.uint64(20)) & (len(entries) - 1) & ~(BUCKET - 1)
    for k in range(first, first + BUCKET):
        if entries[k].vct_key == key:
            return np.int64(k)
    return np.int64(-1)


@kernel
def store(desk, entries, key, proof, disproof, work, best, at):
    """Write a position down, over its old entry or over the one of its bucket that cost least."""
    first = np.int64(key >> np.uint64(20)) & (len(entries) - 1) & ~(BUCKET - 1)
    chosen, least = first, np.int64(1) << 62
    for k in range(first, first + BUCKET):
        if entries[k].vct_key == key:
            chosen = k
            work += np.int64(entries[k].work)
            break
        worth = np.int64(entries[k].work)
        if entries[k].generation != desk.generation:
            worth >>= 4
        if entries[k].vct_key == 0:
            worth = -1
        if worth < least:
            chosen, least = k, worth
    e = entries[chosen]
    e.vct_key, e.at = key, at
    e.proof, e.disproof = proof, disproof
    e.work, e.best, e.generation = min(work, MOST_WORK), best, desk.generation


@kernel
def keep_list(desk, ring):
    """Put the list of the desk into the ring, its length and guesses before it; returns where."""
    n = desk.n_list
    size = np.int64(len(ring))
    if (desk.head & (size - 1)) + 3 * n + 1 > size:
        desk.head = (desk.head // size + 1) * size
    at = np.int64(desk.head)
    k = at & (size - 1)
    ring[k] = n
    for j in range(n):
        ring[k + 1 + j] = desk.moves[j]
        ring[k + 1 + n + j] = desk.proof_guess[j]
        ring[k + 1 + 2 * n + j] = desk.disproof_guess[j]
    desk.head = at + 3 * n + 1
    return at


@kernel
def recall_list(desk, ring, at):
    """Take a list out of the ring; False if it is overwritten."""
    size = np.int64(len(ring))
    if at < 0 or desk.head - at > size:
        return False
    k = at & (size - 1)
    n = np.int64(ring[k])
    desk.n_list = n
    for j in range(n):
        desk.moves[j] = ring[k + 1 + j]
        desk.proof_guess[j] = ring[k + 1 + n + j]
        desk.disproof_guess[j] = ring[k + 1 + 2 * n + j]
    return True
