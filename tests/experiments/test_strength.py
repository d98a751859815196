"""Measured strength on the card of a network."""

from __future__ import annotations

import json
import pathlib

import pytest

from narabe.experiments.strength import main
from narabe.experiments.tournament import play
from narabe.experiments.tournament_args import TournamentArgs


def test_the_card_tells_what_was_measured_and_nothing_older(tmp_path: pathlib.Path) -> None:
    card, study, run = tmp_path / "a.json", tmp_path / "study.json", tmp_path / "run"
    card.write_text(json.dumps({"training": {"command": "?"}, "strength": [{"agent": "old"}], "format": 1}))
    share = {"hits": 30, "n": 40}
    columns = {"positions": {"all": {"outcome": share, "score": {"hits": 20, "n": 40}}}}
    blocks = {"positions": {"all": share}}
    study.write_text(json.dumps({"agents": {"net:file=x,sims=0": columns, "net:file=x,sims=64": blocks}}))
    args = TournamentArgs(game="connect_four", agents=["net:sims=0", "random"], games=4, workers=0, out=run)
    table, _ = play(args)
    main([str(card), "--studies", str(study), "--runs", str(run), "--recipe", "recipe.sh"])
    told = json.loads(card.read_text())
    assert told["training"]["command"] == "recipe.sh"
    assert told["format"] == 1
    assert [(x["agent"], x.get("positions", x.get("games")), x["share"]) for x in told["strength"]] == [
        ("net:sims=0", 40, 0.75),
        ("net:sims=0", 40, 0.5),
        ("net:sims=64", 40, 0.75),
        ("net:sims=0", 4, int(table.points[0, 1]) / 4),
    ]
    low, high = told["strength"][0]["interval"]
    assert 0.58 < low < 0.6 < 0.87 < high < 0.88


def test_a_folder_without_a_tournament_is_told(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = tmp_path / "a.json"
    card.write_text("{}")
    with pytest.raises(SystemExit):
        main([str(card), "--runs", str(tmp_path / "none")])
    assert "holds no tournament" in capsys.readouterr().err
