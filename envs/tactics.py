"""Patterns of block stacking by the names that players give them: analysis for notebooks, comments and features.

The names and their meaning are those of the game's Japanese description: double reach (daburu riichi), open three (aki
san), gap reach (naka-ake), air seal (kuchu-fuji), cross (kurosu), sky (tenku).

>>> from narabe.envs import game
>>> state = game("connect_four").position(columns=["y", "", "r", "r", "r", "", "y"], to_move="yellow")
>>> [(found.name, found.seat, found.keys) for found in find(state)]
[('double reach', 0, ((1, 0), (5, 0))), ('open three', 0, ((1, 0), (5, 0)))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.rules import stacking
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking import tactics as T
from narabe.envs.rules.stacking.reaches import double_reach, wins_above, wins_in

if TYPE_CHECKING:
    from narabe.envs.game import State
    from narabe.envs.scene import Scene

Cell = tuple[int, int]
IN_LINES = {T.OPEN_THREE: "open three", T.GAP: "gap reach", T.GAP_THREE: "gap reach", T.AIR_SEAL: "air seal"}
NAMES = ("double reach", "open three", "gap reach", "air seal", "cross", "sky")
SKY = 4  # least height of an alternating tower that is called a sky


@dataclass(frozen=True)
class Finding:
    """One pattern: its name, whose it is (a seat from 0, None for a shape that belongs to nobody), and where.

    ``cells`` hold the blocks of the pattern, ``keys`` the empty cells that matter (where it wins, or grows); both are
    (column, row) pairs from 0, the column as an action counts it.
    """

    name: str
    seat: int | None
    cells: tuple[Cell, ...]
    keys: tuple[Cell, ...] = ()


@kernel
def _patterns(states, i, player, out):
    return T.patterns(states[i], player, out)


@kernel
def _winning(states, i, player, out):
    """By column: bit 0 the next block there would win, bit 1 the one above it would; returns whether that is a double
    reach."""
    s = states[i]
    for j in range(s.n_columns):
        c = np.int64(s.first + j)
        out[c] = (1 if wins_in(s, player, c) else 0) | (2 if wins_above(s, player, c) else 0)
    return double_reach(s, player)


def find(state: State) -> list[Finding]:
    """All patterns of a position, in the order of `NAMES`, then by seat. `TypeError` for other families of games."""
    if state.game.law is not stacking:
        raise TypeError(f"{state.game.name} is no stacking game")
    found: list[Finding] = []
    for seat in range(state.game.num_players):
        found += [*_double_reaches(state, seat), *_in_lines(state, seat)]
    found += [*_crosses(state), *_skies(state)]
    return sorted(found, key=lambda f: (NAMES.index(f.name), -1 if f.seat is None else f.seat, f.cells))


def winning_cells(state: State, seat: int) -> list[Cell]:
    """Cells on which the seat's next block would win, were it its turn, sorted by column."""
    out, heights = np.zeros(state.record["heights"].shape[1], np.int64), state.record["heights"][0]
    _winning(state.record, 0, seat, out)
    return [(int(c), int(heights[c])) for c in np.flatnonzero(out & 1)]


def _double_reaches(state: State, seat: int) -> Iterator[Finding]:
    out, heights = np.zeros(state.record["heights"].shape[1], np.int64), state.record["heights"][0]
    if not _winning(state.record, 0, seat, out):
        return
    playable = [(int(c), int(heights[c])) for c in np.flatnonzero(out & 1)]
    above = [(int(c), int(heights[c]) + 1) for c in np.flatnonzero(out == 3)]
    keys = sorted({*playable, *above} if above or len(playable) > 1 else ())
    board = state.game.face.board(state)
    blocks = {cell for key in keys for cell in _blocks_towards(state, board, seat + 1, key)}
    yield Finding("double reach", seat, tuple(sorted(blocks)), tuple(keys))


def _blocks_towards(state: State, board: np.ndarray, player: int, key: Cell) -> set[Cell]:
    """The blocks that form a row with the cell ``key``."""
    from narabe.envs.faces.stacking import row_cells

    laid = np.where(board == player, board, 0)
    before = row_cells(laid, int(state.record["row"][0]), bool(state.record["cylinder"][0]))
    laid[key[1], key[0]] = player
    after = row_cells(laid, int(state.record["row"][0]), bool(state.record["cylinder"][0]))
    return {(c, r) for _, r, c in after - before} - {key}


