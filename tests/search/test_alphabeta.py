"""Alpha-beta of the line games: against plain minimax, wins and parries at any budget, claims, limits."""

from __future__ import annotations

import _thread
import random
import threading
import time

import numpy as np
import pytest

from narabe.envs import Game, State, entries, game
from narabe.envs.rules import line
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.experiments import bench_engine
from narabe.search.alphabeta import Engine, as_weights, weights_for
from narabe.search.alphabeta.desk import PROVEN_WIN, WIN, new_desk
from narabe.search.alphabeta.evaluation import estimate, features
from narabe.search.alphabeta.tuned import TUNED
from narabe.search.alphabeta.weights import FEATURES, FINE, LOGIT, NAMES

KINDS = [entry.variant.name for entry in entries() if entry.law is line]
TINY = [
    ("freestyle", {"size": 4, "row": 4}),
    ("freestyle", {"size": 3, "row": 3}),
    ("gomoku", {"size": 4, "row": 3}),
    ("omok", {"size": 5, "row": 4}),
    ("renju", {"size": 5, "row": 4}),
    ("omok", {"size": 5, "row": 3}),
    ("capture_gomoku", {"size": 4, "row": 4, "opening": "none"}),
    ("freestyle", {"width": 7, "height": 3, "row": 4}),
]


def random_position(played: Game, empty: int, rng: random.Random) -> State:
    """A position with so many empty cells, not over."""
    while True:
        state = played.start()
        while not state.is_over and played.num_actions - state.ply > empty:
            state.play(int(rng.choice(state.legal_actions().tolist())))
        if not state.is_over:
            return state


def minimax(state: State, seen: dict[int, int]) -> int:
    """The score of a position for the side to move: WIN less the plies to a win, less WIN and more for a loss, 0 for a draw."""
    if state.is_over:
        payoff = max(state.payoffs)
        return 0 if payoff == 0 else -WIN  # who has just moved has won
    key = int(state.key)
    if key not in seen:
        best = -2 * WIN
        for action in state.legal_actions():
            state.play(int(action))
            score = -minimax(state, seen)
            state.undo()
            best = max(best, score - (score > 0) + (score < 0))
        seen[key] = best
    return seen[key]


@pytest.mark.parametrize(("name", "options"), TINY)
def test_at_full_depth_it_is_minimax_and_its_claims_are_true(name: str, options: dict[str, int]) -> None:
    played, rng = game(name, **options), random.Random(5)
    engine, whole = Engine(played, mb=1), Engine(played, mb=1, vcf=0)
    whole.desk["full"][0] = 1
    for empty in (3, 5, 6) if played.options["captures"] else (3, 5, 7, 8):
        for _ in range(4):
            state = random_position(played, empty, rng)
            true = minimax(state.copy(), {})
            found = whole.search(state.record, depth=40)
            assert found.score == true
            state.play(found.move)
            after = -minimax(state.copy(), {})
            state.undo()
            assert after - (after > 0) + (after < 0) == true
            for depth in (1, 3, 40):
                found = engine.search(state.record, depth=depth)
                if found.proven is not None:
                    assert found.proven == (true > 0) - (true < 0)
                    assert found.plies is not None and found.plies >= WIN - abs(true)


WINS = [
    ("gomoku", {}, "H8 I8 J8 K8", "H9 I9 J9 A1", {"G8", "L8"}),
    ("freestyle", {}, "H8 I8 J8 L8", "H9 I9 J9 L9", {"K8"}),
    ("renju", {}, "C3 D4 E5 F6", "C4 D5 E6 F7", {"B2", "G7"}),
    ("omok", {}, "B1 B2 B3 B4", "C1 C2 C3 C4", {"B5"}),
    ("capture_gomoku", {}, "J10 J9 N3 N7", "K10 L10 K3 L3", {"M10", "M3"}),
]


