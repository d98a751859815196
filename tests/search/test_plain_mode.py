"""Searches and agents run without compilation too, for debuggers and coverage, and find the same."""

from __future__ import annotations

import os
import subprocess
import sys

from narabe.tests.search.sample import sample


def test_compiled_and_plain_python_give_the_same() -> None:
    code = "from narabe.tests.search.sample import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()
