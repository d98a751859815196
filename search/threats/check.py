"""The checker of proofs: it replays a strategy by the law of the game alone, and tries every legal reply to it.

It knows no patterns, no tables and no search, and shares no code with what finds proofs (`blocking` is a part of it). At
each node the prover's move must be legal; after it every legal reply of the other is played and must be answered by a
node or by a reason that holds. A node is looked at once for every position in which it is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.search.threats.blocking import ANYWHERE, NOWHERE, can_block, weight_of_rows, where_to_block
from narabe.search.threats.proof import DEAD, LIGHT, NO_MOVE, NONE, PAIRED, WIN_NOW, Proof, is_line_game

SLICE = 200_000
"""Replies between two calls of ``tick``: about a tenth of a second."""

# of the control array
DEPTH, POSITIONS, REPLIES, KNOWN, HEIGHT, FAULT, STATE, SEAT, GOAL, ROW, WIDTH, BLOCKS, DEAD_ALLOWED = range(13)
CONTROLS = 13
ENTER, REPLY, LEAVE, DONE = 0, 1, 2, 3  # what to do next (STATE)
FAULTS = {
    1: "it is not the prover's turn",
    2: "the prover's move is not legal",
    3: "the prover's move ends the game against the claim",
    4: "this reply ends the game against the claim",
    5: "no answer to this reply",
    6: "the prover has no move that wins at once",
    7: "the opponent can still make a row",
    8: "the opponent's rows cannot all be blocked in this way",
    9: "neither side can move, and the game is not over",
    10: "a reason that does not hold in this game",
    11: "the game goes on for longer than it can",
    12: "it is the prover's turn at a node without a move",
}
NOT_HIS_TURN, ILLEGAL, ENDS_BADLY, REPLY_ENDS_BADLY, UNANSWERED, NO_WIN = 1, 2, 3, 4, 5, 6
NOT_DEAD, NOT_BLOCKED, NO_REPLY, WRONG_REASON, TOO_LONG, NO_OWN_MOVE = 7, 8, 9, 10, 11, 12


class ProofError(ValueError):
    """A proof that does not hold. ``line``: the moves from the root that lead to the fault."""

    def __init__(self, words: str, line: list[int]) -> None:
        super().__init__(words)
        self.line = line

    def __reduce__(self) -> tuple[type[ProofError], tuple[str, list[int]]]:
        """So that it travels between processes."""
        return type(self), (str(self), self.line)


@dataclass(frozen=True)
class Counts:
    """What a check looked at.

    ``positions``: pairs of a node and a position; ``replies`` played; ``plies``: the longest game that the other can make of
    it, the last move included (of a "hold" up to where a reason ends it).
    """

    positions: int
    replies: int
    plies: int


def check(proof: Proof, tick: Callable[[Counts], None] | None = None, start: State | None = None) -> Counts:
    """Replay a proof against every reply; raises `ProofError` with the line that fails, else returns what was seen.

    ``tick`` is called now and then and may raise to stop. ``start``: where the proof begins, if its text cannot tell: in
    Gomocku the turn follows from the plies, so a position after a pass has none.
    """
    game, state = proof.game, proof.state() if start is None else start.copy()
    law = game.law
    if game.num_players != 2 or core.hides(law):
        raise ProofError(f"proofs are for two players and open games, not for {game.spec}", [])
    goal = 1.0 if proof.goal == "win" else 0.0
    if state.is_over:
        if state.payoffs[proof.seat] >= goal:
            return Counts(0, 0, 0)
        raise ProofError(f"the game is over: {state.reason}", [])
    depth = 2 * game.num_actions + 2
    control = np.zeros(CONTROLS, np.int64)
    control[SEAT], control[GOAL] = proof.seat, goal
    board = np.zeros(game.num_actions, np.int8)
    if is_line_game(game):
        control[DEAD_ALLOWED] = proof.goal == "hold" and not game.options["captures"]
        control[BLOCKS] = where_to_block(game, proof.seat) if proof.goal == "hold" else NOWHERE
        control[ROW], control[WIDTH] = game.options["row"], game.options["width"]
        board[:] = game.face.board(state)
    stack = np.zeros((depth, 4), np.int64)  # node, prover's move, reply now tried, longest game so far
    keys, targets = np.zeros(depth, np.uint64), np.zeros((depth, game.num_actions), np.int32)
    memo = np.zeros((1 << 12, 3), np.uint64)  # key, node + 1, plies
    graph = (proof.move, proof.first, proof.reply, proof.child, proof.otherwise, proof.pair_first, proof.pair)
    while control[STATE] != DONE and control[FAULT] == 0:
        walk(state.record, graph, control, stack, keys, targets, memo, board, control[REPLIES] + SLICE)
        if 2 * control[KNOWN] >= len(memo):
            memo = _grown(memo)
        if tick is not None:
            tick(_counts(control))
    if control[FAULT] != 0:
        raise _error(proof, control, stack)
    return _counts(control)


def _counts(control: np.ndarray) -> Counts:
    return Counts(int(control[POSITIONS]), int(control[REPLIES]), int(control[HEIGHT]))


def _error(proof: Proof, control: np.ndarray, stack: np.ndarray) -> ProofError:
    fault, line = int(control[FAULT]), []
    for _, move, reply, _ in stack[: control[DEPTH] + 1]:
        line += [int(a) for a in (move, reply) if a >= 0]
    moves = " ".join(proof.game.text_of(a) for a in line) or "the start"
    node = int(stack[control[DEPTH], 0])
    return ProofError(f"the proof does not hold at node {node}, after {moves}: {FAULTS[fault]}", line)


def _grown(memo: np.ndarray) -> np.ndarray:
    larger = np.zeros((2 * len(memo), 3), np.uint64)
    rehash(memo, larger)
    return larger


@kernel
def slot_of(memo, key, node):
    """The row of the memo that holds a node in a position, or the free row where it belongs."""
    mask = len(memo) - 1
    at = (np.int64(key >> np.uint64(20)) ^ np.int64(node) * 2654435761) & mask
    while memo[at, 1] != 0 and not (memo[at, 0] == key and memo[at, 1] == np.uint64(node + 1)):
        at = (at + 1) & mask
    return at


@kernel
def rehash(memo, larger):
    for k in range(len(memo)):
        if memo[k, 1] != 0:
            at = slot_of(larger, memo[k, 0], np.int64(memo[k, 1]) - 1)
            larger[at, 0], larger[at, 1], larger[at, 2] = memo[k, 0], memo[k, 1], memo[k, 2]


@kernel
def wins_at_once(s, seat, first):
    """A legal move that wins at once for the side to move, which must be ``seat``; ``first`` is tried first. -1: none."""
    if core.to_move(s) != seat + 1:
        return np.int64(-1)
    for n in range(-1, core.num_actions(s)):
        a = np.int64(first if n < 0 else n)
        if a >= 0 and core.is_legal(s, a):
            core.apply(s, a)
            won = core.is_over(s) and core.payoff(s, seat + 1) > 0
            core.undo(s)
            if won:
                return a
    return np.int64(-1)


@kernel
def fault_of_reason(s, reason, graph, control, board, hint):
    """Does a reason hold in this position, the prover to move? (fault or 0, plies to the end, the winning move)."""
    seat = control[SEAT]
    if reason == WIN_NOW:
        a = wins_at_once(s, seat, hint)
        return (NO_WIN, 0, hint) if a < 0 else (0, 1, a)
    if reason == NONE:
        return UNANSWERED, 0, hint
    if control[DEAD_ALLOWED] == 0 or core.to_move(s) != seat + 1:
        return WRONG_REASON, 0, hint
    width, row, everywhere = control[WIDTH], control[ROW], control[BLOCKS] == ANYWHERE
    if reason == DEAD:
        nobody = np.full(len(board), -1, np.int64)
        dead = weight_of_rows(board, width, row, seat, nobody, True, -1) == 0
        return 0 if dead else NOT_DEAD, 0, hint
    if control[BLOCKS] == NOWHERE:
        return WRONG_REASON, 0, hint
    pair_first, pair = graph[5], graph[6]
    cells = pair[:0] if reason == LIGHT else pair[pair_first[PAIRED - reason] : pair_first[PAIRED - reason + 1]]
    return 0 if can_block(board, width, row, seat, cells, everywhere) else NOT_BLOCKED, 0, hint


@kernel
def enter(s, graph, control, stack, keys, targets, memo, board):
    """Go into the node on top of the stack: play its move. The next STATE, or -1 with control[FAULT] set."""
    move, first, reply, child, otherwise, _, _ = graph
    depth, seat = control[DEPTH], control[SEAT]
    k = stack[depth, 0]
    keys[depth] = core.key(s)
    stack[depth, 1], stack[depth, 2], stack[depth, 3] = NO_MOVE, -1, 0
    at = slot_of(memo, keys[depth], k)
    if memo[at, 1] != 0:
        stack[depth, 3] = np.int64(memo[at, 2])
        return LEAVE
    control[POSITIONS] += 1
    a = np.int64(move[k])
    if a == NO_MOVE:
        if core.to_move(s) == seat + 1:
            control[FAULT] = NO_OWN_MOVE
    elif core.to_move(s) != seat + 1:
        control[FAULT] = NOT_HIS_TURN
    elif not core.is_legal(s, a):
        stack[depth, 1] = a
        control[FAULT] = ILLEGAL
    if control[FAULT] != 0:
        return LEAVE
    if a != NO_MOVE:
        stack[depth, 1] = a
        core.apply(s, a)
        board[a] = seat + 1
        if core.is_over(s):
            stack[depth, 3] = 1
            if core.payoff(s, seat + 1) < control[GOAL]:
                control[FAULT] = ENDS_BADLY
            return LEAVE
    for b in range(core.num_actions(s)):
        targets[depth, b] = otherwise[k]
    for j in range(first[k], first[k + 1]):
        targets[depth, reply[j]] = child[j]
    return REPLY


@kernel
def leave(s, control, stack, keys, memo, board):
    """The node on top of the stack is done: take its move back, remember it, and go back to where it was called from."""
    depth = control[DEPTH]
    if stack[depth, 1] != NO_MOVE:
        core.undo(s)
        board[stack[depth, 1]] = 0
    height = stack[depth, 3]
    at = slot_of(memo, keys[depth], stack[depth, 0])
    if memo[at, 1] == 0:
        memo[at, 0], memo[at, 1], memo[at, 2] = keys[depth], np.uint64(stack[depth, 0] + 1), np.uint64(height)
        control[KNOWN] += 1
    if depth == 0:
        control[HEIGHT] = height
        return DONE
    control[DEPTH] = depth - 1
    end_reply(s, control, stack, board, height)
    return REPLY


@kernel
def end_reply(s, control, stack, board, height):
    """A reply was answered, and the game then takes ``height`` plies more: take it back."""
    depth = control[DEPTH]
    core.undo(s)
    board[stack[depth, 2]] = 0
    own = 0 if stack[depth, 1] == NO_MOVE else 1
    stack[depth, 3] = max(stack[depth, 3], own + 1 + height)


@kernel
def try_replies(s, graph, control, stack, targets, board, limit):
    """Play the next replies at the node on top of the stack, up to one that another node answers. The next STATE."""
    depth, seat = control[DEPTH], control[SEAT]
    hint = np.int64(-1)
    any_reply = stack[depth, 2] >= 0
    for b in range(stack[depth, 2] + 1, core.num_actions(s)):
        if not core.is_legal(s, b):
            continue
        any_reply = True
        stack[depth, 2] = b
        control[REPLIES] += 1
        core.apply(s, b)
        board[b] = 2 - seat
        height, target = 0, np.int64(targets[depth, b])
        if core.is_over(s):
            if core.payoff(s, seat + 1) < control[GOAL]:
                control[FAULT] = REPLY_ENDS_BADLY
        elif target >= 0:
            if depth + 1 >= len(stack):
                control[FAULT] = TOO_LONG
                return REPLY
            control[DEPTH] = depth + 1
            stack[depth + 1, 0] = target
            return ENTER
        else:
            control[FAULT], height, hint = fault_of_reason(s, target, graph, control, board, hint)
        if control[FAULT] != 0:
            return REPLY
        end_reply(s, control, stack, board, height)
        if control[REPLIES] >= limit:
            return REPLY
    if not any_reply:
        control[FAULT] = NO_REPLY
    return LEAVE


@kernel
def walk(states, graph, control, stack, keys, targets, memo, board, limit):
    """Go on with the check until it is done, finds a fault, fills half of the memo, or has played ``limit`` replies.

    ``graph``: the seven arrays of the proof; ``control`` int64[CONTROLS]; ``stack`` int64 (depth, 4): node, the prover's
    move, the reply that is tried, the longest game so far; ``keys`` uint64[depth]; ``targets`` int32 (depth, actions): what
    answers each reply; ``memo`` uint64 (n, 3), n a power of two: key, node + 1, plies; ``board`` int8: 0 or 1 + seat.
    """
    s = states[0]
    while control[FAULT] == 0 and control[STATE] != DONE and 2 * control[KNOWN] < len(memo):
        if control[STATE] == ENTER:
            control[STATE] = enter(s, graph, control, stack, keys, targets, memo, board)
        elif control[STATE] == REPLY:
            control[STATE] = try_replies(s, graph, control, stack, targets, board, limit)
            if control[REPLIES] >= limit and control[STATE] == REPLY:
                return
        else:
            control[STATE] = leave(s, control, stack, keys, memo, board)
