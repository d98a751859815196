"""Batches for the learner: drawn from the window by a seeded generator, turned and mirrored at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from narabe.agents.symmetries import Symmetries
from narabe.experiments.training.window import Rows, Window


def batches(
    window: Window, count: int, size: int, rng: np.random.Generator, symmetries: Symmetries | None = None
) -> Iterator[Rows]:
    """``count`` batches of ``size`` positions each, every position as likely as any other each time."""
    for _ in range(count):
        rows = window.rows(rng.integers(len(window), size=size))
        yield turned(rows, symmetries, rng.integers(symmetries.count, size=size)) if symmetries is not None else rows


def turned(rows: Rows, symmetries: Symmetries, k: np.ndarray) -> Rows:
    """The rows with symmetry ``k[i]`` applied to row i."""
    return Rows(
        symmetries.planes(rows.observations, k),
        symmetries.by_action(rows.masks, k),
        symmetries.by_action(rows.policies, k),
        rows.values,
        symmetries.by_action(rows.replies, k),
        None if rows.owners is None else symmetries.cells(rows.owners, k),
    )