@pytest.mark.parametrize(("name", "options", "black", "white", "wins"), WINS)
@pytest.mark.parametrize("limits", [{"nodes": 1}, {"depth": 1}, {"ms": 1}, {"depth": 6}])
def test_a_win_at_once_is_found_at_any_budget(name, options, black, white, wins, limits) -> None:
    pairs = {"pairs": (4, 0), "ply": 8} if name == "capture_gomoku" else {}
    if pairs:
        black, wins = "N10 J9 J3 N7", {"J10", "M3"}
    state = game(name, **options).position(black=black, white=white, to_move="black", **pairs)
    found = Engine(state.game, mb=1).search(state.record, **limits)
    assert state.game.text_of(found.move) in wins
    assert (found.proven, found.plies, found.score, found.line) == (1.0, 1, WIN - 1, (found.move,))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("limits", [{"nodes": 1}, {"ms": 1}, {"depth": 1}, {"nodes": 3000}])
def test_a_four_is_parried_at_any_budget(name, limits) -> None:
    state = game(name).position(black="H8 I8 J8 K8", white="G8 H9 J10", to_move="white", ply=8)
    found = Engine(state.game, mb=1).search(state.record, **limits)
    assert state.game.text_of(found.move) == "L8"


@pytest.mark.parametrize("nodes", [1, 2000])
def test_a_fifth_pair_is_prevented(nodes: int) -> None:
    """Black would take on M10; White can only be there first, or take the stone on J10."""
    state = game("capture_gomoku").position(
        black="J10 C3 C7", white="K10 L10 Q3 Q7", to_move="white", pairs=(4, 0), ply=15
    )
    found = Engine(state.game, mb=1).search(state.record, nodes=nodes)
    state.play(found.move)
    state.play(state.legal_actions()[0])
    assert not state.is_over
    assert state.game.text_of(found.move) in {"M10", "J10"} or found.move == state.game.action_of("M10")


def test_an_open_three_is_answered() -> None:
    for name in ("gomoku", "freestyle", "renju", "omok"):
        state = game(name).position(black="H8 I8 J8", white="H10 E5", to_move="white", ply=5)
        for depth in (2, 4, 6):
            found = Engine(state.game, mb=1).search(state.record, depth=depth)
            assert state.game.text_of(found.move) in {"F8", "G8", "K8", "L8"}


MATES = [
    ("freestyle", "H8 I8 J8", "H10 E5 D4", 3),  # an open three to be made an open four
    ("gomoku", "H8 I8 J8 K9 K10", "G8 H12 E5 D4 K12", 5),
    ("freestyle", "C3 D3 E3 F6 F7 F8", "B3 A9 K1 K11 L4 M12", 3),  # a four and a four
    ("omok", "H8 I8 J8", "H10 E5 D4", 3),
]


@pytest.mark.parametrize(("name", "black", "white", "plies"), MATES)
def test_mates_are_found_and_proven(name: str, black: str, white: str, plies: int) -> None:
    state = game(name).position(black=black, white=white, to_move="black")
    found = Engine(state.game, mb=1).search(state.record, depth=2)
    assert (found.proven, found.plies, found.value) == (1.0, plies, 1.0)


def test_a_longer_win_by_fours_is_found_at_once_and_its_line_wins() -> None:
    state = game("freestyle").position(
        black="D4 E4 F4 G7 G8 J5 K5 H12", white="C4 G10 A1 O1 A15 O15 H2 B8", to_move="black"
    )
    engine = Engine(state.game, mb=1)
    found = engine.search(state.record, depth=1)
    if found.proven is None:  # not every such cluster wins; then at least nothing is claimed
        assert abs(found.score) < PROVEN_WIN
    else:
        for move in found.line:
            state.play(move)
        assert state.is_over and state.payoffs[0] == 1.0


@pytest.mark.parametrize("name", KINDS)
def test_states_are_left_alone_and_answers_repeat(name: str) -> None:
    state = game(name).start()
    rng = random.Random(3)
    engine = Engine(state.game, mb=1)
    while not state.is_over and state.ply < 24:
        before = state.to_bytes()
        first = engine.search(state.record, depth=3)
        assert state.to_bytes() == before
        again = Engine(state.game, mb=1).search(state.record, depth=3, ms=60_000) if state.ply % 8 == 0 else None
        second = engine.search(state.record, depth=3)
        assert (first.move, first.score, first.nodes, first.line) == (
            second.move,
            second.score,
            second.nodes,
            second.line,
        )
        assert again is None or (again.move, again.nodes) == (first.move, first.nodes)
        assert first.move in state.legal_actions()
        for move in first.line:
            state.play(move)
        for _ in first.line:
            state.undo()
        state.play(first.move if rng.random() < 0.5 else int(rng.choice(state.legal_actions().tolist())))


