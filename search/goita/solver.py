"""The solver in Python: values of positions and of their actions, best actions and lines, with progress and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numba.core import config

from narabe.search.goita import descent, table
from narabe.search.goita.bounds import POINTS, TOP, WIN
from narabe.search.goita.position import Position, PositionError, packed
from narabe.search.goita.records import BOX, FRAME, FRAMES

SLICE = 1_000_000
"""Nodes between two calls of `OpenHands.tick`, by default: about a tenth of a second."""
LINE = 64
"""Bytes of a cache line: a bucket must not lie on two."""
Goal = Literal["points", "win"]


@dataclass(frozen=True)
class Bounds:
    """What is certain of a value: from ``low`` to ``high``."""

    low: int
    high: int

    @property
    def known(self) -> bool:
        return self.low == self.high


class Table:
    """What a search needs, as arrays for kernels: ``entries`` of the transposition table, one box, the stack of frames.

    ``mb``: size of the table in MiB, rounded down to a power of two, at least 1/64. It may be kept for any number of
    positions of any deals, with the option ``after_burying`` (of king_attack_after_burying) and without. In a kernel:
    ``descent.ask(boxes[0], ...)``, then ``descent.solve(boxes, frames, entries, limit)``; the answer lies in the box.
    """

    def __init__(self, mb: float = 64) -> None:
        buckets = int(mb * (1 << 20)) // (16 * table.BUCKET)
        bits = buckets.bit_length() - 1
        if bits < table.LEAST_INDEX_BITS:
            raise ValueError(
                f"mb={mb:g}: a table needs {(16 * table.BUCKET << table.LEAST_INDEX_BITS) / (1 << 20):g} or more"
            )
        self.entries = _aligned((2 * table.BUCKET) << bits)
        self.frames, self.boxes = _records(FRAME, FRAMES + 1), _records(BOX, 1)

    def clear(self) -> None:
        """Forget everything, as if newly made."""
        self.entries[:] = 0
        self.boxes[0]["history"] = 0


class OpenHands:
    """Exact values of deals of Goita in which all hands are seen: points of the deal for the pair (or player) to move.

    ``options``: a game, or some of its options: ``king_attack_after_burying``, ``points`` (what a shi is worth, 1 or 10).
    ``table``: a `Table` or its size in MiB; it is kept from call to call. ``tick``, if set, is called before each search and
    every ``slice`` nodes, and may raise to stop; the table keeps what was found until then. The goal "win" asks for the
    sign alone, 1 or -1, which is some times quicker than "points".

    >>> from narabe.search.goita import OpenHands, position_of
    >>> position = position_of("11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145,252,3p,4p,124,2p")
    >>> OpenHands(mb=1).values(position)
    {0: -4, 57: -4, 58: -5, 59: -4}
    """

    def __init__(self, options: Any = None, mb: float | Table = 64) -> None:
        given: Mapping[str, Any] = getattr(options, "options", options) or {}
        if hasattr(options, "options") and "king_attack_after_burying" not in given:
            raise PositionError(f"{options.spec} is not Goita")
        self.after_burying = bool(given.get("king_attack_after_burying", False))
        self.scale = int(given.get("points", 1))
        self.table = mb if isinstance(mb, Table) else Table(mb)
        self.nodes = 0
        self.tick: Callable[[], None] | None = None
        self.slice = SLICE

    # ---- values ----

    def solve(self, position: Position, goal: Goal = "points", limit: int | None = None) -> Bounds:
        """What is certain of the value for the pair to move after at most so many nodes (None: until it is known)."""
        low, high = self._ranks(position, goal, limit)
        return self._bounds(low, high, goal)

    def value(self, position: Position, goal: Goal = "points") -> int:
        """The points of the deal with best play, or 1 and -1, for the pair to move."""
        return self.solve(position, goal).low

    def value_of(self, position: Position, action: int, goal: Goal = "points") -> int:
        """The same after a legal action, for the pair that makes it."""
        if action not in position.actions(self.after_burying):
            raise PositionError(f"action {action} is not legal there")
        if position.goes_out(action):
            return 1 if goal == "win" else self.scale * position.points_for_going_out(action)
        after = position.after(action)
        value = self.value(after, goal)
        return value if (after.turn - position.turn) % 2 == 0 else -value

    def values(self, position: Position, goal: Goal = "points") -> dict[int, int]:
        """The value of every legal action, for the pair to move."""
        return {action: self.value_of(position, action, goal) for action in position.actions(self.after_burying)}

    def best_action(self, position: Position, goal: Goal = "points") -> int:
        """An action that keeps the value of the position."""
        actions = position.actions(self.after_burying)
        value = self.value(position, goal)
        for action in actions[:-1]:
            if self._keeps(position, action, value, goal):
                return action
        return actions[-1]  # one of them keeps it

    def line(self, position: Position, goal: Goal = "points") -> list[int]:
        """Actions of best play by both pairs until somebody goes out."""
        actions: list[int] = []
        while True:
            actions.append(self.best_action(position, goal))
            if position.goes_out(actions[-1]):
                return actions
            position = position.after(actions[-1])

    # ---- questions to the kernel ----

    def _keeps(self, position: Position, action: int, value: int, goal: Goal) -> bool:
        """Is the action worth ``value``, the most that any action is worth?"""
        if goal == "win" and value < 0:
            return True
        if position.goes_out(action):
            return self.value_of(position, action, goal) == value
        after = position.after(action)
        same = (after.turn - position.turn) % 2 == 0
        rank = (WIN if value > 0 else WIN - 1) if goal == "win" else POINTS.index(value // self.scale)
        if same:  # at most that much is there to be had, so one question is enough
            return self._ranks(after, goal, None, rank - 1, rank)[0] >= rank
        return self._ranks(after, goal, None, TOP - rank, TOP - rank + 1)[1] <= TOP - rank

    def _ranks(
        self, position: Position, goal: Goal, limit: int | None, low: int = 0, high: int = TOP
    ) -> tuple[int, int]:
        """Bounds of the value as ranks."""
        other, box = self._ask(position, goal), self.table.boxes[0]
        if goal == "points":
            box["low"], box["high"] = (TOP - high, TOP - low) if other else (low, high)
        start = self.nodes
        most = 1 << 62 if limit is None else limit
        settled = False
        while not settled and box["nodes"] < most:
            if self.tick is not None:
                self.tick()
            slice_end = min(most, int(box["nodes"]) + self.slice)
            settled = descent.solve(self.table.boxes, self.table.frames, self.table.entries, slice_end)
            self.nodes = start + int(box["nodes"])
        low, high = int(box["low"]), int(box["high"])
        return (TOP - high, TOP - low) if other else (low, high)

    def _ask(self, position: Position, goal: Goal) -> bool:
        """Put the next decision of a position in the box; whether the other pair makes it."""
        first, second, third, fourth = [packed(hand) for hand in position.hands] + [0] * (4 - len(position.hands))
        turn, attack, attacker = position.turn, position.attack, position.attacker
        free, burying, win = int(position.kings_free(self.after_burying)), int(self.after_burying), int(goal == "win")
        other = descent.ask(self.table.boxes, first, second, third, fourth, turn, attack, attacker, free, burying, win)
        return bool(other)

    def _bounds(self, low: int, high: int, goal: Goal) -> Bounds:
        if goal == "win":
            return Bounds(1 if low >= WIN else -1, 1 if high >= WIN else -1)
        return Bounds(self.scale * POINTS[low], self.scale * POINTS[high])


def _aligned(entries: int) -> np.ndarray:
    """Zeroed uint64 whose buckets each lie on one cache line."""
    room = np.zeros(entries + LINE // 8, np.uint64)
    offset = -room.ctypes.data % LINE // 8
    return room[offset : offset + entries]


def _records(dtype: np.dtype, n: int) -> np.ndarray:
    """Zeroed records (without JIT as a recarray, so that plain Python can read fields by name)."""
    records = np.zeros(n, dtype)
    return records.view(np.recarray) if config.DISABLE_JIT else records
