"""Random openings: short starts of a game, shared by all pairs of agents, no two of them the same up to symmetry."""

from __future__ import annotations

from typing import Any

import numpy as np

from narabe.agents.layouts import layout_of
from narabe.envs.game import CHANCE_SEAT
from narabe.envs.rules import core
from narabe.experiments.schedule import OPENINGS, ScheduleError

TRIES = 200
"""Draws for one opening before longer ones are drawn."""

USUAL = 4
"""Plies of an opening where nothing else is asked for, and the start is always the same."""

LENGTHS = 8
"""How many lengths are tried: the one asked for, and then one more ply for each player each time."""


def usual_plies(game: Any) -> int:
    """How long openings are unless something else is asked for: none are needed where the start itself is drawn."""
    return 0 if game.start(chance="manual").to_play == CHANCE_SEAT else USUAL


def draw(game: Any, count: int, plies: int, seed: int) -> list[tuple[int, ...]]:
    """`count` openings of `plies` random legal plies, as all actions from the start, outcomes of chance included.

    None ends the game, and no two lead to positions that are equal up to the board's symmetries, so that no game is
    played twice by agents that do the same each time. Where random draws find no further opening of this length,
    longer ones follow. Opening number k is the same for any `count` above k. Raises `ScheduleError` if even longer
    ones are too few.
    """
    if plies < 0:
        raise ScheduleError(f"--opening-plies {plies}: it is 0 or more")
    openings: list[tuple[int, ...]] = []
    known: set[tuple[int, object]] = set()
    length = plies
    while len(openings) < count:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(OPENINGS, len(openings), length)))
        found = one(game, length, rng, known)
        if found is not None:
            openings.append(found)
        else:
            length += game.num_players
        if length >= plies + LENGTHS * game.num_players:
            raise ScheduleError(
                f"{game.spec} has no {count} different openings of {plies} or somewhat more plies that leave the game "
                f"open ({len(openings)} were found): ask for fewer --games, for more --opening-plies, or take a larger "
                "board"
            )
    return openings


def one(
    game: Any,
    length: int,
    rng: np.random.Generator,
    known: set[tuple[int, object]],
    cells: frozenset[int] | None = None,
) -> tuple[int, ...] | None:
    """A new opening, which is then among the `known`; None if there was none in all tries. ``cells``: see `play_random`."""
    for _ in range(TRIES):
        state = game.start(seed=int(rng.integers(1 << 63)))
        play_random(state, length, rng, cells)
        position = (length, identity(state))
        if not state.is_over and position not in known:
            known.add(position)
            return tuple(int(action) for action in state.history)
    return None


def play_random(state: Any, plies: int, rng: np.random.Generator, cells: frozenset[int] | None = None) -> None:
    """Plays so many random legal moves, or until the game is over; of those among ``cells`` where there are any."""
    for _ply in range(plies):
        if state.is_over:
            return
        legal = state.legal_actions()
        if cells is not None:
            legal = [action for action in legal if int(action) in cells] or legal
        state.play(int(rng.choice(legal)))


def cells_near(game: Any, near: int) -> frozenset[int] | None:
    """The actions on cells at most ``near`` rows and columns from the centre.

    None, which is any action, for 0 and for games that are not played on cells.

    >>> from narabe.envs import game
    >>> sorted(cells_near(game("gomoku", size=5, row=4), 1))
    [6, 7, 8, 11, 12, 13, 16, 17, 18]
    """
    if near <= 0 or core.hides(game.law) or layout_of(game).kind != "cells":
        return None
    _, height, width = game.observation_shape
    return frozenset(
        row * width + column
        for row in range(height)
        for column in range(width)
        if max(abs(2 * row - height + 1), abs(2 * column - width + 1)) <= 2 * near
    )


def identity(state: Any) -> object:
    """What all positions that are equal up to symmetry share: the canonical key, or the plain key of a game without."""
    canonical = getattr(state, "canonical_key", None)
    return state.key if canonical is None else canonical[0]
