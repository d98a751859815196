"""What the observations and keys of Gomocku say, against the naive oracle and at every stage of a turn."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.tests.laws.gomocku_physical import Physical
from narabe.tests.laws.gomocku_play import OPTIONS, likely_cell, likely_flips, play_turn
from narabe.tests.laws.gomocku_twin import Twin, text_of
from narabe.tests.oracles.gomocku import BLACK, COLOURED, RED, WHITE, Cell, Position, other


@kernel
def _info_key(states, i, player):
    return core.info_key(states[i], player)


def info_key(state: State, seat: int) -> int:
    return int(_info_key(state.record, 0, seat + 1))


def planes(naive: Position, seat: int, last: Cell | None) -> np.ndarray:
    """The 21 planes of `docs/rules.md` between the actions of a turn, from the oracle's position."""
    me = (BLACK, WHITE)[seat]
    out = np.zeros((21, naive.options.height, naive.options.width), np.int8)
    for (c, r), piece in naive.board.items():
        out[{me: 0, other(me): 1, RED: 2}[piece.shows], r, c] = 1
        out[3, r, c] = piece.owner == me
        out[4, r, c] = piece.turned
        out[5, r, c] = not piece.turned and piece.back == COLOURED
        out[6, r, c] = not piece.turned and piece.back == RED
    if last is not None:
        out[7, last[1], last[0]] = 1
    for direction in naive.flippable():
        c, r = naive.toward(naive.placed, direction)
        out[8, r, c] = 1
    mine, theirs = naive.score(me), naive.score(other(me))
    facts = [
        me == BLACK, naive.placed is not None, naive.ply, naive.mover == me, mine[0], theirs[0], mine[1], theirs[1],
        *naive.unseen(other(me)), *naive.unseen(me),
    ]  # fmt: skip
    for plane, fact in enumerate(facts, start=9):
        out[plane] = fact
    return out


@pytest.mark.parametrize("name", ["as in the source", "all backs coloured", "every option", "rectangle"])
def test_the_planes_show_what_the_oracle_knows(name: str) -> None:
    for seed in range(2):
        rng, twin, last, chosen = random.Random(seed), Twin.start(**OPTIONS[name]), None, 0
        while not twin.state.is_over:
            for seat in (0, 1):
                shown, told = twin.state.observe(seat), planes(twin.naive, seat, last)
                differing = [plane for plane in range(21) if not np.array_equal(shown[plane], told[plane])]
                assert not differing, f"planes {differing} of seat {seat}\n{twin}"
            if twin.naive.placed is not None:
                flips = likely_flips(twin.naive, rng)
                backs = list(rng.choice(list(twin.naive.odds(flips))))
                twin.flip(text_of(flips), "".join(back[0] for back in backs))
                chosen += len(flips)
            elif twin.naive.must_pass:
                twin.pass_piece()
            else:
                last = likely_cell(twin.naive, rng)
                twin.place(last)
        assert chosen or name == "as in the source"


def test_the_pieces_whose_backs_are_due_are_shown() -> None:
    """All three chosen, then those still to be seen."""
    twin = Twin.board("B.B....\n.WW....\nBW*....")
    state = twin.state.play("C1").play("W+NW+N")
    shown = []
    while state.to_play == -1:
        shown.append({(int(c), int(r)) for r, c in np.argwhere(state.observe(0)[8])})
        assert (state.observe(1)[10] == 2).all()
        state.play("red")
    assert shown == [{(2, 1), (1, 1), (1, 0)}, {(1, 1), (1, 0)}, {(1, 0)}]


@pytest.mark.parametrize("deal", ["lazy", "physical"])
def test_every_seat_is_told_whose_turn_it_is(deal: str) -> None:
    """Plane 12, also while the piles are laid out."""
    state, rng = game("gomocku", size=7, deal=deal).start(seed=1), random.Random(1)
    while not state.is_over:
        for seat in (0, 1):
            assert (state.observe(seat)[12] == (state.to_play == seat)).all(), state.to_text()
        state.play(int(rng.choice(state.legal_actions())))


def test_keys_and_sight_tell_apart_whose_piles_are_to_be_laid_out() -> None:
    """In what an agent is given as well, where the deal itself is taken out."""
    first = game("gomocku", size=7, deal="physical").start(seed=1)
    second = first.copy().play("piles:1234")
    for seat in (0, 1):
        assert first.view(seat).state().key != second.view(seat).state().key
        assert info_key(first, seat) != info_key(second, seat)
        assert not np.array_equal(first.observe(seat), second.observe(seat))


def test_the_key_of_what_a_seat_knows_does_not_follow_the_deal() -> None:
    for seed in range(6):
        played = Physical(game("gomocku", size=5, stones=4, chance=4, coloured=3, deal="physical"), seed)
        for truth, twin in zip([*played.states, played.state], played.under(played.another_deal()), strict=True):
            for seat in (0, 1):
                assert info_key(truth, seat) == info_key(twin, seat)


def test_the_key_of_what_a_seat_knows_tells_positions_apart() -> None:
    """Along a game no two states share it: the backs seen, the choice that is due and the ply are all in it."""
    for name in ("all backs coloured", "small set"):
        twin, tally, keys = Twin.start(**OPTIONS[name]), Counter(), set()
        rng, turns = random.Random(2), 0
        while not twin.state.is_over:
            keys.add(info_key(twin.state, 0))
            play_turn(twin, rng, tally)
            turns += 1
        assert len(keys) == turns
