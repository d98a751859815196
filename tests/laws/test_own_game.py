"""A law from outside works like ours; one that is incomplete or ambiguous is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from narabe.envs import LawError, State, Variant, entries, game, register, variants
from narabe.envs.rules import calls, core, line
from narabe.envs.rules.random import new_stream
from narabe.search.perft import counts
from narabe.search.playout import playouts
from narabe.tests import own_game
from narabe.tests.own_game import nim


@pytest.fixture(autouse=True)
def _installed() -> Iterator[None]:
    """The games of the package are known for the length of a test, so that other tests see only ours."""
    own_game.install()
    yield
    for row in own_game.VARIANTS:
        del variants._ENTRIES[row.name]
        del gymnasium.registry[f"{row.env_id}-v0"]


def optimal(state: State) -> int:
    """A move that leaves heaps whose remainders by four have an exclusive or of zero, if there is one."""
    for action in state.legal_actions():
        heaps = [int(h) for h in state.copy().play(int(action)).record["heaps"][0]]
        if (heaps[0] % 4) ^ (heaps[1] % 4) ^ (heaps[2] % 4) == 0:
            return int(action)
    return int(state.legal_actions()[0])


def test_a_game_of_ones_own_is_played_like_any_other() -> None:
    state = game("nim").start()
    assert (state.game.num_players, state.game.num_actions, state.game.num_symmetries) == (2, 9, 1)
    assert state.game.options == {"first": 3, "second": 4, "third": 5}
    assert state.play("8").to_text() == "8"  # three stones of the third heap
    assert state.legal_actions().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert "not legal here" in str(state.why_illegal(8))
    before = state.record.copy()
    assert core.differences(state.play(0).undo().record, before) == []
    assert state.observe(0).tolist() == [[[3, 4, 2]]]
    assert state.game.from_text(state.to_text()) == state == State.from_bytes(state.to_bytes())
    assert state.canonical_key == (state.key, 0)


def test_its_options_are_the_params_of_the_law() -> None:
    assert game("little_nim").start().legal_actions().tolist() == [0, 1, 2]
    assert game("nim:first=0,second=0,third=1").start().legal_actions().tolist() == [6]
    with pytest.raises(ValueError, match="no option 'fourth'"):
        game("nim", fourth=1)


def test_the_side_that_plays_by_the_theorem_wins() -> None:
    rng, state = random.Random(1), game("nim", first=1, second=2, third=5).start()
    while not state.is_over:
        state.play(optimal(state) if state.to_play == 0 else rng.choice(state.legal_actions().tolist()))
    assert state.payoffs == (1.0, -1.0)


def test_searches_written_for_any_game_take_it() -> None:
    state, totals = game("little_nim", first=2).start(), np.zeros(2)
    playouts(np.concatenate([state.record] * 2), 4_000, new_stream(1), totals)
    assert totals[0] == -totals[1] and abs(totals[0]) < 400  # take two and win, or one and lose: even in random play
    assert counts(game("nim", first=1, second=1, third=1).start(), 3) == [3, 6, 6]


def test_it_stands_in_the_lists_and_in_gymnasium() -> None:
    assert {"nim", "little_nim", "gomoku"} <= {entry.variant.name for entry in entries()}
    env = gymnasium.make("own/Nim-v0")
    assert env.reset(seed=1)[0] is not None
    env.close()


# ---- what is refused -------------------------------------------------------------------------------------------------


def one_line(error: pytest.ExceptionInfo[BaseException]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def nim_with(**changes: Any) -> SimpleNamespace:
    """Nim's functions in a law of another name; None takes one away."""
    functions = {name: getattr(nim, name) for name in ("STATE", "PARAMS", *core.REQUIRED)} | changes
    return SimpleNamespace(__name__="changed_nim", **{k: v for k, v in functions.items() if v is not None})


@pytest.mark.parametrize("name", ["STATE", *core.REQUIRED])
def test_a_law_that_lacks_a_function_is_refused_by_name(name: str) -> None:
    with pytest.raises(LawError) as error:
        register(nim_with(**{name: None}), [])
    assert one_line(error).startswith(f"law changed_nim lacks {name}:")


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(LawError, match="lacks apply, undo:"):
        register(nim_with(apply=None, undo=None), [])


