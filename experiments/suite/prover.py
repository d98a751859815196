"""What is proven of the moves of a line game: wins by fours and by threats against every reply, and losses to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from narabe.envs import Game, State
from narabe.experiments.suite.replies import DRAWS, LOSES, WINS, Replies, TakingReplies, UndecidedError
from narabe.search.threats import Solver
from narabe.search.threats.check import ProofError
from narabe.search.threats.desk import UNLIMITED

NODES, ROUNDS = 5_000, 4
"""Nodes of a search for continuous threats, and how often it is taken up again: slices of one size, so that what is found
does not depend on the clock."""
DEPTH = 5
"""Fours that may delay a loss, where it is proven."""
LONGEST = 41
"""Plies of a win whose length is looked for."""


class Prover:
    """What follows from a move in one line game."""

    def __init__(self, game: Game) -> None:
        self.game, self.solver = game, Solver(game, mb=4)
        self.replies = TakingReplies(self.solver) if game.options["captures"] else Replies()
        self._used = False
        self.depth = 1 if game.options["captures"] else DEPTH

    def clear(self) -> None:
        """Forget other positions, so that what is found in this one follows from it alone."""
        if self._used:
            self.solver.clear()
        if isinstance(self.replies, Replies):
            self.replies.table[:] = 0
        self._used = isinstance(self.replies, TakingReplies)

    def fours(self, state: State, seat: int | None = None, plies: int = UNLIMITED) -> bool:
        """Has the seat (to move, unless given) a win by continuous fours, of so many plies at most?"""
        return self.replies.fours(state, seat is not None and seat != state.to_play, plies) > 0

    def threats(self, state: State, plies: int | None = None) -> bool | None:
        """Has the side to move a win by continuous threats, of so many plies at most? None: not known."""
        self._used = True
        for _ in range(ROUNDS):
            try:
                won = self.solver.vct(state, max_plies=plies, nodes=NODES, method="dfpn").won
            except ProofError:
                return None
            if won is not None:
                return won
        return None

    def length(self, state: State, kind: str) -> int:
        """Plies of the shortest win by fours or threats ("vcf", "vct"): none is shorter, by exhaustive search."""
        for plies in range(1, LONGEST + 1, 2):
            won = self.fours(state, plies=plies) if kind == "vcf" else self.threats(state, plies)
            if won is None:
                break
            if won:
                return plies
        raise UndecidedError

    def winning(self, state: State, deep: bool) -> list[int]:
        """The moves that win by force (`deep`: not by fours alone), where all the others are proven to lose."""
        seat, wins = state.to_play, list[int]()
        answers = self.replies.after_each(state)
        if DRAWS in answers.values() or LOSES in answers.values():
            raise UndecidedError
        for move in (move for move, answer in answers.items() if answer in (0, WINS)):
            if answers[move] == WINS:
                wins.append(move)
                continue
            with after(state, move):
                if self.threats(state):
                    continue  # the opponent wins
                if self.wins_after(state, seat, deep):
                    wins.append(move)
                elif not self._lost_by_four(state, seat, self.depth):
                    raise UndecidedError
        return wins

    def wins_after(self, state: State, seat: int, deep: bool) -> bool:
        """Does the seat, whose move was the last, win by force against every reply?"""
        answers = self.replies.after_each(state)
        open_ = [reply for reply, answer in answers.items() if answer == 0]
        if any(answer in (WINS, DRAWS) for answer in answers.values()) or (open_ and not deep):
            return False
        for reply in open_:
            with after(state, reply):
                if not self.threats(state):
                    return False
        return True

    def beginning(self, state: State) -> list[int]:
        """The moves that begin a win by threats: each threatens a win by fours, and whatever the reply a win follows.

        Of the others each threatens none, or has a reply that leaves no win by threats.
        """
        seat, found, refuting = state.to_play, list[int](), list[int]()
        for move in map(int, state.legal_actions()):
            with after(state, move):
                if state.is_over or not self.fours(state, seat) or self._refuted(state, refuting):
                    continue
                if not self.wins_after(state, seat, True):
                    raise UndecidedError
                found.append(move)
        return found

    def _refuted(self, state: State, refuting: list[int]) -> bool:
        """Is there a reply after which the side that moved last has no win by threats? ``refuting``: those to try first."""
        answers = self.replies.after_each(state)
        if WINS in answers.values() or DRAWS in answers.values():
            return True
        open_ = [reply for reply, answer in answers.items() if answer == 0]
        for reply in sorted(open_, key=lambda reply: refuting.index(reply) if reply in refuting else len(refuting)):
            with after(state, reply):
                if self.threats(state) is False:
                    if reply in refuting:
                        refuting.remove(reply)
                    refuting.insert(0, reply)
                    return True
        return False

    def lost(self, state: State, depth: int) -> bool:
        """Is the side to move proven to lose to continuous fours, after `depth` fours of its own at most?"""
        seat, answers = state.to_play, self.replies.after_each(state)
        if WINS in answers.values() or DRAWS in answers.values():
            return False
        for move in (move for move, answer in answers.items() if answer == 0):
            with after(state, move):
                if depth == 0 or not self._lost_by_four(state, seat, depth - 1):
                    return False
        return True

    def _lost_by_four(self, state: State, seat: int, depth: int) -> bool:
        """The seat has just made a four: is it parried so that the seat loses?"""
        if not self.fours(state, seat, 1):
            return False
        for reply, answer in self.replies.after_each(state).items():
            if answer in (0, *range(3, LONGEST)):  # after which the seat does not win at once
                with after(state, reply):
                    if self.lost(state, depth):
                        return True
        return False


@contextmanager
def after(state: State, move: int) -> Iterator[None]:
    """The state after a move, in the body."""
    state.play(int(move))
    try:
        yield
    finally:
        state.undo()
