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
TABLE_MB = 4.0


class ThreatenedUct(Uct):
    """`Uct` that knows threats and proves wins and losses; for the line games.

    ``widening``: the smaller, the more moves are tried. ``fours``: how many fours a search for VCF may play at the root, at a
    move from the root, and deeper.

    >>> from narabe.envs import game
    >>> from narabe.envs.rules.random import new_stream
    >>> g = game("gomoku", size=9)
    >>> state = g.position(black="D4 E4 F4 E5 E6", white="A1 A9 I1 I9 B2")
    >>> found = ThreatenedUct(g).search(state.record, new_stream(1), sims=200)
    >>> found.proven, found.value.tolist(), found.simulations, len(found.principal_variation)
    (1.0, [1.0, -1.0], 0, 3)
    """

    CHUNK = 16

    def __init__(
        self,
        game: Game,
        c: float = EXPLORATION,
        max_nodes: int = MAX_NODES,
        caution: float = CAUTION,
        trust: float = TRUST,
        fours: tuple[int, int, int] = FOURS,
    ) -> None:
        if game.law is not line:
            raise core.LawError(f"{game.spec} has no search that knows threats: only the line games have it")
        self._verdict = OPEN  # of the root as far as earlier searches proved it
        self._line: list[int] = []  # a win by VCF from the root
        super().__init__(game, c, max_nodes)
        self.states = core.new_states(game.law, 3)
        self.patterns, self.desk, self.table = new_patterns(), new_desk(), new_table(TABLE_MB)
        self.work = new_work()
        w = self.work[0]
        w["c"], w["caution"], w["trust"] = c, caution, trust
        w["logits"], w["weights"] = TUNED[kind_of_game(game.options)], weights_for(game.options)
        self._root_fours, w["fours"] = fours[0], fours[1:]

    def clear(self) -> None:
        super().clear()
        self._verdict = OPEN

    def advance(self, action: int) -> None:
        verdict, t = OPEN, self.tree
        if self._root is not None:
            child = int(find_child(t.nodes, 0, action))
            verdict = int(verdict_of(t.nodes, t.stats, child)) if child >= 0 else OPEN
        super().advance(action)
        if self._root is not None:
            self._verdict = verdict

    def _place(self, record: np.ndarray) -> None:
        super()._place(record)
        w = self.work[0]
        w["verdict"] = self._verdict
        self._line = []
        if self._verdict != OPEN and self._best_child(0) >= 0:
            return
        w["verdict"] = begin(self.states, self.patterns, self.desk, self.table, self._root_fours)
        if w["verdict"] != OPEN:
            self._line = self.desk[0]["line"][: self.desk[0]["length"]].tolist()

    def _simulate(self, count: int, rng: np.ndarray) -> int:
        t = self.tree
        return simulate(
            self.states, self.patterns, self.work, count, t.nodes, t.stats, t.used, t.root_totals, self.desk, self.table, rng
        )

    def _found(self, done: int) -> Found:
        t, verdict = self.tree, int(self.work[0]["verdict"])
        if verdict < 0:
            verdict = self._verdict  # proven before, though not by what is left of the tree
        self._verdict = verdict
        visits = t.root_visits(self.num_actions)
        pv = self._line or self._principal_variation()
        value = t.root_totals / max(t.root_simulations, 1)
        proven = None
        if verdict != OPEN:
            value = np.array([0.0 if verdict == DRAWN else 1.0 if verdict == seat + 1 else -1.0 for seat in range(2)])
            proven = float(value[calls.facts(self.states, 0)[0] - 1])
        return Found(visits, value, pv, done, int(t.used[0]), proven)

    def _best_child(self, node: int) -> int:
        """The child to play: a win, else the most visited that is not lost, else the most visited; -1 if there is none."""
        t, best, best_rank = self.tree, -1, (-2.0, 0.0, 0.0)
        first = int(t.nodes[node]["first"])
        for k in range(int(t.nodes[node]["tried"])):
            n = t.nodes[first + k]
            verdict = int(verdict_of(t.nodes, t.stats, first + k))
            worth = 0.0 if verdict in (OPEN, DRAWN) else 1.0 if verdict == n["mover"] else -1.0
            rank = (worth, float(n["visits"]), float(t.stats[first + k, 0]))
            if rank > best_rank:
                best, best_rank = first + k, rank
        return best

    def _principal_variation(self) -> list[int]:
        pv, node = [], self._best_child(0)
        while node >= 0:
            pv.append(int(self.tree.nodes[node]["action"]))
            node = self._best_child(node)
        return pv
