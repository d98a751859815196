"""Chunks of self-play: what is recorded is true of the games, and follows from the seed."""

from __future__ import annotations

import json
import math
import pathlib
from dataclasses import replace

import numpy as np
import pytest

from narabe.envs import Game, game
from narabe.envs.rules import calls
from narabe.experiments import bench, bench_selfplay
from narabe.experiments.args import UsageError
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.training import turns
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.selfplay import Positions, Tally, play_chunk
from narabe.search.puct import Puct

ARGS = TrainArgs(chunk_games=30, flight=8, sims=12, fast_sims=4, full_share=0.5, random_share=0.5)
GAMES = ("connect_four", "gomoku:size=5,row=4", "gomocku:size=7")


def uniform(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 2), np.float32)


def chunk(g: Game, seed: int = 1, evaluate=uniform, **changes: object) -> tuple[Positions, Tally]:
    return play_chunk(g, evaluate, replace(ARGS, **changes), np.random.SeedSequence(seed))  # type: ignore[arg-type]


def equal(a: Positions, b: Positions) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in vars(a))


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("search", ["gumbel", "puct"])
def test_what_is_recorded(spec: str, search: str) -> None:
    g = game(spec)
    positions, tally = chunk(g, search=search, value_mix=0.0)
    n = len(positions)
    assert tally.games == 30 and sum(tally.wins) == 30 and tally.positions == n
    assert 0.3 * tally.plies < n < 0.7 * tally.plies
    assert positions.observations.shape == (n, *g.observation_shape)
    policies = positions.policies.astype(float)
    assert np.allclose(policies.sum(1), 1, atol=2e-3)
    assert not policies[positions.masks == 0].any()
    assert set(np.unique(positions.values)) <= {-1.0, 0.0, 1.0}  # how the games ended
    assert np.array_equal(positions.values[:, 0], -positions.values[:, 1])
    assert 0.2 * n < len(positions.replied) < 0.7 * n  # about half of the next turns had a full search
    assert np.array_equal(positions.replies, positions.policies[positions.replied + 1])
    # the next turn is the opponent's: what is a gain for the one is a loss for the other
    assert np.array_equal(positions.values[positions.replied, 0], -positions.values[positions.replied + 1, 0])


def test_it_follows_from_the_seed_and_from_nothing_else() -> None:
    g = game("connect_four")
    first, tally = chunk(g)
    again, other_tally = chunk(g)
    assert equal(first, again)
    assert replace(tally, seconds=0, network_seconds=0) == replace(other_tally, seconds=0, network_seconds=0)
    assert not equal(first, chunk(g, seed=2)[0])
    # a game does not depend on how many are played beside it, nor on when its place became free
    assert equal(first, chunk(g, flight=3)[0])


def test_every_move_is_recorded_if_every_search_is_full() -> None:
    g = game("connect_four")
    positions, tally = chunk(g, full_share=1.0, random_share=0.0, temperature_plies=0)
    assert len(positions) == tally.plies
    assert len(positions.replied) == tally.plies - tally.games  # all but the last moves
    starts = np.concatenate([[0], np.setdiff1d(np.arange(len(positions)), positions.replied)[:-1] + 1])
    empty = g.start().observe(0)
    assert all(np.array_equal(positions.observations[k], empty) for k in starts)


def test_random_openings_have_one_to_so_many_plies() -> None:
    g = game("connect_four")
    positions, tally = chunk(g, full_share=1.0, random_share=1.0, random_plies=3, chunk_games=60)
    assert tally.games == 60
    starts = np.concatenate([[0], np.setdiff1d(np.arange(len(positions)), positions.replied)[:-1] + 1])
    stones = positions.observations[starts, :2].sum((1, 2, 3))
    assert set(stones.tolist()) == {1, 2, 3}


