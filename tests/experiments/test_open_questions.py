"""The studies of open questions: the cylinder, seats, attention."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from narabe.agents import AgentError, make
from narabe.envs import State, game
from narabe.experiments import study_attention, study_cylinder, study_seats
from narabe.experiments.args import UsageError
from narabe.experiments.study_attention import Attentive, StudyAttention
from narabe.experiments.study_cylinder import Case, StudyCylinder, solved
from narabe.experiments.study_seats import StudySeats


def console() -> Console:
    return Console(file=io.StringIO(), width=80, highlight=False)


def text(console: Console) -> str:
    return console.file.getvalue()  # type: ignore[attr-defined]


# ---- the cylinder ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "result"),
    [
        (Case(4, 6, 4, False), -1),  # the second player wins, as published
        (Case(4, 5, 4, False), 0),
        (Case(4, 6, 3, True), 0),
        (Case(3, 5, 3, False), 1),
        (Case(3, 5, 3, True), 1),
        (Case(5, 5, 3, True), 0),
    ],
)
def test_known_boards(case: Case, result: int) -> None:
    assert solved(case, 10_000_000, 4.0).result == result


def test_what_is_not_found_is_left_open_and_sought_again_with_more(tmp_path: Path) -> None:
    few = StudyCylinder(out=tmp_path / "new" / "c.jsonl", row=(4,), width=(6,), height=(3, 4), nodes=1_000, mb=1.0)
    assert study_cylinder.run(few, shown := console()) == 0
    assert "?" in text(shown).splitlines()[5]
    more = StudyCylinder(**{**vars(few), "nodes": 20_000_000})
    assert study_cylinder.run(more, shown := console()) == 0
    assert [line.split() for line in text(shown).splitlines()[4:6]] == [["3", "=", "/", "="], ["4", "2", "/", "="]]
    assert "Wrapping helps the first player on 1, the second on 0" in text(shown).replace("\n", " ")


def test_answers_are_kept_and_a_broken_line_is_struck(tmp_path: Path) -> None:
    args = StudyCylinder(out=tmp_path / "c.jsonl", row=(4,), width=(4, 5), height=(2,), nodes=10**6, mb=1.0)
    study_cylinder.run(args, console())
    lines = args.out.read_text().splitlines(keepends=True)
    args.out.write_text("".join(lines[:2]) + lines[2][:20])
    study_cylinder.run(args, console())
    again = args.out.read_text().splitlines(keepends=True)
    assert again[:2] == lines[:2]
    assert [json.loads(line) | {"seconds": 0} for line in again] == [
        json.loads(line) | {"seconds": 0} for line in lines
    ]


# ---- seats -----------------------------------------------------------------------------------------------------------


def test_seats(tmp_path: Path) -> None:
    args = StudySeats(
        game="stacking:span=8,max_height=6", players=(3,), agents=("uct:sims=20",), games=10, workers=0, runs=tmp_path,
        out=tmp_path / "seats.json",
    )  # fmt: skip
    assert study_seats.run(args, shown := console()) == 0
    (row,) = json.loads((tmp_path / "seats.json").read_text())["rows"]
    hits = [share["hits"] for share in (*row["seats"], row["draws"])]
    assert len(hits) == 4
    assert sum(hits) == row["games"] == 10
    assert "fair 33.3" in text(shown)
    before = (tmp_path / "seats.json").read_bytes()
    study_seats.run(args, console())
    assert (tmp_path / "seats.json").read_bytes() == before


def test_seats_of_what_there_is_not() -> None:
    for wrong, complaint in (({"game": "stackin"}, "stacking"), ({"players": (5,)}, "4"), ({"games": 3}, "is even")):
        with pytest.raises(UsageError, match=complaint):
            study_seats.run(StudySeats(**{"workers": 0} | wrong), console())  # type: ignore[arg-type]


# ---- attention -------------------------------------------------------------------------------------------------------

CLAIMS = game("stacking_claim")


def open_three() -> State:
    """Red can make a four at either end; nobody has one."""
    state = CLAIMS.start()
    for move in ("0", "0", "+1", "+1", "+2", "+2"):
        state.play(move)
    return state


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_a_four_is_claimed_as_often_as_it_is_noticed(p: float) -> None:
    agent, claimed = Attentive(CLAIMS, p=p), 0
    for seed in range(200):
        agent.new_game(0, seed)
        state = open_three()
        state.play(agent.analyse(state).action)
        claimed += state.is_over
        assert state.record["rank"][0][0] == 1  # the block is laid in either case
    assert abs(claimed - 200 * p) <= 3 * np.sqrt(200 * p * (1 - p))


def test_an_old_four_may_be_noticed_later() -> None:
    state = open_three()
    for move in ("+3", "-1"):  # Red overlooks it, Yellow lays elsewhere
        state.play(move)
    late, never = (Attentive(CLAIMS, p=p).analyse(state).action for p in (1.0, 0.0))
    assert "!" in CLAIMS.text_of(late)
    assert "!" not in CLAIMS.text_of(never)
    assert state.play(late).payoffs == (1.0, -1.0)


def test_only_games_with_claims() -> None:
    with pytest.raises(AgentError, match="no claims"):
        make(f"{study_attention.SPEC}:p=0.5", game("stacking"))
    with pytest.raises(AgentError, match="from 0 to 1"):
        make(f"{study_attention.SPEC}:p=1.5", CLAIMS)


def test_the_study(tmp_path: Path) -> None:
    args = StudyAttention(
        attention=(1.0, 0.2), agents=("greedy",), games=16, workers=0, runs=tmp_path, out=tmp_path / "a.json"
    )
    assert study_attention.run(args, shown := console()) == 0
    full, little = json.loads((tmp_path / "a.json").read_text())["rows"]
    assert full["overlooked"]["hits"] == 0
    assert little["overlooked"]["hits"] > 0
    for row in (full, little):
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 16
        assert row["score"] == (row["wins"] + row["draws"] / 2) / 16
        assert row["first_four_not_won"]["hits"] <= row["overlooked"]["hits"]
    assert "…" not in text(shown)
