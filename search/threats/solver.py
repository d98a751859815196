"""Threat search in Python: forced wins of a position, each with a proof that was checked."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.game import Game, State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.threats.build import proof_of_line, proof_of_tree
from narabe.search.threats.check import check
from narabe.search.threats.desk import NONE, UNLIMITED, WON, new_desk, new_table
from narabe.search.threats.proof import Proof
from narabe.search.threats.replay import FAULTS, HOLDS, fault_of_line
from narabe.search.threats.vcf import find

if TYPE_CHECKING:
    from narabe.search.threats.spaces_face import SpaceSearch, ThreatSequence

SLICE = 20_000
"""Nodes of the first slice of a search; each one after it may take as many as all before it together."""
MOST_NODES = 1 << 62
METHODS = ("auto", "dfpn", "spaces")


class SearchError(RuntimeError):
    """A search found a win that its check refuses: an error of narabe's, to be reported with the position in it."""


@dataclass(frozen=True)
class Answer:
    """What a search for a forced win found.

    ``won``: True, False (there is no such win), or None if the budget was spent before it was known. ``proof`` is there if it
    is won. ``line``: attack, reply, attack, ..., the winning move. ``nodes``: attacks played and answered.
    """

    won: bool | None
    proof: Proof | None = field(repr=False)
    line: list[int]
    nodes: int
    seconds: float


