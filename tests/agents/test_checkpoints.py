"""Networks on file: they come back, also for other sizes of board, and what is wrong with a file is told."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Callable
from typing import Any

import pytest
import torch

from narabe import __version__
from narabe.agents import players
from narabe.agents.checkpoints import Card, CheckpointError, load, read_card, save
from narabe.agents.networks import NetShape
from narabe.envs import Game, game
from narabe.tests.agents.nets import SMALL, batch_of, network_of, outputs, positions

NINE = game("gomoku", size=9)


def saved(path: pathlib.Path, g: Game = NINE, **more: Any) -> pathlib.Path:
    save(path, network_of(g), Card.of(g, SMALL, **more))
    return path


def change(path: pathlib.Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Edits the card of a checkpoint."""
    told = path.with_suffix(".json")
    data = json.loads(told.read_text())
    edit(data)
    told.write_text(json.dumps(data))


@pytest.mark.parametrize("ending", ["", ".safetensors", ".json"])
def test_a_network_comes_back(tmp_path: pathlib.Path, ending: str) -> None:
    path = tmp_path / "runs" / f"best.v1{ending}"  # the folder is made; a dot in the name is no ending
    save(path, network_of(NINE), Card.of(NINE, SMALL, training={"steps": 7}, strength=[{"elo": 12.5}]))
    assert sorted(f.name for f in path.parent.iterdir()) == ["best.v1.json", "best.v1.safetensors"]
    network, card = load(path)
    planes = batch_of(positions(NINE, 3))[0]
    assert torch.equal(outputs(network, planes).policy, outputs(network_of(NINE), planes).policy)
    assert not network.training
    assert (card.training, card.strength, card.narabe) == ({"steps": 7}, [{"elo": 12.5}], __version__)
    assert (card.planes, card.actions, card.made_game()) == ((4, 9, 9), 81, NINE)
    assert read_card(path) == card


@pytest.mark.parametrize(
    ("learned", "other"),
    [
        (NINE, game("gomoku", width=15, height=13)),
        (game("gomoku", exact=False, size=9), game("freestyle")),  # other names, the same rules
        (game("connect_four"), game("stacking_go_board", plies=100)),
        (game("stacking", span=12), game("stacking")),
    ],
    ids=str,
)
def test_it_may_play_on_other_sizes(tmp_path: pathlib.Path, learned: Game, other: Game) -> None:
    network, card = load(saved(tmp_path / "net", learned), other)
    assert network.num_actions == other.num_actions and card.made_game() == learned
    assert outputs(network, batch_of(positions(other, 2))[0]).policy.shape == (2, other.num_actions)


@pytest.mark.parametrize(
    ("learned", "other", "why"),
    [
        (NINE, game("connect_four"), "learned gomoku:.* and cannot play connect_four: that is another game"),
        (NINE, game("renju"), "double_three=True and not False.*only the size of the board may differ"),
        (NINE, game("capture_gomoku"), "its observations have 6 planes and not 4"),
        (game("connect_four"), game("stacking_cylinder"), "cylinder=True and not False"),
        (game("connect_four"), game("stacking"), "its observations have 5 planes and not 4"),
    ],
    ids=str,
)
def test_it_may_not_play_other_games(tmp_path: pathlib.Path, learned: Game, other: Game, why: str) -> None:
    saved(tmp_path / "net", learned)
    with pytest.raises(CheckpointError, match=why):
        load(tmp_path / "net", other)


def test_what_is_missing(tmp_path: pathlib.Path) -> None:
    with pytest.raises(CheckpointError, match=r"there is no checkpoint .*net\.json: give the path"):
        load(tmp_path / "net")
    saved(tmp_path / "net")
    (tmp_path / "net.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"net\.safetensors is missing beside net\.json: copy both files"):
        load(tmp_path / "net")


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda d: d.update(format=2, narabe="9.0"), r"has format 2, this version .* reads 1: use the version .*9\.0"),
        (lambda d: d.pop("format"), "is no card of a network: 'format'"),
        (lambda d: d.update(colour="red"), "is no card of a network: .*colour"),
        (lambda d: d.update(shape={"layers": 3}), "is no card of a network: fields layers"),
        (lambda d: d.update(planes=[5, 9, 9]), r"was trained on observations \(5, 9, 9\).*or train anew"),
        (lambda d: d.update(actions=80), "and 80 actions, and gomoku:.* now has .* and 81"),
        (
            lambda d: d["game"].update(name="mahjong"),
            "no such game here .*; a game of your own has to be registered first",
        ),
        (lambda d: d["game"].update(colour=3), "no such game here .*; a game of your own has to be registered first"),
        (lambda d: d["shape"].update(channels=16), "does not hold the weights of net.json"),
    ],
)
def test_cards_that_do_not_fit(tmp_path: pathlib.Path, edit: Callable[[dict[str, Any]], None], why: str) -> None:
    saved(tmp_path / "net")
    change(tmp_path / "net", edit)
    with pytest.raises(CheckpointError, match=why):
        load(tmp_path / "net")


def test_a_card_that_is_no_json(tmp_path: pathlib.Path) -> None:
    saved(tmp_path / "net")
    (tmp_path / "net.json").write_text("weights")
    with pytest.raises(CheckpointError, match=r"net\.json is no card of a network"):
        load(tmp_path / "net")


def test_weights_that_are_not_those_of_the_card(tmp_path: pathlib.Path) -> None:
    """A byte changed on the way, or the file of another checkpoint; and never is anything unpickled."""
    saved(tmp_path / "net")
    weights = tmp_path / "net.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(CheckpointError, match=r"is not the file that net\.json tells of, or it is damaged"):
        load(tmp_path / "net")
    torch.save(network_of(NINE).state_dict(), weights)
    with pytest.raises(CheckpointError, match=r"is not the file that net\.json tells of"):
        load(tmp_path / "net")


def test_a_card_of_another_network_is_not_saved(tmp_path: pathlib.Path) -> None:
    with pytest.raises(CheckpointError, match="the card tells of"):
        save(tmp_path / "net", network_of(NINE), Card.of(NINE, NetShape(blocks=3)))
    with pytest.raises(CheckpointError, match="the card tells of"):
        save(tmp_path / "net", network_of(NINE), Card.of(game("gomoku"), SMALL))
    assert not list(tmp_path.iterdir())


def test_saving_again_replaces_both_files(tmp_path: pathlib.Path) -> None:
    saved(tmp_path / "net")
    save(tmp_path / "net", network_of(NINE, seed=2), Card.of(NINE, SMALL))
    assert torch.equal(load(tmp_path / "net")[0].stem.conv.weight, network_of(NINE, seed=2).stem.conv.weight)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_player_of_a_game_is_that_of_the_nearest_size(tmp_path: pathlib.Path) -> None:
    for size in (7, 9, 13):
        saved(tmp_path / f"gomoku{size}", game("gomoku", size=size))
    shutil.copy(tmp_path / "gomoku9.json", tmp_path / "again.json")
    assert [players.find(game("gomoku", size=s), tmp_path).stem for s in (5, 9, 10, 15)] == [  # type: ignore[union-attr]
        "gomoku7", "again", "again", "gomoku13",
    ]  # fmt: skip
    assert players.find(game("renju"), tmp_path) is None
    assert players.find(game("goita"), tmp_path) is None


def test_every_network_that_comes_with_narabe_can_be_loaded_and_says_how_strong_it_is() -> None:
    for told in players.FOLDER.glob("*.json"):
        network, card = load(told)
        assert card.strength and card.training, told.name
        assert network.num_actions == card.actions
