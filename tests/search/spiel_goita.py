"""Goita for two hands, special hands left out, as a game of OpenSpiel: written from the rules, apart from our law.

Seat 0 deals. A play is ``1 + 8 * (kind laid down or guarding - 1) + (kind attacking - 1)``, a pass 0; kinds 1 to 8.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

POINTS = (0, 1, 2, 2, 3, 3, 4, 4, 5)
KING = 8
UNSTOPPABLE = (1, 2)  # a king does not guard against these
FACE_DOWN = "x"

Hand = tuple[int, ...]  # how many of each kind, index 0 unused


@dataclass(frozen=True)
class Position:
    """``sights``: what either seat has seen, its own hand first. ``gain``: of seat 0, None while the game goes on."""

    hands: tuple[Hand, Hand]
    sights: tuple[tuple[Any, ...], tuple[Any, ...]]
    turn: int = 0
    attack: int = 0
    kings_up: int = 0
    gain: float | None = None

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def plays(self) -> list[int]:
        """Pairs of cards that may be played, and the pass, as actions."""
        hand, found = self.hands[self.turn], [0] if self.attack else []
        held = [kind for kind, n in enumerate(hand) if n]
        for lay, strike in itertools.product(held, held):
            guards = lay == self.attack or (lay == KING and self.attack not in UNSTOPPABLE)
            king_up = self.kings_up or (lay == KING and self.attack)
            may_strike = strike != KING or king_up or hand[KING] == 2 or sum(hand) == 2
            if hand[strike] > (lay == strike) and may_strike and (guards or not self.attack):
                found.append(1 + 8 * (lay - 1) + strike - 1)
        return found

    def after(self, action: int) -> Position:
        """The next position; after a pass the attacker leads."""
        if action == 0:
            first, second = ((*sight, "pass") for sight in self.sights)
            return replace(self, sights=(first, second), attack=0, turn=1 - self.turn)
        lay, strike, guarding = 1 + (action - 1) // 8, 1 + (action - 1) % 8, self.attack > 0
        hand = tuple(n - (kind == lay) - (kind == strike) for kind, n in enumerate(self.hands[self.turn]))
        shown = guarding or lay == strike == KING  # who attacks because of both kings shows the other one
        first, second = ((*sight, (lay if shown or seat == self.turn else FACE_DOWN, strike))
                         for seat, sight in enumerate(self.sights))  # fmt: skip
        points = POINTS[strike] * (2 if lay == strike and not guarding else 1) / 15
        return Position(
            hands=(hand, self.hands[1]) if self.turn == 0 else (self.hands[0], hand),
            sights=(first, second),
            turn=1 - self.turn,
            attack=strike,
            kings_up=self.kings_up + (strike == KING) + (lay == KING and guarding),
            gain=None if any(hand) else points if self.turn == 0 else -points,
        )


def deals(cards: Hand) -> list[tuple[Position, float]]:
    """Every distinct deal and its probability."""
    size, found = sum(cards) // 2, []
    for hand in itertools.product(*(range(n + 1) for n in cards)):
        if sum(hand) == size:
            other = tuple(n - k for n, k in zip(cards, hand))
            ways = math.prod(map(math.comb, cards, hand))
            found.append((Position((hand, other), ((hand,), (other,))), ways / math.comb(2 * size, size)))
    return found


class TwoHands(pyspiel.State):
    """A position of the game, None before the deal."""

    def __init__(self, game: TwoHandsGame) -> None:
        super().__init__(game)
        self.position: Position | None = None

    def current_player(self) -> int:
        if self.position is None:
            return pyspiel.PlayerId.CHANCE
        return self.position.turn if self.position.gain is None else pyspiel.PlayerId.TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, chance) for i, (_, chance) in enumerate(self.get_game().deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.plays()

    def _apply_action(self, action: int) -> None:
        self.position = self.get_game().deals[action][0] if self.position is None else self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.gain is not None

    def returns(self) -> list[float]:
        gain = self.position.gain if self.is_terminal() else 0.0
        return [gain, -gain]

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.position.turn if player is None else player
        return f"{seat} {self.position.sights[seat]}"

    def __str__(self) -> str:
        return str(self.position)


class TwoHandsGame(pyspiel.Game):
    """The game for a set of cards, counted by kind (1 to 8)."""

    def __init__(self, cards: Hand) -> None:
        self.deals = deals((0, *cards))
        kind = pyspiel.GameType(
            short_name="python_two_hands_of_goita",
            long_name="Goita for two hands",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        facts = pyspiel.GameInfo(
            num_distinct_actions=65,
            max_chance_outcomes=len(self.deals),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * sum(cards),
        )
        super().__init__(kind, facts, {})

    def new_initial_state(self) -> TwoHands:
        return TwoHands(self)
