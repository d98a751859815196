"""Writing out the strategy behind a solved position as a proof."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from narabe.envs.game import State
from narabe.search.proving import replay
from narabe.search.threats.proof import DEAD, LIGHT, NO_MOVE, NONE, PAIRED, WIN_NOW, Node, Proof

if TYPE_CHECKING:
    from narabe.search.proving.solver import Question

HOW = "proof-number search"


class Writer:
    """Walks through the positions of a strategy, each once, and makes a node of each.

    The prover's moves come from the table; what a full table has lost is searched again.
    """

    def __init__(self, question: Question, seat: int) -> None:
        self.question, self.seat = question, seat
        self.holds = seat != question.attacker
        self.game = question.game
        self.nodes: list[Node] = []
        self.plies: list[int] = []  # of each node, to the end of the game at the latest
        self._number: dict[int, int] = {}  # exact key of a position -> node
        self._pairs: dict[tuple[int, ...], int] = {}  # pairs -> their number
        self._targets = np.zeros(self.game.num_actions, np.int8)

    def write(self, state: State) -> Proof:
        """The proof from the position of the question, which is ``state``."""
        goal = "hold" if self.holds else "win"
        root = self._open(int(state.key), state.to_play == self.seat)
        stack = [root]
        while stack:
            top = stack[-1]
            if top.waiting:
                reply = top.waiting.pop()
                _, key = self.question.play(reply)
                known = self._number.get(key)
                reason = self._blocked() if known is None else None
                if known is None and reason is None:
                    top.reply = reply
                    stack.append(self._open(key, True))
                    continue
                if known is not None:
                    top.answer(reply, known, self.plies[known])
                elif reason is not None:
                    top.reasons[reply] = reason
                self.question.take_back(reply)
                continue
            stack.pop()
            self._close(top)
            if stack:
                self.question.take_back(stack[-1].reply)
                stack[-1].answer(stack[-1].reply, top.number, self.plies[top.number])
            self.question.tick()
        return Proof.of(state, self.seat, goal, self.nodes, HOW, list(self._pairs))

    def longest_game(self, proof: Proof) -> list[int]:
        """The moves of a game by the proof, the other side holding out for as long as it can (goal hold: up to a reason)."""
        state, node, line = proof.state(), 0, [] if proof.move[0] == NO_MOVE else [int(proof.move[0])]
        for action in line:
            state.play(action)
        while not state.is_over:
            replies = {int(a): proof.answer(node, int(a)) for a in state.legal_actions()}
            reply = max(replies, key=lambda a: self._latest(replies[a]))
            target = replies[reply]
            if target < 0 and target != WIN_NOW:
                return line
            line.append(reply)
            state.play(reply)
            if state.is_over:
                return line
            line.append(_winning_move(state) if target == WIN_NOW else int(proof.move[target]))
            state.play(line[-1])
            node = max(target, 0)
            if target == WIN_NOW:
                return line
        return line

    def _latest(self, target: int) -> int:
        return self.plies[target] if target >= 0 else 1 if target == WIN_NOW else 0

    def _open(self, key: int, own_turn: bool) -> _Position:
        """Begin a node: play the prover's move and see which replies need nodes of their own."""
        number = self._number[key] = len(self.nodes)
        self.nodes.append(Node(NO_MOVE, {}))
        self.plies.append(0)
        move = self.question.move() if own_turn else NO_MOVE
        over = self.question.play(move)[0] if own_turn else False
        position = _Position(number, move)
        if not over:
            reason = self._blocked()
            replies = [(a, reason) for a in self.question.legal()] if reason is not None else self._replies()
            position.reasons = {a: target for a, target in replies if target != replay.NODE}
            position.waiting = [a for a, target in replies if target == replay.NODE]
        return position

    def _blocked(self) -> int | None:
        """The reason why all rows of the other can be blocked from here on, if they can."""
        if not self.holds:
            return None
        if self.question.is_dead():
            return DEAD
        pairs = self.question.pairs()
        if pairs is None:
            return None
        return PAIRED - self._pairs.setdefault(pairs, len(self._pairs)) if pairs else LIGHT

    def _replies(self) -> list[tuple[int, int]]:
        self._targets[:] = replay.OVER
        self.question.reasons(self._targets)
        assert not (self._targets == replay.LOST).any(), "a reply refutes the proof"
        return [(int(a), int(self._targets[a])) for a in np.flatnonzero(self._targets != replay.OVER)]

    def _close(self, position: _Position) -> None:
        """End a node: what answers most replies becomes the answer to all that are not listed."""
        counts = Counter(position.reasons.values())
        otherwise = max(counts, key=lambda reason: (counts[reason], reason)) if counts else NONE
        listed = {a: reason for a, reason in position.reasons.items() if reason != otherwise}
        self.nodes[position.number] = Node(position.move, dict(sorted((position.answers | listed).items())), otherwise)
        own = 0 if position.move == NO_MOVE else 1
        latest = max((2 if r == WIN_NOW else 1 for r in position.reasons.values()), default=0)
        self.plies[position.number] = own + max(latest, position.latest)
        if position.move != NO_MOVE:
            self.question.take_back(position.move)


def _winning_move(state: State) -> int:
    for action in state.legal_actions():
        over = state.play(int(action)).is_over
        won = over and bool(state.winners)
        state.undo()
        if won:
            return int(action)
    raise AssertionError("a reply that loses at once does not")


class _Position:
    """A node in the making."""

    def __init__(self, number: int, move: int) -> None:
        self.number, self.move = number, move
        self.reasons: dict[int, int] = {}  # replies answered by a reason
        self.waiting: list[int] = []  # replies not looked at yet
        self.answers: dict[int, int] = {}
        self.reply = NO_MOVE  # the one that is looked at now
        self.latest = 0  # plies after the prover's move, at most

    def answer(self, reply: int, node: int, plies: int) -> None:
        self.answers[reply] = node
        self.latest = max(self.latest, 1 + plies)
