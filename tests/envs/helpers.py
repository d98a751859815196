"""What the tests of the environments share: every variant, made small, and games from masks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
import pytest

from narabe.envs import Variant, register, variants
from narabe.tests.envs import race
from narabe.tests.small import IDS, SMALL

RACE = "test/Race-v0"

every_id = pytest.mark.parametrize("env_id", IDS)

__all__ = ["IDS", "RACE", "SMALL", "every_id", "play_out", "race_registered", "some_action"]


@contextmanager
def race_registered() -> Iterator[None]:
    """The game of `race` among the others, for as long as the context lasts."""
    register(race, [Variant("race", "test/Race", "a race with a die")])
    try:
        yield
    finally:
        variants._ENTRIES.pop("race")
        gymnasium.registry.pop(RACE)


def some_action(mask: np.ndarray, rng: np.random.Generator, illegal: float = 0.0) -> int:
    """A random legal action, or with the given probability (and where there is none) any action at all."""
    legal = np.flatnonzero(mask)
    if len(legal) == 0 or rng.random() < illegal:
        return int(rng.integers(len(mask)))
    return int(rng.choice(legal))


def play_out(env: Any, rng: np.random.Generator, info: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The results of `step` until the episode ends, legal moves drawn at random."""
    results: list[tuple[Any, ...]] = []
    while not results or not results[-1][2]:
        results.append(env.step(some_action(info["action_mask"], rng)))
        info = results[-1][4]
    return results
