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


# ---- laws that are broken, one way or another -------------------------------------------------------------------------

WHOLE, UNDO, KEY, PAYOFF, MASK = range(5)  # what the option "broken" breaks; one law, so that it is compiled once
FIELDS = [(n, *nim.STATE[n].subdtype) if nim.STATE[n].subdtype else (n, nim.STATE[n]) for n in nim.STATE.names[1:]]


@kernel
def _init(s, params):
    nim.init(s, params)
    s.broken = params[3]


@kernel
def _undo(s):
    if s.broken == UNDO:
        s.mover = 3 - s.mover
    else:
        nim.undo(s)


@kernel
def _key_from_scratch(s):
    return np.uint64(s.heaps[0]) if s.broken == KEY else np.uint64(nim.key(s))


@kernel
def _payoff(s, player):
    return 1.0 if s.broken == PAYOFF else nim.payoff(s, player)


@kernel
def _legal_mask(s, out):
    for a in range(9):
        out[a] = 1 if s.broken == MASK or nim.is_legal(s, a) else 0


@pytest.fixture(scope="module")
def broken() -> types.SimpleNamespace:
    """Nim, and a way to break it."""
    parts = {k: v for k, v in vars(nim).items() if not k.startswith("__")}
    law = types.SimpleNamespace(**parts)
    law.STATE = law_dtype("broken", nim.__file__, [*FIELDS, ("broken", np.int32)])
    law.__name__, law.__doc__, law.PARAMS = "broken.broken", "", (*nim.PARAMS, "broken")
    law.init, law.undo, law.key_from_scratch, law.payoff = _init, _undo, _key_from_scratch, _payoff
    law.legal_mask = _legal_mask
    return law


HEAPS = {"first": 3, "second": 4, "third": 5}


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (UNDO, "does not restore"),
        (KEY, "key differs"),
        (PAYOFF, "do not sum to zero"),
        (MASK, "legal_mask allows"),
    ],
)
def test_a_broken_law_is_named(broken: types.SimpleNamespace, part: int, words: str) -> None:
    with pytest.raises(LawBroken, match=words):
        check_game(game_of(broken, **HEAPS, broken=part), games=5)


def test_the_same_law_unbroken_passes(broken: types.SimpleNamespace) -> None:
    assert check_game(game_of(broken, **HEAPS, broken=WHOLE), games=5) > 10
