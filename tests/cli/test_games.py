"""The lists of games and agents."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from narabe import envs
from narabe.agents import known, specs
from narabe.experiments import games
from narabe.experiments.args import AgentsArgs, GamesArgs, UsageError
from narabe.experiments.tournament_args import TournamentArgs, game_options


def shown(job, args) -> str:
    console = Console(file=io.StringIO(), width=200)
    assert job(args, console) == 0
    return console.file.getvalue()


def row(text: str, first: str) -> list[str]:
    (line,) = (line for line in text.splitlines() if line.split()[:1] == [first])
    return line.split()


def test_all_games_are_listed():
    text = shown(games.run, GamesArgs())
    for entry in envs.entries():
        assert row(text, entry.variant.name)
    assert row(text, "omok")[1] == "19x19"
    assert row(text, "omok")[-1] == "double_three=true"


@pytest.mark.parametrize("name", [entry.variant.name for entry in envs.entries()])
def test_a_game_shows_all_its_options(name):
    game = envs.game(name)
    text = shown(games.run, GamesArgs(name))
    assert text.startswith(f"{name}: ")
    for option in game.face.options:
        words = row(text, option.name)
        assert words[1] == str(game.options[option.name]).lower()
        assert (words[2] == "*") == (game.options[option.name] != option.default)
        assert option.about in text
        assert option.values in text


def test_options_of_the_user_are_marked_and_examples_work():
    text = shown(games.run, GamesArgs("omok:exact=true"))
    assert row(text, "exact")[1:4] == ["true", "+", "false"]
    assert row(text, "double_three")[1:4] == ["true", "*", "false"]
    (example,) = (line.strip() for line in text.splitlines() if line.strip().startswith("narabe.envs.game"))
    assert eval(example, {"narabe": __import__("narabe")}).options["width"] == 9


@pytest.mark.parametrize("name", [entry.variant.name for entry in envs.entries()])
def test_every_example_that_is_printed_is_accepted(name):
    """Both forms make the same game, and one that differs from the one shown."""
    lines = [line.strip() for line in shown(games.run, GamesArgs(name)).splitlines()]
    (command,) = (line for line in lines if line.startswith("narabe play"))
    (python,) = (line for line in lines if line.startswith("narabe.envs.game"))
    words = command.split()
    assert words[:5] == ["narabe", "play", "--game", name, "--option"]
    given = game_options(TournamentArgs(option=words[5:]))
    made = eval(python, {"narabe": __import__("narabe")})
    assert made.options == envs.game(name, **given).options != envs.game(name).options


def test_a_board_without_walls_says_so():
    text = shown(games.run, GamesArgs())
    assert "0x0" not in text
    for name, board in (("stacking", "no walls"), ("stacking_claim", "no walls"), ("connect_four", "7x6")):
        assert " ".join(row(text, name)[1:]).startswith(board)
    assert games._board({"width": 5, "height": 0}) == "5 wide"
    assert games._board({"width": 0, "height": 4}) == "no walls, 4 high"


def test_all_agents_are_listed_with_their_options():
    text = shown(games.run_agents, AgentsArgs())
    for name in known():
        assert row(text, name)
    assert "temperature=0.0" in text
    text = shown(games.run_agents, AgentsArgs("uct"))
    assert "exploration constant" in text
    assert row(text, "temperature") == ["temperature", "float", "0.0"]
    assert "uct:sims=100" in text
    assert "no options" in shown(games.run_agents, AgentsArgs("random"))


def test_an_agent_that_cannot_be_imported_does_not_hide_the_others(monkeypatch):
    monkeypatch.setattr(specs, "known", lambda: specs.OWN | {"lost": "narabe.no_such_module:Agent"})
    text = shown(games.run_agents, AgentsArgs())
    assert "cannot be loaded" in " ".join(row(text, "lost"))
    assert row(text, "uct")


def test_unknown_names():
    with pytest.raises(UsageError, match="Did you mean omok"):
        games.run(GamesArgs("omak"))
    with pytest.raises(UsageError, match="Did you mean greedy"):
        games.run_agents(AgentsArgs("gredy"))
