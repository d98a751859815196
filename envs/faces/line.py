"""The face of the line games: options, coordinates, position text, set-up, and the board to draw."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.notation import LETTERS, board_of, board_text, cell_of, cell_text
from narabe.envs.rules import calls
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line import record as R
from narabe.envs.rules.line import setup, stone_at
from narabe.envs.scene import Scene

if TYPE_CHECKING:
    from narabe.envs.game import Game, State

SYMBOLS = ".xo"
PIECES = ("", "black", "white")
SIDES = {"black": 1, "b": 1, "x": 1, "white": 2, "w": 2, "o": 2}


@kernel
def _setup(states, i, board, mover, ply, black_pairs, white_pairs, last, opening):
    return setup(states[i], board, mover, ply, black_pairs, white_pairs, last, opening)


@kernel
def _board(states, i, out):
    for a in range(out.shape[0]):
        out[a] = stone_at(states[i], a)


def sized(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with ``size`` read as width and height."""
    rest = {name: value for name, value in options.items() if name != "size"}
    return {"width": options["size"], "height": options["size"]} | rest if "size" in options else rest


def as_size(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with ``size`` for a width and a height that are the same."""
    rest = {name: value for name, value in options.items() if name not in ("width", "height")}
    square = "width" in options and options["width"] == options.get("height")
    return {"size": options["width"], **rest} if square else dict(options)


class LineFace(Face):
    """Gomoku, freestyle, Omok, capture Gomoku, renju and their relatives."""

    options = (
        Option("width", 15, "columns of the board", 3, R.MAX_SIDE),
        Option("height", 15, "rows of the board", 3, R.MAX_SIDE),
        Option("row", 5, "stones in a row that win", 3, 5),
        Option("exact", False, "a longer row does not win"),
        Option("double_three", False, "two open threes at once are banned"),
        Option("double_four", False, "two fours at once are banned"),
        Option("overline", False, "a longer row is banned (and so does not win for whom the ban binds)"),
        Option("bans", "both", "whom the bans bind", choices=("both", "black")),
        Option("recursive", False, "an open three counts only if its extending point may be played"),
        Option("five_spoils_three", False, "an open three does not count if its extending point also makes a five"),
        Option("same_line", False, "two open threes on one line count as two"),
        Option("captures", False, "two bracketed stones are taken; five pairs win"),
        Option("opening", "none", "Black's first stone on the centre, the second at distance 3 or more",
               choices=("none", "tournament")),
    )  # fmt: skip
    faults: Mapping[int, str] = {
        R.OVER: "the game is over",
        R.OFF_BOARD: "off the board",
        R.OCCUPIED: "occupied",
        R.CENTRE: "opening rule: the first stone must be placed on the centre",
        R.NEAR_CENTRE: "opening rule: Black's second stone must be three or more points from the centre",
        R.DOUBLE_THREE: "double three (two open threes at once) is banned",
        R.DOUBLE_FOUR: "double four is banned",
        R.OVERLINE: "overline (a row that is too long) is banned",
    }
    results: Mapping[int, str] = {
        R.FIVE: "five in a row",
        R.PAIRS: "five pairs",
        R.FULL: "board full",
        R.STUCK: "no legal point left",
    }

    def brief(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return as_size(options)

    def complete(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        given = sized(given)
        values = super().complete(sized(defaults), given)
        w, h = values["width"], values["height"]
        if values["row"] > max(w, h):
            raise OptionError(
                f"a row of {values['row']} does not fit on a {w}x{h} board: give a larger size or a smaller row"
            )
        if values["row"] == 3 and values["recursive"] and w * h > 100:
            raise OptionError(
                "recursive with row=3 takes for ever on large boards (every stone is a three): size=10 at most"
            )
        if values["opening"] == "tournament" and (w % 2 == 0 or h % 2 == 0 or min(w, h) < 7):
            if "opening" in given:
                raise OptionError(
                    f"the tournament opening needs odd sizes of 7 or more, not {w}x{h}: use opening='none'"
                )
            values["opening"] = "none"
        return values

    def params(self, options: Mapping[str, Any]) -> np.ndarray:
        values = dict(options)
        values["black_only"] = options["bans"] == "black"
        values["tournament_opening"] = options["opening"] == "tournament"
        return np.array([int(values[name]) for name in R.PARAMS], np.int64)

    def observation_range(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        high = np.ones(game.observation_shape[0], np.int8)
        high[4:] = R.MAX_PAIRS  # the planes of pairs
        return np.zeros_like(high), high

    # ---- texts ----

    def action_text(self, game: Game, action: int) -> str:
        return cell_text(action, game.options["width"])

    def action_of(self, game: Game, text: str) -> int:
        return cell_of(text, game.options["width"], game.options["height"])

    def fault_text(self, state: State, action: int, code: int) -> str:
        if code == R.OFF_BOARD:
            return f"{action} is off the board: actions go from 0 to {state.game.num_actions - 1}"
        if code == R.OVER:
            return f"{self.action_text(state.game, action)}: the game is over ({state.reason})"
        return super().fault_text(state, action, code)

    def result_text(self, game: Game, code: int) -> str:
        words = super().result_text(game, code)
        return words.replace("five in a row", f"{('three', 'four', 'five')[game.options['row'] - 3]} in a row")

    def to_text(self, state: State) -> str:
        """Board from the top row, side, ply, pairs taken, last move, ``o`` if the opening rule is still in force."""
        s = state.record[0]
        last = "-" if s["last"] < 0 else cell_text(int(s["last"]), state.game.options["width"])
        opening = "o" if s["opening"] and s["ply"] <= 2 else "-"
        pairs = f"{s['pairs'][0]}-{s['pairs'][1]}"
        board = board_text(self.board(state), state.game.options["width"], SYMBOLS)
        return f"{board} {'bw'[s['mover'] - 1]} {s['ply']} {pairs} {last} {opening}"

    def from_text(self, game: Game, text: str) -> State:
        fields = text.split()
        if len(fields) != 6:
            raise ValueError(
                f"a position has 6 fields (board, side, ply, pairs, last move, opening), not {len(fields)}"
            )
        board, side, ply, pairs, last, opening = fields
        w, h = game.options["width"], game.options["height"]
        if side not in ("b", "w"):
            raise ValueError(f"side {side!r}: b or w")
        if not ply.isdigit() or int(ply) > 10_000:
            raise ValueError(f"ply {ply!r}: a whole number")
        counts = pairs.split("-")
        if len(counts) != 2 or not all(c.isdigit() for c in counts):
            raise ValueError(f"pairs {pairs!r}: two whole numbers such as 0-2")
        if opening not in ("o", "-"):
            raise ValueError(f"opening {opening!r}: o or -")
        return self._lay(
            game,
            board_of(board, w, h, SYMBOLS),
            SIDES[side],
            int(ply),
            (int(counts[0]), int(counts[1])),
            -1 if last == "-" else cell_of(last, w, h),
            opening == "o",
        )

    def position(
        self,
        game: Game,
        black: str | Iterable[int | str] = (),
        white: str | Iterable[int | str] = (),
        to_move: str = "black",
        pairs: tuple[int, int] = (0, 0),
        ply: int | None = None,
        **unknown: Any,
    ) -> State:
        """Stones by text (also several in one, ``"E5 F6"``) or by number.

        ``ply`` defaults to the stones on the board and those taken.
        Opening rules do not apply to a set-up position. Raises `ValueError` for a point named twice or off the board.
        """
        if unknown:
            raise TypeError(f"position takes black, white, to_move, pairs, ply; not {', '.join(unknown)}")
        board = np.zeros(game.num_actions, np.int8)
        for value, points in ((1, black), (2, white)):
            for point in points.split() if isinstance(points, str) else points:
                cell = self.action_of(game, point) if isinstance(point, str) else operator.index(point)
                if not 0 <= cell < len(board):
                    raise ValueError(f"point {cell} is off the board")
                if board[cell]:
                    raise ValueError(f"{cell_text(cell, game.options['width'])} is named twice")
                board[cell] = value
        side = SIDES.get(str(to_move).lower())
        if side is None:
            raise ValueError(f"to_move={to_move!r}: black or white")
        if ply is not None and ply < 0:
            raise ValueError(f"ply {ply}: a whole number from 0")
        if ply is None:
            ply = int(np.count_nonzero(board)) + 2 * sum(pairs)
        return self._lay(game, board, side, ply, pairs, -1, False)

    def _lay(
        self, game: Game, board: np.ndarray, side: int, ply: int, pairs: tuple[int, int], last: int, opening: bool
    ) -> State:
        if any(not 0 <= n <= R.MAX_PAIRS for n in pairs) or (any(pairs) and not game.options["captures"]):
            raise ValueError(f"pairs {pairs}: 0 to {R.MAX_PAIRS} each, and only in a game with captures")
        if last >= 0 and board[last] != 3 - side:
            where = cell_text(last, game.options["width"])
            raise ValueError(f"last move {where}: no stone of the side that is not to move stands there")
        if opening:
            self._check_opening(game, board, side, ply)
        state = game.start()
        opening = opening and game.options["opening"] == "tournament" and ply <= 2
        both = _setup(state.record, 0, board, side, ply, pairs[0], pairs[1], last, int(opening))
        if both:
            raise ValueError("both colours hold a win: such a position cannot be judged")
        state.rebase()
        return state

    def _check_opening(self, game: Game, board: np.ndarray, side: int, ply: int) -> None:
        """While the tournament opening binds, a position is one of its first plies; `ValueError` if it is not."""
        stones = [int(np.count_nonzero(board == colour)) for colour in (1, 2)]
        if game.options["opening"] != "tournament":
            raise ValueError(f"opening o: {game.spec} has no opening rule")
        if (
            ply > 2
            or stones != [(ply + 1) // 2, ply // 2]
            or side != 1 + ply % 2
            or (ply and board[len(board) // 2] != 1)
        ):
            raise ValueError("opening o: the first three plies only, one stone a ply, Black's first on the centre")

    # ---- pictures ----

    def board(self, state: State) -> np.ndarray:
        out = np.zeros(state.game.num_actions, np.int8)
        _board(state.record, 0, out)
        return out

    def scene(self, state: State) -> Scene:
        game, s = state.game, state.record[0]
        w, h = game.options["width"], game.options["height"]
        board = self.board(state)
        last = int(s["last"])
        if state.is_over:
            winner = self.players[s["winner"] - 1] + " wins" if s["winner"] else "draw"
            captions = [f"{winner}: {state.reason}"]
        else:
            captions = [f"{self.players[s['mover'] - 1]} to play, move {s['ply'] + 1}"]
        if game.options["captures"]:
            captions.append(f"pairs taken: Black {s['pairs'][0]}, White {s['pairs'][1]}")
        return Scene(
            width=w,
            height=h,
            cells=tuple(PIECES[v] for v in board),
            style="points",
            column_labels=tuple(LETTERS[:w]),
            row_labels=tuple(str(r + 1) for r in range(h)),
            last=(last,) if last >= 0 else (),
            forbidden=self._forbidden(state, board),
            winning=self._winning(state, board, last),
            title=game.title,
            captions=tuple(captions),
        )

    def _forbidden(self, state: State, board: np.ndarray) -> tuple[int, ...]:
        s = state.record[0]
        if state.is_over or not s["bound"][s["mover"] - 1]:
            return ()
        empty = np.flatnonzero(board == 0)
        return tuple(int(a) for a in empty if calls.fault(state.record, 0, a) >= R.DOUBLE_THREE)

    def _winning(self, state: State, board: np.ndarray, last: int) -> tuple[int, ...]:
        """The cells of the winning rows through the last move."""
        s = state.record[0]
        if not s["result"] & R.FIVE or last < 0:
            return ()
        w, h = state.game.options["width"], state.game.options["height"]
        colour, cells = board[last], set()
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = [last]
            for sign in (1, -1):
                r, c = last // w + sign * dr, last % w + sign * dc
                while 0 <= r < h and 0 <= c < w and board[r * w + c] == colour:
                    run.append(r * w + c)
                    r, c = r + sign * dr, c + sign * dc
            row = int(s["row"])
            if len(run) == row or (len(run) > row and not s["exact"][colour - 1]):
                cells.update(run)
        return tuple(sorted(cells))
