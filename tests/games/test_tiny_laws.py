"""The tiny laws are laws: undo restores, masks agree with faults, payoffs sum to zero, nothing hidden is observed."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import Game, State
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.tests.games import game_of, heap, poker

GAMES = [game_of(heap, stones=11), game_of(poker, cards=4)]
every_game = pytest.mark.parametrize("g", GAMES, ids=lambda g: g.name)


def some_game(g: Game, seed: int) -> State:
    """A game played to its end at random, chance included."""
    rng, state = np.random.default_rng(seed), g.start(chance="manual")
    while not state.is_over:
        if state.to_play < 0:
            state.play(int(calls.chance_draw(state.record, 0, state.rng)))
        else:
            state.play(int(rng.choice(state.legal_actions())))
    return state


@every_game
def test_undo_takes_back_every_action(g: Game) -> None:
    for seed in range(20):
        state = some_game(g, seed)
        actions = list(state.history)
        again, records = g.start(chance="manual"), []
        for action in actions:
            records.append(again.record.copy())
            again.play(action)
        assert not core.differences(again.record, state.record)
        for record in reversed(records):
            state.undo()
            assert not core.differences(state.record, record)


@every_game
def test_facts_agree(g: Game) -> None:
    keys: dict[int, str] = {}
    for seed in range(60):
        state = some_game(g, seed)
        assert sum(state.payoffs) == 0 != max(state.payoffs) <= 1
        assert state.reason is not None
        while state.history:
            state.undo()
            faults = [state.why_illegal(a) is None for a in range(g.num_actions)]
            assert state.to_play < 0 or state.legal_mask().astype(bool).tolist() == faults
            what = "".join(str(state.record[name]) for name in g.law.STATE.names[1:] if name not in ("n", "moves"))
            assert keys.setdefault(state.key, what) == what


def test_the_weights_of_chance_sum_to_one() -> None:
    state = GAMES[0].start(chance="manual").play(0)
    s = state.record.view(np.recarray)[0]
    assert state.to_play == -1
    assert sum(core.plain(heap.chance_weight)(s, i) for i in range(heap.num_candidates(s))) == 1


def test_seats_of_the_heap_do_not_alternate() -> None:
    state = GAMES[0].start(chance="manual")
    seats = [state.play(0).play(coin).to_play for coin in (heap.NEXT, heap.AGAIN, heap.NEXT, heap.NEXT)]
    assert seats == [1, 1, 2, 0]
    assert state.play(2).to_play == 0


def test_cards_are_shown_at_the_end_only() -> None:
    state = GAMES[1].start(chance="manual").play(4 * 1 + 3)
    before = [state.observe(seat).copy() for seat in (0, 1)]
    assert [np.flatnonzero(seen[0]).tolist() for seen in before] == [[1], [3]]
    assert not before[0][2].any()
    calls.redeal(state.record, 0, 1, new_stream(1))
    np.testing.assert_array_equal(state.observe(0), before[0])
    state.play(poker.BET).play(poker.BET)
    shown = state.record["hand"][0].tolist()
    calls.redeal(state.record, 0, 1, new_stream(2))
    assert state.record["hand"][0].tolist() == shown
    assert np.flatnonzero(state.observe(0)[2]).tolist() == [shown[1]]
