"""The face of Gomocku: options, names of moves, position text, set-up, and the board to draw."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.faces.line import as_size, sized
from narabe.envs.notation import LETTERS, board_of, board_text, cell_of, cell_text
from narabe.envs.rules import calls
from narabe.envs.rules.gomocku import record as R
from narabe.envs.rules.gomocku import setup
from narabe.envs.rules.gomocku.pieces import CODE, shown_at
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE
from narabe.envs.scene import Scene

if TYPE_CHECKING:
    from narabe.envs.game import Game, State

COMPASS = ("E", "N", "NE", "NW", "W", "S", "SW", "SE")
# what a cell holds, by owner + 2 * kind: Black's and White's pieces unseen, back known to be coloured, known to be red,
# turned and coloured (a black piece shows white), turned and red
SYMBOLS = ".xoXOKQwbRr"
PIECES = ("", "black", "white", "black", "white", "black", "white", "white_turned", "black_turned", "red", "red")
SIDES = ("Black", "White")


@kernel
def _setup(states, i, codes, numbers, ply, last, stage, chosen, left, won, deal):
    return setup(states[i], codes, numbers, ply, last, stage, chosen, left, won, deal)


@kernel
def _shown(states, i, out):
    for a in range(out.shape[0]):
        out[a] = shown_at(states[i], a)


def flips_text(mask: int) -> str:
    """A set of directions in words: ``E+NW``, or ``none``.

    >>> flips_text(0b1001), flips_text(0)
    ('E+NW', 'none')
    """
    return "+".join(name for d, name in enumerate(COMPASS) if mask >> d & 1) or "none"


def flips_of(text: str) -> int | None:
    """The inverse of `flips_text` in any order and case; None for a text that names no directions.

    >>> flips_of("nw+E"), flips_of("none"), flips_of("H8")
    (9, 0, None)
    """
    names = text.strip().upper().split("+")
    if names == ["NONE"]:
        return 0
    if len(set(names)) < len(names) or not set(names) <= set(COMPASS):
        return None
    return sum(1 << COMPASS.index(name) for name in names)


class GomockuFace(Face):
    """Gomocku: two phases, flips, red pieces."""

    options = (
        Option("width", 15, "columns of the board", R.MIN_SIDE, R.MAX_SIDE),
        Option("height", 15, "rows of the board", R.MIN_SIDE, R.MAX_SIDE),
        Option("stones", 15, "pieces a side before the chance begins", 1, R.MAX_PIECES - 1),
        Option("chance", 5, "pieces a side in the chance, when sandwiched pieces may be turned", 1, R.MAX_PIECES - 1),
        Option("coloured", 8, "of a side's pieces, how many show the other side's colour when turned; the rest is red",
               0, R.MAX_PIECES),
        Option("bans", "both", "whom the bans and the foul of flips bind", choices=("both", "black")),
        Option("phase2_bans", "placement", "in the chance, overlines alone are banned, or double threes and fours as well",
               choices=("placement", "all")),
        Option("must_flip", False, "at least one piece must be turned where one can be"),
        Option("foul_restores", "long_row", "a foul turns back the pieces in the long row, or all that the move turned",
               choices=("long_row", "all")),
        Option("deal", "lazy", "backs are drawn when they show, or dealt into piles at the start",
               choices=("lazy", "physical")),
    )  # fmt: skip
    faults: Mapping[int, str] = {
        R.OVER: "the game is over",
        R.NO_ACTION: "no such action",
        R.OCCUPIED: "occupied",
        R.CELL_DUE: "a cell is to be named first",
        R.FLIPS_DUE: "say which pieces to turn, such as E+NW, or none",
        R.NOT_SANDWICHED: "there is no single sandwiched piece that was never turned",
        R.MUST_FLIP: "at least one piece must be turned",
        R.NO_PASS: "passing is only allowed where no cell is legal",
        R.CHANCE_DUE: "it is chance that moves now",
        R.IMPOSSIBLE: "this back cannot come up",
        R.PILES_DUE: "the opponent's piles are to be laid out first, such as piles:1234",
        DOUBLE_THREE: "double three (two open threes at once) is banned",
        DOUBLE_FOUR: "double four is banned",
        OVERLINE: "overline (six or more in a row) is banned",
    }
    results: Mapping[int, str] = {
        R.FIVE: "five in a row",
        R.FLIPS: "more pieces flipped",
        R.REDS: "fewer reds",
        R.LEVEL: "equal score",
    }

    def brief(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return as_size(options)

    def complete(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        values = super().complete(sized(defaults), sized(given))
        pieces, chance = values["stones"] + values["chance"], values["chance"]
        if pieces > R.MAX_PIECES:
            raise OptionError(f"stones={values['stones']} and chance={chance}: at most {R.MAX_PIECES} pieces a side")
        if values["coloured"] > pieces:
            if "coloured" in given:
                raise OptionError(f"coloured={values['coloured']}: a side has only {pieces} pieces")
            values["coloured"] = pieces * 2 // 5
        if values["deal"] == "physical" and (pieces % chance or not 2 <= pieces // chance <= 4):
            raise OptionError(
                f"a physical deal needs two to four piles of {chance}: give stones={chance}, {2 * chance} or {3 * chance}"
            )
        return values

    def params(self, options: Mapping[str, Any]) -> np.ndarray:
        values = dict(options)
        values["black_only"] = options["bans"] == "black"
        values["phase2_all"] = options["phase2_bans"] == "all"
        values["restore_all"] = options["foul_restores"] == "all"
        values["physical"] = options["deal"] == "physical"
        return np.array([int(values[name]) for name in R.PARAMS], np.int64)

    def observation_range(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        high = np.ones(game.observation_shape[0], np.int8)
        high[10], high[11], high[13:] = R.ASSIGN, 2 * R.MAX_PIECES, R.MAX_PIECES
        return np.zeros_like(high), high

    # ---- names of actions ----

    def action_text(self, game: Game, action: int) -> str:
        cells, n = _cells(game), game.num_actions
        if action < cells:
            return cell_text(action, game.options["width"])
        if action < cells + R.PASS:
            return flips_text(action - cells)
        if action == cells + R.PASS:
            return "pass"
        if action < n:
            return "piles:" + "".join(str(p + 1) for p in _order(game, action - cells - R.PILES))
        outcomes = {R.RED: "red", R.COLOURED: "coloured", R.FACE_DOWN: "deal:face-down"}
        return outcomes.get(action - n, f"deal:{action - (1 << R.DEALT):010x}")

    def action_of(self, game: Game, text: str) -> int:
        word, cells = text.strip().lower(), _cells(game)
        if word == "pass":
            return cells + R.PASS
        outcomes = {"red": R.RED, "coloured": R.COLOURED, "deal:face-down": R.FACE_DOWN}
        if word in outcomes:
            return game.num_actions + outcomes[word]
        if re.fullmatch(r"deal:[0-9a-f]{10}", word):
            return (1 << R.DEALT) + int(word[5:], 16)
        if word.startswith("piles:"):
            for k in range(game.num_actions - cells - R.PILES):
                if self.action_text(game, cells + R.PILES + k) == word:
                    return cells + R.PILES + k
            if game.options["deal"] != "physical":
                raise ValueError(f"{text!r}: piles are laid out in physical deals only")
            raise ValueError(f"{text!r}: an order of the piles such as {self.action_text(game, cells + R.PILES)}")
        mask = flips_of(word)
        if mask is not None:
            return cells + mask
        try:
            return cell_of(word, game.options["width"], game.options["height"])
        except ValueError as error:
            if "cannot read" in str(error):
                raise ValueError(f"{error}; or pieces to turn such as E+NW, or none") from None
            raise

    def fault_text(self, state: State, action: int, code: int) -> str:
        if code == R.NO_ACTION:
            return f"{action} is no action: 0 to {state.game.num_actions - 1}"
        if code == R.OVER:
            return f"{self.action_text(state.game, max(0, action))}: the game is over ({state.reason})"
        if code == R.NOT_SANDWICHED:
            missing = (action - _cells(state.game)) & ~int(state.record["able"][0])
            return f"{flips_text(missing)}: {self.faults[code]}"
        return super().fault_text(state, action, code)

    # ---- texts ----

    def to_text(self, state: State) -> str:
        """Board from the top row, ply, what is due, last piece laid, and a physical deal if there is one."""
        s, w = state.record[0], state.game.options["width"]
        board = board_text(self._codes(state), w, SYMBOLS)
        last = "-" if s["last"] < 0 else cell_text(int(s["last"]), w)
        return f"{board} {s['ply']} {self._due(state)} {last} {self._deal(state)}"

    def _due(self, state: State) -> str:
        s = state.record[0]
        stage = int(s["stage"])
        if stage == R.REVEAL:
            return f"reveal:{flips_text(int(s['chosen']))}:{flips_text(int(s['left']))}"
        if stage == R.ASSIGN:
            return "piles" if s["order"][1] < 0 else f"piles:{s['order'][1]}"
        return {R.CHOOSE: "flips", R.DEAL: "deal"}.get(stage, "five" if s["result"] == R.FIVE else "-")

    def _deal(self, state: State) -> str:
        s = state.record[0]
        if not s["dealt"]:
            return "-"
        numbers = [int(p) >> R.NUMBER for p in s["piece"][: _cells(state.game)] if p]
        facts = [*map(int, s["hidden"]), *map(int, s["order"]), *numbers]
        return ",".join(map(str, facts))

    def from_text(self, game: Game, text: str) -> State:
        fields = text.split()
        if len(fields) != 5:
            raise ValueError(f"a position has 5 fields (board, ply, what is due, last piece, deal), not {len(fields)}")
        board, ply, due, last, deal = fields
        w, h = game.options["width"], game.options["height"]
        codes = board_of(board, w, h, SYMBOLS).astype(np.int64)
        if not ply.isdigit():
            raise ValueError(f"ply {ply!r}: a whole number")
        cell = -1 if last == "-" else cell_of(last, w, h)
        return self._lay(game, codes, int(ply), _read_due(due), cell, _read_deal(game, deal, codes))

    def position(
        self,
        game: Game,
        black: str | Iterable[int | str] = (),
        white: str | Iterable[int | str] = (),
        turned_black: str | Iterable[int | str] = (),
        turned_white: str | Iterable[int | str] = (),
        red_black: str | Iterable[int | str] = (),
        red_white: str | Iterable[int | str] = (),
        known_coloured: str | Iterable[int | str] = (),
        known_red: str | Iterable[int | str] = (),
        ply: int | None = None,
        **unknown: Any,
    ) -> State:
        """Pieces by text (also several in one, ``"E5 F6"``) or by number.

        ``turned_black`` are White's pieces that now show black, ``turned_white`` Black's that show white, ``red_black``
        and ``red_white`` Black's and White's that show red; ``known_coloured`` and ``known_red`` are among ``black`` and
        ``white``: not turned, but their backs have been seen. ``ply`` (its parity tells who moves, Black first) defaults
        to the number of pieces. Five in a row of the side that moved last ends the game.
        """
        if unknown:
            takes = "black, white, turned_black, turned_white, red_black, red_white, known_coloured, known_red, ply"
            raise TypeError(f"position takes {takes}; not {', '.join(unknown)}")
        codes = np.zeros(_cells(game), np.int64)
        named = {1: black, 2: white, 7: turned_white, 8: turned_black, 9: red_black, 10: red_white}
        for code, points in named.items():
            for cell in self._points(game, points):
                if codes[cell]:
                    raise ValueError(f"{cell_text(cell, game.options['width'])} is named twice")
                codes[cell] = code
        for kind, points in ((R.KNOWN_COLOURED, known_coloured), (R.KNOWN_RED, known_red)):
            for cell in self._points(game, points):
                if codes[cell] not in (1, 2):
                    where = cell_text(cell, game.options["width"])
                    raise ValueError(f"{where}: only a piece of black or white that was not turned has a known back")
                codes[cell] += 2 * kind
        if ply is None:
            ply = int(np.count_nonzero(codes))
        due = (R.PLACE, 0, 0, -1, -1)
        return self._lay(game, codes, operator.index(ply), due, -1, np.array([0, 0, 0, -1, -1], np.int64))

    def _points(self, game: Game, points: str | Iterable[int | str]) -> list[int]:
        w, h = game.options["width"], game.options["height"]
        cells = []
        for point in points.split() if isinstance(points, str) else points:
            cell = cell_of(point, w, h) if isinstance(point, str) else operator.index(point)
            if not 0 <= cell < w * h:
                raise ValueError(f"point {cell} is off the board")
            cells.append(cell)
        return cells

    def _lay(self, game: Game, codes: np.ndarray, ply: int, due: tuple[int, ...], last: int, deal: np.ndarray) -> State:
        stage, chosen, left, won, order = due
        pieces = game.options["stones"] + game.options["chance"]
        if not 0 <= ply <= 2 * pieces:
            raise ValueError(f"ply {ply}: 0 to {2 * pieces}")
        if ply >= 2 * pieces and stage != R.PLACE:
            raise ValueError(f"ply {ply}: nothing is due after the last ply")
        for colour in (1, 2):
            n = int(np.count_nonzero((codes > 0) & ((codes - 1) % 2 == colour - 1)))
            if n > pieces:
                raise ValueError(f"{SIDES[colour - 1]} has {n} pieces on the board, and only {pieces} in all")
        if stage in (R.CHOOSE, R.REVEAL):
            if ply < 2 * game.options["stones"]:
                raise ValueError(f"ply {ply}: pieces are turned from ply {2 * game.options['stones']} on")
            if last < 0 or codes[last] not in (1 + ply % 2, 3 + ply % 2, 5 + ply % 2):
                raise ValueError("while flips are due, the last piece is one of the side to move that was not turned")
        if stage in (R.DEAL, R.ASSIGN) and (codes.any() or ply or game.options["deal"] != "physical"):
            raise ValueError("piles are laid out at the start of a physical deal only")
        deal = deal.copy()
        if stage == R.ASSIGN and not deal[0]:
            deal[4] = order
        state = game.start(chance="manual")
        fault = _setup(
            state.record,
            0,
            codes,
            _numbers(codes, deal),
            ply,
            last,
            stage,
            chosen,
            left,
            won,
            deal[:5].astype(np.int64),
        )
        if fault:
            raise ValueError(_SETUP_FAULTS[fault])
        state.rebase()
        state.chance = "auto"  # a back that is due is left to `State.settle`, so that the text is this very position
        return state

    # ---- pictures ----

    def _codes(self, state: State) -> np.ndarray:
        return np.asarray(state.record["piece"][0][: _cells(state.game)]) & CODE

    def board(self, state: State) -> np.ndarray:
        """int8 by cell: 0 empty, 1 shows black, 2 white, 3 red."""
        out = np.zeros(_cells(state.game), np.int8)
        _shown(state.record, 0, out)
        return out

    def scene(self, state: State) -> Scene:
        game, s = state.game, state.record[0]
        w, h = game.options["width"], game.options["height"]
        last = int(s["last"])
        return Scene(
            width=w,
            height=h,
            cells=tuple(PIECES[code] for code in self._codes(state)),
            style="points",
            column_labels=tuple(LETTERS[:w]),
            row_labels=tuple(str(r + 1) for r in range(h)),
            last=(last,) if last >= 0 else (),
            forbidden=self._forbidden(state),
            winning=self._winning(state),
            title=game.title,
            captions=tuple(self._captions(state)),
        )

    def _captions(self, state: State) -> list[str]:
        s, options = state.record[0], state.game.options
        if state.is_over:
            first = f"{SIDES[s['winner'] - 1]} wins" if s["winner"] else "draw"
            captions = [f"{first}: {state.reason}"]
        else:
            chance = "" if s["ply"] < s["first"] else ", Gomocku Chance"
            side = SIDES[s["mover"] - 1]
            captions = [f"{side} {self._doing(state)}, piece {s['ply'] // 2 + 1}{chance}"]
        for i, side in enumerate(SIDES):
            laid = int(s["ply"]) + (s["stage"] in (R.CHOOSE, R.REVEAL))  # the piece whose flips are due lies already
            left = options["stones"] + options["chance"] - (laid + 1 - i) // 2
            flips = f"{s['flips'][i]} turned, {s['reds'][i]} of them red" if s["flips"][i] else "none turned"
            captions.append(f"{side}: {left} piece{'' if left == 1 else 's'} left, {flips}")
        known = [cell_text(int(a), options["width"]) for a in np.flatnonzero(np.isin(self._codes(state), (3, 4, 5, 6)))]
        if known:
            captions.append(f"turned back, so known: {' '.join(known)}")
        return captions

    def _doing(self, state: State) -> str:
        s = state.record[0]
        if s["stage"] == R.CHOOSE:
            return f"to turn any of {flips_text(int(s['able']))}"
        if s["stage"] == R.REVEAL:
            return f"turns {flips_text(int(s['left']))}"
        return "to lay out the opponent's piles" if s["stage"] == R.ASSIGN else "to play"

    def _forbidden(self, state: State) -> tuple[int, ...]:
        s = state.record[0]
        if state.is_over or s["stage"] != R.PLACE or not s["bound"][s["mover"] - 1]:
            return ()
        empty = np.flatnonzero(self.board(state) == 0)
        bans = (DOUBLE_THREE, DOUBLE_FOUR, OVERLINE)
        return tuple(int(a) for a in empty if calls.fault(state.record, 0, a) in bans)

    def _winning(self, state: State) -> tuple[int, ...]:
        """The cells of all exact fives of the winner."""
        s, board = state.record[0], self.board(state)
        if s["result"] != R.FIVE:
            return ()
        w, h = state.game.options["width"], state.game.options["height"]
        grid = board.reshape(h, w) == s["winner"]
        cells: set[int] = set()
        for r in range(h):
            for c in range(w):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    before = 0 <= r - dr < h and 0 <= c - dc < w and grid[r - dr, c - dc]
                    run = 0
                    while 0 <= r + run * dr < h and 0 <= c + run * dc < w and grid[r + run * dr, c + run * dc]:
                        run += 1
                    if run == 5 and not before:
                        cells.update((r + n * dr) * w + c + n * dc for n in range(5))
        return tuple(sorted(cells))


_SETUP_FAULTS = {
    1: "more backs of one colour have been seen than a side has",
    2: "flips are due, but nothing may be turned next to the last piece",
    3: "the directions of a reveal do not fit the pieces on the board",
    4: "five is claimed, but the side that moved last has no five in a row",
}


def _cells(game: Game) -> int:
    return int(game.options["width"] * game.options["height"])


def _order(game: Game, k: int) -> list[int]:
    """Permutation ``k`` of the game's piles."""
    piles = (game.options["stones"] + game.options["chance"]) // game.options["chance"]
    return [int(p) - (4 - piles) for p in R.PERMUTATIONS[k][4 - piles :]]


