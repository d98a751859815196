"""The compiled law of Goita beside the naive oracle: random games of every option, at every step."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from narabe.tests.laws.goita_traces import SETS, Game, Trace, drawn, traced
from narabe.tests.oracles.goita import Event, Options

every_option_set = pytest.mark.parametrize("name", SETS)
UNSEEN = -1


@every_option_set
def test_random_games_agree(name: str) -> None:
    """Whose turn, legal actions, dealer, scores, payoffs and the end; a few thousand deals in all."""
    options, rng, met = SETS[name], random.Random(name), Counter()  # type: ignore[var-annotated]
    while met["deals"] < 250:
        game = drawn(options, rng)
        compare(options, game, traced(options, game.actions))
        met["deals"] += sum(position.phase == "deal" for position in game.positions)
        met.update(position.reason for position in game.positions)
    if options.specials != "off" and not options.no_five_shi:
        assert all(met[reason] > 3 for reason in ("six", "seven", "eight", "out", "double")), met


def compare(options: Options, game: Game, trace: Trace) -> None:
    for i, position in enumerate(game.positions):
        where = (game.actions[:i], position)
        over, chance = position.phase == "over", position.phase in ("first", "deal")
        to_move, is_over, dealer, *scores, _, was_legal = trace.facts[i].tolist()
        assert was_legal or i == 0, where
        assert is_over == over, where
        assert over or to_move == (0 if chance else position.turn + 1), where
        assert over or position.phase == "first" or dealer == position.dealer, where
        assert scores == list(position.scores), where
        assert trace.payoffs[i].tolist() == pytest.approx(list(position.payoffs())), where
        if not over and not chance:
            assert np.flatnonzero(trace.masks[i]).tolist() == position.legal_actions(), where


# ---- what seats see and know -----------------------------------------------------------------------------------------


def view_of(event: Event, seat: int) -> tuple | None:
    """What the seat sees of an event, without what all know: who it was, and that a king shown as laid was laid."""
    view = event.seen_by(seat)
    return None if view is None else (*view[1:-1], view[-1] == "held") if len(view) == 4 else view[1:]


@every_option_set
def test_every_seat_sees_of_an_action_what_the_rules_show(name: str) -> None:
    options, rng = SETS[name], random.Random(name)
    codes: dict[tuple, int] = {}
    for _ in range(40):
        game = drawn(options, rng)
        trace = traced(options, game.actions)
        for before, action, row in zip(game.positions, game.actions, trace.seen.tolist()):
            if before.phase in ("first", "deal"):
                continue
            event = before.event(before.named(action))
            for seat, code in enumerate(row):
                view = view_of(event, seat)
                if seat == before.turn:
                    assert code == action, (before, action)
                elif view is None:
                    assert code == UNSEEN, (before, action)
                else:
                    assert code == codes.setdefault(view, code), (before, action, view)
    assert len(set(codes.values())) == len(codes) and UNSEEN not in codes.values()


@every_option_set
def test_keys_of_information_are_equal_where_the_information_is(name: str) -> None:
    """One key for one tuple of all that a seat knows, and the other way round."""
    options, rng = SETS[name], random.Random(name)
    key_of: dict[tuple, int] = {}
    for _ in range(40):
        game = drawn(options, rng)
        trace = traced(options, game.actions)
        for position, row in zip(game.positions, trace.keys.tolist()):
            if position.phase not in ("first", "deal", "over"):
                for seat, key in enumerate(row):
                    known = (seat, position.information(seat))
                    assert key == key_of.setdefault(known, key), (position, seat)
    assert len(set(key_of.values())) == len(key_of) > 100
