"""A game of one's own, named with its module, through the commands: each is a process that has to find it anew."""

import re
import subprocess
import sys

import pytest

MODULE = """
from narabe.envs import Variant, register
from narabe.tests.own_game import nim

register(nim, [Variant("piles", "test/Piles", "who takes the last stone wins", dict.fromkeys(nim.PARAMS, 3))])
"""


@pytest.fixture
def narabe(tmp_path):
    (tmp_path / "own.py").write_text(MODULE)

    def call(words):
        command = [sys.executable, "-m", "narabe.experiments.cli", *words.split()]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_the_commands_that_are_suggested_can_be_given(narabe):
    (play,) = re.findall("narabe play (.*)", narabe("games own.piles"))
    assert "Last" not in narabe(f"play {play} --against random --seat none --seed 1")
    assert "narabe games own.piles" not in play
    assert play.startswith("--game own.piles --option ")


def test_stored_games_are_found_again(narabe, tmp_path):
    narabe("tournament --game own.piles --agents random greedy --games 4 --opening-plies 2 --out runs/t")
    shown = narabe("show runs/t --no-picture")
    assert "own.piles, round-robin, seed 0: finished" in shown
    narabe("dataset runs/t a.npz")
    narabe("openings advantage --game own.piles:first=4 --agents random --games 2 --out runs/a")
    assert [path.name for path in (tmp_path / "runs" / "a").iterdir() if path.is_dir()] == ["own.piles_first=4__random"]
