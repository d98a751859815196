"""Books of openings: files of positions from which tournaments begin, one in JSON a line."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from narabe import envs
from narabe.envs import Game, State
from narabe.experiments.openings import identity
from narabe.experiments.positions import moves_of
from narabe.experiments.schedule import OPENINGS, ScheduleError


@dataclass(frozen=True)
class Book:
    """Openings as all actions from the start, outcomes of chance included. ``digest``: of the whole file."""

    path: Path
    digest: str
    starts: tuple[tuple[int, ...], ...]

    def drawn(self, count: int, seed: int) -> list[tuple[int, ...]]:
        """So many openings, none twice; number k is the same for any ``count``. `ScheduleError` if there are too few."""
        if count > len(self.starts):
            raise ScheduleError(
                f"{self.path} has {len(self.starts)} openings, and {count} are needed, one for each two games of a pair: "
                f"take --games {2 * len(self.starts)}, or a larger book"
            )
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(OPENINGS,)))
        return [self.starts[k] for k in rng.permutation(len(self.starts))[:count]]


def read_book(path: Path, game: Game) -> Book:
    """The book of a file, for this game; `ScheduleError` names the line that will not do.

    A line needs "moves", a text or a list; if it says of which "game" it is, it must be this one.
    """
    try:
        content = path.read_bytes()
        lines = content.decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ScheduleError(f"the book {path} cannot be read ({getattr(error, 'strerror', None) or error})") from None
    starts: list[tuple[int, ...]] = []
    lines_of: dict[object, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            state = _opening(line, game)
        except ValueError as error:
            raise ScheduleError(f"{path}, line {number}: {error}") from None
        before = lines_of.setdefault(identity(state), number)
        if before != number:
            raise ScheduleError(f"{path}, line {number}: the position of line {before} again, or its mirror image")
        starts.append(tuple(state.history))
    if not starts:
        raise ScheduleError(f"the book {path} is empty")
    return Book(path, "sha256:" + hashlib.sha256(content).hexdigest()[:16], tuple(starts))


def _opening(line: str, game: Game) -> State:
    """The position of a line; `ValueError` says what is wrong with it."""
    try:
        facts: dict[str, Any] = json.loads(line)
        moves = moves_of(facts["moves"])
    except (json.JSONDecodeError, KeyError, TypeError):
        raise ValueError('no opening: a line is JSON such as {"moves": "H8 H9 G7 J9"}') from None
    if "game" in facts and envs.game(facts["game"]) != game:
        raise ValueError(f"an opening of {facts['game']}, and the tournament is of {game.spec}")
    state = game.start(chance="manual")
    for move in moves:
        state.play(move)
    if state.is_over:
        raise ValueError("the game is over after these moves")
    if state.to_play < 0:
        raise ValueError("a chance turn is pending after these moves: the outcome belongs to the opening")
    return state
