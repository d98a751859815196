"""A win by continuous threats, written out as a proof.

At a three the proof answers the defences that the fours behind it do not refute, one by one; every other reply meets those
fours. Where a defence outside the zone turns out to matter (the law is asked, see `Builder.objections`), it becomes a defence
to be answered at that position, and the search goes on.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.game import State
from narabe.envs.rules.line.patterns import WORDS, new_patterns
from narabe.search.threats import vct_steps as steps
from narabe.search.threats.desk import UNLIMITED
from narabe.search.threats.proof import NONE, WIN_NOW, Node, Proof
from narabe.search.threats.vct_desk import OPEN, PROVEN


class Unproven(Exception):
    """A position on the way is not proven (any more). ``line``: the moves from the root to it."""

    def __init__(self, line: list[int]) -> None:
        super().__init__(line)
        self.line = line


class Builder:
    """Writes out one win. ``tables``: (desk, desk for fours, failures, entries) of the search that found it."""

    def __init__(self, state: State, tables: tuple[np.ndarray, ...], plies: int) -> None:
        self.state, self.plies = state, plies
        self.record, self.patterns = state.record.copy(), new_patterns()
        self.desk, self.four_desk, self.failures, self.entries = tables
        self.captures = bool(state.game.options.get("captures"))
        steps.prepare(self.record, self.patterns)
        self.nodes: list[Node] = []
        self.known: dict[tuple[int, int], int] = {}
        self.own: dict[int, set[int]] = {}  # by node of a three: the defences that were looked at there
        self.line: list[int] = []

    def proof(self) -> Proof:
        """The whole proof, not yet checked. Raises `Unproven`."""
        self.attack(self.plies)
        return Proof.of(self.state, self.state.to_play, "win", self.nodes, "vct")

    # ---- walking ----

    def _step(self, a: int) -> int:
        self.line.append(a)
        return int(steps.step(self.record, self.patterns, a))

    def _back(self) -> None:
        self.line.pop()
        steps.back(self.record, self.patterns)

    def _new(self) -> int:
        self.nodes.append(Node(-1, {}))
        return len(self.nodes) - 1

    # ---- the attacker to move ----

    def attack(self, left: int) -> int:
        """The node of a position with the attacker to move and ``left`` plies to spend."""
        key = int(steps.key(self.record)), min(left, UNLIMITED >> 1)
        if key in self.known:
            return self.known[key]
        if steps.fours(self.record, self.patterns, self.desk, self.four_desk, self.failures, left):
            length = int(self.four_desk[0]["length"])
            return self.fours(self.four_desk[0]["line"][:length].tolist(), left)
        number, move = steps.recall(self.record, self.desk, self.entries, left)
        if number != 0 or move < 0:
            raise Unproven(list(self.line))
        k = self.known[key] = self._new()
        self._step(int(move))
        self.nodes[k] = self.defence(k, int(move), left - 1)
        self._back()
        return k

    def fours(self, line: list[int], left: int) -> int:
        """The node of a position that is won by the fours of ``line``."""
        key = int(steps.key(self.record)), min(left, UNLIMITED >> 1)
        if key in self.known:
            return self.known[key]
        k = self.known[key] = self._new()
        if len(line) == 1:
            self.nodes[k] = Node(line[0], {}, NONE)
            return k
        self._step(line[0])
        colour = int(self.desk[0]["attacker"])
        replies: dict[int, int] = {}
        n = int(steps.parries(self.record, self.patterns, self.desk, self.four_desk, colour))
        for reply in self.desk[0]["parries"][:n].tolist():
            self._step(reply)
            if reply == line[1] and len(line) > 3:
                replies[reply] = self.fours(line[2:], left - 2)
            else:
                replies[reply] = self.attack(left - 2)
            self._back()
        self._back()
        self.nodes[k] = Node(line[0], replies, WIN_NOW)
        return k

    # ---- the defender to move ----

    def defence(self, number: int, move: int, left: int) -> Node:
        """The node of that number, that of the attacker's ``move``, which was just played."""
        refuted, listed, status = self.answers(left)
        if not refuted:  # a four, or the end
            if status == PROVEN and self.is_over():
                return Node(move, {}, NONE)
            replies = {}
            for a in listed:
                self._step(a)
                replies[a] = self.attack(left - 1)
                self._back()
            return Node(move, replies, WIN_NOW)
        if self.captures:  # every reply was looked at, and each win by fours is of that position alone
            return Node(move, self._all_replies(left), WIN_NOW)
        replies = {}
        nodes: list[int] = []
        for a, line, _ in refuted:
            if a < 0:
                steps.hand_over(self.record)
                nodes.append(self.fours(line, left - 1))
                steps.hand_over(self.record)
            else:
                self._step(a)
                replies[a] = self.fours(line, left - 1)
                nodes.append(replies[a])
                self._back()
        for a in listed:
            self._step(a)
            replies[a] = self.attack(left - 1)
            self._back()
        self.own[number] = set(replies)
        for a in np.flatnonzero(refuted[0][2]).tolist():
            k = _refuting(refuted, a)
            if a not in replies and k >= 0:
                replies[a] = nodes[k]
        return Node(move, replies, nodes[0])

    def _all_replies(self, left: int) -> dict[int, int]:
        replies = {}
        for a in np.flatnonzero(steps.legal(self.record, self.state.game.num_actions)).tolist():
            self._step(a)
            if not steps.wins(self.record, self.patterns, self.four_desk, int(self.desk[0]["attacker"])):
                replies[a] = self.attack(left - 1)
            self._back()
        return replies

    def objections(self, line: list[int]) -> tuple[list[int], list[int]]:
        """Why a proof that was built fails at the end of ``line``: (moves to a three, defences that no zone there holds).

        Both are empty if no zone is to blame.
        """
        k = 0
        for n in range(0, len(line) - 1, 2):
            node, reply = self.nodes[k], line[n + 1]
            if k in self.own and reply not in self.own[k]:
                return line[: n + 1], self._objections(line[: n + 1], self.own[k], reply)
            k = node.replies.get(reply, node.otherwise)
            if k < 0:
                break
        return [], []

    def _objections(self, line: list[int], own: set[int], reply: int) -> list[int]:
        for a in line:
            self._step(a)
        refuted, _, _ = self.answers(self.plies - len(line))
        broken = np.zeros((len(refuted), self.state.game.num_actions), np.uint8)
        for k, (_, fours, _) in enumerate(refuted):
            steps.broken_by(self.record, np.array(fours, np.int64), len(fours), broken[k])
        for _ in line:
            self._back()
        found = {reply}
        for a in range(self.state.game.num_actions):
            k = _refuting(refuted, a)
            if a not in own and k >= 0 and broken[k, a]:
                found.add(a)
        return sorted(found)

    def is_over(self) -> bool:
        return bool(steps.is_over(self.record))

    def answers(self, left: int) -> tuple[list[tuple[int, list[int], np.ndarray]], list[int], int]:
        """(defences that lose to fours with line and zone, defences to be answered, status) of the present position."""
        status, _ = steps.inspect(
            self.record, self.patterns, self.desk, self.four_desk, self.failures, self.entries, left
        )
        if status not in (OPEN, PROVEN):
            raise Unproven(list(self.line))
        d = self.desk[0]
        refuted = []
        for k in range(int(d["n_refuted"])):
            low, high = int(d["line_first"][k]), int(d["line_first"][k + 1])
            words = d["line_zone"][k * WORDS : (k + 1) * WORDS].copy()
            zone = np.unpackbits(words.view(np.uint8), bitorder="little")
            if k > 0 and d["line_relies"][k]:
                zone[:] = 1
            refuted.append((int(d["refuted"][k]), d["line_cells"][low:high].tolist(), zone))
        return refuted, d["moves"][: int(d["n_list"])].tolist() if status == OPEN else [], int(status)


def _refuting(refuted: list[tuple[int, list[int], np.ndarray]], a: int) -> int:
    """Number of the first line of fours to which the defence ``a`` does not matter, -1 if there is none."""
    return next((k for k, (_, _, zone) in enumerate(refuted) if not zone[a]), -1)
