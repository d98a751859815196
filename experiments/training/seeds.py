"""Every random number of a run follows from its seed, the iteration, the chunk and what it is for."""

from __future__ import annotations

import numpy as np

WEIGHTS, GAMES, BATCHES, OPENINGS, GATE = range(5)
"""What numbers are for."""


def sequence(seed: int, purpose: int, *where: int) -> np.random.SeedSequence:
    """The source of the numbers for ``purpose`` at ``where`` (iteration, chunk).

    >>> sequence(7, GAMES, 3, 0).generate_state(1)[0] == sequence(7, GAMES, 3, 1).generate_state(1)[0]
    np.False_
    """
    return np.random.SeedSequence(seed, spawn_key=(purpose, *where))


def number(seed: int, purpose: int, *where: int) -> int:
    """A whole number from the same source, for what takes seeds of its own."""
    return int(sequence(seed, purpose, *where).generate_state(1, np.uint64)[0] >> np.uint64(1))
