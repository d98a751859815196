"""Whole games of Goita, drawn by the naive oracle and played again by the law in one kernel."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from narabe.envs.faces.goita import deal_outcome
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.tests.laws.goita_games import random_hands
from narabe.tests.laws.goita_twin import FIRST, made_for, words_of
from narabe.tests.oracles.goita import Options, Position, number_of

SETS = {
    "goita": Options(),
    "match": Options(match=15),
    "society": Options(match=150, points=10, dealer="winner", six_shi_pair_doubles=True),
    "choice": Options(match=15, specials="choice"),
    "choice of the holder": Options(match=30, specials="choice", five_shi="holder", dealer="winner"),
    "holder": Options(five_shi="holder", king_attack_after_burying=True, points=2),
    "off": Options(specials="off", king_attack_after_burying=True, payoff="win"),
    "auto redeal": Options(match=15, auto_redeal=True),
    "auto redeal by choice": Options(match=15, auto_redeal=True, specials="choice"),
    "no five": Options(match=15, no_five_shi=True, five_shi="holder"),
    "two by four": Options(2, 4, (3, 1, 0, 2, 0, 0, 0, 2), specials="off"),
    "two by six": Options(2, 6, (4, 2, 0, 2, 0, 0, 2, 2), specials="off"),
    "two by eight": Options(2, 8, (4, 2, 2, 2, 2, 1, 1, 2), specials="off", match=15, king_attack_after_burying=True),
    "four by four": Options(4, 4, (8, 4, 0, 0, 0, 2, 0, 2), specials="off", match=10, dealer="winner"),
    "four by two": Options(4, 2, (2, 1, 1, 0, 1, 0, 1, 2), specials="off"),
    "a king": Options(4, 4, (5, 3, 2, 2, 2, 1, 0, 1), specials="off"),
}
STACKED = ((), (), (), (5,), (5, 5), (6,), (7,), (8,))  # shi that some hands hold at least


@dataclass
class Game:
    """The positions after each action (numbers, as the law has them); the first one is that before the first action."""

    positions: list[Position]
    actions: list[int]


def drawn(options: Options, rng: random.Random) -> Game:
    """A random game; the packs of many hands are stacked with shi."""
    position, played = Position(options), Game([Position(options)], [])
    while position.phase != "over":
        if position.phase == "first":
            action = rng.randrange(options.players)
            position, action = position.first(action), FIRST | action
        elif position.phase == "deal":
            hands = hands_for(position, rng)
            position, action = position.deal(hands), deal_outcome(words_of(hands))
        else:
            move = rng.choice(position.legal_moves())
            position, action = position.play(move), number_of(move)
        played.positions.append(position)
        played.actions.append(action)
    return played


def hands_for(position: Position, rng: random.Random) -> list[tuple[int, ...]]:
    """Random hands that may be dealt now."""
    while True:
        stack = rng.choice(STACKED) if position.options.specials != "off" else ()
        hands = random_hands(position.options, rng, stack)
        if position.can_be_dealt(tuple(tuple(sorted(hand)) for hand in hands)):
            return hands


@dataclass
class Trace:
    """What the law says after each action; a row before the first one leads, except in `seen`."""

    facts: np.ndarray  # to_move, is_over, dealer, scores of the pairs, result, was the action legal?
    masks: np.ndarray  # legal actions
    payoffs: np.ndarray  # by seat
    seen: np.ndarray  # what each seat sees of the action
    keys: np.ndarray  # info_key of each seat


@kernel
def play_all(states, actions, facts, masks, payoffs, seen, keys):
    s = states[0]
    for i in range(actions.shape[0] + 1):
        if i > 0:
            facts[i, 6] = core.is_legal(s, actions[i - 1])
            for p in range(s.players):
                seen[i - 1, p] = core.seen_action(s, actions[i - 1], np.int64(p + 1))
            core.apply(s, actions[i - 1])
        facts[i, 0] = core.to_move(s)
        facts[i, 1] = core.is_over(s)
        facts[i, 2] = s.dealer
        facts[i, 3] = s.scores[0]
        facts[i, 4] = s.scores[1]
        facts[i, 5] = core.result(s)
        if core.to_move(s) > 0:
            core.legal_mask(s, masks[i])
        for p in range(s.players):
            payoffs[i, p] = core.payoff(s, np.int64(p + 1))
            keys[i, p] = core.info_key(s, np.int64(p + 1))


def traced(options: Options, actions: list[int]) -> Trace:
    """The law's account of a game."""
    made, n = made_for(options), len(actions) + 1
    states = made.start(chance="manual").record.copy()
    trace = Trace(
        np.zeros((n, 7), np.int64), np.zeros((n, made.num_actions), np.bool_), np.zeros((n, options.players)),
        np.zeros((n - 1, options.players), np.int64), np.zeros((n, options.players), np.uint64),
    )  # fmt: skip
    play_all(states, np.array(actions, np.int64), trace.facts, trace.masks, trace.payoffs, trace.seen, trace.keys)
    return trace


def law_legal(game: list[Position]) -> list[list[int]]:
    """The law's legal actions in every position of a deal in which nothing but plays and passes happened."""
    moves = [number_of(event.move) for event in game[-1].log]
    actions = [FIRST | game[0].dealer, deal_outcome(words_of(game[0].start)), *moves]
    return [np.flatnonzero(mask).tolist() for mask in traced(game[0].options, actions).masks[2:]]
