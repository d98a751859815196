"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROOMS = ("agents", "envs", "experiments", "search")
FILES = sorted(f for room in ROOMS for f in (ROOT / room).rglob("*.py") if ">>>" in f.read_text())
MODULES = [".".join(("narabe", *f.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__") for f in FILES]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0 and failed == 0
