"""Positions and networks for the tests of PUCT and Gumbel search, and looks at what was found."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.search.puct import Found, Search
from narabe.tests.games import game_of, heap, thicket
from narabe.tests.oracles.puct import Plain

Evaluate = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
BANNED = "x4x/6/1x3x/6/xo2x1/ox4 b 9 0-0 - -"  # 6 of 27 points are allowed


def starts() -> dict[str, State]:
    """Positions of games of all kinds: chance, three seats, turns that do not alternate, captures, bans."""
    gomocku = game("gomocku", size=9).start(seed=3)
    rng = np.random.default_rng(5)
    while gomocku.ply < 33 and not gomocku.is_over:  # the second phase: pieces are turned, and backs are seen
        gomocku.play(int(rng.choice(gomocku.legal_actions())))
    assert not gomocku.is_over
    return {
        "tic-tac-toe": game("gomoku", size=3, row=3).start(),
        "4x4": game("freestyle", size=4, row=3).start(),
        "9x9": game("gomoku", size=9).position(black="D5 E5 F5 A1", white="A9 C5 I9 D4", to_move="black"),
        "captures": game("capture_gomoku", size=7).position(black="D4 B2 E3", white="D5 D6 F3", to_move="black"),
        "bans": game("renju", size=6, row=3, recursive=False, five_spoils_three=False, same_line=True).from_text(
            BANNED
        ),
        "three seats": game_of(heap, stones=14).start(),
        "thicket": game_of(thicket, seed=4, levels=9, width=0, branch=5, chance=30, dead=8, steps=4, strict=0).start(),
        "gomocku": gomocku,
    }


def some_positions(n: int) -> list[State]:
    g, rng, found = game("gomoku", size=7), np.random.default_rng(3), []
    for k in range(n):
        state = g.start()
        for _ in range(k % 11):
            state.play(int(rng.choice(state.legal_actions())))
        found.append(state)
    return found


def stream(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def uniform(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A network that knows nothing, for two players."""
    return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 2), np.float32)


def hashed(num_players: int, sharpness: float = 1.5, range_of_values: float = 0.8) -> Evaluate:
    """A network that says something definite about each position, row by row: numbers drawn from a hash of what it sees."""

    def evaluate(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outputs = np.zeros(masks.shape, np.float32)
        values = np.zeros((len(masks), num_players), np.float32)
        for i in range(len(masks)):
            seen = observations[i].tobytes() + masks[i].tobytes() + bytes([int(players[i])])
            rng = np.random.default_rng(zlib.crc32(seen))
            outputs[i] = rng.normal(0, sharpness, masks.shape[1])
            drawn = rng.uniform(-1, 1, num_players)
            values[i] = range_of_values * (drawn - drawn.mean())
        return outputs, values

    return evaluate


def knowing(start: State, values: Callable[[State], tuple[float, ...]]) -> Evaluate:
    """A network that knows the values of every position of a small game that has no two of one observation."""
    seen: dict[bytes, tuple[float, ...]] = {}

    def walk(state: State) -> None:
        if state.is_over:
            return
        if state.to_play >= 0:
            name = state.observe(state.to_play).tobytes() + bytes([state.to_play])
            if name in seen:
                return
            seen[name] = values(state)
        for action in range(state.game.num_actions):
            if state.why_illegal(action) is None:
                walk(state.play(action))
                state.undo()

    state = start.copy()
    state.chance = "manual"
    walk(state)

    def evaluate(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [seen[o.tobytes() + bytes([int(p) - 1])] for o, p in zip(observations, players)]
        return np.zeros(masks.shape, np.float32), np.array(found, np.float32)

    return evaluate


def following(start: State, evaluate: Evaluate) -> Evaluate:
    """A network with the policy of another, and for values the expected payoffs if everybody follows that policy."""
    known: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}

    def value(state: State) -> np.ndarray:
        if state.is_over:
            return np.array(state.payoffs)
        seat = state.to_play
        name = state.observe(seat).tobytes() + bytes([seat])
        if name not in known:
            legal = state.legal_actions()
            outputs = evaluate(
                state.observe(seat)[None], state.legal_mask()[None].astype(np.int8), np.array([seat + 1])
            )[0]
            weights = np.exp(outputs[0][legal].astype(np.float64))
            values = np.array([value(state.copy().play(int(a))) for a in legal])
            known[name] = outputs[0], (weights / weights.sum()) @ values
        return known[name][1]

    value(start.copy())

    def answer(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [known[o.tobytes() + bytes([int(p) - 1])] for o, p in zip(observations, players)]
        return np.array([o for o, _ in found]), np.array([v for _, v in found])

    return answer


# ---- what was found ---------------------------------------------------------------------------------------------------


def assert_same(found: Found, plain: Plain, i: int = 0) -> None:
    assert found.visits[i].tolist() == plain.visits()
    if sum(plain.visits()):
        assert found.action[i] == plain.action()
        np.testing.assert_allclose(found.policy[i], plain.policy(), atol=1e-6)
    np.testing.assert_allclose(found.value[i], plain.value(), atol=1e-6)


def check(search: Search, g: int) -> None:
    """What holds for the tree of a game whatever was searched."""
    t, d = search.trees, search.trees.desks[g]
    node0, edge0 = int(d["node0"]), int(d["edge0"])
    assert 0 < d["nodes"] <= t.max_nodes
    assert 0 <= d["edges"] <= t.max_edges
    taken, reached = np.zeros(t.max_edges, np.int64), 1
    stack = [node0]
    while stack:
        n = t.nodes[stack.pop()]
        assert n["visits"] > 0
        assert n["bonus"] == 1 / (1 + n["visits"])
        if n["mover"] > 0:
            assert n["q"] == n["gain"] / n["visits"]
        if n["first"] < 0:
            continue
        first, width, tried = int(n["first"]), int(n["width"]), int(n["tried"])
        block = t.edges[first : first + width]
        taken[first - edge0 : first - edge0 + width] += 1
        children = t.nodes[block["child"][:tried]]
        reached += tried
        stack += block["child"][:tried].tolist()
        assert children["visits"].sum() <= n["visits"]
        assert children["action"].tolist() == block["action"][:tried].tolist()
        if n["turn"] > 0:
            assert (children["mover"] == n["turn"]).all()
            assert block["prior"].sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
            assert block["prior"][tried:].sum(dtype=np.float64) == pytest.approx(n["rest"], abs=1e-6)
            assert len(set(block["action"])) == width
            if tried < width:
                assert block["prior"][tried] == block["prior"][tried:].max()
    assert reached == d["nodes"]
    assert taken.max(initial=0) <= 1
    assert taken.sum() == d["edges"]


def priors(search: Search, node: int) -> dict[int, float]:
    n = search.trees.nodes[node]
    block = search.trees.edges[n["first"] : n["first"] + n["width"]]
    return dict(zip(block["action"].tolist(), block["prior"].tolist()))


def digest(found: Found, i: int) -> tuple[bytes, ...]:
    return tuple(x[i].tobytes() for x in (found.visits, found.policy, found.value, found.action, found.lines))