def _in_lines(state: State, seat: int) -> Iterator[Finding]:
    out = np.zeros((512, T.FIELDS), np.int64)
    columns = int(state.record["columns"][0])
    # around a cylinder a line as long as its circumference is read once from each of its cells
    seen: set[tuple[str, frozenset[Cell], frozenset[Cell]]] = set()
    for kind, c, r, dc, dr, n, gap in out[: _patterns(state.record, 0, seat, out)].tolist():
        line = [((c + d * dc) % columns, r + d * dr) for d in range(-1, n + 1)]
        ends = (line[0], line[-1])
        blocks = tuple(cell for d, cell in enumerate(line[1:-1]) if d != gap)
        if kind == T.OPEN_THREE:
            keys: Sequence[Cell] = ends
        elif kind == T.AIR_SEAL:
            keys = ()
        else:
            keys = (line[1 + gap],)
        found = IN_LINES[kind], frozenset(blocks), frozenset(keys)
        if found not in seen:
            seen.add(found)
            yield Finding(IN_LINES[kind], seat, blocks, tuple(keys))


def _crosses(state: State) -> Iterator[Finding]:
    """Groups of neighbouring columns whose blocks are chequered and mirror-symmetric, at least two high."""
    board, heights = state.game.face.board(state), state.record["heights"][0]
    around = bool(state.record["cylinder"][0])
    for group in _groups(heights[: board.shape[1]], around):
        ring = around and len(group) == board.shape[1]
        if len(group) >= 3 and _is_cross(board[:, group], heights[group], ring):
            yield Finding("cross", None, tuple((x, r) for x in group for r in range(heights[x])))


def _groups(heights: np.ndarray, around: bool) -> list[list[int]]:
    """Runs of neighbouring columns with blocks, each from the left; on a cylinder a run may go over the seam."""
    runs: list[list[int]] = []
    for c in np.flatnonzero(heights).tolist():
        if runs and runs[-1][-1] == c - 1:
            runs[-1].append(c)
        else:
            runs.append([c])
    if around and len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == len(heights) - 1:
        runs[0] = runs.pop() + runs[0]
    return runs


def _is_cross(board: np.ndarray, heights: np.ndarray, ring: bool) -> bool:
    """``ring``: the columns go all around a cylinder, so the outer ones are neighbours and any column may be the middle."""
    n = len(heights)
    # chequered patterns are mirrored in a column: so an odd number of them, but around a ring an even one
    if heights.max() < 2 or n % 2 == (1 if ring else 0):
        return False
    shapes = [np.roll(heights, k)[1:] for k in range(n)] if ring else [heights]
    if not any((shape == shape[::-1]).all() for shape in shapes):
        return False
    colours: dict[int, set[int]] = {0: set(), 1: set()}
    for r, c in zip(*np.nonzero(board)):
        colours[int(r + c) % 2].add(int(board[r, c]))
    return len(colours[0]) == len(colours[1]) == 1 and colours[0] != colours[1]


def _skies(state: State) -> Iterator[Finding]:
    """Columns of at least `SKY` blocks in which two players alternate from the floor up."""
    board, heights = state.game.face.board(state), state.record["heights"][0]
    for c in np.flatnonzero(heights >= SKY):
        stack = board[: heights[c], c]
        if stack[0] != stack[1] and (stack[2:] == stack[:-2]).all():
            yield Finding("sky", None, tuple((int(c), r) for r in range(heights[c])))


def draw(state: State, found: Finding | None = None) -> Scene:
    """The position with patterns marked: ringed blocks, and a number on each key cell (heat shows where they are).

    ``found``: the one to show; left out, all patterns of `find` that have key cells. Show it with
    ``narabe.envs.drawing.svg.svg(scene)``.
    """
    scene: Scene = state.game.face.scene(state)  # type: ignore[assignment]
    shown = [found] if found is not None else [f for f in find(state) if f.keys]
    first, width, rows = _window(state)

    def cell(place: Cell) -> int | None:
        column, row = place[0] - first, place[1]
        return row * width + column if 0 <= column < width and row < rows else None

    blocks = {x for f in shown for x in map(cell, f.cells) if x is not None}
    keys: dict[int, int] = {}
    for f in shown:
        for x in map(cell, f.keys):
            if x is not None:
                keys[x] = keys.get(x, 0) + 1
    names = state.game.players
    lines = tuple(f"{f.name}" + ("" if f.seat is None else f" of {names[f.seat]}") for f in shown)
    return scene.with_(
        winning=tuple(sorted(blocks)),
        heat={x: float(n) for x, n in keys.items()},
        captions=(*scene.captions, *dict.fromkeys(lines)),
    )


def _window(state: State) -> tuple[int, int, int]:
    face: Any = state.game.face
    first, width, rows = face.window(state)
    return int(first), int(width), int(rows)
