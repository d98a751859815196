"""The study of blocked fours, in small."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

from narabe import envs
from narabe.experiments import study_blocks
from narabe.experiments.args import UsageError
from narabe.experiments.study_blocks import StudyBlocks, cases_of, cell_to_block, is_blocked, is_broken, run

NINE = envs.game("gomoku", size=9)


@pytest.fixture(scope="module")
def args(tmp_path_factory) -> StudyBlocks:
    folder = tmp_path_factory.mktemp("blocks")
    return StudyBlocks(("greedy", "random"), folder / "cases.jsonl", size=7, positions=12, out=folder / "out.json")


@pytest.fixture(scope="module")
def cases(args):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_blocks, "SOURCES", ("greedy", "random"))  # quick ones
        return cases_of(args, Console(quiet=True))


def test_one_cell_is_to_be_blocked_and_no_win_is_there(cases):
    seven = envs.game("gomoku", size=7)
    for case in cases:
        state = seven.from_text(case.position)
        for action in state.legal_actions().tolist():
            after = state.copy().play(action)
            assert not (after.is_over and after.payoffs[state.to_play] > 0)
            wins = [] if after.is_over else winning(after)
            assert wins == ([] if action == case.cell else [case.cell])
            assert is_blocked(state, action) == (not wins)


def winning(state):
    """The actions that win at once, by playing all."""
    return [a for a in state.legal_actions().tolist() if state.copy().play(a).payoffs[state.to_play] > 0]


def test_no_two_are_alike_and_the_file_is_used_again(args, cases):
    seven = envs.game("gomoku", size=7)
    assert len({seven.from_text(case.position).canonical_key[0] for case in cases}) == 12
    assert cases_of(args, Console(quiet=True)) == cases
    with pytest.raises(UsageError, match="name another"):
        cases_of(StudyBlocks(cases=args.cases, size=7, positions=11), Console(quiet=True))


def test_greedy_blocks_all_and_random_few(args, cases, capsys):
    assert run(args) == 0
    assert "solid fours" in capsys.readouterr().out
    found = json.loads(args.out.read_text())["agents"]
    assert found["greedy"]["positions"]["all"]["hits"] == 12
    rows = found["random"]["positions"]
    assert rows["all"]["hits"] < 6
    assert rows["solid fours"]["n"] + rows["broken fours"]["n"] == 12
    assert sum(row["n"] for name, row in rows.items() if name.startswith("from")) == 12


@pytest.mark.parametrize(
    ("black", "white", "cell", "broken"),
    [
        ("E5 F5 G5 H5", "A1 B1 D5 C3", "I5", False),
        ("E5 F5 H5 I5", "A1 B1 A7 C3", "G5", True),
        ("E5 F5 G5 H5", "A1 B1 A7 C3", None, False),  # an open four: two cells
        ("E5 F5 G5 H5", "A1 B1 C1 D1 D5", None, False),  # White wins on E1
        ("E5 F5 G5 B2", "A1 B1 D5 C3", None, False),  # only three
        ("A9 B9 C9 E9 F9 B2", "A1 B1 D6 C3", None, False),  # six in a row would not win
    ],
)
def test_which_fours_are_simple(black, white, cell, broken):
    state = NINE.position(black=black, white=white, to_move="white")
    found = cell_to_block(state)
    assert found == (-1 if cell is None else NINE.action_of(cell))
    if cell is not None:
        assert is_broken(state, found) == broken
        assert is_blocked(state, found)
        assert not is_blocked(state, NINE.action_of("A9"))


@pytest.mark.parametrize("name", ["capture_gomoku", "gomocku", "connect_four"])
def test_games_whose_fours_are_no_matter_of_a_cell(name, tmp_path):
    with pytest.raises((UsageError, envs.OptionError)):
        run(StudyBlocks(game=name, cases=tmp_path / "none.jsonl"))
