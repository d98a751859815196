"""The loop: what an iteration is, who plays after a match, what is logged, what is refused."""

from __future__ import annotations

import io
import json
import pathlib
import subprocess
import sys
from dataclasses import fields, replace

import pytest
import torch
from rich.console import Console

from narabe.agents import checkpoints
from narabe.experiments import cli
from narabe.experiments.args import UsageError
from narabe.experiments.training import loop, tasks
from narabe.experiments.training.args import FREE, TrainArgs, check, command, fixed
from narabe.experiments.training.gate import Score
from narabe.experiments.training.progress import Clock, display
from narabe.experiments.training.state import read_state
from narabe.experiments.training.window import read
from narabe.tests.training.against_random import points
from narabe.tests.training.small_run import small

QUIET = Console(quiet=True)


def log(run: pathlib.Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def test_connect_four_is_learned(tmp_path: pathlib.Path) -> None:
    """A little self-play makes a network whose first choice, without a search, beats random moves."""
    args = TrainArgs(
        game="connect_four", run=tmp_path / "run", iterations=4, blocks=1, channels=16, chunks=1, chunk_games=96,
        flight=32, sims=24, fast_sims=6, batch=64, reuse=8, gate_every=4, gate_games=48, gate_sims=8, rate=5e-3, warm_up=20,
        seed=1,
    )  # fmt: skip
    assert loop.run(args, QUIET) == 0
    network, card = checkpoints.load(args.run / "player")
    with torch.random.fork_rng():
        torch.manual_seed(loop.seeds.number(args.seed, loop.seeds.WEIGHTS))
        first = loop.Network(card.made_game(), tasks.shape_of(args)).eval()
    assert points(card.made_game(), network, 100) > 0.8 > points(card.made_game(), first, 100)
    entries = log(args.run)
    assert entries[-1]["policy_loss"] < entries[0]["policy_loss"]  # type: ignore[operator]
    assert entries[-1]["gate_score"] > 0.5 and entries[-1]["elo"] > 0  # type: ignore[operator]


def test_an_iteration_has_as_many_steps_as_new_positions_pay_for(tmp_path: pathlib.Path) -> None:
    args = small(tmp_path / "run", reuse=2.5, batch=16, gate_every=0, iterations=4)
    loop.run(args, QUIET)
    entries = log(args.run)
    total = 0
    for entry in entries:
        shards = [args.run / "window" / f"{entry['iteration']:06d}-{k:04d}.npz" for k in range(args.chunks)]
        if all(shard.exists() for shard in shards):
            assert entry["positions"] == sum(len(read(shard)[0]) for shard in shards)
        total += entry["positions"]  # type: ignore[operator]
        assert entry["total_positions"] == total
        assert entry["steps"] == int(total * 2.5 / 16)
        assert entry["window"] == min(total, 150, max(40, int(0.6 * total)))
        assert entry["elo"] is None
    assert not (args.run / "networks").exists()
    oldest = min(path.name for path in (args.run / "window").glob("*.npz"))
    assert oldest > "000001-0000.npz"  # what is outside of the window is gone


@pytest.mark.parametrize("won", [True, False])
def test_who_plays_after_a_match(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, won: bool) -> None:
    """A network that lost clearly leaves the place to the one before, until a newer one passes."""
    monkeypatch.setattr(tasks, "meet", lambda match, guard: loop.np.full(2 * len(match.openings), float(won)))
    args = small(tmp_path / "run", gate_games=32, gate_every=1, iterations=2)
    loop.run(args, QUIET)
    tensors, standing = read_state(args.run / "state.safetensors")
    newest, champion = loop.part(tensors, "average."), loop.part(tensors, "champion.")
    playing = checkpoints.load(args.run / "player")[0].state_dict()
    alike = all(torch.equal(newest[name], champion[name]) for name in newest)
    assert alike == won and standing.holds != won
    assert standing.champion == (2 if won else 0)
    assert all(torch.equal(playing[name], champion[name]) for name in champion)
    assert [entry["gate_passed"] for entry in log(args.run)] == [won, won]
    assert sorted(p.name for p in (args.run / "networks").glob("*.json")) == (
        ["000001.json", "000002.json"] if won else []
    )
    each = Score(32, 32.0 * won).elo
    assert [entry["elo"] for entry in log(args.run)] == pytest.approx([each, 2 * each] if won else [each, each])
    assert standing.elo == pytest.approx(2 * each if won else 0)


def test_other_ways_to_train(tmp_path: pathlib.Path) -> None:
    """What a GPU would do, on this machine; PUCT; a game with chance turns; a falling rate."""
    args = small(
        tmp_path / "a",
        precision="bfloat16",
        play_precision="bfloat16",
        search="puct",
        schedule="cosine",
        schedule_steps=20,
        iterations=2,
    )
    assert loop.run(args, QUIET) == 0
    assert log(args.run)[-1]["learning_rate"] < args.rate / 2  # type: ignore[operator]
    assert loop.run(small(tmp_path / "b", game="gomocku:size=5", iterations=2, symmetries=False), QUIET) == 0
    owned = small(tmp_path / "d", game="gomocku:size=5", iterations=2, ownership_weight=0.3)
    assert loop.run(owned, QUIET) == 0
    assert log(owned.run)[-1]["ownership_loss"] > 0  # type: ignore[operator]
    assert "ownership_loss" not in log(tmp_path / "b")[-1]
    assert checkpoints.load(owned.run / "player.safetensors")[1].shape["ownership"]
    assert loop.run(small(tmp_path / "c", game="stacking_cylinder", iterations=1), QUIET) == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "goita", "gate_every": 0}, "hidden hands.*`narabe train-cards`"),
        ({"full_share": 0.0}, "--full-share 0.0: above 0"),
        ({"gate_games": 5}, "--gate-games 5: even"),
        ({"batch": 1}, "--batch 1: 2 or more"),
        ({"game": "connect_four", "ownership_weight": 0.1}, "--ownership-weight 0.1: in connect_four nobody owns"),
        ({"value_mix": 1.5}, "--value-mix 1.5: from 0 to 1"),
        ({"device": "cuda", "workers": 2}, "leave --workers out"),
        ({"from_pack": pathlib.Path("none.pack")}, "there is no such file"),
    ],
)
def test_what_cannot_be_meant(tmp_path: pathlib.Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        loop.run(small(tmp_path / "run", **changes), QUIET)


def test_too_few_openings_are_told_before_hours_have_gone_by(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop.openings, "LENGTHS", 1)
    args = small(tmp_path / "run", game="gomoku:size=3,row=3", gate_plies=1, gate_games=8)
    with pytest.raises(UsageError, match=r"--gate-games 8: .* has no 4 different openings of 1"):
        loop.run(args, QUIET)
    assert not (args.run / "log.jsonl").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="is about machines without a GPU")
