"""The package and its documents agree with each other."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib
from fractions import Fraction

import pytest

from narabe import __version__, experiments
from narabe.envs import Variant, game
from narabe.envs.faces.line import LineFace
from narabe.envs.rules import line
from narabe.experiments import figures, pictures

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
PAGES = {page: page.read_text() for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]}


def test_every_folder_of_modules_is_in_the_wheel() -> None:
    """A folder forgotten in pyproject.toml would be missing for everybody but us."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    rooms = ("agents", "envs", "experiments", "search")
    folders = {f.parent.relative_to(ROOT) for room in rooms for f in (ROOT / room).rglob("*.py")}
    assert listed == {"narabe"} | {".".join(("narabe", *folder.parts)) for folder in folders}
    assert all((ROOT / folder / "__init__.py").exists() for folder in folders)


def test_the_version_is_the_same_everywhere() -> None:
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_a_page_shows_the_measured_figures(page: pathlib.Path) -> None:
    data = json.loads(figures.FIGURES.read_text())
    table = figures.table(data, figures.PAGES[page])
    assert figures.replaced(page.read_text(), table) == page.read_text()
    assert table.count("\n") >= 8


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_the_documents_show_what_the_program_draws(name: str) -> None:
    assert (pictures.FOLDER / name).read_text() == pictures.PICTURES[name]()
    assert any(f"pictures/{name}" in text for text in PAGES.values())


def test_the_example_of_the_readme_runs() -> None:
    """The Python that the README shows, run as it stands."""
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", README, re.S):
        if not block.startswith("Variant("):
            exec(block, space)
    assert issubclass(space["Clever"], space["Agent"])  # type: ignore[arg-type]
    assert space["odds"].win == Fraction(2, 5)  # type: ignore[attr-defined]
    assert (space["perfect"].action, space["perfect"].proven) == (4, 0.0)  # type: ignore[attr-defined]
    assert space["answer"].won and str(space["threats"]).count("VCF") == 1  # type: ignore[attr-defined]
    assert space["found"].visits.sum() == 20000  # type: ignore[attr-defined]


def test_the_agent_of_the_readme_is_found_by_its_dotted_name(tmp_path: pathlib.Path) -> None:
    """From the folder in which its file lies, by the command line as it is installed."""
    (code,) = re.findall(r"```python\n(from dataclasses.*?)```", README, re.S)
    (tmp_path / "mybots.py").write_text(code)
    words = "tournament --game gomoku --size 7 --agents mybots.Clever:depth=3 random --games 2 --workers 1 --out runs"
    start = "import sys; from narabe.experiments.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", start, *words.split()]
    env = {**os.environ, "PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mybots.Clever:depth=3" in (tmp_path / "runs" / "summary.md").read_text()


def test_the_new_row_of_the_readme_is_a_game() -> None:
    row = eval(re.findall(r"```python\n(Variant\(.*?\))\n```", README, re.S)[0], {"Variant": Variant})
    options = LineFace(line).complete(row.options, {})
    assert (options["width"], options["height"], options["exact"], options["overline"]) == (9, 9, True, True)


def test_the_commands_of_the_readme_are_understood() -> None:
    """Each `narabe ...` line parses (with --help in place of running it)."""
    from narabe.experiments.cli import main

    commands = re.findall(r"^ {4}(narabe [^#\n]*)", README, re.M)
    assert len(commands) >= 4
    for command in commands:
        with pytest.raises(SystemExit) as stop:
            main([*shlex.split(command)[1:], "--help"])
        assert stop.value.code == 0


def test_the_table_of_games_in_the_rules_tells_their_boards() -> None:
    """A new variant need not be in the table, but what is there is so."""
    rules = (ROOT / "docs" / "rules.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+x\d+) \|", rules, re.M))
    assert len(rows) >= 5
    for name, board in rows.items():
        options = game(name).options
        assert board == f"{options['width']}x{options['height']}", name


def test_the_map_of_the_house_names_every_file() -> None:
    plan = (ROOT / "docs" / "design.md").read_text()
    rooms = ("agents", "docs", "envs", "experiments", "search")
    files = {f.name for room in rooms for f in (ROOT / room).rglob("*.py")} - {"__init__.py"}
    assert {name for name in files if not re.search(rf"\b{re.escape(name)}\b", plan)} == set()
    named = set(re.findall(r"\b[a-z_]+\.py\b", plan.replace("tests/own_game/nim.py", "")))
    assert named <= files


def test_documents_speak_of_the_project_alone() -> None:
    """No path of a machine in what users read."""
    for page, text in PAGES.items():
        assert not re.search(r"(?<![\w.])/(work|root|tmp|home)/", text), page.name


def test_experiments_is_a_package_with_a_word_about_it() -> None:
    assert experiments.__doc__
