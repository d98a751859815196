"""Goita without compilation: the same games, keys, observations and redeals."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import pytest

from narabe.tests.laws import goita_plain


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code with plain Python")
def test_plain_python_plays_the_same_games() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "narabe.tests.laws.goita_plain"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    plain, compiled = done.stdout.splitlines(), goita_plain.lines()
    assert len(plain) == len(compiled) > 200
    for mine, theirs in zip(compiled, plain):
        assert mine == theirs
