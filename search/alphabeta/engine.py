"""The search in Python: iterative deepening with aspiration windows, in a given time, to a depth, or by nodes."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import core, line
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.alphabeta.desk import BELIEVED_WIN, INFINITE, PROVEN_WIN, WIN, new_desk
from narabe.search.alphabeta.search import search as descend
from narabe.search.alphabeta.table import AGES, new_table
from narabe.search.alphabeta.weights import LOGIT, weights_for
from narabe.search.threats.desk import new_desk as vcf_desk
from narabe.search.threats.desk import new_table as vcf_table

LEAF_FOURS, INNER = 50, 4  # fours tried at a leaf; so many times as many before moves are tried
FAILURES_MB = 1  # of positions known to have no victory by continuous fours
DEEPEST = 99
WINDOW = 60  # points on each side of the last score
UNLIMITED = 1 << 62
LOOK = 0.2  # seconds between two looks at whether a search without a deadline is over, or interrupted
SMALL = 20_000  # so few nodes take no time worth interrupting, and need no thread


@kernel
def prepare(states, patterns):
    """Read the patterns of the position to be searched."""
    read(states[0], patterns[0])


@kernel
def iterate(states, patterns, desks, table, vcf_desks, failures, alpha, beta, depth):
    """One search from the root."""
    desk = desks[0]
    desk.top = 0
    return descend(
        states[0],
        patterns[0],
        desk,
        table,
        vcf_desks[0],
        failures,
        np.int64(alpha),
        np.int64(beta),
        np.int64(depth),
        np.int64(0),
        np.int64(0),
    )


@dataclass(frozen=True)
class Found:
    """What a search found.

    ``move``; ``score`` in points for the side to move (256 times the logarithm of the odds), or a win or loss counted in
    plies (see `desk`); ``value``: expected payoff; ``proven``: 1.0 or -1.0 where a win or loss is certain; ``plies``: to
    that end at most; ``line``: what is expected; ``depth``: finished; ``nodes``: moves made;
    ``vcf_nodes``: fours made by the search for continuous fours; ``seconds``.
    """

    move: int
    score: int
    value: float
    proven: float | None
    plies: int | None
    line: tuple[int, ...]
    depth: int
    nodes: int
    vcf_nodes: int
    seconds: float


class Engine:
    """Alpha-beta for one line game.

    ``mb``: size of the table in MiB. By depth or nodes every search is on its own, so it gives the same again; with a limit
    of time the table is kept from call to call.

    >>> from narabe.envs import game
    >>> state = game("gomoku").position(black="H8 I8 J8", white="H9 I9")
    >>> found = Engine(state.game, mb=1).search(state.record, depth=4)
    >>> found.proven, found.plies
    (1.0, 3)
    """

    def __init__(self, game: Game, mb: float = 16, weights: np.ndarray | None = None, vcf: int = LEAF_FOURS) -> None:
        if game.law is not line:
            raise ValueError(f"{game.spec}: alpha-beta plays the line games only")
        if not 0 < mb < math.inf:
            raise ValueError(f"mb={mb}: must be above zero")
        if vcf < 0:
            raise ValueError(f"vcf={vcf}: zero or more")
        self.game = game
        self.desk = new_desk(weights_for(game.options) if weights is None else weights)
        self.table = new_table(mb)
        self._states, self._patterns = core.new_states(game.law, 1), new_patterns(1)
        self._failures = vcf_table(FAILURES_MB)
        self.desk["vcf_leaf"], self.desk["vcf_inner"] = vcf, INNER * vcf
        self._rooms = (self._states, self._patterns, self.desk, self.table, vcf_desk(1), self._failures)
        self.search(game.start().record, depth=1)  # compiles, which belongs to no move's time

    def search(
        self, record: np.ndarray, depth: int | None = None, nodes: int | None = None, ms: float | None = None
    ) -> Found:
        """Search a record (an array of one state) until one of the limits is reached; ``ms`` in milliseconds."""
        start = time.perf_counter()
        if record["result"][0]:
            raise ValueError(f"{self.game.spec}: the game is over, so there is no move to search for")
        self._begin(record, nodes, ms is not None)
        run = _Run(self, depth or DEEPEST)
        run.step()  # one ply takes no time worth interrupting, and gives a move however little time there is
        if ms is None and nodes is not None and nodes <= SMALL:
            run.finish()
        else:
            self._watch(run, None if ms is None else start + ms / 1000)
        return self._found(run, time.perf_counter() - start)

    def _watch(self, run: _Run, deadline: float | None) -> None:
        """Finish the run in a thread of its own and stop it at the deadline; kernels let go of the interpreter meanwhile."""
        worker = threading.Thread(target=run.finish, daemon=True)
        worker.start()
        try:
            while not run.ended.is_set():
                wait = LOOK if deadline is None else deadline - time.perf_counter()
                if wait <= 0:
                    break
                run.ended.wait(min(wait, LOOK))
        finally:
            self.desk["stop"][0] = 1
            run.ended.wait()  # not `join`: Python 3.11 takes a thread for ended if an interrupt breaks off the wait for it
        if run.error is not None:
            raise run.error

    def _begin(self, record: np.ndarray, nodes: int | None, keep: bool) -> None:
        desk = self.desk[0]
        self._states[0] = record[0]
        prepare(self._states, self._patterns)
        desk["age"] += 1
        if desk["age"] >= AGES:
            desk["age"] = 1
            self.table[:] = 0
        if not keep:
            self._failures[:] = 0
        desk["own_age_only"] = 0 if keep else 1
        desk["stop"], desk["nodes"], desk["vcf_nodes"], desk["deepest"] = 0, 0, 0, 0
        desk["limit"] = UNLIMITED if nodes is None else nodes
        desk["best"], desk["score"] = -1, 0
        desk["killers"], desk["history"] = -1, 0
        desk["pv_length"] = 0

    def _found(self, run: _Run, seconds: float) -> Found:
        desk, score = self.desk[0], run.score
        move = int(desk["best"])
        if move < 0:
            raise ValueError("no legal move")
        line = run.line if run.line and run.line[0] == move else (move,)
        proven = plies = None
        if abs(score) >= PROVEN_WIN:
            proven, plies = math.copysign(1.0, score), WIN - abs(score)
        value = math.tanh(score / (2 * LOGIT)) if abs(score) < BELIEVED_WIN else math.copysign(1.0, score)
        return Found(
            move, score, value, proven, plies, line, run.depth, int(desk["nodes"]), int(desk["vcf_nodes"]), seconds
        )


class _Run:
    """Iterative deepening: ``score``, ``depth`` and ``line`` are of the last search that was finished."""

    def __init__(self, engine: Engine, deepest: int) -> None:
        self.engine, self.deepest = engine, deepest
        self.score, self.depth = 0, 0
        self.line: tuple[int, ...] = ()
        self.over = False
        self.ended = threading.Event()
        self.error: BaseException | None = None

    def finish(self) -> None:
        """Deepen until the end; an exception is kept for the caller, who may be another thread."""
        try:
            while not self.over:
                self.step()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()

    def step(self) -> None:
        """Search one ply deeper."""
        desk, depth = self.engine.desk[0], self.depth + 1
        score = self._iteration(depth)
        if desk["stop"]:
            self.over = True
            if desk["score"] >= PROVEN_WIN:
                self.score = int(desk["score"])
            return
        self.score, self.depth = score, depth
        self.line = tuple(int(a) for a in desk["pv"][: desk["pv_length"][0]])
        certain = abs(score) >= PROVEN_WIN
        self.over = certain or depth >= self.deepest or depth > self.engine._states["n_empty"][0]

    def _iteration(self, depth: int) -> int:
        engine = self.engine
        below, above = WINDOW, WINDOW
        last = self.score
        wide = depth < 3 or abs(last) >= BELIEVED_WIN
        while True:
            alpha = -INFINITE if wide or last - below < -BELIEVED_WIN // 2 else last - below
            beta = INFINITE if wide or last + above > BELIEVED_WIN // 2 else last + above
            score = int(iterate(*engine._rooms, alpha, beta, depth))
            if engine.desk["stop"][0] or alpha < score < beta or (alpha == -INFINITE and beta == INFINITE):
                return score
            if score <= alpha:
                below = below * 4 if abs(score) < BELIEVED_WIN else 1 << 20
            else:
                above = above * 4 if abs(score) < BELIEVED_WIN else 1 << 20
