"""The positions of the suite as they are stored: text, and the moves that are right."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from functools import lru_cache

from narabe.envs import Game, State, game

FILE = pathlib.Path(__file__).with_name("positions.jsonl")

CATEGORIES = {
    "vcf": "win by continuous fours, where the opponent else wins by his own",
    "vcf_long": "the same, nine plies or more",
    "vct": "win by continuous threats, where fours alone do not win and the opponent else does",
    "vct_long": "begin a win by continuous threats of eleven plies or more, where neither side has one by fours",
    "block_four": "leave the opponent no move that wins at once",
    "block_three": "leave the opponent no win by continuous fours",
    "capture_win": "win by continuous fours in capture Gomoku, stones being taken",
    "capture_block": "leave the opponent no win by continuous fours, or at once, in capture Gomoku",
    "stacking": "keep the win or the draw in block stacking",
    "gomocku": "the best move three turns before the end of Gomocku, by exact chances",
    "goita": "begin a win that nobody can hinder, whatever he holds",
}
"""What is asked in each."""


@dataclass(frozen=True)
class Puzzle:
    """A position of a category: its game's spec, its text, and every right move as text.

    ``plies``: of the shortest win that it is about, the winning move included; 0 where that is not told.
    """

    id: str
    category: str
    game: str
    position: str
    right: tuple[str, ...]
    plies: int = 0

    def state(self) -> State:
        return game_of(self.game).from_text(self.position)


@lru_cache(64)
def game_of(spec: str) -> Game:
    """The same object for the same spec."""
    return game(spec)


def load(path: pathlib.Path = FILE) -> list[Puzzle]:
    """The whole suite, by category.

    >>> puzzle = load()[0]
    >>> puzzle.category, puzzle.state().why_illegal(puzzle.right[0]) is None
    ('vcf', True)
    """
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [Puzzle(**{**row, "right": tuple(row["right"])}) for row in rows]


def save(puzzles: list[Puzzle], path: pathlib.Path = FILE) -> None:
    """Write the suite: a line a position."""
    path.write_text("".join(json.dumps(vars(puzzle)) + "\n" for puzzle in puzzles))