@pytest.mark.parametrize(
    "fields",
    [
        list(nim.STATE.descr),
        list(nim.STATE.descr)[:2],
        [*nim.STATE.descr, ("more", np.int32)],
    ],
    ids=["equal", "shorter", "longer"],
)
def test_a_record_that_equals_or_extends_another_is_refused(fields: list[Any]) -> None:
    """Numba takes a record for any other whose fields open it, and would run the wrong law."""
    named = [(field[0], *field[1:]) for field in fields if field[0]]
    with pytest.raises(LawError) as error:
        register(nim_with(STATE=np.dtype(named)), [])
    assert "equals or extends that of narabe.tests.own_game.nim" in one_line(error)
    assert "law_dtype" in one_line(error)


def test_the_same_law_may_be_registered_again() -> None:
    own_game.install()
    assert core.law_of(nim.STATE) is nim


def test_a_name_or_an_id_that_is_taken_is_refused() -> None:
    with pytest.raises(ValueError, match="'gomoku' is registered already"):
        register(nim, [Variant("gomoku", "own/Other", "")])
    with pytest.raises(ValueError, match="is taken"):
        register(nim, [Variant("other_nim", "Gomoku", "")])
    variants._ENTRIES.pop("other_nim", None)
    assert game("gomoku").law is line


def test_a_row_with_an_unknown_option_is_refused() -> None:
    with pytest.raises((ValueError, KeyError), match="heaps"):
        register(nim, [Variant("other_nim", "own/Other", "", {"heaps": 2})])
    assert "other_nim" not in variants._ENTRIES


def test_a_missing_optional_function_is_named_in_one_line() -> None:
    core.require(line, "canonical_key", "symmetry")
    with pytest.raises(LawError) as error:
        core.require(nim, "redeal", "chance_weight")
    assert one_line(error) == "law narabe.tests.own_game.nim has no redeal, chance_weight, which this needs"


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="plain Python finds no attribute, and says so itself")
def test_a_kernel_that_needs_a_missing_function_says_which() -> None:
    with pytest.raises(
        TypingError, match=r"law narabe\.tests\.own_game\.nim has no key_from_scratch, which this needs"
    ):
        calls.key_from_scratch(game("nim").start().record, 0)


def test_records_of_no_law_are_refused() -> None:
    with pytest.raises(LawError, match="no law is registered for records of type") as error:
        core.law_of(np.dtype([("stray", np.int8)]))
    one_line(error)


def test_has_is_decided_by_the_record() -> None:
    from narabe.envs.rules.jit import kernel

    @kernel
    def answers(states):
        return core.has(states[0], "canonical_key"), core.has(states[0], "redeal")

    assert answers(game("nim").start().record) == (False, False)
    assert answers(game("gomoku").start().record)[0] is True


def test_a_game_of_ones_own_is_found_by_its_dotted_name(tmp_path, monkeypatch) -> None:
    """`package.module.name`: the module is imported, and registers the game."""
    module = "from narabe.envs import Variant, register\nfrom narabe.tests.own_game import nim\n"
    row = "Variant('nim_elsewhere', 'test/NimElsewhere', 'a game of one\\'s own', dict.fromkeys(nim.PARAMS, 3))"
    (tmp_path / "my_games.py").write_text(f"{module}register(nim, [{row}])\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        found = game("my_games.nim_elsewhere")
        assert found.name == "nim_elsewhere" and found == game("nim_elsewhere")
        assert found.spec == found.to_dict()["name"] == "my_games.nim_elsewhere"  # another process finds it by that
        assert game("my_games.nim_elsewhere", first=4).spec == "my_games.nim_elsewhere:first=4"
        assert game("my_games.omok").spec == "omok"
        with pytest.raises(ValueError, match="no game 'no_such_module.nim'"):
            game("no_such_module.nim")
    finally:
        variants._ENTRIES.pop("nim_elsewhere", None)
