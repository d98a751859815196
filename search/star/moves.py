"""The legal moves of a position, most urgent first: a heap, since most nodes use only the first few."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import alike, candidate_at, has, is_legal, num_candidates, urgency
from narabe.envs.rules.jit import kernel
from narabe.search.star.desk import MAX_CLASSES, MAX_MOVES

FIRST = 1e300


@kernel
def list_moves(s, w, best, but):
    """List the legal moves of ``s`` at the end of ``w.move``, without ``but``; ``best`` comes first.

    With ``w.merge`` one move of each class of `alike` is kept. Returns how many there are; they are a heap.
    """
    base, n, classes = np.int64(w.n_moves), np.int64(0), np.int64(0)
    candidates = np.int64(num_candidates(s))
    if base + candidates > MAX_MOVES:
        w.overflow = 1
        return n
    for i in range(candidates):
        a = np.int64(candidate_at(s, i))
        if not is_legal(s, a):
            continue
        if has(s, "alike") and w.merge:
            kind = np.int64(alike(s, a))
            if kind > 0:
                if is_known(w, kind, classes):
                    continue
                if classes < MAX_CLASSES:
                    w.classes[classes] = kind
                    classes += 1
        if a == but:
            continue
        w.move[base + n] = a
        w.order[base + n] = i
        w.urge[base + n] = FIRST if a == best else urgency(s, a)
        n += 1
    w.n_moves = base + n
    for k in range(n // 2 - 1, -1, -1):
        sift(w, base, n, k)
    return n


@kernel
def is_known(w, kind, classes):
    for k in range(classes):
        if w.classes[k] == kind:
            return True
    return False


@kernel
def precedes(w, i, j):
    return w.urge[i] > w.urge[j] or (w.urge[i] == w.urge[j] and w.order[i] < w.order[j])


@kernel
def sift(w, base, n, k):
    """Let entry ``k`` of the heap sink to its place."""
    while 2 * k + 1 < n:
        child = 2 * k + 1
        if child + 1 < n and precedes(w, base + child + 1, base + child):
            child += 1
        if not precedes(w, base + child, base + k):
            return
        i, j = base + k, base + child
        move, order, urge = np.int64(w.move[i]), np.int64(w.order[i]), np.float64(w.urge[i])
        w.move[i], w.order[i], w.urge[i] = w.move[j], w.order[j], w.urge[j]
        w.move[j], w.order[j], w.urge[j] = move, order, urge
        k = child


@kernel
def take_first(w, base, n):
    """The most urgent of ``n`` moves; the other ``n - 1`` remain a heap."""
    a = np.int64(w.move[base])
    last = base + n - 1
    w.move[base], w.order[base], w.urge[base] = w.move[last], w.order[last], w.urge[last]
    sift(w, base, n - 1, np.int64(0))
    return a
