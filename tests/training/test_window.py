"""The window: what was written is read, the newest rows are kept, and batches are drawn from them."""

from __future__ import annotations

import pathlib
from dataclasses import replace

import numpy as np
import pytest

from narabe.agents.symmetries import Symmetries
from narabe.envs import game
from narabe.experiments.training import window
from narabe.experiments.training.batches import batches, turned
from narabe.experiments.training.selfplay import Positions, Tally
from narabe.experiments.training.window import Window


def positions(n: int, seed: int, high: int = 1, actions: int = 25) -> Positions:
    rng = np.random.default_rng(seed)
    policies = rng.dirichlet(np.ones(actions), n).astype(np.float16)
    replied = np.sort(rng.choice(n, n // 3, replace=False)).astype(np.int32)
    values = rng.uniform(-1, 1, (n, 2)).astype(np.float32)
    observations = rng.integers(0, high + 1, (n, 4, 5, 5), dtype=np.int8)
    masks = rng.integers(0, 2, (n, actions), dtype=np.int8)
    return Positions(observations, masks, policies, values, replied, policies[replied])


@pytest.mark.parametrize("high", [1, 40])
def test_rows_come_back_whatever_is_forgotten(tmp_path: pathlib.Path, high: int) -> None:
    shards = [positions(n, n, high) for n in (7, 12, 5)]
    kept = Window()
    for k, shard in enumerate(shards):
        path = tmp_path / window.shard_name(1, k)
        window.write(path, shard, Tally(games=k, wins=[1, 2, 3]))
        again, tally = window.read(path)
        assert tally == Tally(games=k, wins=[1, 2, 3])
        kept.add(path.name, again)
    assert kept.keep(100) == [] and len(kept) == 24
    assert kept.keep(15) == ["000001-0000.npz"] and len(kept) == 15
    wanted = np.array([14, 0, 9, 10, 0])
    rows = kept.rows(wanted)
    for column in ("observations", "masks", "policies", "values"):
        everything = np.concatenate([getattr(shard, column) for shard in shards])[9:]
        assert np.array_equal(getattr(rows, column), everything[wanted])
    reply = dict(zip(shards[1].replied.tolist(), shards[1].replies))
    assert np.array_equal(rows.replies[1], reply.get(2, np.zeros(25, np.float16)))
    assert kept.keep(5) == ["000001-0001.npz"]


def test_shards_are_the_same_bytes_each_time_and_are_put_in_place_whole(tmp_path: pathlib.Path) -> None:
    made = []
    for name, seconds in (("a.npz", 1.0), ("b.npz", 2.0)):
        window.write(tmp_path / name, positions(9, 1), Tally(seconds=seconds))
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    (tmp_path / "c.npz").write_bytes(made[0][:500])
    with pytest.raises(ValueError, match="is not a shard"):
        window.read(tmp_path / "c.npz")


def test_names_sort_as_the_chunks_were_due() -> None:
    names = [window.shard_name(i, k) for i in (1, 9, 10, 100) for k in (0, 2, 11)]
    assert names == sorted(names)
    assert window.iteration_of(pathlib.Path("x") / names[-1]) == 100


def test_batches_follow_from_the_generator_and_see_all_rows() -> None:
    kept = Window()
    kept.add("a", positions(30, 1))
    drawn = [list(batches(kept, 20, 16, np.random.default_rng(5))) for _ in range(2)]
    assert all(np.array_equal(a.policies, b.policies) for a, b in zip(*drawn))
    seen = {row.tobytes() for rows in drawn[0] for row in rows.values}
    assert len(drawn[0]) == 20 and len(seen) == 30


def test_symmetries_take_all_columns_along() -> None:
    """A row turned by symmetry k is what the same game with turned moves would have recorded."""
    g = game("gomoku:size=5,row=4")
    symmetries = Symmetries(g)
    for k in range(g.num_symmetries):
        state, image = g.start(), g.start()
        for action in (3, 12, 9):
            state.play(action)
            image.play(g.symmetry(action, k))
        policy = np.zeros((1, 25), np.float16)
        policy[0, 1], policy[0, 7] = 0.75, 0.25
        rows = window.Rows(
            state.observe(1)[None], state.legal_mask()[None], policy, np.ones((1, 2), np.float32), policy[:, ::-1]
        )
        out = turned(rows, symmetries, np.array([k]))
        assert np.array_equal(out.observations[0], image.observe(1))
        assert np.array_equal(out.masks[0], image.legal_mask())
        assert out.policies[0, g.symmetry(1, k)] == 0.75 and out.policies[0, g.symmetry(7, k)] == 0.25
        assert out.replies[0, g.symmetry(23, k)] == 0.75


def test_owners_are_kept_and_turned(tmp_path: pathlib.Path) -> None:
    owners = np.random.default_rng(1).integers(-1, 2, (6, 5, 5), dtype=np.int8)
    made = replace(positions(6, 1), owners=owners)
    window.write(tmp_path / "a.npz", made, Tally())
    kept = Window()
    kept.add("a.npz", window.read(tmp_path / "a.npz")[0])
    rows = kept.rows(np.array([4, 0]))
    assert np.array_equal(rows.owners, owners[[4, 0]])
    g = game("gomoku:size=5,row=4")
    for k in range(g.num_symmetries):
        out = turned(rows, Symmetries(g), np.array([k, 0]))
        image = [out.owners[0].ravel()[g.symmetry(cell, k)] for cell in range(25)]
        assert image == owners[4].ravel().tolist() and np.array_equal(out.owners[1], owners[0])
