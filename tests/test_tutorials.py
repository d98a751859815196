"""What the tutorials and the other pages show runs as it stands."""

from __future__ import annotations

import pathlib
import shlex

import pytest

from narabe.experiments import cli
from narabe.tests import tutorial

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = {path.stem: path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))}
TUTORIALS = sorted(path.stem for path in (ROOT / "docs" / "tutorials").glob("*.md"))
WITH_COMMANDS = [name for name, page in PAGES.items() if tutorial.commands(page)]
NEEDS = {"bring_your_own_agent": "sb3_contrib"}


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_code_of_a_tutorial_runs(name: str, tmp_path: pathlib.Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    tutorial.run(PAGES[name], tmp_path)


def test_the_code_of_the_other_pages_runs(tmp_path: pathlib.Path) -> None:
    others = [page for name, page in PAGES.items() if name not in TUTORIALS and tutorial.script(page)]
    assert len(others) >= 2
    tutorial.run("\n".join(others), tmp_path)


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_the_commands_of_a_page_are_understood(name: str) -> None:
    for command in tutorial.commands(PAGES[name]):
        cli.parse(shlex.split(command)[1:])


def test_every_tutorial_has_commands() -> None:
    assert set(TUTORIALS) <= set(WITH_COMMANDS)


def test_the_law_of_the_tutorial_is_the_one_that_the_tests_know() -> None:
    shown = tutorial.files(PAGES["add_a_game"])["nim.py"]
    known = (ROOT / "tests" / "own_game" / "nim.py").read_text()
    assert [line for line in shown.splitlines() if line] == [line for line in known.splitlines() if line]


def test_a_wrong_claim_is_noticed() -> None:
    assert tutorial.check("1 + 1  # 2\nx = 3\n'a' * x  # 'aaa'\nx  # three") == 2
    with pytest.raises(AssertionError, match=r"1 \+ 1 is 2, not 3"):
        tutorial.check("1 + 1  # 3")
    with pytest.raises(SystemExit):
        cli.parse(["tournament", "--gmae", "gomoku"])
