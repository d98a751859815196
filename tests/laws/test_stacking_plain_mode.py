"""Block stacking without compilation: the same games, keys, texts and patterns."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import pytest

from narabe.tests.laws import stacking_games


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code with plain Python")
def test_plain_python_plays_the_same_stacking_games() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "narabe.tests.laws.stacking_games"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    plain, compiled = done.stdout.splitlines(), stacking_games.lines()
    assert len(plain) == len(compiled) == 2 * len(stacking_games.GAMES)
    for mine, theirs in zip(compiled, plain):
        assert mine == theirs
