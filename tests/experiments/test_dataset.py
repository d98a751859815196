"""Arrays of stored games: each row is what a replay by the rules says."""

import json
from dataclasses import replace

import numpy as np
import pytest

from narabe import envs
from narabe.agents.symmetries import Symmetries
from narabe.experiments import dataset
from narabe.experiments.args import UsageError
from narabe.experiments.data_args import DatasetArgs
from narabe.experiments.npz import NpzWriter
from narabe.tests.experiments.runs import BROKEN, GAME, MIRRORED, QUIET, RECORDS, SETTINGS, WON, write_run


def arrays(tmp_path, records=RECORDS, settings=SETTINGS, **changes):
    folder = write_run(tmp_path / "run", settings, records)
    out = tmp_path / "out.npz"
    assert dataset.run(DatasetArgs(folder, out, **changes), QUIET) == 0
    with np.load(out, allow_pickle=False) as data:
        return dict(data)


def test_a_row_for_each_move_as_the_mover_saw_it(tmp_path):
    data = arrays(tmp_path, [WON])
    assert data["actions"].tolist() == [4, 0, 1, 8, 7]
    assert data["outcomes"].tolist() == [[1, -1], [-1, 1], [1, -1], [-1, 1], [1, -1]]
    assert data["seats"].tolist() == [0, 1, 0, 1, 0]
    assert data["openings"].tolist() == [True, True, False, False, False]
    assert (data["policies"].argmax(1) == data["actions"]).all()
    assert (data["policies"].sum(1) == 1).all()
    state = GAME.start()
    for ply, action in enumerate(data["actions"]):
        assert (data["observations"][ply] == state.observe(state.to_play)).all()
        assert (data["masks"][ply] == state.legal_mask()).all()
        state.play(action)
    assert {name: str(array.dtype) for name, array in data.items() if array.ndim} == {
        "observations": "int8", "masks": "int8", "actions": "int32", "policies": "float16", "outcomes": "float32",
        "games": "int32", "plies": "int32", "seats": "int8", "openings": "bool", "counts": "int32",
    }  # fmt: skip
    meta = json.loads(str(data["meta"]))
    assert envs.game(meta["game"].pop("name"), **meta["game"]) == GAME
    assert meta["source"]["settings"]["seed"] == 7


def test_forfeited_games_are_left_out(tmp_path):
    assert set(arrays(tmp_path)["games"].tolist()) == {WON.number, MIRRORED.number}


def test_moves_of_one_agent_without_openings(tmp_path):
    data = arrays(tmp_path, agents=["greedy"])
    assert list(zip(data["games"].tolist(), data["plies"].tolist())) == [(1, 2), (1, 4), (2, 3)]


def test_openings_left_out_and_a_limit(tmp_path):
    data = arrays(tmp_path, skip_opening=True, limit=4)
    assert list(zip(data["games"].tolist(), data["plies"].tolist())) == [(1, 2), (1, 3), (1, 4), (2, 2)]


def test_blocks_make_no_difference(tmp_path, monkeypatch):
    whole = {way: arrays(tmp_path / way, symmetries=way) for way in ("none", "canonical")}
    monkeypatch.setattr(dataset, "ROWS", 2)
    for way, expected in whole.items():
        found = arrays(tmp_path / f"{way}-2", symmetries=way)
        assert all((found[name] == expected[name]).all() for name in expected)


def test_each_position_once_with_what_was_played_there(tmp_path):
    """Of a game, its mirror image, and one in which White won from the third position on."""
    other = replace(WON, id="x", number=5, moves="B2 A1 C2 A2 C1 A3", plies=6, payoffs=(-1.0, 1.0))
    data = arrays(tmp_path, [WON, MIRRORED, other], symmetries="canonical")
    assert data["counts"].tolist() == [3, 3, 3, 2, 2, 1, 1, 1]
    third = np.array([1 / 3, -1 / 3], np.float32)
    assert data["outcomes"][:3] == pytest.approx(np.array([third, -third, third]))
    assert data["policies"][2].max() == pytest.approx(2 / 3, abs=1e-3)
    assert sorted(data["policies"][2])[-2] == pytest.approx(1 / 3, abs=1e-3)
    assert (data["actions"] == data["policies"].argmax(1)).all()
    assert (data["masks"][np.arange(8), data["actions"]] == 1).all()


def test_a_position_and_its_mirror_image_make_the_same_row(tmp_path):
    """All eight images of a game, one after the other, give eight times the rows of one."""
    game = "B2 A1 B1 C3 C2 A2 A3 C1"
    images = []
    for k in range(8):
        moves = " ".join(GAME.text_of(GAME.symmetry(GAME.action_of(move), k)) for move in game.split())
        images.append(replace(WON, id=f"{k}", number=k, moves=moves, plies=8))
    once = [arrays(tmp_path / image.id, [image], symmetries="canonical") for image in images]
    for data in once[1:]:
        for name in ("masks", "outcomes", "counts", "plies"):
            assert (data[name] == once[0][name]).all()
        stones = slice(0, 2)  # further planes mark the last move, whose image a symmetric position leaves open
        assert (data["observations"][:, stones] == once[0]["observations"][:, stones]).all()
    together = arrays(tmp_path / "all", images, symmetries="canonical")
    assert (together["counts"] == 8).all()
    assert len(together["counts"]) == 8


