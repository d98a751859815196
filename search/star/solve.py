"""`Star`: exact values of two-player games with chance turns, and the best that a given time allows.

Depth is counted in turns (plies): a turn begins where the player to move changes, so two decisions of one player in a
row, and the chance turns after them, are one ply.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import calls, core
from narabe.envs.rules.core import CHANCE, apply, is_legal, is_over, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.search.star.desk import (
    BASELINE,
    DESK,
    ENTRY,
    EXPECTIMAX,
    FRAME,
    MAX_FRAMES,
    MAX_PLIES,
    MOST,
    NONE,
    STAR1,
    STAR2,
    new_records,
)
from narabe.search.star.engine import run
from narabe.search.star.horizon import position_key
from narabe.search.star.table import hint

METHODS = {"expectimax": EXPECTIMAX, "alphabeta": BASELINE, "star1": STAR1, "star2": STAR2}
SLICE = 1 << 16  # nodes between two looks at the clock


@dataclass
class Solved:
    """What a search found.

    ``value``: expected payoff by seat. ``action``: best action of the player to move, -1 on a chance turn.
    ``exact``: no guess went into the value. ``plies``: turns looked ahead by the last search that was finished, None
    without a limit. ``principal_variation``: best line up to the first chance turn. ``nodes``: states entered, each
    time they were, chance turns, ends of games and probes included; ``probes``: how many moves were probed.
    ``complete``: the search asked for was finished within its limits.
    """

    value: tuple[float, float]
    action: int
    exact: bool
    plies: int | None
    principal_variation: list[int] = field(default_factory=list)
    nodes: int = 0
    probes: int = 0
    seconds: float = 0.0
    complete: bool = True


class Star:
    """Search of a two-player game with chance turns: expectimax, alpha-beta, Star1 or Star2.

    ``method``: "expectimax" tries everything, "alphabeta" cuts between players but looks at every outcome of a chance
    turn in the full window, "star1" and "star2" cut at chance turns too (Ballard 1983). All order moves by the law's
    `urgency`. ``table``: entries (32 bytes each) of the transposition table, kept from search to search; 0 for none, and
    expectimax uses none. ``merge``: try one action only of those that the law calls `alike`.

    Values are right up to 1e-12: chance turns whose value comes within 1e-14 of a bound count as equal to it.

    >>> from narabe.envs import game
    >>> found = Star(game("gomoku", size=3, row=3)).solve(game("gomoku", size=3, row=3).start().record)
    >>> found.value, found.exact
    ((0.0, 0.0), True)
    """

    def __init__(self, game: Game, method: str = "star2", table: int = 1 << 18, merge: bool = True) -> None:
        if method not in METHODS:
            raise ValueError(f"method={method!r}: choose one of {', '.join(METHODS)}")
        if table < 0:
            raise ValueError(f"table={table}: entries, zero or more")
        if game.num_players != 2:
            raise core.LawError(f"this search is for two players, and {game.spec} has {game.num_players}")
        if core.hides(game.law):
            raise core.LawError("this search would look into hidden hands here: use a search over information sets")
        if hasattr(game.law, "chance_draw"):
            core.require(game.law, "chance_weight")
        self.game, self.method = game, method
        tabled = table > 0 and method != "expectimax"
        self._states = core.new_states(game.law, 1)
        self._desk = new_records(1, DESK)
        self._frames = new_records(MAX_FRAMES, FRAME)
        self._table = new_records(max(2, table + table % 2) if tabled else 2, ENTRY)
        self._desk["method"], self._desk["merge"], self._desk["tabled"] = METHODS[method], merge, tabled

    def clear(self) -> None:
        """Forget the table."""
        self._table[:] = np.zeros(1, ENTRY)[0]

    def search(
        self, record: np.ndarray, plies: int | None = None, nodes: int | None = None, deadline: float | None = None
    ) -> Solved:
        """One search of ``record`` (array of one state), ``plies`` turns deep or to the end.

        It stops early after about ``nodes`` nodes or when ``time.perf_counter()`` passes ``deadline``; ``complete`` then
        is False and ``action`` the best so far (-1 if there is none). An interrupt (Ctrl-C) gets through between slices.
        """
        if plies is not None and not 1 <= plies <= MAX_PLIES:
            raise ValueError(f"plies={plies}: at least one")
        mover, over, _ = calls.facts(record, 0)
        if over:
            raise ValueError(f"{self.game.spec}: the game is over, so there is nothing to search")
        begun, w = time.perf_counter(), self._desk[0]
        self._states[0] = record[0]
        if hasattr(self.game.law, "redeal"):  # what was drawn, but not seen, must not be looked at
            calls.redeal(self._states, 0, max(1, mover), new_stream(0))
        self._ask(plies or MAX_PLIES)
        limit = nodes or 1 << 62
        step = 1 << 8 if deadline is not None else SLICE  # the first slice may compile, or meet a slow law
        done = False
        while not done and w["nodes"] < limit and (deadline is None or time.perf_counter() < deadline):
            done = bool(run(self._states, self._desk, self._frames, self._table, min(limit, int(w["nodes"]) + step)))
            step = min(2 * step, SLICE)
            if w["overflow"]:
                raise core.LawError(f"{self.game.spec}: too deep to search to the end; give plies")
        root = self._frames[0]
        value = float(w["value"]) if done else 0.0
        action = int(root["best"]) if mover != CHANCE else NONE
        return Solved(
            (value, 0.0 - value), action, done and not w["guesses"], plies, [action] if action >= 0 else [],
            int(w["nodes"]), int(w["probes"]), time.perf_counter() - begun, done,
        )  # fmt: skip

    def _ask(self, plies: int) -> None:
        """Set the question of the root frame."""
        w, f = self._desk[0], self._frames[0]
        for name in ("n_moves", "n_leaves", "n_walk", "depth", "overflow", "guesses", "probes", "hits"):
            w[name] = 0
        w["nodes"] = f["fresh"] = 1
        wide = 2.0 if self.method == "expectimax" else MOST  # nothing is ever cut in the wide window
        f["alpha"], f["beta"], f["plies"], f["last"], f["known"], f["only_first"] = -wide, wide, plies, 0, NONE, 0

    def solve(
        self,
        record: np.ndarray,
        plies: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
        progress: Callable[[Solved], Any] | None = None,
    ) -> Solved:
        """Search one ply deep, two, and so on: until the value is exact, ``plies`` deep, or ``nodes`` or ``ms`` are spent.

        ``progress`` is called with what each finished search found. What comes back is what the last finished search
        found, with the first move of the broken-off one where that is already better; ``complete`` says whether
        it stopped by itself. At least one search is finished, however small the budget.
        """
        begun = time.perf_counter()
        deadline = None if ms is None else begun + ms / 1000
        found, total, probes, depth = None, 0, 0, 1
        while True:
            first = found is None
            left = None if nodes is None or first else nodes - total
            new = self.search(record, depth, left, None if first else deadline)
            total, probes = total + new.nodes, probes + new.probes
            if new.complete:
                new.principal_variation = self._line(record, new.action)
                found = new
            elif found is not None and new.action >= 0:
                found.action, found.complete = new.action, False
                if found.principal_variation[:1] != [new.action]:
                    found.principal_variation = self._line(record, new.action)
            assert found is not None
            found.nodes, found.probes, found.seconds = total, probes, time.perf_counter() - begun
            if progress is not None and new.complete:
                progress(found)
            if found.exact or found.plies == plies:
                return found
            out_of_time = deadline is not None and time.perf_counter() >= deadline
            if not new.complete or out_of_time or (nodes is not None and total >= nodes):
                found.complete = False
                return found
            depth += 1

    def _line(self, record: np.ndarray, action: int) -> list[int]:
        """The best line from ``action`` on, as far as the table knows it, up to a chance turn."""
        if action < 0 or not self._desk["tabled"][0]:
            return [action] if action >= 0 else []
        states, line = core.new_states(self.game.law, 1), np.zeros(64, np.int64)
        states[0] = record[0]
        line[0] = action
        return [int(a) for a in line[: follow(states, self._table, line)]]


@kernel
def follow(states, table, line):
    """Extend ``line`` from its first action by the table's best moves; returns how many actions it has then."""
    s, n = states[0], 1
    apply(s, np.int64(line[0]))
    while n < line.shape[0] and not is_over(s) and to_move(s) != CHANCE:
        best = hint(table, position_key(s, np.int64(to_move(s))))
        if best < 0 or not is_legal(s, best):
            break
        line[n] = best
        n += 1
        apply(s, best)
    return n
