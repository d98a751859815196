"""What a game is: laws, variants, states, and Gymnasium environments.

>>> import narabe.envs as envs
>>> state = envs.game("omok", size=15).start()
>>> state.play("H8").to_play
1
"""

from __future__ import annotations

from typing import Any

from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.game import Game, IllegalMove, State, View
from narabe.envs.rules.core import LawError
from narabe.envs.variants import Variant, entries, register

__all__ = [
    "Face", "Game", "IllegalMove", "LawError", "Option", "OptionError", "State", "Variant", "View", "entries", "game",
    "register",
]  # fmt: skip


def game(name: str, **options: Any) -> Game:
    """A game by name, with options as listed by ``narabe games``; ``size`` sets width and height.

    The name may carry options itself: ``game("omok:size=15")``.
    """
    name, _, tail = name.partition(":")
    given: dict[str, Any] = dict(part.split("=", 1) for part in tail.split(",") if "=" in part) if tail else {}
    return Game(name, **(given | options))
