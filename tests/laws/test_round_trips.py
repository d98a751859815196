"""Texts, bytes, copies, masks and planes say the same as the state they come from, over random options."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given

from narabe.envs import Game, IllegalMove, State, game
from narabe.envs.rules import calls, core
from narabe.envs.rules.jit import kernel
from narabe.tests.laws.diagrams import board, stones
from narabe.tests.laws.strategies import games, play_some, positions, random_move, seeds


@given(positions(max_plies=420))
def test_text_gives_the_position_back(state: State) -> None:
    again = state.game.from_text(state.to_text())
    assert again.to_text() == state.to_text() and again == state
    assert (again.key, again.ply, again.to_play) == (state.key, state.ply, state.to_play)
    assert (again.is_over, again.reason, again.payoffs) == (state.is_over, state.reason, state.payoffs)
    assert again.legal_mask().tolist() == state.legal_mask().tolist()
    assert again.history == []
    assert [again.observe(seat).tolist() for seat in (0, 1)] == [state.observe(seat).tolist() for seat in (0, 1)]


@given(positions(), seeds)
def test_a_position_from_text_plays_on_like_the_one_it_came_from(state: State, seed: int) -> None:
    again, rng = state.game.from_text(state.to_text()), random.Random(seed)
    for _ in range(20):
        if state.is_over:
            break
        move = random_move(state, rng)
        assert again.play(move).to_text() == state.play(move).to_text()


@given(positions())
def test_bytes_give_the_state_back_with_its_history(state: State) -> None:
    for again in (
        state.game.from_bytes(state.to_bytes()),
        State.from_bytes(state.to_bytes()),
        pickle.loads(pickle.dumps(state)),
    ):
        assert core.differences(again.record, state.record) == []
        assert (again.game, again.history, again.chance) == (state.game, state.history, state.chance)
        assert again.to_bytes() == state.to_bytes()
        while again.history:
            again.undo()


@given(positions(max_plies=30), seeds)
def test_a_copy_lives_its_own_life(state: State, seed: int) -> None:
    before, text, history = state.record.copy(), state.to_text(), list(state.history)
    other = play_some(state.copy(), random.Random(seed), 10)
    while other.history:
        other.undo()
    assert core.differences(state.record, before) == []
    assert (state.to_text(), state.history) == (text, history)


@given(games(), seeds)
def test_masks_faults_and_candidates_tell_one_story(played: Game, seed: int) -> None:
    """`legal_mask`, `is_legal`, `fault`, `why_illegal`, the candidates and the mask kept up to date agree at every ply."""
    state, rng = played.start(), random.Random(seed)
    cells, kept = np.zeros(played.num_actions + 1, np.int64), core.new_masks(played.law, 1)
    follow(state.record, kept, True)
    for _ in range(40):
        mask = state.legal_mask()
        faults = [int(calls.fault(state.record, 0, a)) for a in range(played.num_actions)]
        assert mask.tolist() == [int(code == 0) for code in faults]
        assert legal_one_by_one(state.record, np.zeros(played.num_actions, np.int8)).tolist() == mask.tolist()
        assert all((state.why_illegal(a) is None) == bool(mask[a]) for a in range(0, played.num_actions, 7))
        assert written(state.record, kept, np.zeros(played.num_actions, np.int8)).tolist() == mask.tolist()
        candidates = cells[: calls.candidates(state.record, 0, cells)].tolist()
        assert len(set(candidates)) == len(candidates)
        assert set(np.flatnonzero(mask)) <= set(candidates)
        assert sum(state.payoffs) == 0.0
        if state.is_over:
            assert not mask.any() and candidates == []
            break
        assert mask.any() and state.payoffs == (0.0, 0.0)
        state.play(random_move(state, rng))
        follow(state.record, kept, False)


@kernel
def follow(states, masks, anew):
    if anew:
        core.mask_init(states[0], masks[0])
    else:
        core.mask_update(states[0], masks[0])


@kernel
def legal_one_by_one(states, out):
    for a in range(out.shape[0]):
        out[a] = core.is_legal(states[0], a)
    return out


@kernel
def written(states, masks, out):
    core.mask_write(states[0], masks[0], out)
    return out


@given(positions())
def test_the_planes_show_the_board_from_each_seat(state: State) -> None:
    options, last = state.game.options, int(state.record["last"][0])
    cells = np.zeros((2, state.game.num_actions), np.int8)
    for colour, taken in enumerate(stones(state)):
        cells[colour, taken] = 1
    for seat in (0, 1):
        planes = state.observe(seat)
        assert (
            planes.shape
            == state.game.observation_shape
            == (6 if options["captures"] else 4, options["height"], options["width"])
        )
        flat = planes.reshape(len(planes), -1)
        assert flat[0].tolist() == cells[seat].tolist() and flat[1].tolist() == cells[1 - seat].tolist()
        assert np.flatnonzero(flat[2]).tolist() == ([last] if last >= 0 else [])
        assert set(flat[3]) == {1 - seat}
        if options["captures"]:
            pairs = state.record["pairs"][0].tolist()
            assert (set(flat[4]), set(flat[5])) == ({pairs[seat]}, {pairs[1 - seat]})


@given(positions(max_plies=20))
def test_actions_off_the_board_or_taken_are_refused_without_a_trace(state: State) -> None:
    before = state.record.copy()
    for action in (-1, state.game.num_actions, 10**6, *sum(stones(state), [])[:3]):
        assert state.why_illegal(action) is not None
        with pytest.raises(IllegalMove):
            state.play(action)
    assert core.differences(state.record, before) == []


def test_a_position_as_text() -> None:
    state = board(
        """
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . O X . . .
        . . . . X . .
        . . . . . . .
        . . . . . . .
        """,
        variant="capture_gomoku",
        pairs=(1, 0),
    )
    assert state.to_text() == "7/7/3o3/2ox3/4x2/7/7 b 6 1-0 - -"
    assert state.play("B5").to_text() == "7/7/1x1o3/2ox3/4x2/7/7 w 7 1-0 B5 -"
    assert game("capture_gomoku", size=7).start().to_text() == "7/7/7/7/7/7/7 b 0 0-0 - o"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3/3/3 b 0 0-0 -", "6 fields"),
        ("3/3 b 0 0-0 - -", "2 rows, not 3"),
        ("3/4/3 b 0 0-0 - -", "4 cells, not 3"),
        ("3/1y1/3 b 0 0-0 - -", "only numbers and x, o"),
        ("3/3/3 x 0 0-0 - -", "side 'x'"),
        ("3/3/3 b -1 0-0 - -", "ply '-1'"),
        ("3/3/3 b 0 1 - -", "pairs '1'"),
        ("3/3/3 b 0 1-0 - -", "only in a game with captures"),
        ("3/3/3 b 0 0-0 D1 -", "off the 3x3 board"),
        ("3/3/3 b 0 0-0 A1 -", "stands there"),
        ("3/3/3 b 0 0-0 - yes", "opening 'yes'"),
        ("xxx/ooo/3 b 6 0-0 - -", "both colours hold a win"),
    ],
)
def test_a_wrong_text_is_refused_by_field(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        game("freestyle", size=3, row=3).from_text(text)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b'{"format": 99}', b'{"format": 1, "game": {"name": "gomoku"}}']
)
def test_wrong_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"these bytes|format 99"):
        State.from_bytes(data)


def test_bytes_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="omok"):
        game("gomoku").from_bytes(game("omok").start().to_bytes())
