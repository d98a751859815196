"""Tiny laws with what the line games lack: chance, a third seat, turns that do not alternate, hidden cards."""

from __future__ import annotations

from typing import Any

from narabe.envs import Game, Variant, variants


def game_of(law: Any, **options: int) -> Game:
    """A game of one of these laws, whose name does not stay in the list of games (other tests walk through that)."""
    name = law.__name__.rpartition(".")[2]
    variants.register(law, [Variant(name, f"test/{name}", law.__doc__)])
    try:
        return Game(name, **options)
    finally:
        variants._ENTRIES.pop(name)
