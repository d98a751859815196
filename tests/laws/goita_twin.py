"""Goita played twice at once: by the compiled law and by the naive oracle, which must agree at every step.

What a test then asserts of a `Twin` holds for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from narabe.envs import Game, State, game
from narabe.envs.faces.goita import deal_outcome
from narabe.tests.oracles.goita import Hand, Move, Options, Position, kind, number_of

FIRST = 1 << 61
KINDS = ("shi", "gon", "bakko", "gin", "kin", "kaku", "hisha", "ou")
RENAMED = {"counts", "named_kings"}


@cache
def made_for(options: Options, **more: Any) -> Game:
    """The game of these options of the oracle."""
    chosen = {name: getattr(options, name) for name in options.__dataclass_fields__ if name not in RENAMED}
    return game("goita", **chosen, **dict(zip(KINDS, options.counts)), **more)


def words_of(hands: Iterable[Hand]) -> list[int]:
    """Hands as the law writes them: four bits a kind."""
    return [sum(1 << 4 * (kind(card) - 1) for card in hand) for hand in hands]


class Twin:
    """One game, held by the law (``state``) and by the oracle (``naive``)."""

    def __init__(self, state: State, naive: Position) -> None:
        self.state, self.naive = state, naive
        self.check()

    @classmethod
    def start(cls, options: Options) -> Twin:
        """Nothing has happened yet."""
        return cls(made_for(options).start(chance="manual"), Position(options))

    @classmethod
    def line(cls, line: str, **options: Any) -> Twin:
        """A deal, and the plies after it, in the history notation."""
        hands = [part for part in line.split(",") if len(part) > 3]
        dealer, *plies = line.split(",")[len(hands) :]
        naive = Position.of_line(",".join([*hands, dealer]), **options)
        twin = cls.start(naive.options).first(int(dealer[1:]) - 1).deal(tuple(map(int, hand)) for hand in hands)
        for ply in plies:
            assert twin.naive.turn == int(ply[0]) - 1
            twin.play(ply[1:])
        return twin

    def first(self, seat: int) -> Twin:
        """The first dealer is drawn, unless the options name one."""
        if self.state.ply == 0 and self.state.why_illegal(FIRST | seat) is None:
            self.state.play(FIRST | seat)
        self.naive = self.naive.first(seat)
        return self.check()

    def deal(self, hands: Iterable[Iterable[int]]) -> Twin:
        """The cards are dealt."""
        dealt = [tuple(hand) for hand in hands]
        self.state.play(deal_outcome(words_of(dealt)))
        self.naive = self.naive.deal(dealt)
        return self.check()

    def play(self, *moves: Move) -> Twin:
        """Moves one after another: ``(1, 4)``, ``"14"``, ``"p"`` or a word."""
        for move in moves:
            chosen = read(move)
            self.state.play(number_of(chosen))
            self.naive = self.naive.play(chosen if isinstance(chosen, str) else number_of(chosen))
            self.check()
        return self

    def check(self) -> Twin:
        """Law and oracle say the same."""
        state, naive = self.state, self.naive
        record = state.record[0]
        over, chance = naive.phase == "over", naive.phase in ("first", "deal")
        assert state.is_over == over, self.where
        assert state.to_play == (-2 if over else -1 if chance else naive.turn), self.where
        assert state.payoffs == pytest.approx(naive.payoffs()), self.where
        assert [int(points) for points in record["scores"]] == list(naive.scores), self.where
        if not chance:
            assert state.legal_actions().tolist() == naive.legal_actions(), self.where
        if naive.phase != "first" and not over:
            assert int(record["dealer"]) == naive.dealer, self.where
        return self

    @property
    def where(self) -> str:
        """For messages."""
        return f"{self.state.to_text()}  {self.naive}"

    @property
    def moves(self) -> list[str]:
        """The legal moves as the notation has them; kings are 8."""
        return sorted({text_of(move) for move in self.naive.legal_moves()})

    def illegal(self, move: Move) -> bool:
        """Is the move against the rules?"""
        return self.state.why_illegal(number_of(read(move))) is not None

    @property
    def result(self) -> tuple[int | None, int, str]:
        """(the pair that won the game, points of the deal that ended last, how it ended)."""
        return self.naive.winner, self.naive.gained, self.naive.reason


def read(move: Move) -> Move:
    """A move from its text."""
    if isinstance(move, str) and move.isdigit():
        return int(move[0]), int(move[1])
    return "pass" if move == "p" else move


def text_of(move: Move) -> str:
    """A move as text, both kings as 8."""
    return ("p" if move == "pass" else move) if isinstance(move, str) else f"{kind(move[0])}{kind(move[1])}"