class Solver:
    """Forced wins by threats, in the line games and in the first phase of Gomocku.

    ``mb``: size in MiB of the table of positions known to have no win by fours; it is kept from call to call. ``tick``, if
    set, is called between slices of a search and may raise to stop.

    >>> from narabe import envs
    >>> state = envs.game("renju").position(black="H8 I8 J8 K9 K10", white="G8 A1 A3 C1", to_move="black")
    >>> answer = Solver(state.game, mb=1).vcf(state)
    >>> answer.won, [state.game.text_of(move) for move in answer.line]
    (True, ['K8', 'L8', 'K7', 'K6', 'K11'])

    Raises `ValueError` for other games.
    """

    def __init__(self, game: Game, mb: float = 16) -> None:
        if not hasattr(game.law, "hand_over"):
            raise ValueError(f"threats are searched in the line games and in Gomocku, not in {game.name}")
        self.game = game
        self.tick: Callable[[], None] | None = None
        self.mb = mb
        self._table = new_table(mb)
        self._threats: Any = None  # made when first asked for: its kernels are many
        self._spaces: SpaceSearch | None = None
        self._patterns, self._desk = new_patterns(), new_desk()
        self._captures = bool(game.options.get("captures"))

    def clear(self) -> None:
        """Forget everything, as if newly made."""
        self._table[:] = 0
        if self._threats is not None:
            self._threats.clear()

    def vcf(
        self,
        state: State,
        seat: int | None = None,
        max_plies: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
    ) -> Answer:
        """Victory by continuous fours of ``seat``, by default of the side to move; the state is left as it is.

        If it is the other's turn, the answer is for the case that he passed (in Gomocku then without a proof). ``max_plies``
        bounds the length of the win, the winning move included. In Gomocku a win must end within the first phase.
        Raises `ValueError` for a state of another game or a seat that does not exist.
        """
        start = time.perf_counter()
        turn = self._turn(state, seat)
        if turn is None:
            return Answer(False, None, [], 0, time.perf_counter() - start)
        plies = UNLIMITED if max_plies is None else min(max_plies, UNLIMITED)
        found, spent = self._find(turn, plies, MOST_NODES if nodes is None else nodes, ms, start)
        if found != WON:
            return Answer(False if found == NONE else None, None, [], spent, time.perf_counter() - start)
        line = self._desk[0]["line"][: self._desk[0]["length"]].tolist()
        proof = self._proof(turn, line, plies)
        return Answer(True, proof, line, spent, time.perf_counter() - start)

    def vct(
        self,
        state: State,
        seat: int | None = None,
        max_plies: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
        threats: str = "threes",
        method: str = "auto",
    ) -> Answer:
        """Victory by continuous threats, with arguments and answer as of `vcf`; ``nodes`` count positions looked at and fours.

        ``threats``: what the attacker tries beside fours and parries; ``"threes"``, those by the line tables, or ``"all"``,
        every move after which he would win by fours if it were his turn again. With captures moves that prepare a capture count
        as well. Source of the search: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002).

        ``method``: ``"dfpn"``, that search; ``"spaces"``, threat-space search, whose candidates (see `spaces`) that search
        confirms with the attacker held to their cells: what it finds is proven as well, but it never says that there is no
        win; ``"auto"``, both by turns. Games with captures and Gomocku have only the first:
        there ``"auto"`` is the same, and ``"spaces"`` raises `ValueError`.

        >>> from narabe import envs
        >>> state = envs.game("gomoku").position(black="H8 I8 H9 I10", white="A1 A3 A5 C1", to_move="black")
        >>> answer = Solver(state.game, mb=2).vct(state)
        >>> answer.won, answer.proof is not None
        (True, True)
        """
        from narabe.search.threats.vct import EVERY, THREES, Budget, ThreatSearch, main_line

        if threats not in ("threes", "all"):
            raise ValueError(f"threats={threats!r}: threes or all")
        if method not in METHODS:
            raise ValueError(f"method={method!r}: one of {', '.join(METHODS)}")
        start = time.perf_counter()
        spaces = self._space_search(needed=method == "spaces") if method != "dfpn" else None
        turn = self._turn(state, seat)
        if turn is None:
            return Answer(False, None, [], 0, time.perf_counter() - start)
        if self._threats is None:
            self._threats = ThreatSearch(self._table, self.mb)
        until = None if ms is None else start + ms / 1000
        budget = Budget(MOST_NODES if nodes is None else nodes, until, self.tick)
        plies = UNLIMITED if max_plies is None else min(max_plies, UNLIMITED)
        stage = THREES if threats == "threes" else EVERY
        if spaces is None:
            won, proof = self._threats.find(turn, stage, plies, budget)
        else:
            won, proof = spaces.solve(self._threats, turn, stage, plies, budget, alone=method == "spaces")
        line = main_line(proof, turn) if proof is not None else []
        if proof is not None and not self._can_be_written(turn):
            proof = None
        return Answer(won, proof, line, budget.spent, time.perf_counter() - start)

    def spaces(self, state: State, seat: int | None = None) -> ThreatSequence | None:
        """The first sequence of threats of ``seat`` that threat-space search finds, None if there is none; see `vct`.

        It is a candidate: the defender's own fours are not reckoned with. Source: Allis, van den Herik, Huntjens, "Go-Moku and
        threat-space search" (1993). Raises `ValueError` for games with captures and for Gomocku.

        >>> from narabe import envs
        >>> state = envs.game("gomoku").position(black="H8 I8 H9 I10", white="A1 A3 A5 C1", to_move="black")
        >>> found = Solver(state.game, mb=1).spaces(state)
        >>> [state.game.text_of(gain) for gain in found.gains]
        ['G8', 'J11']
        """
        search = self._space_search(needed=True)
        turn = self._turn(state, seat)
        found = search.find(turn, 1)[0] if turn is not None and search is not None else []
        return found[0] if found else None

    # ---- parts ----

    def _space_search(self, needed: bool) -> SpaceSearch | None:
        """Made when first asked for; None where there is none, unless it is needed."""
        from narabe.search.threats.spaces_face import SpaceSearch, can_search

        if self._spaces is None and (needed or can_search(self.game)):
            self._spaces = SpaceSearch(self.game)
        return self._spaces

    def _turn(self, state: State, seat: int | None) -> State | None:
        """A copy of the state with the attacker to move; None if nobody is to move."""
        if state.game != self.game:
            raise ValueError(f"this solver is for {self.game.spec}, the state is of {state.game.spec}")
        if seat is not None and seat not in (0, 1):
            raise ValueError(f"seat {seat}: 0 or 1")
        if state.to_play < 0:
            return None
        turn = State(state.game, state.record.copy(), state.rng.copy(), state.chance)
        if seat is not None and seat != state.to_play:
            if not within_reach(turn.record):
                return None
            hand_over(turn.record)
            if "first_last" in (
                turn.record.dtype.names or ()
            ):  # as if set up: a last move by the side to move has no text
                turn.record["n_moves"], turn.record["last"], turn.record["first_last"] = 0, -1, -1
        return turn

    def _find(self, turn: State, plies: int, nodes: int, ms: float | None, start: float) -> tuple[int, int]:
        """(WON, NONE or UNKNOWN, nodes spent), in slices, so that the clock is looked at and the user can interrupt."""
        spent, share = 0, SLICE
        prepare(turn.record, self._patterns)
        while True:
            if self.tick is not None:
                self.tick()
            found = int(look(turn.record, self._patterns, self._desk, self._table, min(share, nodes - spent), plies))
            spent += int(self._desk[0]["nodes"])
            if found in (WON, NONE) or spent >= nodes:
                return found, spent
            share = spent
            if ms is not None:
                used = time.perf_counter() - start
                left = ms / 1000 - used
                if left <= 0:
                    return found, spent
                share = min(share, int(spent / used * left) + 1)

    def _proof(self, turn: State, line: list[int], plies: int) -> Proof | None:
        """The proof of a win that was found, checked; None where a passed turn cannot be written down."""
        if self._captures:
            proof = proof_of_tree(turn, self._table, plies)
            check(proof)
            return proof
        fault = int(replay(turn.record, np.array(line, np.int64)))
        if fault != HOLDS:
            raise SearchError(f"{FAULTS[fault]}: {turn.to_text()} {' '.join(map(self.game.text_of, line))}")
        return proof_of_line(turn, line) if self._can_be_written(turn) else None

    def _can_be_written(self, turn: State) -> bool:
        """Does the text of the position tell it? Not after a pass in Gomocku, whose turn follows from the plies."""
        return self.game.from_text(turn.to_text()).key == turn.key


@kernel
def prepare(states, patterns):
    read(states[0], patterns[0])


@kernel
def look(states, patterns, desks, table, max_nodes, max_plies):
    return find(states[0], patterns[0], desks[0], table, max_nodes, max_plies)


@kernel
def replay(states, line):
    return fault_of_line(states[0], line, len(line))


@kernel
def hand_over(states):
    core.hand_over(states[0])


@kernel
def within_reach(states):
    """Is there any ply that a search may look at?"""
    return core.calm_plies(states[0]) > 0
