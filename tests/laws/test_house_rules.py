"""What holds for the package as a whole: who imports whom, how kernels are made, how big their tables are."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.errors import NumbaWarning

import narabe
from narabe.envs import game
from narabe.envs.rules.jit import kernel_sources
from narabe.tests import warm_up

ROOT = Path(narabe.__file__).resolve().parent
ROOMS = ("envs", "search", "agents", "experiments")  # each may import itself and those before it
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
GYMNASIUM = ("envs/registration.py", "envs/single.py", "envs/vector.py", "envs/batch.py", "envs/adapters/")
TABLE_BYTES = 64 * 1024


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions and for type checkers."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: relative imports hide who uses whom"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


SUGAR = {"envs/game.py": "narabe.search.threats.report"}
"""`State.threats`, a method because people look for it there; it imports when called, and only this."""


def test_imports_run_one_way() -> None:
    """envs <- search <- agents <- experiments."""
    wrong = []
    for path in FILES:
        rank = ROOMS.index(path.relative_to(ROOT).parts[0])
        later = tuple(f"narabe.{room}" for room in ROOMS[rank + 1 :])
        sugar = SUGAR.get(name_of(path), "-")
        upward = [m for m in imported(path) if m.startswith(later or "-") and not m.startswith(sugar)]
        wrong += [f"{name_of(path)} imports {module}" for module in upward]
    assert wrong == []


def test_nothing_of_the_package_needs_the_tests_to_be_imported() -> None:
    """The wheel has no tests; only a function that says so may reach for them."""
    for path in FILES:
        top = [node for node in tree_of(path).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert not any("narabe.tests" in ast.unparse(node) for node in top), name_of(path)


def test_games_and_searches_import_no_torch() -> None:
    early = [path for path in FILES if name_of(path).startswith(("envs/", "search/"))]
    assert len(early) > 20
    assert [name_of(path) for path in early if any(m.split(".")[0] == "torch" for m in imported(path))] == []


def test_only_the_environments_import_gymnasium() -> None:
    users = {name_of(path) for path in FILES if any(m.split(".")[0] == "gymnasium" for m in imported(path))}
    assert {name for name in users if name.startswith("envs/") and not name.startswith(GYMNASIUM)} == set()
    assert {name for name in users if name.startswith(("search/", "agents/"))} == set()
    assert "envs/single.py" in users


def test_importing_narabe_alone_imports_nothing_heavy() -> None:
    program = "import sys, narabe; print(sorted({'numba', 'numpy', 'torch', 'gymnasium'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_kernels_are_plain_njit() -> None:
    """parallel=True and guvectorize crash under concurrency when their code comes from the disk cache."""
    banned = {"guvectorize", "vectorize", "prange", "jitclass"}
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            word = getattr(node, "attr", None) or getattr(node, "id", None) or getattr(node, "name", None)
            assert word not in banned, f"{name_of(path)} uses {word}"
            if isinstance(node, ast.keyword) and node.arg in ("parallel", "fastmath"):
                raise AssertionError(f"{name_of(path)} sets {node.arg}")


def test_kernels_are_made_by_one_decorator() -> None:
    """`jit.kernel` keeps the machine code in our folder; njit elsewhere would lose it or serve it stale."""
    makers = set()
    for path in (path for path in FILES if not name_of(path).startswith("experiments/")):
        calls = {ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)}
        decorators = {
            ast.unparse(d).split("(")[0]
            for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef) for d in node.decorator_list
        }  # fmt: skip
        if {"numba.njit", "njit", "numba.jit", "jit"} & (calls | decorators):
            makers.add(name_of(path))
    assert makers == {"envs/rules/jit.py", "envs/rules/core.py"}  # core compiles the defaults of optional names


def test_kernels_use_no_global_random_state() -> None:
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
                assert node.attr in ("SeedSequence", "default_rng", "Generator", "PCG64"), (
                    f"{name_of(path)}: {node.attr}"
                )


@pytest.mark.parametrize("path", kernel_sources(), ids=name_of)
def test_frozen_tables_are_small_enough_to_be_cached(path: Path) -> None:
    """Numba does not cache a kernel that reaches a big constant; and no kernel closes over a local one."""
    module = importlib.import_module("narabe." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
    for name, value in vars(module).items():
        if isinstance(value, np.ndarray):
            assert value.nbytes <= TABLE_BYTES, f"{path.name}: {name} has {value.nbytes} bytes"
        function = inspect.unwrap(getattr(value, "py_func", None) or (lambda: None))
        assert function.__closure__ is None, f"{path.name}: {name} is a closure, which the disk cache never finds again"


def warn(*_: object) -> None:
    warnings.warn("a cast that loses precision", NumbaWarning, stacklevel=1)


def test_compiling_everything_afresh_raises_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """From an empty cache: no object mode, no kernel that cannot be cached, no cast that loses precision.

    Before the tests start on several workers all common kernels are compiled under this watch, once; it works.
    """
    monkeypatch.setattr(warm_up, "playouts", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as everywhere outside of the tests
        with pytest.raises(NumbaWarning, match="precision"):
            warm_up.play_once("connect_four")


def test_common_kernels_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game of each law, and what is there already is left alone."""
    monkeypatch.setattr(warm_up.config, "DISABLE_JIT", 0)
    played: list[str] = []
    pool = SimpleNamespace(map=lambda function, games: played.extend(games) or ())
    monkeypatch.setattr(warm_up, "ProcessPoolExecutor", lambda *_, **__: contextlib.nullcontext(pool))
    (tmp_path / "a.nbi").touch()
    for _ in range(2):
        warm_up.compile_common_kernels(tmp_path, 2)
    assert len(played) == len({game(name).law for name in played}) >= 4
    assert (tmp_path / "a.nbi").exists()


def kernels_of(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "kernel" for d in node.decorator_list):
            yield node


def test_kernels_are_defined_at_the_top_of_their_files() -> None:
    """One made inside a function is a new one at every call, and is never found in the disk cache."""
    found = 0
    for path in kernel_sources():
        top = [node for node in tree_of(path).body if isinstance(node, ast.FunctionDef)]
        assert all(function in top for function in kernels_of(path)), name_of(path)
        found += len(list(kernels_of(path)))
    assert found > 100


def test_kernels_use_scalar_mathematics() -> None:
    """numpy's vector forms of logarithm, root and power differ in the last bit from what a jitted loop computes."""
    for path in kernel_sources():
        for function in kernels_of(path):
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np", "numpy"):
                    words = ("log", "sqrt", "exp", "power", "sin", "cos", "tanh")
                    assert node.attr not in words, f"{name_of(path)}: {function.name} uses np.{node.attr}, not math"


def test_records_hold_no_arrays_of_bools() -> None:
    """Numba reads a nested array of bools in a record wrongly."""
    from narabe.envs import entries
    from narabe.search.tree import NODE

    laws = {entry.law for entry in entries()}
    records = [NODE, *(law.STATE for law in laws), *(law.MASK for law in laws if hasattr(law, "MASK"))]
    for record in records:
        for name in record.names:
            base, shape = record[name].subdtype or (record[name], ())
            assert not (shape and base == np.bool_), name
