"""Random numbers for kernels: one splitmix64 stream held in a ``uint64[1]`` array, an explicit argument everywhere.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(11)


@kernel
def next_bits(rng):
    """The next 64 random bits of the stream ``rng`` (uint64[1], advanced in place)."""
    z = rng[0] + _GAMMA
    rng[0] = z
    z = (z ^ (z >> _30)) * _MIX_A
    z = (z ^ (z >> _27)) * _MIX_B
    return z ^ (z >> _31)


@kernel
def below(rng, n):
    """A random whole number from 0 to n-1, for 1 <= n < 2**32 (multiply-shift; bias below n / 2**32)."""
    return np.int64(((next_bits(rng) >> _32) * np.uint64(n)) >> _32)


@kernel
def uniform(rng):
    """A random float64 in [0, 1) with 53 bits."""
    return np.float64(next_bits(rng) >> _11) * (1.0 / 9007199254740992.0)


def new_stream(seed: int | np.random.SeedSequence) -> np.ndarray:
    """A fresh stream: uint64[1] from a seed or a `numpy.random.SeedSequence`.

    >>> below(new_stream(7), 6) == below(new_stream(7), 6)
    True
    """
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return sequence.generate_state(1, np.uint64)
