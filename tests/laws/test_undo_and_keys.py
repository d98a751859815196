"""Random games over random options: undo restores the record, and the key names the position."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from narabe.envs import Game, IllegalMove, State, game
from narabe.envs.rules import calls, core
from narabe.tests.laws.diagrams import board, stones
from narabe.tests.laws.strategies import games, options, play_some, positions, random_move, seeds


@given(positions(), seeds)
def test_undo_restores_every_field_on_a_random_walk_to_and_fro(state: State, seed: int) -> None:
    rng = random.Random(seed)
    while state.history:  # down to the start or set-up, so that the walk begins where undo stops
        state.undo()
    trail = [state.record.copy()]
    for _ in range(60):
        if len(trail) > 1 and (state.is_over or rng.random() < 0.4):
            state.undo()
            trail.pop()
        elif not state.is_over:
            state.play(random_move(state, rng))
            trail.append(state.record.copy())
        assert core.differences(state.record, trail[-1]) == []
        assert len(state.history) == len(trail) - 1
    while len(trail) > 1:
        state.undo()
        trail.pop()
        assert core.differences(state.record, trail[-1]) == []
    with pytest.raises(IllegalMove, match="no move to take back"):
        state.undo()


@given(games(), seeds)
def test_undo_of_a_whole_game_restores_the_start(played: Game, seed: int) -> None:
    state = play_some(played.start(), random.Random(seed), 420)
    assert state.is_over and len(state.history) <= played.num_actions + 16
    while state.history:
        state.undo()
    assert core.differences(state.record, played.start().record) == []


@given(games(), seeds)
def test_the_key_kept_up_to_date_is_the_key_counted_anew(played: Game, seed: int) -> None:
    state, rng = played.start(), random.Random(seed)
    for _ in range(60):
        assert state.key == int(calls.key_from_scratch(state.record, 0))
        if state.is_over:
            break
        state.play(random_move(state, rng))
    while state.history:
        state.undo()
        assert state.key == int(calls.key_from_scratch(state.record, 0))


@given(positions(max_plies=40, captures=False), seeds)
def test_the_order_of_moves_does_not_change_the_key(state: State, seed: int) -> None:
    assume(len(state.history) >= 3)
    rng = random.Random(seed)
    base = state.copy()
    while base.history:
        base.undo()
    other = base.copy()
    mine, theirs = state.history[0::2], state.history[1::2]
    rng.shuffle(mine)
    rng.shuffle(theirs)
    for ply in range(len(state.history)):
        move = (mine if ply % 2 == 0 else theirs)[ply // 2]
        assume(not other.is_over and other.why_illegal(move) is None)
        other.play(move)
    assert other.key == state.key
    assert stones(other) == stones(state)
    assert (other.is_over, other.reason) == (state.is_over, state.reason)
    assert other.legal_mask().tolist() == state.legal_mask().tolist()


@given(positions())
def test_a_set_up_of_the_same_stones_has_the_same_key(state: State) -> None:
    assume(not state.is_over and (state.ply > 2 or state.game.options["opening"] == "none"))
    black, white = stones(state)
    pairs, side = tuple(state.record["pairs"][0].tolist()), ("black", "white")[state.to_play]
    again = state.game.position(black=black, white=white, to_move=side, pairs=pairs, ply=state.ply)
    assert again.key == state.key


@given(positions(captures=True))
def test_side_pairs_and_stones_each_belong_to_the_key(state: State) -> None:
    black, white = stones(state)
    assume(not state.is_over and black)
    variations = [
        {},
        {"to_move": "white"},
        {"pairs": (1, 0)},
        {"pairs": (0, 1)},
        {"pairs": (1, 1)},
        {"pairs": (2, 0)},
        {"black": black[1:]},
        {"black": black[1:], "white": [*white, black[0]]},
    ]
    keys = [state.game.position(**({"black": black, "white": white} | change)).key for change in variations]
    assert len(set(keys)) == len(variations)


def test_the_opening_belongs_to_the_key_for_as_long_as_it_binds() -> None:
    played = game("capture_gomoku", size=7)
    opening = played.start()
    for ply, move in enumerate(("D4", "A1", "G7", "A2")):
        black, white = stones(opening)
        free = played.position(black=black, white=white, to_move=("black", "white")[ply % 2])
        assert (opening.key != free.key) == (ply <= 2)
        opening.play(move)


@given(
    options(), st.sampled_from(("width", "height", "row", "exact", "double_three", "overline", "captures", "same_line"))
)
def test_every_option_belongs_to_the_key(chosen: dict, name: str) -> None:
    other = dict(chosen)
    other[name] = not chosen[name] if isinstance(chosen[name], bool) else chosen[name] - 1
    assume(
        min(other["width"], other["height"], other["row"]) >= 3 and other["row"] <= max(other["width"], other["height"])
    )
    assume(chosen["opening"] == "none")
    assert game("freestyle", **chosen).start().key != game("freestyle", **other).start().key


def test_no_two_positions_of_many_share_a_key() -> None:
    seen: dict[int, str] = {}
    rng, played = random.Random(5), game("capture_gomoku", size=7)
    for _ in range(150):
        state = played.start()
        while not state.is_over:
            text = " ".join(state.to_text().split()[i] for i in (0, 1, 3, 5))  # board, side, pairs, opening
            assert seen.setdefault(state.key, text) == text
            state.play(random_move(state, rng))
    assert len(seen) == len(set(seen.values())) > 2_000


def test_transposed_captures_meet_in_one_key() -> None:
    """The same stones, pairs and side by two ways: in one, the taken stones stood elsewhere."""
    a = board("""
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        X O O . .""", variant="capture_gomoku")  # fmt: skip
    b = board("""
        X . . . .
        O . . . .
        O . . . .
        . . . . .
        . . . . .""", variant="capture_gomoku")  # fmt: skip
    a.play("D1"), b.play("A2")
    assert a.record["pairs"][0].tolist() == b.record["pairs"][0].tolist() == [1, 0]
    a.play("C3"), b.play("C3")
    a.play("A5"), b.play("A1")
    a.play("E5"), b.play("E5")
    a.play("A2"), b.play("D1")
    assert stones(a) == stones(b) and a.key == b.key == int(calls.key_from_scratch(a.record, 0))
