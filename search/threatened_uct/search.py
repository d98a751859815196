"""The Python face of threat-aware UCT."""

from __future__ import annotations

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import calls, core, line
from narabe.envs.rules.line.patterns import new_patterns
from narabe.search.alphabeta.weights import kind_of_game, weights_for
from narabe.search.threatened_uct.descent import simulate
from narabe.search.threatened_uct.judging import begin
from narabe.search.threatened_uct.proofs import verdict_of
from narabe.search.threatened_uct.tuned import TUNED
from narabe.search.threatened_uct.work import DRAWN, OPEN, new_work
from narabe.search.threats.desk import new_desk, new_table
from narabe.search.tree import find_child
from narabe.search.uct import MAX_NODES, Found, Uct

EXPLORATION = 2.0
CAUTION = 0.2
TRUST = 0.5
FOURS = (20_000, 1_000, 50)  # that a search for VCF may play at the root, one ply below, and deeper
FOURS_WITH_CAPTURES = (2_000, 100, 10)  # there a four takes ten times as long
TABLE_MB = 4.0


class ThreatenedUct(Uct):
    """`Uct` that knows threats and proves wins and losses; for the line games.

    ``c``: exploration. ``caution``: how much less than its siblings a move not tried yet is expected to be worth. ``trust``:
    share of the estimate in the value of a leaf, the rest is a random playout's. ``fours``: how many fours a search for VCF may
    play at the root, at a move from the root, and deeper. `LawError` for games other than the line games.

    In `Found`, ``visits`` leaves out moves that are proven lost as long as there are others, and ``simulations`` may be 0: a
    result that is proven ends the search, and may need none.

    >>> from narabe.envs import game
    >>> from narabe.envs.rules.random import new_stream
    >>> g = game("gomoku", size=9)
    >>> state = g.position(black="D4 E4 F4 E5 E6", white="A1 A9 I1 I9 B2")
    >>> found = ThreatenedUct(g).search(state.record, new_stream(1), sims=200)
    >>> found.proven, found.value.tolist(), found.simulations, len(found.principal_variation)
    (1.0, [1.0, -1.0], 0, 3)
    """

    CHUNK = 16  # some simulations meet many proofs and take a millisecond, with captures several

    def __init__(
        self,
        game: Game,
        c: float = EXPLORATION,
        max_nodes: int = MAX_NODES,
        caution: float = CAUTION,
        trust: float = TRUST,
        fours: tuple[int, int, int] | None = None,
    ) -> None:
        if game.law is not line:
            raise core.LawError(f"{game.spec} has no search that knows threats: only {_line_games()} have it")
        self._verdict = OPEN  # of the root as far as searches before this one proved it
        self._vcf: list[int] = []  # a win by VCF from the root
        super().__init__(game, c, max_nodes)
        self.states = core.new_states(game.law, 3)
        self.patterns, self.desk, self.table = new_patterns(), new_desk(), new_table(TABLE_MB)
        self.work = new_work()
        w = self.work[0]
        w["c"], w["caution"], w["trust"] = c, caution, trust
        w["logits"], w["weights"] = TUNED[kind_of_game(game.options)], weights_for(game.options)
        if game.options["captures"]:
            self.CHUNK = 4
        limits = fours or (FOURS_WITH_CAPTURES if game.options["captures"] else FOURS)
        self._root_fours, w["fours"] = limits[0], limits[1:]

    def clear(self) -> None:
        super().clear()
        self._verdict = OPEN

    def advance(self, action: int) -> None:
        t, verdict = self.tree, OPEN
        if self._root is not None:
            child = int(find_child(t.nodes, 0, action))
            verdict = int(verdict_of(t.nodes, t.stats, child)) if child >= 0 else OPEN
        super().advance(action)
        if self._root is not None:
            self._verdict = verdict

    def _place(self, record: np.ndarray) -> None:
        super()._place(record)
        w = self.work[0]
        w["verdict"], self._vcf = self._verdict, []
        if self._verdict != OPEN:
            best = self._best_child(0)
            if best >= 0 and (self._verdict != self._mover() or self._verdict_of(best) == self._verdict):
                return  # it knows what to play, too
        w["verdict"] = begin(self.states, self.patterns, self.desk, self.table, self._root_fours)
        if w["verdict"] != OPEN:
            self._vcf = self._line_of_vcf()

    def _simulate(self, count: int, rng: np.ndarray) -> int:
        t = self.tree
        return simulate(
            self.states,
            self.patterns,
            self.work,
            count,
            t.nodes,
            t.stats,
            t.used,
            t.root_totals,
            self.desk,
            self.table,
            rng,
        )

    def _found(self, done: int) -> Found:
        t, verdict = self.tree, int(self.work[0]["verdict"])
        if verdict < 0:
            verdict = self._verdict  # proven before, though not by what is left of the tree
        self._verdict = verdict
        value, proven = t.root_totals / max(t.root_simulations, 1), None
        if verdict != OPEN:
            value = np.array([0.0 if verdict == DRAWN else 1.0 if verdict == seat + 1 else -1.0 for seat in range(2)])
            proven = float(value[self._mover() - 1])
        line_ = self._vcf or self._principal_variation()
        return Found(self._visits(), value, line_, done, int(t.used[0]), proven)

    def _visits(self) -> np.ndarray:
        visits = self.tree.root_visits(self.num_actions)
        left = visits.copy()
        first = int(self.tree.nodes[0]["first"])
        for slot in range(first, first + int(self.tree.nodes[0]["tried"])):
            if self._verdict_of(slot) == 3 - self._mover():
                left[self.tree.nodes[slot]["action"]] = 0
        return left if left.any() else visits

    def _mover(self) -> int:
        return int(calls.facts(self.states, 0)[0])

    def _verdict_of(self, slot: int) -> int:
        return int(verdict_of(self.tree.nodes, self.tree.stats, slot))

    def _best_child(self, node: int) -> int:
        """The child to play: a win, else the most visited that is not lost, else the most visited; -1 if there is none.

        Of equals the first, which is the most promising.
        """
        nodes, best, best_rank = self.tree.nodes, -1, (-2.0, 0)
        first = int(nodes[node]["first"])
        for slot in range(first, first + int(nodes[node]["tried"])):
            verdict = self._verdict_of(slot)
            worth = 0.0 if verdict in (OPEN, DRAWN) else 1.0 if verdict == nodes[slot]["mover"] else -1.0
            rank = (worth, int(nodes[slot]["visits"]))
            if rank > best_rank:
                best, best_rank = slot, rank
        return best

    def _principal_variation(self) -> list[int]:
        """The line of best children, and the VCF that a proof at its end may rest on."""
        moves, node, states = [], 0, self.states[2:]
        states[0] = self.states[0]
        while (child := self._best_child(node)) >= 0:
            moves.append(int(self.tree.nodes[child]["action"]))
            calls.apply(states, 0, moves[-1])
            node = child
        if node > 0 and self._verdict_of(node) != OPEN:
            begin(states, self.patterns, self.desk, self.table, self._root_fours)
            moves += self._line_of_vcf()
        return moves

    def _line_of_vcf(self) -> list[int]:
        desk = self.desk[0]
        return [int(a) for a in desk["line"][: desk["length"]]]


def _line_games() -> str:
    """The names of the games that this search can play."""
    from narabe.envs import entries

    return ", ".join(entry.variant.name for entry in entries() if entry.law is line)
