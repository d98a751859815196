"""What a game is: laws, variants, states, and Gymnasium environments.

>>> import narabe.envs as envs
>>> state = envs.game("omok", size=15).start()
>>> state.play("H8").to_play
1
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from narabe.envs import variants as _variants
from narabe.envs.check import LawBroken, check_game
from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.game import Game, IllegalMove, State, View
from narabe.envs.registration import check_ids, register_ids
from narabe.envs.rules.core import LawError
from narabe.envs.variants import UnknownGame, Variant, entries

__all__ = [
    "Face", "Game", "IllegalMove", "LawBroken", "LawError", "Option", "OptionError", "State", "UnknownGame", "Variant",
    "View", "check_game", "entries", "game", "register",
]  # fmt: skip


def game(name: str, **options: Any) -> Game:
    """A game by name, with options as listed by ``narabe games``; ``size`` sets width and height.

    The name may carry options itself: ``game("omok:size=15")``.
    """
    name, _, tail = name.partition(":")
    given: dict[str, Any] = {}
    for part in tail.split(",") if tail else []:
        option, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"cannot read {part!r} in {name}:{tail}: the form is name:option=value,option=value")
        given[option.strip()] = value.strip()
    return Game(name.strip(), **(given | options))


def register(law: Any, variants: Iterable[Variant], face: type[Face] = Face) -> None:
    """Add games of one's own: a law (see ``docs/design.md``), its rows, and the Python face of the family.

    They are then known to `game`, and to Gymnasium as ``narabe/<env_id>-v0``. Raises `LawError` for an incomplete law
    and `ValueError` for a name or an id that is taken.
    """
    rows = list(variants)
    check_ids(rows)
    _variants.register(law, rows, face)
    register_ids(rows)


register_ids(entry.variant for entry in entries())