def test_the_first_moves_are_drawn_and_the_others_are_the_best() -> None:
    g = game("gomoku:size=5,row=4")
    calm = {"full_share": 1.0, "random_share": 0.0, "search": "puct", "noise": 0.0, "chunk_games": 20}
    same, _ = chunk(g, temperature_plies=0, **calm)
    assert len(same) % 20 == 0 and equal_games(same, 20)  # nothing is random: twenty times the same game
    drawn, _ = chunk(g, temperature_plies=4, **calm)
    assert not equal_games(drawn, 20)


def equal_games(positions: Positions, games: int) -> bool:
    boards = positions.observations
    if len(boards) % games:
        return False
    boards = boards.reshape(games, len(boards) // games, *boards.shape[1:])
    return bool((boards == boards[:1]).all())


def test_the_value_is_mixed_of_the_end_and_the_root() -> None:
    g = game("connect_four")

    def sure(observations, masks, players):  # the first player is said to win everywhere
        return np.zeros(masks.shape, np.float32), np.tile(np.array([[0.5, -0.5]], np.float32), (len(masks), 1))

    ends, _ = chunk(g, evaluate=sure, value_mix=0.0)
    roots, _ = chunk(g, evaluate=sure, value_mix=1.0)
    half, _ = chunk(g, evaluate=sure, value_mix=0.5)
    assert np.allclose(half.values, 0.5 * (ends.values + roots.values), atol=1e-6)
    first = roots.observations[:, :2].sum((1, 2, 3)) % 2 == 0  # an even number of discs: the first player is to move
    assert roots.values[first, 0].mean() > 0.3 and roots.values[~first, 0].mean() < -0.3


def test_actions_are_drawn_by_the_policy() -> None:
    policy = np.tile(np.array([[0.0, 0.1, 0.3, 0.6]], np.float32), (20_000, 1))
    numbers = np.random.default_rng(1).random(20_000)
    actions, drawn = np.zeros(20_000, np.int64), np.ones(20_000, bool)
    turns.draw_actions(policy, 1.0, numbers, drawn, actions)
    assert np.allclose(np.bincount(actions, minlength=4) / 20_000, [0, 0.1, 0.3, 0.6], atol=0.015)
    turns.draw_actions(policy, 0.5, numbers, drawn, actions)
    assert np.allclose(np.bincount(actions, minlength=4) / 20_000, np.array([0, 1, 9, 36]) / 46, atol=0.015)
    actions[:] = 7
    turns.draw_actions(policy, 1.0, numbers, ~drawn, actions)
    assert (actions == 7).all()


def test_pruning_takes_back_what_noise_asked_for() -> None:
    """By the definition, one visit at a time: a child's last visit goes as long as PUCT would not have given it."""
    g = game("gomoku:size=5,row=4")
    rng = np.random.default_rng(3)
    answers = rng.normal(0, 2, (997, 25)).astype(np.float32), rng.uniform(-0.4, 0.4, 997).astype(np.float32)

    def noisy(observations, masks, players):
        rows = (observations.reshape(len(masks), -1) @ np.arange(1, 101)) % 997
        return answers[0][rows], np.stack((answers[1][rows], -answers[1][rows]), 1)

    search = Puct(g, batch=8, sims=120, noise=0.25)
    found = search.run(np.repeat(g.start().record, 8), noisy, np.arange(1, 9, dtype=np.uint64))
    policy = np.zeros((8, 25), np.float32)
    t = search.trees
    turns.prune(t.nodes, t.edges, t.desks, t.clean, search.settings, np.arange(8), policy)
    shortened = 0
    for i in range(8):
        node = t.nodes[t.desks[i]["node0"]]
        edges = t.edges[node["first"] : node["first"] + node["tried"]]
        q = {int(e["action"]): float(t.nodes[e["child"]]["q"]) for e in edges}
        visits = found.visits[i].astype(float)
        whole = float(node["visits"])
        c = 2.5 + math.log((1 + whole + 19652) / 19652)

        def score(a: int, n: float, c: float = c, whole: float = whole, q: dict = q, i: int = i) -> float:  # type: ignore[type-arg]
            return q[a] + c * float(t.clean[i, a]) * math.sqrt(whole) / (1 + n)

        best = max(q, key=lambda a: visits[a])
        goal = score(best, visits[best])
        for a in q:
            while a != best and visits[a] > 0 and score(a, visits[a] - 1) < goal:
                visits[a] -= 1
            if a != best and visits[a] <= 1:
                visits[a] = 0
        shortened += int(found.visits[i].sum() - visits.sum())
        assert np.allclose(policy[i], visits / visits.sum(), atol=1e-6)
    assert shortened > 20


def test_the_benchmark_counts_what_was_asked() -> None:
    row = bench_selfplay.measure(
        "connect_four", 1, 4, bench_selfplay.BenchSelfplay(flight=4, sims=4, fast_sims=2, positions=200)
    )
    assert 3 < row["mean_batch"] <= 4 and 0 < row["network_share"] < 1
    assert row["evaluations_per_second"] == pytest.approx(1e6 / (row["us_network"] + row["us_beside"]), rel=1e-6)


def test_narabe_bench_measures_the_games_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"game": "", "network": "", "network_share": 0.5}
    monkeypatch.setattr(bench_selfplay, "one_core", lambda: None)
    monkeypatch.setattr(bench_selfplay.torch, "set_num_threads", lambda n: None)
    monkeypatch.setattr(
        bench_selfplay, "measure", lambda spec, *shape: {**row, "game": spec, "network": str(shape[:2])}
    )
    assert bench.run(BenchArgs(selfplay=True, only=["connect", "gomocku"], out=tmp_path / "x" / "y.json")) == 0
    assert "network share" in capsys.readouterr().out
    rows = json.loads((tmp_path / "x" / "y.json").read_text())["rows"]
    assert [row["game"] for row in rows] == ["connect_four"] * 3 + ["gomocku"] * 3
    with pytest.raises(UsageError, match="no game of --selfplay"):
        bench.run(BenchArgs(selfplay=True, only=["chess"]))


