"""Random numbers are an explicit stream; compiled and plain Python give the same numbers and the same games."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below, new_stream, next_bits, uniform
from narabe.tests.laws import seeded_games


@kernel
def many_below(rng, n, count):
    out = np.zeros(count, np.int64)
    for i in range(count):
        out[i] = below(rng, n)
    return out


@kernel
def many_uniform(rng, count):
    out = np.zeros(count)
    for i in range(count):
        out[i] = uniform(rng)
    return out


def test_the_stream_is_splitmix64() -> None:
    """The first numbers of the published generator from the state 1234567."""
    rng = np.array([1234567], np.uint64)
    assert [int(next_bits(rng)) for _ in range(5)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 225, 361, 1000, 2**31, 2**32 - 1])
def test_below_stays_below_and_reaches_both_ends(n: int) -> None:
    drawn = many_below(new_stream(n), n, 20_000)
    assert drawn.min() >= 0 and drawn.max() < n
    if n <= 1000:
        assert (drawn.min(), drawn.max()) == (0, n - 1)
    assert abs(drawn.mean() - (n - 1) / 2) < 5 * n / np.sqrt(12 * 20_000)


@pytest.mark.parametrize("n", [2, 6, 19])
def test_below_is_even_over_its_values_and_over_pairs_of_draws(n: int) -> None:
    drawn = many_below(new_stream(11), n, 200_000)
    for values, cells in ((drawn, n), (drawn[:-1:2] * n + drawn[1::2], n * n)):
        expected = len(values) / cells
        chi2 = float(((np.bincount(values, minlength=cells) - expected) ** 2 / expected).sum())
        assert abs(chi2 - (cells - 1)) < 5 * np.sqrt(2 * (cells - 1))


def test_uniform_lies_in_the_half_open_unit_interval() -> None:
    drawn = many_uniform(new_stream(3), 100_000)
    assert drawn.min() >= 0.0 and drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.005 and abs(drawn.var() - 1 / 12) < 0.002


def test_streams_follow_their_seeds_and_nothing_global() -> None:
    children = np.random.SeedSequence(7).spawn(50)
    words = {int(new_stream(child)[0]) for child in children} | {int(new_stream(seed)[0]) for seed in range(50)}
    assert len(words) == 100
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    many_below(new_stream(1), 9, 10)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert many_below(new_stream(1), 9, 50).tolist() == many_below(new_stream(1), 9, 50).tolist()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code with plain Python")
def test_plain_python_plays_the_same_games() -> None:
    """The same kernels without compilation, in another process: numbers, moves, keys, faults, ends."""
    done = subprocess.run(
        [sys.executable, "-m", "narabe.tests.laws.seeded_games"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    plain, compiled = done.stdout.splitlines(), seeded_games.lines()
    assert len(plain) == len(compiled) == 2 + 2 * len(seeded_games.GAMES)
    for mine, theirs in zip(compiled, plain):
        assert mine == theirs
