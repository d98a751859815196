"""Every game of ours on a small board: what the suites that walk through all games play."""

from __future__ import annotations

from typing import Any

from narabe.envs import Game, entries, game
from narabe.envs.registration import id_of

BY_FAMILY: dict[str, dict[str, Any]] = {
    "line": {"size": 7},  # the smallest board with a tournament opening
    "gomocku": {"size": 7},
    "goita": {},
    "stacking": {"span": 12, "reach": 1, "max_height": 12},
}
BY_NAME = {"goita_match": {"match": 5}, "goita_hozonkai": {"match": 50}}
OWN = [entry for entry in entries() if entry.law.__name__.startswith("narabe.envs.")]
NAMES = [entry.variant.name for entry in OWN]
IDS = [id_of(entry.variant) for entry in OWN]
SMALL = {
    key: BY_FAMILY[entry.law.__name__.rpartition(".")[2]] | BY_NAME.get(entry.variant.name, {})
    for entry in OWN
    for key in (entry.variant.name, id_of(entry.variant))
}
"""Options by name and by id."""


def small(name: str) -> Game:
    """The game of that name, made small."""
    return game(name, **SMALL[name])