def test_owners_are_the_stones_of_the_end() -> None:
    """In Gomoku stones stay: from the last position on it takes one move, the winner's."""
    positions, _ = chunk(game("gomoku:size=5,row=4"), full_share=1.0, ownership_weight=0.5, value_mix=0.0)
    assert positions.owners is not None
    own, other = positions.observations[:, 0], positions.observations[:, 1]
    assert (positions.owners[own == 1] == 1).all() and (positions.owners[other == 1] == -1).all()
    last = np.setdiff1d(np.arange(len(positions)), positions.replied)
    added = positions.owners[last] - own[last] + other[last]
    assert len(last) == 30 and (added.sum((1, 2)) == 1).all() and (added != 0).sum() == 30  # the mover's
    assert (positions.owners[positions.replied] == -positions.owners[positions.replied + 1]).all()


def test_owners_in_gomocku_are_colours_that_show(monkeypatch: pytest.MonkeyPatch) -> None:
    g, ends, plain = game("gomocku:size=7"), [], turns.play_moves

    def noted(records, games, actions, streams, payoffs):  # type: ignore[no-untyped-def]
        plain(records, games, actions, streams, payoffs)
        for place in games[~np.isnan(payoffs[:, 0])]:
            shown = np.zeros(g.observation_shape, np.int8)
            calls.observe(records, int(place), 2, shown)  # by the other seat
            ends.append(shown[1] - shown[0])

    monkeypatch.setattr(turns, "play_moves", noted)
    positions, _ = chunk(g, flight=1, chunk_games=4, ownership_weight=0.5, random_share=0.0)
    games = np.cumsum(np.diff(positions.observations[:, 11, 0, 0], prepend=0) < 0)  # the ply falls: a new game
    assert positions.owners is not None and games[-1] == 3 and np.unique(positions.owners).tolist() == [-1, 0, 1]
    for number, black, owners in zip(games, positions.observations[:, 9, 0, 0], positions.owners):
        assert np.array_equal(owners, ends[number] if black else -ends[number])


def test_without_the_weight_there_are_no_owners() -> None:
    assert chunk(game("gomoku:size=5,row=4"))[0].owners is None
