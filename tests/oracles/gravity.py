"""Scores of boards with gravity by plain minimax over tuples of columns: slow, and sharing no code with the solver."""

from __future__ import annotations

from collections.abc import Iterator

Stacks = tuple[str, ...]
"""The stones of each column from the floor: "0" of the first player, "1" of the second."""


class Oracle:
    """Minimax on one board, with what was found kept in a dictionary."""

    def __init__(self, width: int, height: int, cylinder: bool) -> None:
        self.width, self.height, self.cylinder = width, height, cylinder
        self.known: dict[Stacks, int] = {}

    def empty(self) -> Stacks:
        return ("",) * self.width

    def plies(self, stacks: Stacks) -> int:
        return sum(map(len, stacks))

    def columns(self, stacks: Stacks) -> list[int]:
        return [c for c in range(self.width) if len(stacks[c]) < self.height]

    def after(self, stacks: Stacks, column: int) -> Stacks:
        stone = "01"[self.plies(stacks) % 2]
        return (*stacks[:column], stacks[column] + stone, *stacks[column + 1 :])

    def wins(self, stacks: Stacks, column: int) -> bool:
        """Does the stone on top of the column stand in four or more different cells in line?"""
        row, stone = len(stacks[column]) - 1, stacks[column][-1]
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
            cells = {(column, row)}
            for sign in (1, -1):
                for c, r in self._walk(column, row, sign * dc, sign * dr):
                    if r >= len(stacks[c]) or stacks[c][r] != stone or (c, r) == (column, row):
                        break
                    cells.add((c, r))
            if len(cells) >= 4:
                return True
        return False

    def _walk(self, c: int, r: int, dc: int, dr: int) -> Iterator[tuple[int, int]]:
        while True:
            c, r = c + dc, r + dr
            if self.cylinder:
                c %= self.width
            if not (0 <= c < self.width and 0 <= r < self.height):
                return
            yield c, r

    def score(self, stacks: Stacks) -> int:
        """For the player to move: 0 draw, k a win with k - 1 own stones to spare, -k such a loss; nobody has won yet."""
        if stacks not in self.known:
            self.known[stacks] = max((self.score_of(stacks, c) for c in self.columns(stacks)), default=0)
        return self.known[stacks]

    def score_of(self, stacks: Stacks, column: int) -> int:
        """The score of a move for the player who makes it."""
        after = self.after(stacks, column)
        if self.wins(after, column):
            plies = self.plies(after)
            all_own = (self.width * self.height + plies % 2) // 2  # the first player has one more on an odd board
            return all_own - (plies + 1) // 2 + 1
        return -self.score(after)

    def plies_to_end(self, stacks: Stacks) -> int:
        """How many more stones the best play by both sides takes."""
        best = self.score(stacks)
        for column in self.columns(stacks):
            if self.score_of(stacks, column) == best:
                after = self.after(stacks, column)
                return 1 if self.wins(after, column) else 1 + self.plies_to_end(after)
        return 0
