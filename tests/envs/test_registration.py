"""Ids in Gymnasium's registry, and what importing them costs."""

from __future__ import annotations

import doctest
import importlib
import pickle
import subprocess
import sys

import gymnasium
import pytest

from narabe.envs import Variant, entries, register
from narabe.envs.registration import id_of, register_ids
from narabe.tests.envs import race
from narabe.tests.envs.helpers import IDS, race_registered

EXPECTED = ["Gomoku", "Freestyle", "Omok", "CaptureGomoku", "Renju", "Gomocku"]


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_ids() -> None:
    assert {f"narabe/{name}-v0" for name in EXPECTED} <= set(IDS)
    assert all(id_of(entry.variant) in gymnasium.registry for entry in entries())


@pytest.mark.parametrize(
    ("env_id", "full"),
    [("Mine", "narabe/Mine-v0"), ("me/Mine", "me/Mine-v0"), ("me/Mine-v12", "me/Mine-v12"), ("A-v", "narabe/A-v-v0")],
)
def test_id_of(env_id: str, full: str) -> None:
    assert id_of(Variant("mine", env_id, "")) == full


def test_options_reach_the_game() -> None:
    env = gymnasium.make("narabe/Omok-v0", width=9, height=8, row=4, illegal="raise")
    assert env.unwrapped.game.spec == "omok:width=9,height=8,row=4"
    assert env.action_space.n == 72
    with pytest.raises(ValueError, match="(?i)did you mean width"):
        gymnasium.make("narabe/Omok-v0", widht=9)


def test_specs_can_be_pickled() -> None:
    spec = pickle.loads(pickle.dumps(gymnasium.spec("narabe/Renju-v0")))
    assert gymnasium.make(spec).unwrapped.game.name == "renju"
    assert isinstance(spec.entry_point, str)
    assert isinstance(spec.vector_entry_point, str)


def test_light_import_and_module_prefix() -> None:
    """Registering imports neither environment, and ``narabe.envs:`` in an id is all that a new process needs."""
    heavy = "{'narabe.envs.single', 'narabe.envs.vector', 'pygame', 'PIL', 'torch'}"
    assert run(f"import sys, narabe.envs; print({heavy} & set(sys.modules))").strip() == "set()"
    code = "import gymnasium; print(gymnasium.make('narabe.envs:narabe/Omok-v0', size=9).unwrapped.game.spec)"
    assert run(code).strip() == "omok:size=9"


def test_games_of_users() -> None:
    with race_registered():
        register(race, [Variant("race", "test/Race", "registering again changes nothing")])
        assert gymnasium.make("test/Race-v0", target=4).unwrapped.game.options == {"target": 4}
        with pytest.raises(ValueError, match="taken"):
            register_ids([Variant("other", "test/Race", "")])
        gymnasium.register("test/Elsewhere-v0", entry_point="elsewhere:Env")
        with pytest.raises(ValueError, match="test/Elsewhere-v0 is taken"):
            register_ids([Variant("other", "test/Elsewhere", "")])
        assert gymnasium.registry.pop("test/Elsewhere-v0").entry_point == "elsewhere:Env"


@pytest.mark.parametrize("module", ["single", "vector", "registration", "batch", "adapters.opponent", "drawing.window"])
def test_examples_in_docstrings(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"narabe.envs.{module}")).failed == 0
