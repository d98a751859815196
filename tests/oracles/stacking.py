"""The rules of block stacking once more, read from their description: slow, naive, and sharing no code with the law.

Blocks are a dict from (column, row) to the player; columns are numbers as they are named (from 1 between walls, from the
first block without). Moves are texts, and every block remembers the whole position before it, for takebacks.
"""

from __future__ import annotations

import copy
from typing import Any

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Stacking:
    """One game. ``options``: all options by name, as `Game.options` gives them."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.width, self.height = options["width"] * options["boards"], options["height"]
        self.row, self.n = options["row"], options["players"]
        self.blocks: dict[tuple[int, int], int] = {}
        self.mover, self.actions = 0, 0
        self.winner: int | None = None
        self.reasons: set[str] = set()
        self.over = False
        self.out: list[int] = []
        self.since: dict[int, int] = {}  # player -> number of the action that gave him his first row
        self.claimed = False
        self.barred: int | None = None
        self.question = ""  # "ask" for the beaten player, "answer" for the winner
        self.first_winner: int | None = None
        self.before: list[tuple[Stacking, int]] = []  # the position before each standing block, and its column

    # ---- the board ----

    def columns(self) -> list[int]:
        """The columns that may be played, full ones included."""
        if self.width:
            return list(range(1, self.width + 1))
        if not self.blocks:
            return [0]
        used, reach, span = [x for x, _ in self.blocks], self.options["reach"], self.options["span"]
        return [x for x in range(min(used) - reach, max(used) + reach + 1) if -span <= x <= span]

    def landing(self, x: int) -> tuple[int, int] | None:
        y = sum(1 for column, _ in self.blocks if column == x)
        return None if self.height and y >= self.height else (x, y)

    def rows_with(self, player: int, cell: tuple[int, int]) -> bool:
        """Would ``player`` have a row through ``cell`` if his block lay there?"""
        for dx, dy in DIRECTIONS:
            for start in range(self.row):
                line = [(cell[0] + (k - start) * dx, cell[1] + (k - start) * dy) for k in range(self.row)]
                if self.options["cylinder"]:
                    line = [((x - 1) % self.width + 1, y) for x, y in line]
                if len(set(line)) == self.row and all(q == cell or self.blocks.get(q) == player for q in line):
                    return True
        return False

    def has_row(self, player: int) -> bool:
        return any(who == player and self.rows_with(player, cell) for cell, who in self.blocks.items())

    def wins_next(self, player: int) -> list[int]:
        """Columns whose next block would give ``player`` a row."""
        landings = {x: self.landing(x) for x in self.columns()}
        top = self.height or self.options["max_height"]
        return [x for x, cell in landings.items() if cell and cell[1] < top and self.rows_with(player, cell)]

    def double_reach(self, player: int) -> bool:
        """Does ``player`` win next whatever single block, or none, the other one lays?"""
        if not self.wins_next(player):
            return False
        for x in self.columns():
            cell = self.landing(x)
            if cell is None:
                continue
            reply = copy.copy(self)
            reply.blocks = {**self.blocks, cell: 1 - player}
            if not reply.wins_next(player):
                return False
        return True

    # ---- moves ----

    def name(self, x: int) -> str:
        return str(x) if self.width or x == 0 else f"{x:+d}"

    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.question:
            return {"takeback", "accept"} if self.question == "ask" else {"grant", "refuse"}
        free = {self.name(x) for x in self.columns() if self.landing(x) and x != self.barred}
        if self.options["claim"]:
            free |= {word + "!" for word in free} | (set() if self.claimed else {"!"})
        return free | ({"resign"} if self.options["resign"] else set())

    def play(self, move: str) -> None:
        assert move in self.legal()
        self.actions += 1
        player = self.mover
        if move == "takeback":
            self.question, self.mover = "answer", 1 - player
        elif move == "accept":
            self._end(1 - player, *self._won())
        elif move == "refuse":
            self._end(player, *self._won())
        elif move == "grant":
            self._grant(player)
        elif move == "resign":
            self._resign(player)
        elif move == "!":
            self._claim(player)
        else:
            self._block(player, int(move.rstrip("!")), move.endswith("!"))
        if not self.over and not self.question and self.actions >= self.options["plies"]:
            self._end(None, "limit")

    def _won(self) -> list[str]:
        return ["row", "claimed"] if self.options["claim"] else ["row"]

    def _block(self, player: int, x: int, claims: bool) -> None:
        snapshot = copy.copy(self)
        snapshot.blocks, snapshot.since, snapshot.before = dict(self.blocks), dict(self.since), list(self.before)
        self.before.append((snapshot, x))
        cell = self.landing(x)
        assert cell is not None
        self.blocks[cell] = player
        self.barred, self.claimed = None, False
        row = self.has_row(player)
        if row:
            self.since.setdefault(player, self.actions)
        if row and (claims or not self.options["claim"]):
            self._row(player, True)
        elif claims and self.options["false_claim"] == "loses":
            self._drop_out(player, "false claim")
        if self.over:
            return
        self._pass(player)
        if self.question:
            return
        span, top = self.options["span"], self.options["max_height"]
        if self.width and self.height and len(self.blocks) == self.width * self.height:
            self._end(None, "full")
        elif (not self.width and abs(x) == span) or (not self.height and cell[1] == top - 1):
            self._end(None, "limit")

    def _row(self, player: int, by_block: bool) -> None:
        """The player has a row and may count it."""
        reasons = self._won()
        older = [p for p, turn in self.since.items() if turn < self.since[player] and p not in self.out]
        if self.options["claim"] and older and self.options["unclaimed_four"] != "stands":
            oldest = min(older, key=lambda p: self.since[p])
            self._end(oldest if self.options["unclaimed_four"] == "reversed" else None, *reasons, "older")
        elif by_block and self.options["takeback"] and self._oversight(player):
            self.question = "ask"
        else:
            self._end(player, *reasons)

    def _oversight(self, player: int) -> bool:
        """Was the other one's last block an oversight, with a choice?"""
        if len(self.before) < 2:
            return False
        position, x = self.before[-2]
        choice = [c for c in position.columns() if position.landing(c) and c != x]
        return bool(choice) and not position.double_reach(player) and not position.has_row(player)

    def _claim(self, player: int) -> None:
        if self.has_row(player):
            self._row(player, False)
        elif self.options["false_claim"] == "loses":
            self._drop_out(player, "false claim")
            if not self.over:
                self._pass(player)
        else:
            self.claimed = True

    def _resign(self, player: int) -> None:
        if self.n == 2 and self.options["unclaimed_four"] != "stands":
            other = self.since.get(1 - player)
            own = self.since.get(player)
            could = other is None and any(x != self.barred for x in self.wins_next(player))
            if (own is not None and (other is None or own < other)) or (own is None and could):
                self._end(player if self.options["unclaimed_four"] == "reversed" else None, "resigned", "older")
                return
        self._drop_out(player, "resigned")
        if not self.over:
            self._pass(player)

    def _drop_out(self, player: int, why: str) -> None:
        self.out.append(player)
        rest = [p for p in range(self.n) if p not in self.out]
        if len(rest) == 1:
            self._end(rest[0], why)

    def _pass(self, player: int) -> None:
        self.claimed = False
        self.mover = next(p % self.n for p in range(player + 1, player + 1 + self.n) if p % self.n not in self.out)

    def _grant(self, player: int) -> None:
        position, x = self.before[-2]
        first = player if self.first_winner is None else self.first_winner
        self.blocks, self.since, self.before = dict(position.blocks), dict(position.since), list(position.before)
        self.mover, self.question, self.claimed = 1 - player, "", False
        self.barred, self.first_winner = x, first

    def _end(self, winner: int | None, *reasons: str) -> None:
        self.over, self.question = True, ""
        self.reasons = set(reasons)
        once_beaten = winner is not None and self.first_winner is not None and winner != self.first_winner
        if once_beaten and "row" in reasons and self.options["after_takeback"] != "as_played":
            winner = None if self.options["after_takeback"] == "draw" else self.first_winner
            self.reasons.add("retaken")
        self.winner = winner

    def payoffs(self) -> list[float]:
        if not self.over:
            return [0.0] * self.n
        if self.winner is not None:
            return [1.0 if p == self.winner else -1 / (self.n - 1) for p in range(self.n)]
        if self.n == 2 or not self.out:
            return [0.0] * self.n
        gain = len(self.out) / (self.n - 1) / (self.n - len(self.out))
        return [-1 / (self.n - 1) if p in self.out else gain for p in range(self.n)]
