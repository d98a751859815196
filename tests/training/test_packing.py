"""What comes out of a run: the network with its card, and packs from which it is gone on with elsewhere."""

from __future__ import annotations

import json
import pathlib
import zipfile
from dataclasses import replace

import pytest
import torch
from rich.console import Console

from narabe.agents import checkpoints
from narabe.envs import game
from narabe.experiments.args import UsageError
from narabe.experiments.training import loop
from narabe.experiments.training.state import read_state
from narabe.tests.training.small_run import GAME, result, small

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A run of three iterations, with its pack and its export."""
    run = tmp_path_factory.mktemp("made") / "run"
    args = small(run, pack=run / "out" / "run.pack", export=run / "out" / "small.safetensors")
    assert loop.run(args, QUIET) == 0
    return run


def test_the_card_tells_how_the_network_was_made(made: pathlib.Path) -> None:
    network, card = checkpoints.load(made / "out" / "small.safetensors", game(GAME))
    assert (made / "out" / "small.safetensors").read_bytes() == (made / "player.safetensors").read_bytes()
    assert card.training["arguments"]["sims"] == 6 and card.training["iterations"] == 3
    entries = [json.loads(line) for line in (made / "log.jsonl").read_text().splitlines()]
    assert card.training["steps"] == entries[-1]["steps"] > 10
    tensors, standing = read_state(made / "state.safetensors")
    assert not standing.holds
    assert all((tensors[f"average.{name}"] == x).all() for name, x in network.state_dict().items())


def test_going_on_from_a_pack_is_going_on(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With room for the whole window, the pack makes what the run itself would have made."""
    pack = made / "out" / "run.pack"
    assert pack.stat().st_size < 1_000_000
    elsewhere = small(tmp_path / "elsewhere", from_pack=pack, iterations=5)
    assert loop.run(elsewhere, QUIET) == 0
    there = result(elsewhere.run)
    assert [entry["iteration"] for entry in there["log"]] == [3, 4, 5]  # type: ignore[attr-defined]
    assert loop.run(small(tmp_path / "whole", iterations=5), QUIET) == 0
    whole = result(tmp_path / "whole")
    assert there["player.safetensors"] == whole["player.safetensors"]
    assert there["log"] == whole["log"][2:]  # type: ignore[index]
    assert loop.run(replace(elsewhere, iterations=6), QUIET) == 0  # the same words go on; the pack is not looked at
    assert len(result(elsewhere.run)["log"]) == 4  # type: ignore[arg-type]


def test_much_may_be_changed_with_a_pack_but_not_the_network(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pack = made / "out" / "run.pack"
    changed = small(tmp_path / "other", from_pack=pack, iterations=4, sims=8, batch=8, rate=1e-3)
    assert loop.run(changed, QUIET) == 0
    with pytest.raises(UsageError, match="--channels is 4 there, and 8 now"):
        loop.run(small(tmp_path / "wide", from_pack=pack, channels=8), QUIET)
    with pytest.raises(UsageError, match="--ownership-weight is 0.0 there, and 0.5 now"):
        loop.run(small(tmp_path / "owned", from_pack=pack, ownership_weight=0.5), QUIET)
    (tmp_path / "no.pack").write_text("nothing")
    with pytest.raises(UsageError, match="is no pack of a run"):
        loop.run(small(tmp_path / "wrong", from_pack=tmp_path / "no.pack"), QUIET)


def test_a_small_pack_holds_the_newest_games(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    sizes = [path.stat().st_size for path in sorted((made / "window").glob("*.npz"))]
    room = (made / "state.safetensors").stat().st_size + sum(sizes[-2:]) + 6000
    pack = tmp_path / "small.pack"
    args = small(made, minutes=0, pack=pack, pack_mb=room / 1e6)
    assert loop.run(args, QUIET) == 0
    names = [name for name in zipfile.ZipFile(pack).namelist() if name.startswith("window/")]
    assert names == [f"window/{path.name}" for path in sorted((made / "window").glob("*.npz"))[-len(names) :]]
    assert 1 <= len(names) < len(sizes) and pack.stat().st_size <= room
    assert loop.run(small(tmp_path / "more", from_pack=pack, iterations=4), QUIET) == 0
    with pytest.raises(UsageError, match="the state alone has"):
        loop.run(replace(args, pack_mb=0.004), QUIET)


def test_a_large_state_is_halved(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    size = (made / "state.safetensors").stat().st_size
    pack = tmp_path / "halved.pack"
    assert loop.run(small(made, minutes=0, pack=pack, pack_mb=0.85 * size / 1e6), QUIET) == 0
    assert pack.stat().st_size < 0.85 * size
    args = small(tmp_path / "half", from_pack=pack, iterations=3)
    assert loop.run(args, QUIET) == 0  # nothing is left to do: the product is what was packed
    whole, half = (checkpoints.load(run / "player")[0].state_dict() for run in (made, args.run))
    for name, x in whole.items():
        assert torch.allclose(x.float(), half[name].float(), rtol=1e-2, atol=1e-6), name
    assert loop.run(replace(args, iterations=4), QUIET) == 0


def test_minutes_0_needs_nothing_but_the_run(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = result(made)
    args = loop.TrainArgs(run=made, minutes=0, export=tmp_path / "again.safetensors")
    assert loop.run(args, QUIET) == 0
    assert result(made) == before
    assert (tmp_path / "again.safetensors").read_bytes() == (made / "player.safetensors").read_bytes()
    with pytest.raises(UsageError, match="holds no run"):
        loop.run(loop.TrainArgs(run=tmp_path / "none", minutes=0), QUIET)
