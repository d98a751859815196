"""The threat searches beside brute force, on random positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from narabe.envs import Game, State
from narabe.envs.game import IllegalMove
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.threats import Answer, ProofError, Solver, check
from narabe.search.threats.desk import NONE, UNKNOWN, UNLIMITED, WON, new_desk, new_table
from narabe.search.threats.vcf import find
from narabe.tests.oracles.proofs import longest_play
from narabe.tests.oracles.threats import Admitted, is_vcf_move, vcf_lengths, vct_lengths
from narabe.tests.search.threat_positions import BY_NAME, batches, state_of

NODES = 20_000  # of a question without a limit of plies
MAX_LINE = 450  # longer than any game
MOST = 15  # plies to which brute force goes to confirm a longer VCF (the line found is not always the longest defence)
WORDS = {WON: "won", NONE: "none", UNKNOWN: "unknown"}


@dataclass
class Tally:
    """What was compared, and where the two sides differed."""

    positions: int = 0
    lengths: Counter = field(default_factory=Counter)  # of the wins by brute force; 0: none
    longer: int = 0  # wins that are longer than brute force looks
    unknown: int = 0  # questions without a limit of plies that were given up
    wider: int = 0  # wins by threats that are no threes, where the search looks at some of them
    disagreements: list[str] = field(default_factory=list)

    def note(self, state: State, what: str) -> None:
        """Note a disagreement with all that is needed to see it again."""
        self.disagreements.append(f"{what}; {state.to_text()} of {state.game.spec}")

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.lengths += other.lengths
        self.longer += other.longer
        self.wider += other.wider
        self.unknown += other.unknown
        self.disagreements += other.disagreements

    @property
    def wins(self) -> int:
        return sum(n for length, n in self.lengths.items() if length)


# ---- the kernel of VCF -----------------------------------------------------------------------------------------------


@kernel
def find_all(states, patterns, desks, table, max_nodes, limits, found, lengths, lines, good):
    """`find` each state; ``good``: does brute force agree that the move found is the first of a VCF of that length?"""
    p, desk = patterns[0], desks[0]
    for i in range(len(found)):
        s = states[i]
        read(s, p)
        found[i] = find(s, p, desk, table, max_nodes, limits[i])
        good[i] = True
        lengths[i] = 0
        if found[i] == WON:
            lengths[i] = desk.length
            for k in range(desk.length):
                lines[i, k] = desk.line[k]
            if limits[i] < UNLIMITED:
                good[i] = is_vcf_move(s, np.int64(desk.move), limits[i])


def find_batch(
    records: np.ndarray, limits: np.ndarray, table: np.ndarray, max_nodes: int = 1 << 40
) -> tuple[np.ndarray, ...]:
    """(found, lengths, lines, good) by state; asserts that the records are as before."""
    n, before = len(records), records.copy()
    found, lengths, good = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_)
    lines = np.full((n, MAX_LINE), -1, np.int64)
    find_all(records, new_patterns(1), new_desk(1), table, max_nodes, limits, found, lengths, lines, good)
    assert core.differences(before, records) == []
    return found, lengths, lines, good


def line_fault(state: State, line: list[int], limit: int) -> str | None:
    """What is wrong with a line of attacks and replies that should end in a win of the side to move."""
    seat, state = state.to_play, state.copy()
    if len(line) % 2 == 0 or len(line) > limit:
        return f"{len(line)} plies, {limit} allowed"
    for action in line:
        if state.is_over or state.why_illegal(action) is not None:
            return f"{action} cannot be played"
        state.play(action)
    return None if state.is_over and state.payoffs[seat] > 0 else "the line does not win"


def compare_find(name: str, count: int, seed: int, plies: int = 9) -> Tally:
    """The kernel of VCF on random positions, without a limit and with random ones, one table for all."""
    tally, table, draws = Tally(), new_table(1), np.random.default_rng(seed)
    for made, records in batches(BY_NAME[name], count, seed):
        brute = vcf_lengths(records, plies)
        n = len(records)
        tally.positions += n
        tally.lengths.update(brute.tolist())
        some = draws.integers(1, plies + 1, n)
        rounds = [np.full(n, UNLIMITED), some, np.full(n, plies), np.maximum(brute, 1), np.maximum(brute - 1, 0)]
        for limits in (rounds[k] for k in draws.permutation(len(rounds))):
            _compare_limits(made, records, limits.astype(np.int64), brute, plies, table, tally)
        few = draws.integers(1, 30)
        found, *_ = find_batch(records, np.full(n, plies), table, int(few))
        for i in np.flatnonzero((found == WON) & (brute == 0) | (found == NONE) & (brute > 0)):
            tally.note(state_of(made, records, int(i)), f"{few} nodes: {WORDS[int(found[i])]}, brute force {brute[i]}")
    return tally


def _compare_limits(
    made: Game, records: np.ndarray, limits: np.ndarray, brute: np.ndarray, plies: int, table: np.ndarray, tally: Tally
) -> None:
    found, lengths, lines, good = find_batch(records, limits, table)
    for i, (limit, length) in enumerate(zip(limits.tolist(), brute.tolist())):
        state, word = state_of(made, records, i), WORDS[int(found[i])]
        if limit >= UNLIMITED and length == 0 and word == "won":
            tally.longer += 1
            if lengths[i] <= MOST - 4 and vcf_lengths(state.record, MOST)[0] == 0:
                tally.note(state, f"a line of {lengths[i]} plies, brute force none within {MOST}")
        elif word != ("won" if 0 < length <= limit else "none"):
            tally.note(state, f"limit {limit}: {word}, brute force {length}")
        if word == "won":
            fault = line_fault(state, lines[i, : lengths[i]].tolist(), limit)
            if fault or not good[i]:
                tally.note(state, f"limit {limit}: {fault or 'the first move does not win within the limit'}")


# ---- the solver ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What of a rule set is compared: a ``search`` ("vcf" or "vct") with brute force to so many ``plies``.

    ``follow``: one proof in so many is followed through in plain Python as well.
    """

    rules: str
    search: str
    count: int
    plies: int = 9
    boards: tuple[tuple[int, int], ...] = ()  # else those of the rule set
    threats: str = "threes"
    follow: int = 20

    @property
    def name(self) -> str:
        return f"{self.search} {self.rules}" + ("" if self.threats == "threes" else f", {self.threats}")

    def batches(self, seed: int) -> Iterator[tuple[Game, np.ndarray]]:
        rules = BY_NAME[self.rules]
        rules = replace(rules, boards=self.boards or rules.boards)
        return batches(rules, self.count, seed, quiet=self.search == "vct")

    def brute(self, records: np.ndarray, *, passed: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Lengths of the wins that the search must find, and of those that it may find."""
        if self.search == "vcf":
            lengths = vcf_lengths(records, self.plies, passed=passed)
            return lengths, lengths
        if self.threats == "all":
            lengths = vct_lengths(records, self.plies, Admitted.ALL, passed=passed)
            return lengths, lengths
        loose = vct_lengths(records, self.plies, Admitted.THREES, passed=passed)
        strict = loose.copy()
        due = np.flatnonzero(loose >= 5)  # the shorter ones are wins by fours
        strict[due] = vct_lengths(records[due], self.plies, Admitted.STRICT, passed=passed)
        return strict, loose

    def wider(self, state: State, limit: int, *, passed: bool = False) -> bool:
        """Is there a win by any threats, where the search admits some that are no threes (those that prepare a capture)?"""
        if self.search == "vcf" or not state.game.options.get("captures"):
            return False
        return vct_lengths(state.record, limit, Admitted.ALL, passed=passed)[0] > 0

    def ask(self, solver: Solver, state: State, **limits: Any) -> Answer:
        if self.search == "vcf":
            return solver.vcf(state, **limits)
        return solver.vct(state, threats=self.threats, **limits)


def compare(plan: Plan, seed: int) -> Tally:
    """The solver on the positions of a plan."""
    tally, draws = Tally(), np.random.default_rng(seed)
    for made, records in plan.batches(seed):
        solver = Solver(made, mb=1)
        must, may = plan.brute(records)
        tally.positions += len(records)
        tally.lengths.update(must.tolist())
        for i in range(len(records)):
            state = state_of(made, records, i)
            _ask(plan, solver, state, int(must[i]), int(may[i]), draws, tally)
            if core.differences(state.record, records[i : i + 1]):
                tally.note(state_of(made, records, i), "the state was changed")
        some = np.flatnonzero(draws.random(len(records)) < 0.1)
        _compare_passed(plan, solver, made, records[some], tally)
    return tally


def _ask(
    plan: Plan, solver: Solver, state: State, must: int, may: int, draws: np.random.Generator, tally: Tally
) -> None:
    """One position: without a limit, with the limit of the brute force, and with one at random or just at the length."""
    limits: list[int | None] = [None, plan.plies]
    limits.append(int(draws.choice([must, must - 1, int(draws.integers(1, plan.plies + 1))])) if must else 1)
    for limit in (limits[k] for k in draws.permutation(len(limits))):
        if limit == 0:
            continue
        answer = plan.ask(solver, state, max_plies=limit, nodes=NODES if limit is None else None)
        most = plan.plies if limit is None else limit
        if answer.won is None and limit is None:
            tally.unknown += 1
        elif answer.won is None:
            tally.note(state, f"limit {limit}: no answer")
        elif must and must <= most and not answer.won:
            tally.note(state, f"limit {limit}: none, brute force {must}")
        elif answer.won and limit is not None and not 0 < may <= most:
            if plan.wider(state, limit):
                tally.wider += 1
            else:
                tally.note(state, f"limit {limit}: won, brute force {may}")
        if answer.won:
            tally.longer += limit is None and may == 0
            _check_win(plan, state, answer, limit, draws, tally)


def _check_win(
    plan: Plan, state: State, answer: Answer, limit: int | None, draws: np.random.Generator, tally: Tally
) -> None:
    """The line leads to a win, and the proof holds and is no longer than asked for."""
    most = MAX_LINE if limit is None else limit
    fault = line_fault(state, answer.line, most)
    if fault:
        tally.note(state, f"limit {limit}: line {answer.line}: {fault}")
    if answer.proof is None:
        tally.note(state, f"limit {limit}: no proof")
        return
    try:
        plies = check(answer.proof).plies
        if draws.integers(plan.follow) == 0 and longest_play(answer.proof) != plies:
            tally.note(
                state, f"limit {limit}: the check counts {plies} plies, brute force {longest_play(answer.proof)}"
            )
    except (ProofError, AssertionError, IllegalMove) as error:
        tally.note(state, f"limit {limit}: the proof fails: {error}")
        return
    if plies > most or (answer.proof.position, answer.proof.seat) != (state.to_text(), state.to_play):
        tally.note(state, f"limit {limit}: proof of {plies} plies for {answer.proof.position}")


def _compare_passed(plan: Plan, solver: Solver, made: Game, records: np.ndarray, tally: Tally) -> None:
    """The side not in turn as the attacker: what it could do if the other passed."""
    must, may = plan.brute(records, passed=True)
    for i in range(len(records)):
        state = state_of(made, records, i)
        answer = plan.ask(solver, state, seat=1 - state.to_play, max_plies=plan.plies)
        if answer.won and not may[i] and plan.wider(state, plan.plies, passed=True):
            tally.wider += 1
        elif (must[i] and not answer.won) or (answer.won and not may[i]):
            tally.note(state, f"after a pass: {answer.won}, brute force {must[i]}")
