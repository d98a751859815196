"""The public check of a game's laws passes on every game, and names what a broken law breaks."""

from __future__ import annotations

import types

import numpy as np
import pytest

from narabe.envs import check_game
from narabe.envs.check import LawBroken
from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.tests.games import game_of, heap, poker
from narabe.tests.own_game import nim
from narabe.tests.small import NAMES, small


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_keeps_the_laws(name: str) -> None:
    assert check_game(small(name), games=3) > 10


@pytest.mark.parametrize(("law", "options"), [(heap, {"stones": 12}), (poker, {"cards": 5})], ids=["heap", "poker"])
def test_chance_and_hidden_cards_keep_them(law: types.ModuleType, options: dict[str, int]) -> None:
    assert check_game(game_of(law, **options), games=20) > 40


@kernel
def _bad_undo(s):
    s.mover = 3 - s.mover


@kernel
def _bad_key(s):
    return np.uint64(s.heaps[0])


@kernel
def _bad_payoff(s, player):
    return 1.0


@kernel
def _bad_mask(s, out):
    for a in range(9):
        out[a] = 1


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [
        ("undo", _bad_undo, "does not restore"),
        ("key_from_scratch", _bad_key, "key differs"),
        ("payoff", _bad_payoff, "do not sum to zero"),
        ("legal_mask", _bad_mask, "legal_mask allows"),
    ],
)
def test_a_broken_law_is_named(name: str, function: object, words: str) -> None:
    fields = [(n, *nim.STATE[n].subdtype) if nim.STATE[n].subdtype else (n, nim.STATE[n]) for n in nim.STATE.names[1:]]
    parts = {k: v for k, v in vars(nim).items() if not k.startswith("__")}
    law = types.SimpleNamespace(**parts)
    law.STATE = law_dtype(f"broken_{name}", nim.__file__, fields)
    law.__name__, law.__doc__ = f"broken.broken_{name}", ""
    setattr(law, name, function)
    with pytest.raises(LawBroken, match=words):
        check_game(game_of(law, first=3, second=4, third=5), games=5)
