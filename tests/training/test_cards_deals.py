"""Deals side by side: who plays what, what is kept of them, and the positions that are played again from their logs."""

from __future__ import annotations

import pathlib
from dataclasses import asdict, fields

import numpy as np
import pytest

from narabe.agents import make
from narabe.agents.card_network import hidden_planes
from narabe.envs import Game, State, game
from narabe.envs.rules.goita.record import DEALER, LOG_DEAL, LOG_DEALER
from narabe.experiments.args import UsageError
from narabe.experiments.training_cards import window
from narabe.experiments.training_cards.deals import Deals, Tally, play_deals
from narabe.experiments.training_cards.turns import NETWORK, RANDOM, RULES
from narabe.experiments.training_cards.window import DealWindow, Decisions

GOITA = game("goita")
GAMES = [game(name) for name in ("goita", "goita_two_by_four", "goita_four_by_four")] + [
    game("goita", specials="choice")
]


def by_hash(planes: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """A player that depends on nothing but what it sees and the action."""
    weights = np.random.default_rng(1).integers(1 << 20, size=planes[0].size)
    sums = planes.reshape(len(planes), -1).astype(np.int64) @ weights
    return ((sums[rows] * 7919 + actions * 104729) % 1009).astype(np.float32)


def played(g: Game, n: int, flight: int = 8, epsilon: float = 0.1, kinds: object = None, seed: int = 1):
    """(deals, payoffs, tally) of some deals, of which every third has a pair that plays by the rules."""
    words = np.random.default_rng(seed).integers(1 << 64, size=(n, 2), dtype=np.uint64)
    if kinds is None:
        kinds = np.array([[NETWORK, NETWORK], [NETWORK, RULES], [RULES, NETWORK]] * n, np.int8)[:n]
    return play_deals(g, by_hash, np.asarray(kinds, np.int8), words, flight, epsilon)


def entries_of(deals: Deals, number: int) -> list[int]:
    """The actions and outcomes of a deal, as `State.play` takes them."""
    first, last = (deals.ends[number - 1], deals.ends[number]) if number else (0, deals.ends[0])
    dealt = iter(deals.dealt[deals.dealt_ends[number - 1] if number else 0 :].tolist())
    found = []
    for entry in deals.entries[first:last].tolist():
        outcome = next(dealt) if entry == LOG_DEAL else entry - LOG_DEALER + DEALER if entry >= LOG_DEALER else entry
        found.append(outcome)
    return found


def replayed(g: Game, deals: Deals) -> list[tuple[State, int, int]]:
    """By the Python face: each decision of the network, what was played there, and the number of its deal."""
    found = []
    for number in range(len(deals.ends)):
        state = g.start(chance="manual")
        for action in entries_of(deals, number):
            seat = state.to_play
            if seat >= 0 and deals.kinds[number, seat & 1] == NETWORK and len(state.legal_actions()) > 1:
                found.append((state.copy(), action, number))
            state.play(action)
        assert state.is_over
    return found


def equal(a: Deals, b: Deals) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(Deals))


@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.spec)
def test_positions_from_logs_are_those_that_were_played(g: Game) -> None:
    deals, payoffs, tally = played(g, 30)
    decisions, shards = replayed(g, deals), DealWindow(g)
    shards.add("a", Decisions(g, deals))
    assert len(shards) == len(decisions) == tally.decisions >= 50
    assert sum(len(state.legal_actions()) for state, _, _ in decisions) == tally.candidates
    order = np.random.default_rng(3).permutation(len(decisions))
    rows = shards.rows(order)
    for i, k in enumerate(order):
        state, action, number = decisions[k]
        seat = state.to_play
        np.testing.assert_array_equal(rows.planes[i], state.observe(seat))
        np.testing.assert_array_equal(rows.hidden[i], hidden_planes(g, state.record, np.array([seat]))[0])
        assert rows.actions[i] == action
        assert rows.payoffs[i] == np.float32(payoffs[number, seat])
        assert rows.alike[i] == (number % 3 == 0)


