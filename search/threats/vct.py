"""Victory by continuous threats in Python: searches in slices, stages of what counts as a threat, proofs that are checked."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import State
from narabe.envs.rules.line.patterns import new_patterns
from narabe.search.threats import vct_steps as steps
from narabe.search.threats.check import ProofError, check
from narabe.search.threats.desk import UNLIMITED, new_desk
from narabe.search.threats.proof import WIN_NOW, Proof
from narabe.search.threats.vct_desk import EXTRA, new_entries, new_ring
from narabe.search.threats.vct_desk import new_desk as new_vct_desk
from narabe.search.threats.vct_proof import Builder, Unproven
from narabe.search.threats.vct_search import advance

SLICE_SECONDS = 0.05
FIRST_SLICE = 5_000
FOUR_NODES = 300
"""Nodes of one search for fours within a search for threats; if that decided a search that fails, it is tried with more."""
MORE = 16
COUNTER_NODES = 100
SLACK = 4
ROUNDS = 1_000  # of writing a win out and searching on where something is missing
THREES, LINES, EVERY = 0, 1, 2  # what may be a threat: threes and fours, what adds to a line, any move


class OutOfBudget(Exception):
    """Nodes or time are spent."""


@dataclass
class Budget:
    """What a search may spend: nodes, and the clock (seconds of `time.perf_counter`); counts what was spent."""

    nodes: int
    until: float | None
    tick: Callable[[], None] | None = None
    spent: int = 0


class ThreatSearch:
    """Searches for wins by continuous threats in one game, with tables that are kept from call to call.

    ``failures``: the table of the search for fours; ``mb``: size of the tables of this search in MiB.
    """

    def __init__(self, failures: np.ndarray, mb: float) -> None:
        self.failures = failures
        self.entries, self.ring = new_entries(mb * 2 / 3), new_ring(mb / 3)
        self.desk, self.fours, self.patterns = new_vct_desk(), new_desk(), new_patterns()
        self.cuts: dict[int, int] = {}  # by salt: limits that stood in for proofs so far

    def clear(self) -> None:
        """Forget everything, as if newly made."""
        self.entries[:], self.ring[:] = np.zeros(1, self.entries.dtype), 0
        self.desk["head"], self.desk["n_extra"] = 0, 0
        self.cuts.clear()

    def find(
        self, turn: State, stage: int, plies: int, budget: Budget, mask: np.ndarray | None = None
    ) -> tuple[bool | None, Proof | None]:
        """(is there a win for the side to move, its proof). ``stage``: THREES, LINES or EVERY. None: budget spent.

        Every move is tried only after LINES have failed.
        """
        if stage == EVERY:
            won, proof = self.find(turn, LINES, plies, budget, mask)
            if won is not False:
                return won, proof
        if 2 * int(self.desk[0]["n_extra"]) > EXTRA:  # of many positions before this one; the table relies on them
            self.clear()
        four_nodes, counter_nodes = FOUR_NODES, COUNTER_NODES
        while True:
            self._ask(turn, stage, plies, mask, four_nodes, counter_nodes)
            try:
                if self._search(turn, [], plies, budget):
                    proof = self._proven(turn, plies, budget)
                    if proof is not None:
                        return True, proof
            except OutOfBudget:
                return None, None
            if self.cuts.get(self._salt, 0) == 0:
                return False, None
            four_nodes, counter_nodes = four_nodes * MORE, counter_nodes * MORE

    def _ask(
        self, turn: State, stage: int, plies: int, mask: np.ndarray | None, four_nodes: int, counter_nodes: int
    ) -> None:
        d = self.desk[0]
        d["attacker"], d["plies"], d["every"] = turn.to_play, plies, stage
        d["four_nodes"], d["counter_nodes"], d["slack"] = four_nodes, counter_nodes, SLACK
        d["masked"] = mask is not None
        if mask is not None:
            d["mask"] = mask
        d["generation"] = (int(d["generation"]) + 1) & 0x7FFF
        question = (turn.to_play, stage, four_nodes, None if mask is None else mask.tolist())
        self._salt = int.from_bytes(hashlib.blake2b(repr(question).encode(), digest_size=8).digest(), "little")
        d["salt"] = self._salt

    def _search(self, turn: State, line: list[int], plies: int, budget: Budget) -> bool:
        """Is the position after ``line`` won?"""
        record = turn.record.copy()
        steps.prepare(record, self.patterns)
        for a in line:
            steps.step(record, self.patterns, a)
        d = self.desk[0]
        d["plies"] = plies - len(line) if plies < UNLIMITED else plies
        d["nodes"], d["cut"] = 0, 0
        share, used = FIRST_SLICE, 0
        while True:
            if budget.tick is not None:
                budget.tick()
            share = min(share, budget.nodes - budget.spent)
            now = time.perf_counter()
            if share <= 0 or (budget.until is not None and now >= budget.until):
                raise OutOfBudget
            proof, disproof = advance(
                record, 0, self.patterns, self.desk, self.fours, self.failures, self.entries, self.ring, used + share
            )
            took = time.perf_counter() - now
            step = int(d["nodes"]) - used
            used += step
            budget.spent += step
            self.cuts[self._salt] = self.cuts.get(self._salt, 0) + int(d["cut"])
            d["cut"] = 0
            if proof == 0 or disproof == 0:
                return bool(proof == 0)
            seconds = (
                SLICE_SECONDS if budget.until is None else min(SLICE_SECONDS, max(budget.until - now - took, 0.001))
            )
            share = max(100, min(2 * share, int(step / max(took, 1e-6) * seconds)))

    # ---- proofs ----

    def _proven(self, turn: State, plies: int, budget: Budget) -> Proof | None:
        """The proof of a win that was found, checked. If the check objects, the search goes on with what it says."""
        for _ in range(ROUNDS):
            builder = Builder(turn, (self.desk, self.fours, self.failures, self.entries), plies)
            try:
                proof = builder.proof()
            except Unproven as gap:
                if not self._search(turn, gap.line, plies, budget):
                    self._reopen(turn, gap.line, plies)
                    if not self._search(turn, [], plies, budget):
                        return None
                continue
            try:
                check(proof, lambda _: budget.tick() if budget.tick is not None else None, turn)
                return proof
            except ProofError as error:
                line, cells = builder.objections(error.line)
                if not cells or not self._object(turn, line, cells):
                    raise
                self._reopen(turn, line, plies)
        raise OutOfBudget

    def _object(self, turn: State, line: list[int], cells: list[int]) -> bool:
        """Note defences that matter after ``line``; False if there is no room or nothing new."""
        record = turn.record.copy()
        steps.prepare(record, self.patterns)
        for a in line:
            steps.step(record, self.patterns, a)
        d, key = self.desk[0], int(steps.key(record))
        n = int(d["n_extra"])
        known = {(int(d["extra_key"][k]), int(d["extra_cell"][k])) for k in range(n)}
        new = [a for a in cells if (key, a) not in known]
        if not new or n + len(new) > EXTRA:
            return False
        for a in new:
            d["extra_key"][n], d["extra_cell"][n] = key, a
            n += 1
        d["n_extra"] = n
        return True

    def _reopen(self, turn: State, line: list[int], plies: int) -> None:
        """Forget what the table says of the positions along ``line``."""
        record = turn.record.copy()
        steps.prepare(record, self.patterns)
        steps.reopen(record, self.desk, self.entries, plies)
        for n, a in enumerate(line):
            steps.step(record, self.patterns, a)
            steps.reopen(record, self.desk, self.entries, plies - n - 1)


def main_line(proof: Proof, start: State) -> list[int]:
    """Attack, reply, ..., the winning move from ``start``: the replies are those that hold out longest by the proof."""
    order, height = _order(proof), np.ones(len(proof), np.int64)
    for k in order:
        nexts = [*proof.child[proof.first[k] : proof.first[k + 1]].tolist(), int(proof.otherwise[k])]
        height[k] = 1 + max([1 + (height[c] if c >= 0 else 1) for c in nexts if c >= WIN_NOW], default=0)
    state, line, k = start.copy(), [], 0
    while k >= 0:
        move = int(proof.move[k])
        line.append(move)
        state.play(move)
        if state.is_over:
            return line
        legal = set(state.legal_actions().tolist())
        listed = list(
            zip(proof.reply[proof.first[k] : proof.first[k + 1]].tolist(), proof.child[proof.first[k] :].tolist())
        )
        open_ = [(height[c] if c >= 0 else 1, -n, reply, c) for n, (reply, c) in enumerate(listed) if reply in legal]
        if open_:
            _, _, reply, k = max(open_)
        else:
            reply, k = min(legal), int(proof.otherwise[k])
        line.append(reply)
        state.play(reply)
    for a in state.legal_actions().tolist():
        state.play(a)
        if state.is_over and state.payoffs[proof.seat] > 0:
            return [*line, a]
        state.undo()
    raise AssertionError("the proof ends without a win")


def _order(proof: Proof) -> list[int]:
    """The nodes, each after those that follow it."""
    done, order, stack = np.zeros(len(proof), bool), [], [(0, False)]
    while stack:
        k, leaving = stack.pop()
        if leaving:
            order.append(k)
        elif not done[k]:
            done[k] = True
            stack.append((k, True))
            nexts = [*proof.child[proof.first[k] : proof.first[k + 1]].tolist(), int(proof.otherwise[k])]
            stack += [(c, False) for c in nexts if c >= 0 and not done[c]]
    return order
