"""The networks that come with narabe: each a NAME.safetensors and a NAME.json in this folder, found by their cards."""

from __future__ import annotations

import pathlib

from narabe.agents import checkpoints
from narabe.envs.game import Game

FOLDER = pathlib.Path(__file__).parent


def find(game: Game, folder: pathlib.Path = FOLDER) -> pathlib.Path | None:
    """The card of the network for a game: one that learned this size of board, else one of the nearest size, or None.

    >>> from narabe.envs import game
    >>> find(game("goita_two_by_four")) is None
    True
    """
    fitting = []
    for told in sorted(folder.glob("*.json")):
        card = checkpoints.read_card(told)
        learned = card.made_game()
        if checkpoints.unlike(learned, game) is None:
            height, width = learned.observation_shape[1:]
            off = abs(height - game.observation_shape[1]) + abs(width - game.observation_shape[2])
            fitting.append((off, told.name, told))
    return min(fitting)[2] if fitting else None