def test_a_gpu_that_is_not_there(tmp_path: pathlib.Path) -> None:
    with pytest.raises(UsageError, match="--device cuda: torch finds no such device here"):
        loop.run(small(tmp_path / "run", device="cuda"), QUIET)


def test_the_command_that_goes_on_is_understood() -> None:
    args = small(pathlib.Path("runs/x y"), minutes=2.5, symmetries=False, tensorboard=True, workers=2)
    assert cli.parse(loop_words(args)) == args
    assert cli.parse(loop_words(TrainArgs())) == TrainArgs()


def loop_words(args: TrainArgs) -> list[str]:
    import shlex

    return shlex.split(command(args))[1:]


def test_what_a_run_is_is_all_that_is_not_free() -> None:
    names = {field.name for field in fields(TrainArgs)}
    assert set(FREE) < names and set(fixed(TrainArgs())) == names - set(FREE)
    check(TrainArgs())
    check(replace(TrainArgs(), minutes=0, iterations=0))


def test_the_time_left() -> None:
    clock = Clock(2.0, None, 5)
    assert 115 < clock.left() < 120.1 and not clock.over(5)  # type: ignore[operator]
    assert Clock(None, 7, 5).left() is None and Clock(None, None, 0).left() is None
    by_iterations = Clock(None, 15, 5)
    by_iterations.begun -= 60  # two iterations in a minute: eight more take four
    assert not by_iterations.over(7)
    assert by_iterations.left() == pytest.approx(240, abs=1)
    assert by_iterations.over(15) and Clock(1e-9, None, 0).over(0)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_what_is_shown(is_terminal: bool) -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=150)
    entry = {
        "iteration": 3, "games": 64, "positions": 500, "evaluations_per_second": 812.5, "network_share": 0.934,
        "policy_loss": 1.25, "value_loss": 0.5, "gate_score": 0.4, "gate_interval": [0.3, 0.49], "gate_against": 2,
        "gate_passed": False, "elo": 120.0, "seconds": 8.25,
    }  # fmt: skip
    with display(console, Clock(1.0, None, 2)) as shown:
        shown.stage(3, "games", 1, 4)
        shown.entry(entry)
        shown.stage(4, "learning", 7, 20)
    assert (
        "iteration 3: 64 games, 500 positions, 812 evaluations/s (93 % network), policy 1.250, value 0.500, "
        "40 % (30 to 49) against iteration 2, Elo 120, not passed, 8.2 s"
    ) in " ".join(file.getvalue().split())
    assert ("iteration 4: learning" in file.getvalue()) == is_terminal


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from narabe.experiments import cli; cli.parse(['train']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"torch", "numba", "numpy"}.isdisjoint(done.stdout.split())


def test_tensorboard(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    args = small(tmp_path / "run", tensorboard=True, iterations=2)
    loop.run(args, QUIET)
    events = EventAccumulator(str(args.run / "tensorboard"))
    events.Reload()
    assert [event.step for event in events.Scalars("policy_loss")] == [1, 2]
    assert events.Scalars("elo")[-1].value == pytest.approx(log(args.run)[-1]["elo"], rel=1e-5)