@kernel
def both(states, patterns, desks, out):
    read(states[0], patterns[0])
    features(states[0], patterns[0], out)
    return estimate(states[0], patterns[0], desks[0])


@pytest.mark.parametrize("name", KINDS)
def test_the_estimate_is_the_features_weighed(name: str) -> None:
    played, rng = game(name, size=9), random.Random(2)
    weights = np.array([rng.randint(-200, 200) for _ in range(2 * FEATURES)], np.int32)
    desk, patterns = new_desk(weights), new_patterns(1)
    for plies in (0, 5, 12, 30):
        state = random_position(played, played.num_actions - plies, rng)
        out = np.zeros(FEATURES, np.int32)
        points = both(state.record, patterns, desk, out)
        assert points == int(weights.reshape(2, FEATURES)[state.to_play] @ out) // FINE


def test_weights_have_names_and_every_game_has_some() -> None:
    assert len(NAMES) == FEATURES
    for name in KINDS:
        weights = weights_for(game(name).options)
        assert weights.shape == (2 * FEATURES,) and np.count_nonzero(weights) > FEATURES // 2
    assert as_weights({"both": {"tempo": 2}})[-1] == 2 * FINE


@pytest.mark.parametrize("name", sorted(TUNED))
def test_to_be_on_move_is_worth_little_on_boards_of_every_size(name: str) -> None:
    """With three stones for each. Weights for one board alone make this hundreds of points elsewhere, or less than none."""
    rng, means = random.Random(4), []
    for size in (9, 11, 13, 15, 19):
        if size > game(name).options["width"]:
            continue
        played, worth = game(name, size=size), []
        desk, patterns, out = new_desk(weights_for(played.options)), new_patterns(1), np.zeros(FEATURES, np.int32)
        near = range(size // 2 - 3, size // 2 + 4)
        middle = [row * size + column for row in near for column in near]
        for _ in range(10):
            cells = rng.sample(middle, 6)
            sides = [played.position(black=cells[:3], white=cells[3:], to_move=who) for who in ("black", "white")]
            worth.append(sum(int(both(state.record, patterns, desk, out)) for state in sides) / 2)
        means.append(float(np.mean(worth)))
    assert min(means) > 0 and max(means) < 2 * LOGIT and max(means) - min(means) < LOGIT, means


def test_node_counts_of_the_fixed_positions() -> None:
    """Change this number with the search, and only with it."""
    assert bench_engine.nodes(bench_engine.measure(depth=4, mb=1)) == 14462


def test_limits() -> None:
    state = game("gomoku").position(black="H8 I10 G9", white="H9 I9", to_move="white")
    engine = Engine(state.game, mb=4)
    for nodes in (1, 7, 100, 5000, 30_000):
        assert engine.search(state.record, nodes=nodes).nodes <= nodes
    found = engine.search(state.record, depth=5)
    assert found.depth == 5 and found.proven is None
    for ms in (5, 40, 100):
        start, worked = time.perf_counter(), time.process_time()
        found = engine.search(state.record, ms=ms)
        seconds, worked = time.perf_counter() - start, time.process_time() - worked
        assert found.move in state.legal_actions()
        assert seconds > 0.9 * ms / 1000 and worked < ms / 1000 + 0.25  # the machine may be busy with other things
    over = game("gomoku", size=3, row=3).position(black="A1 B1 C1", white="A2 B2")
    with pytest.raises(ValueError, match="over"):
        engine.search(over.record, depth=1)


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="interrupts reach the main thread"
)
def test_an_interrupt_ends_a_search_and_the_engine_goes_on() -> None:
    state = game("gomoku").position(black="H8 I10 G9", white="H9 I9", to_move="white")
    engine = Engine(state.game, mb=4)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    start = time.process_time()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.search(state.record, depth=60)
    assert time.process_time() - start < 5
    assert engine.search(state.record, depth=2).move in state.legal_actions()
