"""How the actions of a game lie on its board, which networks and symmetries both go by."""

from __future__ import annotations

from dataclasses import dataclass

from narabe.envs.game import Game
from narabe.envs.rules import core, gomocku, line, stacking


@dataclass(frozen=True)
class Layout:
    """Where the actions are.

    ``kind``: "cells" (action = row * width + column, then ``extras``), "columns" (``sheets`` times one action a column, then
    ``extras``), or "dense" (no order that we know of). ``extras``: actions at the end that lie nowhere on the board.
    ``marked``: the plane with the one cell that the extras are about, -1 if there is none. ``landing``: the plane of the
    cells where a piece may come to lie. ``anchor``: the plane that tells where column ``columns // 2`` of the actions
    is shown, of games whose window slides, else -1. ``wrap``: left and right edge are joined. ``owned``: the planes of cells
    that are the looking player's, and the opponent's (of Gomocku: that show their colours), which a network may foretell
    for the end of the game; None where there is no such thing.
    """

    kind: str
    sheets: int = 1
    extras: int = 0
    marked: int = -1
    landing: int = -1
    anchor: int = -1
    wrap: bool = False
    owned: tuple[int, int] | None = None


def layout_of(game: Game) -> Layout:
    """The layout of a game's actions; `ValueError` for games with hidden hands, which no network of the board can play.

    >>> from narabe.envs import game
    >>> layout_of(game("gomoku")).kind, layout_of(game("connect_four")).kind, layout_of(game("gomocku")).extras
    ('cells', 'columns', 257)
    """
    if core.hides(game.law):
        raise ValueError(f"{game.spec} has hidden hands: a network that looks at a board cannot play it")
    _, height, width = game.observation_shape
    if game.law is stacking:
        s = game._start[0]
        sheets, n = int(s["drops"]) // width, game.num_players
        return Layout(
            "columns",
            sheets=sheets,
            extras=game.num_actions - sheets * width,
            landing=n + 1,
            anchor=n + 2 if s["open_sides"] else -1,
            wrap=bool(s["cylinder"] or s["open_sides"]),
        )
    if game.law is gomocku:
        return Layout("cells", extras=game.num_actions - height * width, marked=7, owned=(0, 1))
    if game.num_actions == height * width and height > 1:
        return Layout("cells", owned=(0, 1) if game.law is line else None)
    return Layout("dense", extras=game.num_actions)
