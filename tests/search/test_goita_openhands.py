"""Deals with open hands: the solver against plain minimax, known values, and itself."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from narabe.envs.game import Game
from narabe.search.goita import OpenHands, Position, PositionError, Table, action_of_text, position_of
from narabe.search.goita.bounds import NONE, POINTS
from narabe.search.goita.descent import ask, solve
from narabe.search.goita.law import ask_state, position_of_state
from narabe.search.goita.moves import copy_position, make, write_moves
from narabe.search.goita.position import packed
from narabe.search.goita.table import BUCKET, LEAST_INDEX_BITS
from narabe.search.goita.worlds import solve_actions
from narabe.tests.oracles import goita_openhands as oracle

GOLDEN = (
    "11223449,11122357,11356678,11134455,s1,114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315,451,112,221,3p,4p,1p,211,"
    "3p,4p,1p,257"
)
# values in points of the standard game, ten times ours
KNOWN = [
    ("11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145,252,3p,4p,124,2p", "p:-40 81:-40 82:-50 83:-40"),
    ("11244556,12234569,11123378,11113457,s3,313", "35:-20 34:-20 37:-30 31:-20 p:-10"),
]
SIZES = [(2, 2, 2, 2), (2, 4, 2, 2), (4, 2, 2, 4), (2, 2, 4, 4), (4, 4, 4, 2), (4, 4), (2, 6), (6, 4)]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(4)


def position_from(situation: oracle.Table) -> Position:
    """The same for the solver; of several buriers only one with the other king counts."""
    attack, attacker = situation.attack or (0, 0)
    hands = tuple("".join(map(str, hand)) for hand in situation.hands)
    burier = next((seat for seat in situation.buriers if "8" in hands[seat]), -1)
    return Position(hands, situation.turn, attack, attacker, situation.shown, burier)


def action_from(ply: oracle.Ply) -> int:
    return 0 if ply is None else 8 * ply[0] + ply[1] - 8


def endings(count: int, seed: int) -> list[tuple[oracle.Oracle, oracle.Table]]:
    rng = random.Random(seed)
    return [
        (oracle.Oracle(rng.random() < 0.3), oracle.random_ending(rng, SIZES[n % len(SIZES)], rng.random() < 0.5))
        for n in range(count)
    ]


def random_deal(rng: random.Random, kings_together: bool = False) -> Position:
    cards = oracle.pack()
    rng.shuffle(cards)
    if kings_together:
        cards.sort(key=lambda card: card != 8)
    hands = tuple("".join(map(str, cards[8 * seat : 8 * seat + 8])) for seat in range(4))
    return Position(hands, rng.randrange(4))


def random_position(rng: random.Random, placed: int) -> Position:
    """A random deal after random plays of at least so many cards, at a turn with a choice."""
    position = random_deal(rng)
    while sum(map(len, position.hands)) > 32 - placed or len(position.actions()) == 1:
        action = rng.choice(position.actions())
        position = random_deal(rng) if position.goes_out(action) else position.after(action)
    return position


def test_every_action_of_small_endings(table: Table) -> None:
    """Points and win or loss; actions, their values, best actions, with and without the option on buried kings."""
    solvers = {after: OpenHands({"king_attack_after_burying": after}, table) for after in (False, True)}
    seen = set()
    for plain, situation in endings(520, 1):
        solver, position = solvers[plain.after_burying], position_from(situation)
        sign = 1 if situation.turn % 2 == 0 else -1
        expected = {action_from(ply): sign * plain.value_of(situation, ply) for ply in plain.plies(situation)}
        best = max(expected.values())
        assert solver.values(position) == expected, situation
        assert solver.values(position, "win") == {a: 1 if v > 0 else -1 for a, v in expected.items()}, situation
        assert solver.value(position) == best
        assert expected[solver.best_action(position)] == best
        assert expected[solver.best_action(position, "win")] * best > 0
        seen.update(expected.values())
    assert seen == set(POINTS)


def swapped(situation: oracle.Table, kinds: str) -> oracle.Table:
    """Two kinds changed throughout."""
    one, two = map(int, kinds)
    change = {one: two, two: one}
    hands = tuple(tuple(sorted(change.get(card, card) for card in hand)) for hand in situation.hands)
    attack = situation.attack and (change.get(situation.attack[0], situation.attack[0]), situation.attack[1])
    return replace(situation, hands=hands, attack=attack)


def test_positions_that_look_alike_do_not_share_an_entry(table: Table) -> None:
    """Kinds 2 and 3 changed (which no king, but a king's guard, tells apart), a king shown or not, buried or not."""
    differ = [0, 0, 0]
    for plain, situation in endings(400, 2):
        kings = sum(hand.count(8) for hand in situation.hands)
        alike = [swapped(situation, "23")]
        if kings == 1:
            alike.append(replace(situation, shown=not situation.shown, buriers=frozenset()))
        for image in (situation, *alike):
            sign = 1 if image.turn % 2 == 0 else -1
            for k, other in enumerate((oracle.Oracle(False), oracle.Oracle(True))):
                solver = OpenHands({"king_attack_after_burying": k == 1}, table)
                value = sign * other.value(image)
                assert solver.value(position_from(image)) == value, image
                assert solver.value(position_from(image), "win") == (1 if value > 0 else -1), image
        differ[0] += plain.value(alike[0]) != plain.value(situation)
        differ[1] += len(alike) > 1 and plain.value(alike[1]) != plain.value(situation)
        differ[2] += oracle.Oracle(False).value(situation) != oracle.Oracle(True).value(situation)
    assert min(differ) > 0


def test_known_values() -> None:
    solver = OpenHands({"points": 10}, 8)
    for line, text in KNOWN:
        expected = {action_of_text(word): int(value) for word, _, value in (w.partition(":") for w in text.split())}
        assert solver.values(position_of(line)) == expected


def test_the_golden_game() -> None:
    """All plies are legal, the last one goes out for 4; 112 throws the deal away, and only 221 takes the gift."""
    solver, words = OpenHands(mb=4), GOLDEN.split(",")
    last = position_of(",".join(words[:-1]))
    assert last.goes_out(action_of_text("57"))
    assert last.points_for_going_out(action_of_text("57")) == 4
    at = words.index("112")
    position = position_of(",".join(words[:at]))
    assert (solver.value(position), solver.value_of(position, action_of_text("12"))) == (4, -4)
    values = solver.values(position.after(action_of_text("12")))
    assert [action for action, value in values.items() if value > 0] == [action_of_text("21")]
    assert max(values.values()) == 4


def test_a_line_of_best_play_keeps_the_value() -> None:
    solver = OpenHands(mb=4)
    for seed in range(3):
        position = random_position(random.Random(seed), 8)
        value, pair = solver.value(position), position.turn % 2
        line = solver.line(position)
        for action in line[:-1]:
            position = position.after(action)
            assert solver.value(position) == (value if position.turn % 2 == pair else -value)
        points = position.points_for_going_out(line[-1])
        assert value == (points if position.turn % 2 == pair else -points)


def test_equal_kinds_may_change_places() -> None:
    """Silver and gold, bishop and rook; the value comes from an empty table, the other's is then known without a search."""
    rng = random.Random(5)
    for _ in range(20):
        solver, position = OpenHands(mb=1), random_position(rng, 8)
        value, nodes = solver.value(position), solver.nodes
        for pairs in ("45", "67", "4567"):
            swap = str.maketrans(pairs, "".join(pairs[i ^ 1] for i in range(len(pairs))))
            image = Position(
                tuple(hand.translate(swap) for hand in position.hands),
                position.turn, int(str(position.attack).translate(swap)), position.attacker, position.king_shown,
            )  # fmt: skip
            assert OpenHands(mb=1).value(image) == value
            before = solver.nodes
            assert solver.value(image) == value
            assert solver.nodes - before <= min(4, nodes)


def test_win_and_loss_are_the_sign_of_the_points(table: Table) -> None:
    solver, rng = OpenHands(mb=table), random.Random(6)
    for _ in range(6):
        position = random_deal(rng)
        assert solver.value(position, "win") == (1 if solver.value(position) > 0 else -1)


def test_a_limit_leaves_true_bounds() -> None:
    rng = random.Random(7)
    open_bounds = 0
    for _ in range(6):
        position = random_position(rng, 4)
        value = OpenHands(mb=4).value(position)
        solver = OpenHands(mb=4)
        for limit in (0, 10, 300, 3000):
            before = solver.nodes
            bounds = solver.solve(position, limit=limit)
            assert bounds.low <= value <= bounds.high
            assert solver.nodes - before <= limit
            open_bounds += not bounds.known
            assert solver.solve(position, "win", limit=10**9).low == (1 if value > 0 else -1)
    assert open_bounds > 6


def test_a_search_goes_on_where_it_stopped() -> None:
    """Slices change nothing; and an interrupt between two of them leaves a solver that works."""
    position = random_position(random.Random(8), 4)
    whole, sliced = OpenHands(mb=1), OpenHands(mb=1)
    sliced.slice, calls = 100, []

    def tick() -> None:
        calls.append(sliced.nodes)
        if len(calls) == 7:
            raise KeyboardInterrupt

    sliced.tick = tick
    with pytest.raises(KeyboardInterrupt):
        sliced.value(position)
    sliced.table.clear()
    sliced.nodes = 0
    assert sliced.value(position) == whole.value(position)
    assert sliced.nodes == whole.nodes > 1000


def test_the_smallest_table_gives_the_same_values() -> None:
    tiny, roomy, rng = OpenHands(mb=1 / 64), OpenHands(mb=16), random.Random(9)
    assert len(tiny.table.entries) == 2 * BUCKET << LEAST_INDEX_BITS
    for _ in range(8):
        position = random_position(rng, 4)
        assert tiny.value(position) == roomy.value(position)
    assert tiny.nodes > roomy.nodes
    with pytest.raises(ValueError, match="needs 0.015625 or more"):
        Table(1 / 65)


def test_all_actions_in_compiled_code(table: Table) -> None:
    """What searches over many deals call; ranks instead of points, bounds where the limit does not allow more."""
    solver, rng = OpenHands(mb=table), random.Random(10)
    lows, highs = np.zeros(65, np.int64), np.zeros(65, np.int64)
    boxes, frames, entries = table.boxes, table.frames, table.entries
    for n in range(20):
        position = random_position(rng, 8)
        if position.attack and not position.can_guard():
            continue
        expected = solver.values(position)
        table.clear()
        limit = 50 if n % 2 else 1 << 40
        hands = [packed(hand) for hand in position.hands]
        free = int(position.kings_free())
        assert not ask(boxes, *hands, position.turn, position.attack, position.attacker, free, 0, 0)
        settled = solve_actions(boxes, frames, entries, limit, lows, highs)
        assert settled or limit == 50
        assert {a for a in range(65) if lows[a] != NONE} == set(expected)
        for action, value in expected.items():
            assert POINTS[lows[action]] <= value <= POINTS[highs[action]]
            assert lows[action] == highs[action] or not settled
        assert solve(boxes, frames, entries, 1 << 40)
        assert POINTS[boxes[0]["low"]] == max(expected.values())


@pytest.mark.parametrize("after_burying", [False, True])
def test_moves_of_the_kernel(after_burying: bool, table: Table) -> None:
    """The same actions and the same next decisions as in plain Python; with both kings in one hand more often than not."""
    solver, rng = OpenHands({"king_attack_after_burying": after_burying}, table), random.Random(12)
    boxes, frames = table.boxes, table.frames
    freed = 0
    for _ in range(60):
        position = random_deal(rng, kings_together=rng.random() < 0.6)
        while True:
            actions = position.actions(after_burying)
            solver._ask(position, "points")
            copy_position(boxes[0], frames[0])
            action = rng.choice(actions)
            if len(actions) > 1 or not position.attack:
                write_moves(frames[0])
                assert sorted(frames[0]["moves"][: frames[0]["goita_count"]]) == actions
            if position.goes_out(action):
                break
            choice = int(frames[0]["turn"]) == position.turn
            free, position = int(frames[0]["free"]), position.after(action)
            if choice:
                make(frames[0], frames[1], action, int(after_burying))
                solver._ask(position, "points")
                for name in ("hands", "turn", "attack", "free"):
                    assert np.array_equal(frames[1][name], boxes[0][name]), name
                freed += int(frames[1]["free"]) > free and not position.king_shown
    assert (freed > 0) == after_burying


@pytest.mark.parametrize("name", ["goita", "goita_two_by_six", "goita_four_by_four"])
@pytest.mark.parametrize("after_burying", [False, True])
def test_states_of_the_law(name: str, after_burying: bool, table: Table) -> None:
    """Actions, points at the end and what compiled code asks about: all along random deals."""
    game = Game(name, specials="off", king_attack_after_burying=after_burying)
    solver, boxes = OpenHands(game, table), table.boxes
    rng = random.Random(11)
    for seed in range(12):
        state = game.start(seed=seed)
        while True:
            position = position_of_state(state)
            assert state.legal_actions().tolist() == position.actions(solver.after_burying)
            other = ask_state(boxes, state.record[0], 0)
            asked = boxes[0].copy()
            assert other == solver._ask(position, "points")
            for name in ("hands", "turn", "attack", "attacker", "free", "burying"):
                assert np.array_equal(asked[name], boxes[0][name]), name
            action = rng.choice(position.actions(solver.after_burying))
            seat = state.to_play
            state.play(action)
            if position.goes_out(action):
                assert round(15 * state.payoffs[seat]) == position.points_for_going_out(action)
                break
            assert position_of_state(state) == position.after(action)
    with pytest.raises(PositionError, match="only a deal"):
        position_of_state(state)
    with pytest.raises(PositionError, match="not Goita"):
        OpenHands(Game("freestyle"))


def test_positions_that_are_none() -> None:
    for hands, words in (
        (("11", "22", "33"), "two or four"), (("11", "22", "333", "44"), "even number"), (("11", "20", "33", "44"), "1 to 9"),
        (("8888", "11"), "too many"), (("88", "89"), "two kings"), (("11", ""), "nothing"),
    ):  # fmt: skip
        with pytest.raises(PositionError, match=words):
            Position(hands, 0)
    with pytest.raises(PositionError, match="its own attack"):
        Position(("11", "22"), 1, 3, 1)
    with pytest.raises(PositionError, match="no such seat"):
        Position(("11", "22"), 2)
    for line, words in (
        ("1122,3344,s1,213", "turn of player 1"), ("1122,3344,s1,112,242", "ply 2, 242: not legal"),
        ("1122,3344,113", "must begin"), ("1122,3344,s1,1x3", "neither p nor"), ("1122,3344,s1,1p", "not legal"),
    ):  # fmt: skip
        with pytest.raises(PositionError, match=words):
            position_of(line)
    with pytest.raises(PositionError, match="action 0"):
        OpenHands(mb=1).value_of(position_of("1122,3344,s1"), 0)


def test_compiled_and_plain_python_visit_the_same_nodes() -> None:
    code = (
        "from narabe.search.goita import OpenHands, position_of\n"
        "solver = OpenHands({'king_attack_after_burying': True, 'points': 10}, 1 / 64)\n"
        "for line in ('1346,2358,1458,1467,s1', '113468,123458,s2,214'):\n"
        "    print(solver.value(position_of(line, True)), solver.nodes)\n"
        "print(solver.values(position_of('1346,2358,1458,1467,s1', True)), solver.nodes)\n"
    )
    texts = []
    for disabled in ("0", "1"):
        env = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) == 3
