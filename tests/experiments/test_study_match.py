"""The study of matches of Goita, in small."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from rich.console import Console

from narabe.agents import Agent, Analysis, make
from narabe.envs.rules.random import new_stream
from narabe.experiments import study_match
from narabe.experiments.args import UsageError
from narabe.experiments.study_match import PLAIN, Store, StudyMatch, deal_game, play_chunk, play_deal, read_study, run


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(study_match, "CHUNK", 6)
    monkeypatch.setattr(study_match, "RESAMPLED", 20)
    monkeypatch.setattr(study_match, "SAY_SECONDS", float("inf"))


def study(path, **args) -> str:
    console = Console(file=io.StringIO(), width=100)
    asked = StudyMatch(**({"agent": "random", "deals": 12, "five_deals": 6, "out": path} | args))
    assert run(asked, console) == 0
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_study_that_was_stopped_goes_on_to_the_same_bytes(tmp_path, monkeypatch) -> None:
    text = study(tmp_path / "whole.json")
    played = study_match.play_chunk
    calls = []

    def stopped(*args):
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return played(*args)

    monkeypatch.setattr(study_match, "play_chunk", stopped)
    console = Console(file=io.StringIO())
    assert run(StudyMatch(agent="random", deals=12, five_deals=6, out=tmp_path / "parts.json"), console) == 130
    assert "the same command goes on" in console.file.getvalue()  # type: ignore[attr-defined]
    assert sum(json.loads((tmp_path / "parts.json").read_text())["deals"].values()) == 18
    assert study(tmp_path / "parts.json") == text
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert len(calls) == 7  # two chunks of plain deals, one for each of four holders, and the one that was stopped
    settings, tallies = read_study(tmp_path / "parts.json")
    assert settings["agent"] == "random"
    assert tallies.plain.sum() == 12 and tallies.fives.sum((1, 2)).tolist() == [6] * 4
    shown = io.StringIO()
    assert run(StudyMatch(show=tmp_path / "parts.json"), Console(file=shown, width=100)) == 0
    assert shown.getvalue() == text


def test_the_file_is_small_and_says_how_it_was_made(tmp_path) -> None:
    study(tmp_path / "m.json")
    assert (tmp_path / "m.json").stat().st_size < 50_000
    known = json.loads((tmp_path / "m.json").read_text())
    assert known["made_by"].endswith("--agent random --deals 12 --five-deals 6 --fives announced --seed 1")
    assert np.array(known["tables"]["next"]["win"]).shape == (15, 15)


@pytest.mark.parametrize("kind", [PLAIN, 0, 3])
def test_deals_of_a_kind(kind: int) -> None:
    deals, rng = deal_game("goita_match"), new_stream(3)
    agents = [make("random", deals) for _ in range(4)]
    for n in range(20):
        state = deals.start(chance="manual")
        state.play(int(study_match._deal_of_kind(state.record, 1 << kind if kind >= 0 else 0, rng)))
        fives = [seat for seat, hand in enumerate(state.to_text().split()[2].split(",")) if hand.count("1") == 5]
        assert fives == ([kind] if kind >= 0 else [])
        out, points = play_deal(state, agents, [n] * 4, silent=bool(n % 2))
        text = state.to_text().split()[3]
        assert state.payoffs[out] == pytest.approx(points / 15)
        if kind >= 0:
            assert text.startswith(f"{kind + 1}silent," if n % 2 else f"{kind + 1}announce,{(kind + 2) % 4 + 1}on,")
        assert text.rpartition(",")[2][:1] == str(out + 1) or text == "-"
        assert state.record["dealer"][0] == 0


def test_rules_without_fives_and_in_tens(tmp_path) -> None:
    assert deal_game("goita_hozonkai").options["points"] == 10
    text = study(tmp_path / "h.json", game="goita_hozonkai:specials=off,six_shi_pair_doubles=no", deals=6)
    assert "holder's pair" not in text
    known = json.loads((tmp_path / "h.json").read_text())
    assert known["deals"] == {"nobody": 6, "dealer": 0, "right": 0, "partner": 0, "left": 0}
    assert np.array(known["tables"]["winner"]["win"]).shape == (15, 15)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"game": "omok"}, "Goita for four"),
        ({"game": "goita_two_by_four"}, "Goita for four"),
        ({"game": "goita:specials=choice"}, "by themselves"),
        ({"game": "goitta"}, "Did you mean goita"),
        ({"agent": "rondom"}, "no agent named"),
        ({"deals": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_studied(args, words, tmp_path) -> None:
    with pytest.raises(UsageError, match=words):
        study(tmp_path / "m.json", **args)


def test_files_of_other_studies(tmp_path) -> None:
    study(tmp_path / "m.json", deals=6)
    with pytest.raises(UsageError, match="another study"):
        Store(StudyMatch(agent="random", seed=2, out=tmp_path / "m.json"))
    (tmp_path / "n.json").write_text("{}")
    with pytest.raises(UsageError, match="no file of this study"):
        run(StudyMatch(show=tmp_path / "n.json"))


def test_chunks_follow_from_the_seed() -> None:
    args = StudyMatch(agent="random")
    assert np.array_equal(play_chunk(args, 0, 1), play_chunk(args, 0, 1))
    assert not np.array_equal(play_chunk(args, 0, 1), play_chunk(args, 0, 2))


def test_a_duel_with_oneself_is_even() -> None:
    """Seats have the same seeds in both games of a deal, so that the same hands win; between two agents they need not."""
    own = f"{Last.__module__}.Last"
    assert set(study_match.duel("goita", "random", "random", 10)) == {0.5}
    won, lost = study_match.duel("goita", own, "random", 10), study_match.duel("goita", "random", own, 10)
    assert set(won) > {0.5}
    assert np.array_equal(won, 1.0 - lost)


class Last(Agent):
    """The last legal action."""

    def choose(self, views, budget=None):
        return [Analysis.of(view.game, int(view.legal_actions()[-1])) for view in views]
