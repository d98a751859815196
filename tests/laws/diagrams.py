"""Positions from diagrams, for tests that show the board beside what they claim.

A diagram is drawn as it is seen: top row first, ``X`` Black, ``O`` White, ``.`` empty; a lower-case letter or a digit
marks an empty cell for the test to ask about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from narabe.envs import Game, State, game

PAYOFFS = {"black": (1.0, -1.0), "white": (-1.0, 1.0), None: (0.0, 0.0)}


def rows_of(diagram: str) -> list[str]:
    """The rows of a diagram from the bottom up, without blanks."""
    rows = ["".join(line.split()) for line in diagram.strip().splitlines()]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"rows of different lengths in {rows}")
    return rows[::-1]


def marks(diagram: str) -> dict[str, list[int]]:
    """The cells of every sign of a diagram but the dot, in order."""
    cells = "".join(rows_of(diagram))
    return {sign: [cell for cell, other in enumerate(cells) if other == sign] for sign in sorted(set(cells) - {"."})}


def board(diagram: str, variant: str = "freestyle", to_move: str = "black", **more: Any) -> State:
    """The position of a diagram in a variant of its size; ``pairs`` and ``ply`` go to the set-up, options to the game.

    >>> board('''
    ...     ..a
    ...     XO.
    ...     X..''', row=3).to_text()
    '3/xo1/x2 b 3 0-0 - -'
    """
    rows = rows_of(diagram)
    setup = {name: more.pop(name) for name in ("pairs", "ply") if name in more}
    found = marks(diagram)
    made = game(variant, width=len(rows[0]), height=len(rows), **more)
    return made.position(black=found.get("X", ()), white=found.get("O", ()), to_move=to_move, **setup)


def picture(state: State) -> str:
    """The board of a state as rows from the top, in the signs of `board`."""
    cells = "".join(".XO"[value] for value in state.game.face.board(state))
    width = state.game.options["width"]
    return "\n".join(cells[start : start + width] for start in range(len(cells) - width, -1, -width))


def stones(state: State) -> tuple[list[int], list[int]]:
    """Black's and White's cells."""
    values = state.game.face.board(state)
    return [cell for cell, v in enumerate(values) if v == 1], [cell for cell, v in enumerate(values) if v == 2]


def replay(played: Game, moves: str | Sequence[str]) -> State:
    """The position after moves written with blanks between them, or run together as in ``h8g6f6``."""
    state = played.start()
    for move in split_moves(moves) if isinstance(moves, str) else moves:
        state.play(move)
    return state


def split_moves(text: str) -> list[str]:
    """The moves of a text: ``h8 g6`` or ``h8g6``."""
    spaced = "".join(f" {sign}" if sign.isalpha() else sign for sign in text)
    return spaced.split()


def winner(state: State) -> str | None:
    """``black``, ``white`` or None, read from the payoffs."""
    return next(name for name, payoffs in PAYOFFS.items() if payoffs == state.payoffs)