def _read_due(text: str) -> tuple[int, int, int, int, int]:
    """(stage, directions chosen, directions left, is there a five, order of White's piles) of the third field."""
    if text in ("-", "five"):
        return R.PLACE, 0, 0, int(text == "five"), -1
    if text in ("flips", "deal"):
        return (R.CHOOSE if text == "flips" else R.DEAL), 0, 0, 0, -1
    words = text.split(":")
    if words[0] == "reveal" and len(words) == 3:
        chosen, left = flips_of(words[1]), flips_of(words[2])
        if chosen is not None and left is not None:
            return R.REVEAL, chosen, left, 0, -1
    if re.fullmatch(r"piles(:\d+)?", text) and (len(words) == 1 or int(words[1]) < 24):
        return R.ASSIGN, 0, 0, 0, int(words[1]) if len(words) == 2 else -1
    raise ValueError(f"due {text!r}: -, five, flips, reveal:E+N:N, deal or piles")


def _read_deal(game: Game, text: str, codes: np.ndarray) -> np.ndarray:
    """(dealt, masks, orders, numbers of the pieces by cell) of the last field."""
    if text == "-":
        return np.array([0, 0, 0, -1, -1], np.int64)
    n = int(np.count_nonzero(codes))
    if not re.fullmatch(r"-?\d+(,-?\d+)*", text) or text.count(",") != n + 3 or game.options["deal"] != "physical":
        raise ValueError(f"deal {text!r}: -, or in a physical deal two masks, two orders and a number for each piece")
    facts = [int(x) for x in text.split(",")]
    if any(not 0 <= x < 1 << R.MAX_PIECES for x in facts[:2]) or any(not -1 <= x < 24 for x in facts[2:4]):
        raise ValueError(f"deal {text!r}: masks of at most {R.MAX_PIECES} bits, orders from -1 to 23")
    pieces, laid = game.options["stones"] + game.options["chance"], codes[codes > 0]
    for mask in facts[:2]:
        if mask.bit_count() != game.options["coloured"] or mask >> pieces:
            raise ValueError(f"deal {text!r}: {mask} does not name {game.options['coloured']} of {pieces} pieces")
    orders = game.num_actions - _cells(game) - R.PILES
    if any(x >= orders or (x < 0 and n > 0) for x in facts[2:4]):
        raise ValueError(f"deal {text!r}: orders of the piles from 0 to {orders - 1}")
    for colour in (0, 1):
        own = [(number, code) for number, code in zip(facts[4:], laid) if (code - 1) % 2 == colour]
        if len({number for number, _ in own}) < len(own) or any(not 0 <= number < pieces for number, _ in own):
            raise ValueError(f"deal {text!r}: numbers of a side's pieces are different, from 0 to {pieces - 1}")
        for number, code in own:
            kind = (code - 1) // 2
            if kind != R.UNSEEN and _back(game, facts, colour, number) != (kind in (R.KNOWN_COLOURED, R.TURNED)):
                raise ValueError(f"deal {text!r}: piece {number} shows another back than the deal gives it")
    return np.array([1, *facts], np.int64)


def _back(game: Game, facts: list[int], colour: int, number: int) -> bool:
    """Is the back of a piece coloured, by the masks and orders of a deal?"""
    pile, place = divmod(number, game.options["chance"])
    return bool(facts[colour] >> (_order(game, facts[2 + colour])[pile] * game.options["chance"] + place) & 1)


def _numbers(codes: np.ndarray, deal: np.ndarray) -> np.ndarray:
    """The number of each cell's piece: as the deal says, else by cell."""
    numbers = np.zeros(len(codes), np.int64)
    laid = np.flatnonzero(codes)
    if deal[0]:
        numbers[laid] = deal[5:]
        return numbers
    for colour in (0, 1):
        own = laid[(codes[laid] - 1) % 2 == colour]
        numbers[own] = np.arange(len(own))
    return numbers