def test_payoffs_are_those_of_the_law() -> None:
    deals, payoffs, tally = played(GOITA, 40)
    for number in range(40):
        state = GOITA.start(chance="manual")
        for action in entries_of(deals, number):
            state.play(action)
        assert tuple(payoffs[number]) == state.payoffs
    assert tally.games == sum(tally.wins) == 40 and tally.wins[0] == (payoffs[:, 0] > 0).sum()


def test_it_does_not_matter_how_many_are_played_side_by_side() -> None:
    one = played(GOITA, 25, flight=1)
    for flight in (3, 64):
        other = played(GOITA, 25, flight=flight)
        assert equal(one[0], other[0]) and np.array_equal(one[1], other[1])
    assert not equal(one[0], played(GOITA, 25, seed=2)[0])


def test_the_pairs_are_played_by_those_who_are_named() -> None:
    deals, _, _ = played(GOITA, 12, epsilon=0.0)
    rules = make("goita_rules", GOITA)
    asked = 0
    for number in range(12):
        state = GOITA.start(chance="manual")
        for action in entries_of(deals, number):
            seat = state.to_play
            legal = state.legal_actions()
            if seat >= 0 and len(legal) > 1:
                asked += 1
                if deals.kinds[number, seat & 1] == RULES:
                    assert action == rules.analyse(state).action
                else:
                    planes = state.observe(seat)[None].repeat(len(legal), 0)
                    worth = by_hash(planes, np.arange(len(legal)), legal)
                    assert worth[legal.tolist().index(action)] == worth.max()
            state.play(action)
    assert asked > 60


def test_random_players_and_random_plays_are_evenly_random() -> None:
    """The first play of the dealer, whose hand is a given one only once: by its place among the legal ones."""
    for kinds, epsilon in (([[RANDOM, RANDOM]] * 400, 0.0), ([[NETWORK, NETWORK]] * 400, 1.0)):
        deals, _, _ = played(GOITA, 400, flight=64, epsilon=epsilon, kinds=kinds)
        places = []
        for number in range(400):
            state = GOITA.start(chance="manual")
            for action in entries_of(deals, number):
                legal = state.legal_actions() if state.to_play >= 0 else []
                if len(legal) > 1 and action < 65:
                    places.append((legal.tolist().index(action) + 0.5) / len(legal))
                    break
                state.play(action)
        assert len(places) > 350
        assert abs(np.mean(places) - 0.5) < 0.06 and abs(np.var(places) - 1 / 12) < 0.02


def test_the_same_word_deals_the_same_cards() -> None:
    words = np.array([[5, 1], [5, 2], [6, 1]], np.uint64)
    deals, _, _ = play_deals(GOITA, by_hash, np.zeros((3, 2), np.int8), words, 3)
    firsts = [entries_of(deals, k)[:2] for k in range(3)]
    assert firsts[0] == firsts[1] != firsts[2]


def test_shards_come_back_and_have_the_same_bytes(tmp_path: pathlib.Path) -> None:
    deals, _, tally = played(GOITA, 9)
    for name in ("a.npz", "b.npz"):
        tally.seconds += 1.0
        window.write(tmp_path / name, deals, tally)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    again, told = window.read(tmp_path / "a.npz")
    assert equal(again, deals)
    assert asdict(told) == asdict(tally) | {"seconds": 0.0, "network_seconds": 0.0} and isinstance(told, Tally)
    (tmp_path / "a.npz").write_bytes(b"x")
    with pytest.raises(UsageError, match=r"a\.npz is not a shard of games"):
        window.read(tmp_path / "a.npz")


def test_the_window_keeps_the_newest_decisions() -> None:
    shards = [Decisions(GOITA, played(GOITA, n, seed=n)[0]) for n in (5, 6, 7)]
    kept = DealWindow(GOITA)
    for name, shard in zip("abc", shards):
        kept.add(name, shard)
    total = len(kept)
    everything = kept.rows(np.arange(total))
    few = len(shards[2]) + 3
    assert kept.keep(few) == ["a"] and kept.names == ["b", "c"] and len(kept) == few
    for column, whole in zip(kept.rows(np.arange(few)), everything):
        np.testing.assert_array_equal(column, whole[total - few :])
