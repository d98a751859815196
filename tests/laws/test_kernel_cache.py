"""The disk cache of kernels: an edited source is never served by old machine code, and nobody else's cache is touched."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import numba
import pytest

from narabe.envs.rules import calls, core, jit
from narabe.tests.own_game import nim

SEARCH = """
    from narabe.envs.rules import core, jit

    @jit.kernel
    def last_stone_pays(states):
        s = states[0]
        while not core.is_over(s):
            for a in range(9):
                if core.is_legal(s, a):
                    core.apply(s, a)
                    break
        return core.payoff(s, 3 - core.to_move(s))
    """
MAIN = """
    import numpy as np
    import law, search
    from narabe.envs.rules import calls, core
    core.register_law(law)
    states = core.new_states(law, 1)
    calls.init(states, 0, np.array([1, 2, 2]))
    print(search.last_stone_pays(states), sum(search.last_stone_pays.stats.cache_hits.values()))
    """


def run_with(folder: Path, law: str) -> list[str]:
    """[payoff of who took the last stone, cache hits] in a fresh process that runs this law."""
    (folder / "law.py").write_text(law)
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONPATH": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "search.py").write_text(textwrap.dedent(SEARCH))
    (tmp_path / "main.py").write_text(textwrap.dedent(MAIN))
    return tmp_path


WINS = Path(nim.__file__).read_text()
LOSES = WINS.replace("(-1.0 if player == s.mover else 1.0)", "(1.0 if player == s.mover else -1.0)")


def without_law_dtype(law: str) -> str:
    plain = law.replace('law_dtype(\n    "nim",\n    __file__,\n    [', 'np.dtype(\n    [("nim", np.uint8), ')
    assert plain != law
    return plain


def test_an_edited_law_is_not_served_by_the_kernel_of_the_old_one(folder: Path) -> None:
    """The search is in another file than the law, and numba looks only at the search's own file."""
    assert LOSES != WINS
    assert run_with(folder, WINS) == ["1.0", "0"]
    assert run_with(folder, WINS) == ["1.0", "1"]  # the cache works
    assert run_with(folder, LOSES) == ["-1.0", "0"]


def test_without_law_dtype_it_would_be(folder: Path) -> None:
    """The control: the fault that `law_dtype` cures is real."""
    assert run_with(folder, without_law_dtype(WINS)) == ["1.0", "0"]
    assert run_with(folder, without_law_dtype(LOSES)) == ["1.0", "1"]


def test_the_name_of_a_record_follows_every_source_it_is_given(tmp_path: Path) -> None:
    law, table = tmp_path / "law.py", tmp_path / "table.py"
    law.write_text("row = 3"), table.write_text("1 2 3")
    names = [core.law_dtype("x", [str(law), str(table)], []).names]
    for changed, text in ((table, "1 2 4"), (law, "row = 4")):
        changed.write_text(text)
        names.append(core.law_dtype("x", [str(law), str(table)], []).names)
    assert len(set(names)) == 3
    assert core.law_dtype("x", [str(law), str(table)], []).names == names[-1]
    assert all(name.startswith("x_") for (name,) in names)


# ---- the cache folder ------------------------------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two files that stand for our kernel sources."""
    files = [tmp_path / "a.py", tmp_path / "b.py"]
    for file in files:
        file.write_text(f"@kernel # {file.name}")
    monkeypatch.setattr(jit, "kernel_sources", lambda: files)
    return files


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What NUMBA_CACHE_DIR names."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "asked"))
    return tmp_path / "asked"


def test_the_folder_moves_when_a_kernel_source_changes(sources: list[Path], root: Path) -> None:
    first = jit.find_cache_folder()
    assert jit.find_cache_folder() == first and first.is_dir()
    sources[1].write_text("@kernel # edited")
    assert jit.find_cache_folder() != first


def test_the_folder_moves_with_the_version_of_numba(
    sources: list[Path], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = jit.find_cache_folder()
    monkeypatch.setattr(numba, "__version__", "99.0")
    assert jit.find_cache_folder() != first


def test_the_folder_is_where_numba_cache_dir_says(sources: list[Path], root: Path) -> None:
    assert jit.find_cache_folder().parent == root


def test_the_folder_is_in_the_users_cache_where_nothing_is_said(
    sources: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(jit, "_user_cache", lambda: tmp_path / "user")
    assert jit.find_cache_folder().parent == tmp_path / "user" / "narabe"


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    sources: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = jit.find_cache_folder()
    assert folder.is_dir() and tmp_path / "temporary" in folder.parents


def test_folders_unused_for_thirty_days_go_and_fresh_ones_stay(sources: list[Path], root: Path) -> None:
    now = time.time()
    for name, days in (("narabe-old", 31), ("narabe-young", 29), ("other-old", 400)):
        (root / name).mkdir(parents=True)
        (root / name / "last_used").touch()
        os.utime(root / name / "last_used", (now - days * 86400,) * 2)
    (root / "narabe-unmarked").mkdir()
    kept = jit.find_cache_folder()
    assert {f.name for f in root.iterdir()} == {"narabe-young", "other-old", "narabe-unmarked", kept.name}


def test_every_file_with_kernels_is_hashed() -> None:
    named = {path.relative_to(jit.PACKAGE).as_posix() for path in jit.kernel_sources()}
    assert {"envs/rules/line/moves.py", "envs/rules/lines.py", "envs/rules/random.py", "search/playout.py"} <= named
    assert not any(name.startswith("tests/") for name in named)


def test_every_file_whose_constants_a_kernel_freezes_is_hashed() -> None:
    """Every module of narabe that a hashed file imports is hashed too, down to the last."""
    hashed = {"narabe." + ".".join(p.relative_to(jit.PACKAGE).with_suffix("").parts) for p in jit.kernel_sources()}
    hashed = {name.removesuffix(".__init__") for name in hashed}
    assert {"narabe.envs.rules.core", "narabe.envs.rules.line.record", "narabe.envs.game"} <= hashed
    for path in jit.kernel_sources():
        tree = ast.parse(path.read_text())
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("narabe."):
                names = {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
                assert names & hashed, f"{path.name}: {node.module}"


def test_our_kernels_lie_in_our_folder_and_other_peoples_do_not() -> None:
    @numba.njit(cache=True)
    def theirs(x):
        return x

    assert theirs(1) == 1
    assert Path(calls.key.stats.cache_path).is_relative_to(jit.CACHE_FOLDER)
    assert not Path(theirs.stats.cache_path).is_relative_to(jit.CACHE_FOLDER)


def test_numbas_own_setting_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.environ.get("NUMBA_CACHE_DIR", "") == numba.config.CACHE_DIR  # after all our imports
    monkeypatch.setattr(numba.config, "CACHE_DIR", "theirs")
    jit.kernel(lambda x: x)
    assert numba.config.CACHE_DIR == "theirs"
    with pytest.raises(TypeError):
        jit.kernel(None)
    assert numba.config.CACHE_DIR == "theirs"  # also where the decorator fails
