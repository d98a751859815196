"""`narabe train-cards`: it learns, it is exact however it is broken off, and what it refuses."""

from __future__ import annotations

import json
import pathlib
import shlex
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from rich.console import Console

from narabe.agents import checkpoints, make
from narabe.envs import game
from narabe.experiments import cli
from narabe.experiments.args import UsageError
from narabe.experiments.guard import Guard
from narabe.experiments.shared import Shared
from narabe.experiments.training.args import command, fixed
from narabe.experiments.training.iterations import arrays
from narabe.experiments.training_cards import loop, tasks, turns
from narabe.experiments.training_cards.args import CardTrainArgs, check
from narabe.tests.training import killing
from narabe.tests.training.small_run import result, small_cards

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What the small run makes when nothing happens to it."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    assert loop.run(small_cards(folder), QUIET) == 0
    made = result(folder)
    assert len(made["log"]) == 4 and made["log"][1]["rules_won"] is not None  # type: ignore[arg-type, index]
    return made


def log(run: pathlib.Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def test_killed_at_random_moments(tmp_path: pathlib.Path, alone: dict[str, object]) -> None:
    words = [sys.executable, killing.__file__, str(tmp_path / "run"), "10", "1", "cards"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    struck = json.loads(done.stdout)
    assert len({tuple(moment) for moment in struck}) >= 2, struck
    assert result(tmp_path / "run") == alone


@pytest.mark.parametrize("workers", [1, 2])
def test_made_by_workers(tmp_path: pathlib.Path, alone: dict[str, object], workers: int) -> None:
    assert loop.run(small_cards(tmp_path / "run", workers=workers), QUIET) == 0
    assert result(tmp_path / "run") == alone


def test_minutes_and_iterations_go_on(tmp_path: pathlib.Path, alone: dict[str, object]) -> None:
    run = tmp_path / "run"
    assert loop.run(small_cards(run, iterations=1), QUIET) == 0
    assert loop.run(small_cards(run, minutes=1e-9), QUIET) == 0  # over before it began
    assert len(log(run)) == 1
    with (tmp_path / "out").open("w") as file:
        loop.run(small_cards(run, iterations=None, minutes=1e-9), Console(file=file))
    assert "narabe train-cards --game goita --run" in (tmp_path / "out").read_text()
    assert loop.run(small_cards(run, minutes=5), QUIET) == 0
    assert result(run) == alone


def test_random_players_are_soon_beaten(tmp_path: pathlib.Path) -> None:
    """A few hundred deals make a network that wins more than the one it began as; the player that it writes plays so."""
    args = CardTrainArgs(
        run=tmp_path / "run", iterations=4, chunks=1, chunk_games=300, flight=150, width=32, layers=2, critic_width=16,
        batch=128, reuse=4, rate=4e-3, warm_up=20, window_least=20_000, match_every=4, match_deals=150,
    )  # fmt: skip
    assert loop.run(args, QUIET) == 0
    last = log(args.run)[-1]
    low, high = last["random_interval"]  # type: ignore[misc]
    assert low < last["random_won"] < high and low > 0.52  # type: ignore[operator]
    first = loop.CardNetwork(game("goita"), tasks.shape_of(args))
    payoffs = tasks.meet(tasks.Match(args, 0, Shared(arrays(first.state_dict())), turns.RANDOM, 150), Guard())
    assert loop.of_match(payoffs)["won"] < low
    card = checkpoints.read_card(args.run / "player")
    assert card.strength[0]["won"] == last["random_won"] and card.training["games"] == 1200
    g, won = game("goita"), 0
    agents = [make(f"net:file={args.run / 'player'}", g), make("random", g)]
    for seed in range(60):
        state = g.start(seed // 2)
        for agent in agents:
            agent.new_game(0, seed)
        while not state.is_over:
            state.play(agents[(state.to_play + seed) & 1].analyse(state).action)
        won += state.payoffs[seed & 1] > 0
    assert won >= 36


def test_a_match_plays_every_deal_from_both_sides(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """The rules against the rules: what one pair gains in the first game it loses in the second."""
    args = small_cards(tmp_path)
    weights = arrays(loop.CardNetwork(game("goita"), tasks.shape_of(args)).state_dict())
    seen = []

    def rules_alone(g, evaluate, kinds, words, flight):
        seen.append(kinds)
        return play(g, evaluate, np.full_like(kinds, turns.RULES), words, flight)

    play = tasks.play_deals
    monkeypatch.setattr(tasks, "play_deals", rules_alone)
    payoffs = tasks.meet(tasks.Match(args, 0, Shared(weights), turns.RULES, 30), Guard())
    np.testing.assert_array_equal(payoffs[:, 0], -payoffs[:, 1])
    assert payoffs.any(1).all() and seen[0].tolist() == [[0, 1], [1, 0]] * 30
    assert loop.of_match(payoffs)["won"] == 0.5 and loop.of_match(payoffs)["payoff_interval"] == [0, 0]


def test_what_a_match_came_to() -> None:
    rng = np.random.default_rng(1)
    payoffs = rng.normal(0.1, 0.2, (400, 2))
    told = loop.of_match(payoffs)
    assert told["won"] == (payoffs > 0).mean() and told["payoff"] == pytest.approx(payoffs.mean())
    half = 1.96 * payoffs.mean(1).std(ddof=1) / 20
    assert told["payoff_interval"] == pytest.approx([payoffs.mean() - half, payoffs.mean() + half], abs=1e-4)
    assert told["interval"][0] < told["won"] < told["interval"][1]
    assert loop.of_match(payoffs[:1])["payoff_interval"] is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "gomoku"}, "gomoku is not played with the cards of Goita: use `narabe train`"),
        ({"game": "goita_match"}, "goita_match is a match of many deals: learn the single deal"),
        ({"epsilon": 1.5}, "--epsilon 1.5: from 0 to 1"),
        ({"match_deals": 0}, "--match-deals 0: 1 or more"),
        ({"rate": 0.0}, "--rate 0.0: above 0"),
        ({"device": "cuda", "workers": 2}, "leave --workers out"),
    ],
)
def test_what_cannot_be_meant(tmp_path: pathlib.Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        loop.run(small_cards(tmp_path / "run", **changes), QUIET)


def test_what_a_run_is_may_not_change(tmp_path: pathlib.Path) -> None:
    args = small_cards(tmp_path / "run", iterations=1, chunks=1)
    loop.run(args, QUIET)
    with pytest.raises(UsageError, match=r"--width is 8 there, and 16 now.*another --run"):
        loop.run(replace(args, width=16), QUIET)
    loop.run(replace(args, match_deals=3, export=tmp_path / "out"), QUIET)
    network, card = checkpoints.load_cards(tmp_path / "out")
    assert card.kind == "cards" and network.shape == tasks.shape_of(args)
    same = checkpoints.load_cards(args.run / "player")[0].state_dict()
    assert all(torch.equal(x, same[name]) for name, x in network.state_dict().items())


def test_the_command_that_goes_on_is_understood(tmp_path: pathlib.Path) -> None:
    for args in (CardTrainArgs(), small_cards(tmp_path, minutes=2.5, tensorboard=True, workers=2)):
        assert cli.parse(shlex.split(command(args))[1:]) == args
    names = {field.name for field in fields(CardTrainArgs)}
    assert set(CardTrainArgs.free) < names and set(fixed(CardTrainArgs())) == names - set(CardTrainArgs.free)
    check(CardTrainArgs())


def test_a_line_of_the_log_in_words() -> None:
    entry = {
        "iteration": 3, "games": 64, "decisions": 640, "decisions_per_second": 8125.4, "network_share": 0.934,
        "payoff_loss": 0.041, "guess_loss": 0.05, "critic_loss": 0.02, "random_won": 0.75, "random_interval": [0.7, 0.8],
        "seconds": 8.25,
    }  # fmt: skip
    assert loop.line(entry) == (
        "iteration 3: 64 deals, 640 decisions, 8125 decisions/s (93 % network), worth 0.0410, guess 0.0500, "
        "critic 0.0200, 75.0 % (70.0 to 80.0) of deals against random, 8.2 s"
    )
