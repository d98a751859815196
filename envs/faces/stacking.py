"""The face of block stacking: options, columns, position text, set-up, and the tower to draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking import block_at, known_blocks, setup
from narabe.envs.rules.stacking import record as R
from narabe.envs.scene import Scene

if TYPE_CHECKING:
    from narabe.envs.game import Game, State

PIECES = ("", "red", "yellow", "black", "white")
LETTERS = ".rybw"
WORDS = ("takeback", "accept", "grant", "refuse")
UNCLAIMED = ("stands", "draw", "reversed")
FALSE = ("nothing", "loses")
AFTER = ("as_played", "draw", "first_winner")
STAGES = "pbw"
ROWS_ABOVE = 3  # empty rows shown above the tower of an open top
NUMBERS = ("three", "four", "five", "six")


@kernel
def _setup(states, i, board, tail, mover, ply, ranks, facts):
    return setup(states[i], board, tail, mover, ply, ranks, facts)


@kernel
def _board(states, i, out):
    for r in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[r, c] = block_at(states[i], r, c)


@kernel
def _known_blocks(states, i, out):
    return known_blocks(states[i], out)


class StackingFace(Face):
    """Block stacking (burokku-zumi) with an unbounded floor, Connect Four and other walled boards, the cylinder."""

    options = (
        Option("width", 0, "columns between the walls; 0: no walls", 0, R.MAX_COLUMNS),
        Option("height", 0, "rows below the ceiling; 0: no ceiling", 0, R.MAX_HEIGHT),
        Option("boards", 1, "boards of that width joined side by side", 1, 3),
        Option("row", 4, "blocks in a row that win (or more)", 3, R.MAX_ROW),
        Option("cylinder", False, "the left and the right wall are joined"),
        Option("players", 2, "number of players", 2, R.MAX_PLAYERS),
        Option("reach", 4, "no walls: columns beyond the outermost blocks that may be played", 1, R.MAX_SPAN),
        Option("span", 32, "no walls: columns on each side of the first block; a block on the last is a draw", 1,
               R.MAX_SPAN),
        Option("max_height", 32, "no ceiling: rows; a block in the top one is a draw", 3, R.MAX_HEIGHT),
        Option("plies", 256, "actions, takebacks too, until a draw; unless given 256, or the cells if more (twice with claims)",
               1, R.MAX_PLIES),
        Option("claim", False, "a row wins only when its owner claims it"),
        Option("unclaimed_four", "stands", "what the loser's own older row, or one he could have made, does to the end",
               choices=UNCLAIMED),
        Option("false_claim", "nothing", "what a claim without a row does", choices=FALSE),
        Option("resign", False, "players may resign"),
        Option("takeback", False, "a player beaten through an oversight may ask to take it back"),
        Option("after_takeback", "as_played", "what a win of the once beaten side counts for", choices=AFTER),
    )  # fmt: skip
    players = ("Red", "Yellow", "Black", "White")
    faults: Mapping[int, str] = {
        R.OVER: "the game is over",
        R.NO_ACTION: "no such action",
        R.FULL_COLUMN: "the column is full",
        R.FAR: "beyond the columns that may be played (option reach)",
        R.FIRST: "the first block is at 0: columns are counted from it",
        R.BARRED: "after a takeback the block must go to another column",
        R.TWICE: "claimed already this turn",
        R.ANSWER: "the question of a takeback is open: answer it first",
        R.NOT_ASKED: "there is no such question to answer now",
    }
    results: Mapping[int, str] = {
        R.ROW: "four in a row",
        R.CLAIMED: "claimed",
        R.RESIGNED: "resigned",
        R.FALSE_CLAIM: "false claim",
        R.OLDER: "an older four counts",
        R.RETAKEN: "the agreement on takebacks counts",
        R.FULL: "board full",
        R.LIMIT: "limit reached",
    }

    # ---- options ----

    def complete(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        values = super().complete(defaults, given)
        width, height, row = values["width"] * values["boards"], values["height"], values["row"]
        if values["boards"] > 1 and values["width"] == 0:
            raise OptionError(f"boards={values['boards']}: only boards with walls can be joined: give a width")
        if width > R.MAX_COLUMNS:
            raise OptionError(
                f"{values['boards']} boards of {values['width']} columns are {width}: {R.MAX_COLUMNS} at most"
            )
        if values["cylinder"] and width < max(row, 4):
            least = max(row, 4)
            if not width:
                raise OptionError(f"a cylinder joins two walls: give a width of {least} or more")
            raise OptionError(
                f"a cylinder needs a width of {least} or more, so that a row has that many different cells, not {width}"
            )
        if width and height and row > max(width, height):
            raise OptionError(f"a row of {row} does not fit between {width} columns and {height} rows")
        if not height and values["max_height"] < row > (width or row):
            raise OptionError(
                f"a row of {row} does not fit between {width} columns and max_height={values['max_height']}"
            )
        self._check_customs(values)
        cells = width * height * (2 if values["claim"] else 1)
        if "plies" not in given and "plies" not in defaults:
            values["plies"] = min(R.MAX_PLIES, max(256, cells))
        return values

    def _check_customs(self, values: Mapping[str, Any]) -> None:
        """Options about claims, resigning and takebacks that say something only together with another."""
        if values["takeback"] and values["players"] != 2:
            raise OptionError(f"takeback is for two players, not {values['players']}")
        if values["after_takeback"] != "as_played" and not values["takeback"]:
            raise OptionError(f"after_takeback={values['after_takeback']!r} says nothing without takeback=true")
        if values["false_claim"] != "nothing" and not values["claim"]:
            raise OptionError(f"false_claim={values['false_claim']!r} says nothing without claim=true")
        if values["unclaimed_four"] != "stands" and not (values["claim"] or values["resign"]):
            raise OptionError(
                f"unclaimed_four={values['unclaimed_four']!r} says nothing without claim=true or resign=true"
            )

    def params(self, options: Mapping[str, Any]) -> np.ndarray:
        values = dict(options)
        values["width"] = options["width"] * options["boards"]
        values["unclaimed_four"] = UNCLAIMED.index(options["unclaimed_four"])
        values["false_claim"] = FALSE.index(options["false_claim"])
        values["after_takeback"] = AFTER.index(options["after_takeback"])
        return np.array([int(values[name]) for name in R.PARAMS], np.int64)

    def observation_range(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        options, n = game.options, game.num_players
        high = [1] * (n + 2 + (options["width"] == 0))
        low = [0] * len(high)
        if options["claim"]:
            low, high = low + [0] * (n + 1), high + [n] * n + [1]
        if options["takeback"]:
            low, high = [*low, 0, 0, -1], [*high, 2, 1, 1]
        more = game.observation_shape[0] - len(high)
        return np.array(low + [0] * more, np.int8), np.array(high + [1] * more, np.int8)

    # ---- texts of actions ----

    def action_text(self, game: Game, action: int) -> str:
        """A column (from 1; without walls from the first block: ``0``, ``+3``, ``-2``), ``!`` for a claim, or a word."""
        s = game._start[0]
        columns = int(s["columns"])
        if action < s["drops"]:
            return self._column_text(game, action % columns) + ("!" if action >= columns else "")
        if action == s["claim_action"]:
            return "!"
        if action == s["resign_action"]:
            return "resign"
        return WORDS[action - int(s["ask_action"])]

    def _column_text(self, game: Game, column: int) -> str:
        if not game._start["open_sides"][0]:
            return str(column + 1)
        offset = column - int(game._start["columns"][0]) // 2
        return f"{offset:+d}" if offset else "0"

    def action_of(self, game: Game, text: str) -> int:
        s, typed = game._start[0], text.strip()
        word = typed.lower()
        if word == "!" and s["claim_action"] >= 0:
            return int(s["claim_action"])
        if word == "resign" and s["resign_action"] >= 0:
            return int(s["resign_action"])
        if word in WORDS and s["ask_action"] >= 0:
            return int(s["ask_action"]) + WORDS.index(word)
        claimed = word.endswith("!")
        option = "claim" if claimed else word if word == "resign" else "takeback" if word in WORDS else ""
        if option and not game.options[option]:
            raise ValueError(f"{typed!r} is no move of {game.spec}: it needs the option {option}=true")
        column = self._column_of(game, typed[:-1] if claimed else typed, typed)
        return column + (int(s["columns"]) if claimed else 0)

    def _column_of(self, game: Game, text: str, typed: str | None = None) -> int:
        """The column that a text names. ``typed``: what to quote in a complaint, if that is more than the column."""
        columns, walls = int(game._start["columns"][0]), not game._start["open_sides"][0]
        low, high = (1, columns) if walls else (-(columns // 2), columns // 2)
        if not re.fullmatch(r"[+-]?\d{1,4}", text):
            names = f"{low} to {high}" if walls else f"{low} to +{high}, counted from the first block"
            raise ValueError(
                f"cannot read {typed or text!r} as a move of {game.spec}: columns are {names}{self._more(game)}"
            )
        column = int(text)
        if not low <= column <= high:
            raise ValueError(f"there is no column {text}: {low} to {high if walls else f'+{high}'}")
        return column - low

    def _more(self, game: Game) -> str:
        s = game._start[0]
        words = [*(("4! and ! for claims",) if s["claim_action"] >= 0 else ())]
        words += ["resign"] if s["resign_action"] >= 0 else []
        words += WORDS if s["ask_action"] >= 0 else []
        return "; further " + ", ".join(words) if words else ""

    def fault_text(self, state: State, action: int, code: int) -> str:
        if code == R.NO_ACTION:
            return f"{action} is no action of {state.game.spec}: 0 to {state.game.num_actions - 1}"
        if code == R.OVER:
            return f"{self.action_text(state.game, action)}: the game is over ({state.reason})"
        return super().fault_text(state, action, code)

    def result_text(self, game: Game, code: int) -> str:
        number = NUMBERS[game.options["row"] - 3]
        return super().result_text(game, code).replace("four", number)

    def winners(self, state: State) -> tuple[int, ...]:
        winner = int(state.record["winner"][0])  # in a draw, those who dropped out may pay the others
        return (winner - 1,) if winner else ()

    # ---- position text ----

    def to_text(self, state: State) -> str:
        """Columns from the left, bottom up, parted by ``/`` (a number: so many empty ones); side; ply; last column.

        Without walls the first field is the place of the first block among the columns written, from 0. Then, each where
        the game has it: claims (order of the fours by player, ``!`` if claimed in vain this turn), takebacks (stage,
        barred column, takebacks so far, first winner, columns of all known blocks in order), players who are out, and
        the end if the board alone does not tell it.
        """
        game, s = state.game, state.record[0]
        lo, hi = int(s["lo"]), int(s["hi"])
        board = self.board(state)
        stacks = ["".join(LETTERS[v] for v in board[: s["heights"][c], c]) for c in range(lo, hi + 1)]
        fields = [_stacks_text(stacks), LETTERS[s["mover"]], str(s["ply"])]
        fields.append("-" if s["last"] < 0 else self._column_text(game, int(s["last"])))
        if s["open_sides"]:
            fields.insert(0, str(int(s["columns"]) // 2 - lo))
        return " ".join([*fields, *self._more_fields(state)])

    def _more_fields(self, state: State) -> Iterator[str]:
        game, s = state.game, state.record[0]
        if s["plain"]:
            return
        if s["claim"]:
            yield "-".join(str(x) for x in s["rank"][: s["players"]]) + "!" * int(s["claimed"])
        if s["takeback"]:
            barred = "-" if s["barred"] < 0 else self._column_text(game, int(s["barred"]))
            order = [self._column_text(game, c) for c in self.order(state)]
            first = LETTERS[s["first_winner"]] if s["first_winner"] else "-"
            yield ",".join([STAGES[s["stage"]], barred, str(s["takebacks"]), first, *order])
        if _can_drop_out(game):
            yield "".join(LETTERS[i + 1] for i in range(s["players"]) if s["dropped"] >> i & 1) or "-"
        yield f"{s['result']}={LETTERS[s['winner']] if s['winner'] else '-'}" if s["result"] else "-"

    def order(self, state: State) -> list[int]:
        """Columns of the blocks whose order is known and that still stand, oldest first."""
        out = np.zeros(R.MAX_PLIES + 4, np.int64)
        return out[: _known_blocks(state.record, 0, out)].tolist()

    def from_text(self, game: Game, text: str) -> State:
        names = _field_names(game)
        fields = dict(zip(names, text.split()))
        if len(text.split()) != len(names):
            raise ValueError(
                f"a position of {game.spec} has {len(names)} fields ({', '.join(names)}), not {len(text.split())}"
            )
        stacks, anchor = _stacks_of(fields["columns"]), fields.get("anchor", "0")
        if not anchor.isdigit():
            raise ValueError(f"anchor {anchor!r}: the place of the first block's column among those written, from 0")
        if fields["side"] not in LETTERS[1 : game.num_players + 1]:
            raise ValueError(f"side {fields['side']!r}: one of {', '.join(LETTERS[1 : game.num_players + 1])}")
        if not fields["ply"].isdigit():
            raise ValueError(f"ply {fields['ply']!r}: a whole number")
        board = self._board_of(game, stacks, int(anchor))
        last = -1 if fields["last"] == "-" else self._named_column(game, "last", fields["last"])
        side, ply = LETTERS.index(fields["side"]), int(fields["ply"])
        ranks, claimed = _claims_of(game, fields.get("claims"))
        stage, barred, takebacks, first, order = self._takebacks_of(game, fields.get("takebacks"))
        winner, result = _end_of(game, fields.get("end", "-"))
        dropped = sum(1 << LETTERS.index(x) - 1 for x in _letters(game, "out", fields.get("out", "-")))
        tail = order if "takebacks" in fields else [last] * (last >= 0)
        if tail[-1:] != [last] * (last >= 0):
            raise ValueError(f"last {fields['last']!r} is not the last of the blocks in order")
        self._check_order(board, tail, side, stage, bool(winner or result))
        facts = (stage, barred, claimed, dropped, takebacks, first, winner, result)
        if (first == 0) != (takebacks == 0):
            raise ValueError(f"takebacks {fields['takebacks']!r}: there is a first winner from the first takeback on")
        state = self._lay(game, board, tail, side, ply, ranks, facts)
        if barred >= 0:
            self._check_barred(state, fields["takebacks"])
        return state

    def _check_barred(self, state: State, text: str) -> None:
        """The barred column is one that a block was just taken off, and there is another one to play."""
        s = state.record[0]
        playable = range(int(s["first"]), int(s["first"] + s["n_columns"]))
        free = [c for c in playable if s["heights"][c] < s["ceiling"]]
        barred = self._column_text(state.game, int(s["barred"]))
        if s["stage"] != R.PLAY or s["takebacks"] == 0:
            raise ValueError(f"takebacks {text!r}: column {barred} is barred only by a takeback that was granted")
        if int(s["barred"]) not in free:
            raise ValueError(f"takebacks {text!r}: column {barred} could not be played and so cannot be barred")
        if len(free) == 1:
            raise ValueError(f"takebacks {text!r}: column {barred} is barred and no other one can be played")

    def _named_column(self, game: Game, name: str, text: str) -> int:
        try:
            return self._column_of(game, text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    def _takebacks_of(self, game: Game, text: str | None) -> tuple[int, int, int, int, list[int]]:
        if text is None:
            return R.PLAY, -1, 0, 0, []
        words = text.split(",")
        if len(words) < 4 or words[0] not in tuple(STAGES) or not words[2].isdigit() or words[3] not in ("-", "r", "y"):
            raise ValueError(
                f"takebacks {text!r}: stage (p, b or w), barred column or -, number, first winner or -, then columns"
            )
        barred = -1 if words[1] == "-" else self._named_column(game, "takebacks", words[1])
        order = [self._named_column(game, "takebacks", word) for word in words[4:]]
        return STAGES.index(words[0]), barred, int(words[2]), LETTERS.index(words[3]) if words[3] != "-" else 0, order

    def _check_order(self, board: np.ndarray, tail: Sequence[int], side: int, stage: int, over: bool) -> None:
        """The blocks in order must be the tops of their columns, one on the other; with takebacks, of sides in turn."""
        heights = np.count_nonzero(board, axis=0)
        expected = 0
        for column in reversed(tail):
            if not heights[column]:
                raise ValueError("the last blocks are not all on the board")
            heights[column] -= 1
            owner = int(board[heights[column], column])
            if expected and owner != expected:
                raise ValueError("the blocks in order do not belong to the sides in turn")
            if not expected and not over and stage != R.WINNER_ASKED and owner == side and board.max() <= 2:
                raise ValueError("the last block is one of the side to move")
            expected = 3 - owner if len(tail) > 1 else 0

    # ---- set-up ----

    def position(
        self,
        game: Game,
        columns: Sequence[str] | Mapping[int, str] | str = (),
        to_move: str | int = "red",
        ply: int | None = None,
        anchor: int = 0,
        **unknown: Any,
    ) -> State:
        """Columns from the left, each bottom up as letters: ``r`` Red, ``y`` Yellow, ``b`` Black, ``w`` White.

        ``columns``: a list, the same as one text with ``/`` between (see `to_text`), or a mapping from columns as they are
        named (from 1; without walls from the first block) to letters. ``anchor``: without walls, which of the listed
        columns (from 0) counts as the first block's. ``to_move``: a name, a letter, or a seat from 0. ``ply`` defaults to
        the number of blocks. A row anywhere ends the game (not in claim mode); undo stops here.
        Raises `ValueError` for columns that do not fit; floating blocks cannot be written.
        """
        if unknown:
            raise TypeError(f"position takes columns, to_move, ply, anchor; not {', '.join(unknown)}")
        if isinstance(columns, Mapping):
            named = {self._column_of(game, str(c)): str(stack) for c, stack in columns.items()}
            stacks, anchor = [named.get(c, "") for c in range(int(game._start["columns"][0]))], -1
        else:
            stacks = _stacks_of(columns) if isinstance(columns, str) else [str(stack) for stack in columns]
        board = self._board_of(game, stacks, anchor)
        names = [name.lower() for name in self.players[: game.num_players]]
        side = to_move + 1 if isinstance(to_move, int) else 1 + _index(str(to_move).lower(), names)
        if not 1 <= side <= game.num_players:
            raise ValueError(f"to_move={to_move!r}: one of {', '.join(names)}")
        blocks = int(np.count_nonzero(board))
        ranks = _fours(game, board) if game.options["claim"] else ()
        return self._lay(game, board, [], side, blocks if ply is None else ply, ranks, (0, -1, 0, 0, 0, 0, 0, 0))

    def _board_of(self, game: Game, stacks: Sequence[str], anchor: int) -> np.ndarray:
        """int8 by row and column; ``anchor``: which stack lies on the first block's column, -1: the stacks fill the frame."""
        s = game._start[0]
        columns, rows, n = int(s["columns"]), int(s["ceiling"]), game.num_players
        left = columns // 2 - anchor if s["open_sides"] and anchor >= 0 else 0
        if not s["open_sides"] and len(stacks) not in (0, columns):
            raise ValueError(f"{len(stacks)} columns are given, the board has {columns}")
        board = np.zeros((rows, columns), np.int8)
        for c, stack in enumerate(stacks, left):
            if not set(stack) <= set(LETTERS[1 : n + 1]):
                raise ValueError(f"column {stack!r}: only {', '.join(LETTERS[1 : n + 1])} may stand there")
            if stack and not 0 <= c < columns:
                raise ValueError(f"column {stack!r} is off the frame of {columns} columns around the first block")
            if len(stack) > rows:
                raise ValueError(f"column {stack!r} is higher than {rows}")
            for r, letter in enumerate(stack):
                board[r, c] = LETTERS.index(letter)
        if s["open_sides"] and board.any() and not board[0, columns // 2]:
            raise ValueError("there is no block on the column from which columns are counted: give another anchor")
        return board

    def _lay(
        self, game: Game, board: np.ndarray, tail: Sequence[int], side: int, ply: int, ranks: Iterable[int], facts: Any
    ) -> State:
        if not len(tail) <= ply <= game.options["plies"] + 4:
            raise ValueError(f"ply {ply}: from {len(tail)} (the blocks in order) to plies={game.options['plies']}")
        state = game.start()
        ranked = np.array([*ranks] or [0] * game.num_players, np.int64)
        both = _setup(
            state.record, 0, board, np.array(tail, np.int64), side, ply, ranked, np.array(facts, np.int64)
        )  # fmt: skip
        if both:
            raise ValueError(f"several players hold a row of {game.options['row']}: such a position cannot be judged")
        state.rebase()
        return state

    # ---- pictures ----

    def board(self, state: State) -> np.ndarray:
        """int8 by row and column of the board (or of the whole frame): 0 empty, else the player from 1."""
        out = np.zeros((int(state.record["ceiling"][0]), int(state.record["columns"][0])), np.int8)
        _board(state.record, 0, out)
        return out

    def window(self, state: State) -> tuple[int, int, int]:
        """(first column shown, columns shown, rows shown): a board whole; of an open floor or top what may matter."""
        s = state.record[0]
        tower = int(s["heights"].max())
        rows = int(s["ceiling"]) if not s["open_top"] else min(int(s["ceiling"]), tower + ROWS_ABOVE)
        if not s["open_sides"]:
            return 0, int(s["columns"]), rows
        first, last = int(s["first"]), int(s["first"] + s["n_columns"]) - 1
        reach, columns = int(s["reach"]), int(s["columns"])
        if s["hi"] < s["lo"]:
            first, last = max(0, first - reach), min(columns - 1, last + reach)
        return first, last - first + 1, rows

    def cell_of_action(self, state: State, action: int) -> int | None:
        """Where the block of an action comes to lie; None for other actions and full columns."""
        s = state.record[0]
        first, width, rows = self.window(state)
        if not 0 <= action < s["drops"]:
            return None
        column = action % int(s["columns"])
        row = int(s["heights"][column])
        return row * width + column - first if 0 <= column - first < width and row < rows else None

    def scene(self, state: State) -> Scene:
        game, s = state.game, state.record[0]
        first, width, rows = self.window(state)
        board = self.board(state)[:rows, first : first + width]
        last, barred = int(s["last"]), int(s["barred"])
        return Scene(
            width=width,
            height=rows,
            cells=tuple(PIECES[v] for v in board.ravel()),
            style="squares",
            column_labels=tuple(self._column_text(game, c) for c in range(first, first + width)),
            row_labels=tuple(str(r + 1) for r in range(rows)),
            last=((int(s["heights"][last]) - 1) * width + last - first,) if last >= 0 else (),
            forbidden=(int(s["heights"][barred]) * width + barred - first,) if barred >= 0 else (),
            winning=self._winning(state, board),
            title=game.title,
            captions=self._captions(state),
        )

    def _captions(self, state: State) -> tuple[str, ...]:
        s, names = state.record[0], self.players
        mover = names[s["mover"] - 1]
        out = [names[i] for i in range(s["players"]) if s["dropped"] >> i & 1]
        more = (f"out: {', '.join(out)}",) if out and s["players"] > 2 else ()
        if state.is_over:
            winner = f"{names[s['winner'] - 1]} wins" if s["winner"] else "draw"
            return (f"{winner}: {state.reason}", *more)
        if s["stage"] == R.BEATEN_ASKED:
            return (f"{names[2 - s['mover']]} has a row: {mover} may ask for a takeback or accept",)
        if s["stage"] == R.WINNER_ASKED:
            return (f"{mover} is asked for a takeback: grant or refuse",)
        return (f"{mover} to play, move {s['ply'] + 1}", *more)

    def _winning(self, state: State, board: np.ndarray) -> tuple[int, ...]:
        """Cells of the scene in rows of the one who won by a row, or waits for the answer about a takeback."""
        s = state.record[0]
        asked = s["stage"] != R.PLAY
        if not (asked or s["result"] & R.ROW):
            return ()
        if asked:
            owners = {3 - int(s["mover"]) if s["stage"] == R.BEATEN_ASKED else int(s["mover"])}
        elif s["result"] & (R.CLAIMED | R.RETAKEN) == R.CLAIMED and s["winner"]:
            owners = {int(s["winner"])}
        else:
            owners = set(range(1, s["players"] + 1))
        found = row_cells(board, int(s["row"]), bool(s["cylinder"]))
        return tuple(sorted(r * board.shape[1] + c for who, r, c in found if who in owners))


def row_cells(board: np.ndarray, row: int, cylinder: bool = False) -> set[tuple[int, int, int]]:
    """(player, row, column) of every block of a board (int8, row by column) that stands in a winning row.

    >>> board = np.array([[1, 1, 1, 1, 2]], np.int8)
    >>> sorted(row_cells(board, 4))
    [(1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0, 3)]
    """
    rows, columns = board.shape
    found: set[tuple[int, int, int]] = set()
    for r, c in zip(*np.nonzero(board)):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            line = [(int(r) + d * dr, int(c) + d * dc) for d in range(row)]
            if cylinder:
                line = [(y, x % columns) for y, x in line]
            inside = all(0 <= y < rows and 0 <= x < columns for y, x in line)
            if inside and len({int(board[y, x]) for y, x in line}) == 1:
                found |= {(int(board[r, c]), y, x) for y, x in line}
    return found


def _can_drop_out(game: Game) -> bool:
    return game.num_players > 2 and (game.options["resign"] or game.options["false_claim"] == "loses")


def _field_names(game: Game) -> list[str]:
    s = game._start[0]
    names = ["anchor"] * bool(s["open_sides"]) + ["columns", "side", "ply", "last"]
    if not s["plain"]:
        names += ["claims"] * bool(s["claim"]) + ["takebacks"] * bool(s["takeback"]) + ["out"] * _can_drop_out(game)
        names.append("end")
    return names


def _stacks_text(stacks: Sequence[str]) -> str:
    words: list[str] = []
    for stack in stacks:
        if stack:
            words.append(stack)
        elif words and words[-1].isdigit():
            words[-1] = str(int(words[-1]) + 1)
        else:
            words.append("1")
    return "/".join(words) or "-"


def _stacks_of(text: str) -> list[str]:
    stacks: list[str] = []
    for word in text.split("/") if text not in ("-", "") else []:
        if word.isdigit() and int(word) <= R.MAX_COLUMNS:
            stacks += [""] * int(word)
        elif word.isalpha():
            stacks.append(word)
        else:
            raise ValueError(f"columns {text!r}: letters, or a number for so many empty columns, not {word!r}")
    return stacks


def _index(text: str, names: Sequence[str]) -> int:
    """Which name a text means, by the name or its first letter; -1 if none."""
    return next((i for i, name in enumerate(names) if text in (name, name[0])), -1)


def _letters(game: Game, name: str, text: str) -> str:
    letters = LETTERS[1 : game.num_players + 1]
    if text == "-":
        return ""
    if not set(text) <= set(letters) or len(set(text)) != len(text):
        raise ValueError(f"{name} {text!r}: letters out of {letters}, or -")
    return text


def _claims_of(game: Game, text: str | None) -> tuple[list[int], int]:
    """(order of the fours by player, claimed in vain this turn)."""
    n = game.num_players
    if text is None:
        return [0] * n, 0
    words = text.removesuffix("!").split("-")
    ranks = [int(word) if word.isdigit() else -1 for word in words]
    given = sorted(x for x in ranks if x)
    if len(ranks) != n or given != list(range(1, len(given) + 1)):
        raise ValueError(
            f"claims {text!r}: {n} numbers such as {'-'.join('0' * n)}, 1 for the owner of the oldest four"
        )
    return ranks, int(text.endswith("!"))


def _end_of(game: Game, text: str) -> tuple[int, int]:
    """(winner from 1 or 0, result)."""
    if text == "-":
        return 0, 0
    code, _, letter = text.partition("=")
    if not code.isdigit() or not 0 < int(code) < 256 or letter not in ("-", *LETTERS[1 : game.num_players + 1]):
        raise ValueError(
            f"end {text!r}: a number of result bits, =, the winner's letter or -; or - if the game goes on"
        )
    return 0 if letter == "-" else LETTERS.index(letter), int(code)


def _fours(game: Game, board: np.ndarray) -> list[int]:
    """A set-up position does not tell whose four is older: the players in turn order are taken to have been first."""
    owners = sorted({who for who, _, _ in row_cells(board, game.options["row"], game.options["cylinder"])})
    return [owners.index(i + 1) + 1 if i + 1 in owners else 0 for i in range(game.num_players)]