def test_three_players_have_the_mover_first(tmp_path):
    game = envs.game("stacking", players=3)
    state = game.start()
    moves = []
    while not state.is_over:
        moves.append(game.text_of(int(state.legal_actions()[len(moves) % 2])))
        state.play(moves[-1])
    record = replace(
        WON, agents=("a", "b", "a"), moves=" ".join(moves), payoffs=state.payoffs, choices=(0,) * 3, seconds=(0.0,) * 3,
        plies=len(moves),
    )  # fmt: skip
    data = arrays(tmp_path, [record], replace(SETTINGS, game="stacking", options=dict(game.options)))
    for row, seat in enumerate(data["seats"]):
        expected = [state.payoffs[(seat + k) % 3] for k in range(3)]
        assert data["outcomes"][row].tolist() == pytest.approx(expected)


def test_hidden_hands_show_what_the_seat_knows(tmp_path):
    game = envs.game("goita")
    state = game.start(seed=4)
    seen, moves = [], [game.text_of(action) for action in state.history]
    dealt = len(moves)
    for _ in range(6):
        seen.append(state.observe(state.to_play))
        moves.append(game.text_of(int(state.legal_actions()[-1])))
        state.play(moves[-1])
    moves = [game.text_of(action) for action in state.history]
    record = replace(
        WON, agents=("random",) * 4, moves=" ".join(moves), payoffs=(0.0,) * 4, choices=(0,) * 4, seconds=(0.0,) * 4,
        opening_plies=dealt,
    )  # fmt: skip
    settings = replace(SETTINGS, game="goita", options=dict(game.options))
    data = arrays(tmp_path, [record], settings)
    assert (data["observations"] == np.stack(seen)).all()
    with pytest.raises(UsageError, match="hidden hands"):
        dataset.run(DatasetArgs(tmp_path / "run", tmp_path / "out.npz", symmetries="canonical"), QUIET)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"agents": ["grady"]}, "no agent 'grady' in .*: random, greedy"),
        ({"limit": 0}, "--limit 0"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, changes, words):
    folder = write_run(tmp_path / "run", SETTINGS, RECORDS)
    with pytest.raises(UsageError, match=words):
        dataset.run(DatasetArgs(folder, tmp_path / "out.npz", **changes), QUIET)


def test_a_run_without_whole_games_writes_nothing(tmp_path):
    folder = write_run(tmp_path / "run", SETTINGS, [BROKEN])
    with pytest.raises(UsageError, match="no such positions: 1 games, 1 of them forfeited"):
        dataset.run(DatasetArgs(folder, tmp_path / "out.npz"), QUIET)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_games_by_other_rules_are_refused(tmp_path):
    with pytest.raises(UsageError, match="move 3: A1"):
        arrays(tmp_path, [replace(WON, moves="B2 A1 A1")])


def test_a_run_of_training_gives_its_window_newest_first(tmp_path):
    from narabe.experiments.training import window
    from narabe.experiments.training.args import TrainArgs
    from narabe.experiments.training.selfplay import Positions, Tally
    from narabe.experiments.training.state import Run

    rng = np.random.default_rng(0)
    with Run(TrainArgs(game=GAME.spec, run=tmp_path / "run")) as run:
        for iteration in (1, 2):
            positions = Positions(
                rng.integers(0, 2, (3, *GAME.observation_shape)).astype(np.int8), np.ones((3, 9), np.int8),
                rng.random((3, 9)).astype(np.float16), np.full((3, 2), iteration, np.float32), np.zeros(0, np.int32),
                np.zeros((0, 9), np.float16),
            )  # fmt: skip
            window.write(run.window / window.shard_name(iteration, 0), positions, Tally())
    out = tmp_path / "out.npz"
    assert dataset.run(DatasetArgs(tmp_path / "run", out, limit=4), QUIET) == 0
    data = np.load(out)
    assert data["shards"].tolist() == [2, 2, 2, 1]
    assert data["outcomes"][:, 0].tolist() == [2, 2, 2, 1]
    assert (data["policies"][:3] == positions.policies).all()
    with pytest.raises(UsageError, match="--agents is for games of a tournament"):
        dataset.run(DatasetArgs(tmp_path / "run", out, agents=["greedy"]), QUIET)


def test_the_file_has_the_same_bytes_each_time(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        arrays(tmp_path / name)
    assert (tmp_path / "a/out.npz").read_bytes() == (tmp_path / "b/out.npz").read_bytes()


def test_rows_of_another_shape_are_refused_and_leave_nothing(tmp_path):
    def write():
        with NpzWriter(tmp_path / "a.npz") as out:
            out.add(x=np.zeros((1, 2)))
            out.add(x=np.zeros((1, 3)))

    with pytest.raises(ValueError, match="rows of"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_symmetries_take_a_move_along(tmp_path):
    """The move of a canonical row is the image of the move that was played."""
    data = arrays(tmp_path, [WON], symmetries="canonical")
    turned, state = Symmetries(GAME), GAME.start()
    for row, action in enumerate([4, 0, 1, 8, 7]):
        k = np.array([state.canonical_key[1]])
        one_hot = np.zeros((1, 9))
        one_hot[0, action] = 1
        assert (turned.by_action(one_hot, k)[0] == data["policies"][row]).all()
        state.play(action)
