"""Writing out the strategy behind a solved position as a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from narabe.envs.game import State
from narabe.search.proving import replay
from narabe.search.threats.proof import DEAD, LIGHT, NO_MOVE, NONE, WIN_NOW, Node, Proof

if TYPE_CHECKING:
    from narabe.search.proving.solver import Question

HOW = "proof-number search"


class Writer:
    """Walks through the positions of a strategy, each once, and makes a node of each.

    The prover's moves come from the table; what a full table has lost is searched again.
    """

    def __init__(self, question: Question, seat: int) -> None:
        self.question, self.seat = question, seat
        self.game = question.game
        self.nodes: list[Node] = []
        self.plies: list[int] = []  # of each node, to the end of the game at the latest
        self._number: dict[int, int] = {}  # exact key of a position -> node
        self._targets = np.zeros(self.game.num_actions, np.int8)

    def write(self, state: State) -> Proof:
        """The proof from the position of the question, which is ``state``."""
        goal = "win" if self.seat == self.question.attacker else "hold"
        root = self._open(int(state.key), state.to_play == self.seat)
        stack = [root]
        while stack:
            top = stack[-1]
            if top.waiting:
                reply = top.waiting.pop()
                _, key = self.question.play(reply)
                known = self._number.get(key)
                if known is None:
                    top.reply = reply
                    stack.append(self._open(key, True))
                else:
                    top.answer(reply, known, self.plies[known])
                    self.question.take_back(reply)
                continue
            stack.pop()
            self._close(top)
            if stack:
                self.question.take_back(stack[-1].reply)
                stack[-1].answer(stack[-1].reply, top.number, self.plies[top.number])
            self.question.tick()
        return Proof.of(state, self.seat, goal, self.nodes, HOW)

    def longest_game(self, proof: Proof) -> list[int]:
        """The moves of a game by the proof, the other side holding out for as long as it can (goal hold: up to a reason)."""
        state, node, line = proof.state(), 0, [] if proof.move[0] == NO_MOVE else [int(proof.move[0])]
        for action in line:
            state.play(action)
        while not state.is_over:
            replies = {int(a): proof.answer(node, int(a)) for a in state.legal_actions()}
            reply = max(replies, key=lambda a: self._latest(replies[a]))
            target = replies[reply]
            if target in (DEAD, LIGHT, NONE):
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
        move = self._move() if own_turn else NO_MOVE
        over = self.question.play(move)[0] if own_turn else False
        return _Position(number, move, over, [] if over else self._replies())

    def _move(self) -> int:
        move = self.question.move()
        if move != replay.BLOCKED:
            return move
        for move in self.question.legal():  # at the root only: elsewhere the reply is answered by a reason
            over, _ = self.question.play(move)
            good = over or all(target < 0 for _, target in self._replies())
            self.question.take_back(move)
            if good:
                return move
        raise AssertionError("a position that can be blocked has no move that blocks it")

    def _replies(self) -> list[tuple[int, int]]:
        self._targets[:] = replay.OVER
        self.question.reasons(self._targets)
        return [(int(a), int(self._targets[a])) for a in np.flatnonzero(self._targets != replay.OVER)]

    def _close(self, position: _Position) -> None:
        """End a node: what answers most replies becomes the answer to all that are not listed."""
        counts = dict.fromkeys((WIN_NOW, DEAD, LIGHT), 0)
        for reason in position.reasons.values():
            counts[reason] += 1
        otherwise = max(counts, key=lambda reason: counts[reason]) if position.reasons else NONE
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

    def __init__(self, number: int, move: int, over: bool, replies: list[tuple[int, int]]) -> None:
        self.number, self.move, self.over = number, move, over
        self.reasons = {a: target for a, target in replies if target != replay.NODE}
        self.waiting = [a for a, target in replies if target == replay.NODE]
        self.answers: dict[int, int] = {}
        self.reply = NO_MOVE  # the one that is looked at now
        self.latest = 0  # plies after the prover's move, at most

    def answer(self, reply: int, node: int, plies: int) -> None:
        self.answers[reply] = node
        self.latest = max(self.latest, 1 + plies)
