"""The one list of games.

A variant that differs in parameters is one row here; a new mechanism is one law module, its face, and one `register`
call. Packages of users call `narabe.envs.register` with their own law and rows.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from narabe.envs.faces.face import Face
from narabe.envs.faces.goita import COUNTS, GoitaFace
from narabe.envs.faces.gomocku import GomockuFace
from narabe.envs.faces.line import LineFace
from narabe.envs.faces.stacking import StackingFace
from narabe.envs.rules import core, goita, gomocku, line, stacking


@dataclass(frozen=True)
class Variant:
    """A row of the list: the name people type, the environment's id, a line about it, and options that differ."""

    name: str
    env_id: str
    about: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A registered variant with its law and face; ``address`` is the name by which another process finds it too."""

    variant: Variant
    law: Any
    face: Face
    address: str


class UnknownGame(ValueError):
    """A name of no game, or of a module of one's own that is not there."""


GROUP = "narabe.games"
_ENTRIES: dict[str, Entry] = {}


def register(law: Any, variants: Iterable[Variant], face: type[Face] = Face) -> None:
    """Add games: a law (see ``docs/design.md``), its rows, and the Python face of the family.

    Raises `narabe.envs.rules.core.LawError` for an incomplete law and `ValueError` for a name that is taken.
    """
    core.register_law(law)
    made = face(law)
    for variant in variants:
        taken = _ENTRIES.get(variant.name)
        if taken is not None and taken.law is not law:
            raise ValueError(f"a game named {variant.name!r} is registered already")
        made.complete(variant.options, {})  # a row with an unknown option is refused here
        _ENTRIES[variant.name] = Entry(variant, law, made, variant.name)


def entry(name: str) -> Entry:
    """The registered variant of that name; `UnknownGame` lists what exists.

    ``package.module.name`` imports the module, which registers the game; names of installed packages' games are found by
    their entry points in the group ``narabe.games`` (each one names a module that registers them).
    """
    module, _, own = name.rpartition(".")
    if name not in _ENTRIES and module:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UnknownGame(f"no game {name!r}: {error}") from None
        if own in _ENTRIES and own not in OURS:
            _ENTRIES[own] = replace(_ENTRIES[own], address=name)
        name = own
    if name not in _ENTRIES:
        for point in importlib.metadata.entry_points(group=GROUP):
            point.load()
    try:
        return _ENTRIES[name]
    except KeyError:
        close = difflib.get_close_matches(name, _ENTRIES, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownGame(f"no game named {name!r}.{hint} Games: {', '.join(_ENTRIES)}") from None


def entries() -> list[Entry]:
    """All registered variants, in the order of registration."""
    return list(_ENTRIES.values())


_RENJU = {
    "double_three": True,
    "double_four": True,
    "overline": True,
    "bans": "black",
    "recursive": True,
    "five_spoils_three": True,
}

register(
    line,
    [
        Variant("gomoku", "Gomoku", "exactly five in a row wins", {"exact": True}),
        Variant("freestyle", "Freestyle", "five or more in a row win", {}),
        Variant("omok", "Omok", "five or more win; a double three is banned for both sides",
                {"size": 19, "double_three": True}),
        Variant("capture_gomoku", "CaptureGomoku", "five or more in a row or five captured pairs win (Pente)",
                {"size": 19, "captures": True, "opening": "tournament"}),
        Variant("renju", "Renju", "bans bind Black: double three, double four, overline", _RENJU),
    ],
    LineFace,
)  # fmt: skip

register(
    gomocku,
    [Variant("gomocku", "Gomocku", "five in a row, then sandwiched pieces are turned over and may show red", {})],
    GomockuFace,
)

register(
    stacking,
    [
        Variant("stacking", "Stacking", "four in a row on a floor without walls", {}),
        Variant("connect_four", "ConnectFour", "four in a row, 7 columns between walls, 6 rows", {"width": 7, "height": 6}),
        Variant("stacking_go_board", "StackingGoBoard", "four in a row on the squares of a Go board, 18 by 18",
                {"width": 18, "height": 18}),
        Variant("stacking_cylinder", "StackingCylinder", "four in a row, left and right edge joined, 7 by 6",
                {"width": 7, "height": 6, "cylinder": True}),
        Variant("stacking_claim", "StackingClaim", "no walls; a four wins only when its owner claims it", {"claim": True}),
    ],
    StackingFace,
)  # fmt: skip

_SMALL = {"first_dealer": 0, "specials": "off"}
_TWO = _SMALL | {"players": 2}


def _deck(*counts: int) -> dict[str, int]:
    return dict(zip(COUNTS, counts))


register(
    goita,
    [
        Variant("goita", "Goita", "four players in two pairs, hidden hands; one deal", {}),
        Variant("goita_match", "GoitaMatch", "Goita, deal after deal until a pair has 15 points", {"match": 15}),
        Variant("goita_hozonkai", "GoitaHozonkai", "Goita by the preservation society's rules: to 150, who goes out deals",
                {"match": 150, "points": 10, "dealer": "winner", "six_shi_pair_doubles": True, "cards": "goita"}),
        Variant("goita_two_by_four", "GoitaTwoByFour", "a small Goita: two players, four cards each",
                _TWO | {"hand": 4} | _deck(3, 1, 0, 2, 0, 0, 0, 2)),
        Variant("goita_two_by_six", "GoitaTwoBySix", "a small Goita: two players, six cards each",
                _TWO | {"hand": 6} | _deck(4, 2, 0, 2, 0, 0, 2, 2)),
        Variant("goita_four_by_four", "GoitaFourByFour", "a small Goita: two pairs, four cards each",
                _SMALL | {"hand": 4} | _deck(8, 4, 0, 0, 0, 2, 0, 2)),
    ],
    GoitaFace,
)  # fmt: skip

OURS = frozenset(_ENTRIES)
"""The names of the games that come along, which need no module."""
