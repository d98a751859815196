"""Random Gomocku in which much is turned over: for comparing the law with the oracle, and for properties of the law."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from narabe.envs import Game, State, game
from narabe.envs.rules import calls, core
from narabe.tests.laws.gomocku_twin import Twin, set_up, text_of
from narabe.tests.oracles import gomocku as oracle
from narabe.tests.oracles.gomocku import COLOURED, RED, Cell, Position

# option sets whose games are short and rich in flips
OPTIONS: dict[str, dict[str, Any]] = {
    "as in the source": {"size": 7},
    "small set": {"size": 5, "stones": 3, "chance": 4, "coloured": 3},
    "chance almost from the start": {"size": 6, "stones": 2, "chance": 12, "coloured": 9},
    "all backs coloured": {"size": 7, "stones": 4, "chance": 16, "coloured": 20},
    "all backs red": {"size": 6, "stones": 2, "chance": 8, "coloured": 0},
    "bans on Black": {"width": 8, "height": 6, "bans": "black", "stones": 6, "chance": 12, "coloured": 14},
    "all bans in phase 2": {"size": 9, "phase2_bans": "all", "stones": 5, "chance": 15, "coloured": 15},
    "must flip": {"size": 7, "must_flip": True, "stones": 5, "chance": 12, "coloured": 12},
    "fouls restore all": {"size": 7, "foul_restores": "all", "stones": 5, "chance": 15, "coloured": 18},
    "every option": {
        "width": 6, "height": 9, "bans": "black", "phase2_bans": "all", "must_flip": True, "foul_restores": "all",
        "stones": 5, "chance": 15, "coloured": 16,
    },
    "rectangle": {"width": 20, "height": 5, "stones": 10, "chance": 10, "coloured": 12},
}  # fmt: skip


def naive_options(made: Game) -> oracle.Options:
    """The oracle's options of a game."""
    return oracle.Options(**{name: value for name, value in made.options.items() if name != "deal"})


def able_at(naive: Position, cell: Cell) -> int:
    """How many pieces a piece on this cell would sandwich one by one."""
    return len(replace(naive.with_piece(cell), placed=cell).flippable()) if naive.second_phase else 0


def likely_cell(naive: Position, rng: random.Random) -> Cell:
    """A random legal cell, most often one of those that sandwich the most."""
    legal = naive.legal_points()
    rng.shuffle(legal)
    return max(legal, key=lambda cell: able_at(naive, cell)) if rng.random() < 0.7 else legal[0]


def likely_flips(naive: Position, rng: random.Random) -> frozenset[str]:
    """A random choice of flips, most often all."""
    sets = naive.flip_sets()
    return max(sets, key=len) if rng.random() < 0.6 else rng.choice(sets)


def likely_backs(naive: Position, directions: frozenset[str], rng: random.Random) -> list[str]:
    """Backs by their odds."""
    odds = naive.odds(directions)
    return list(rng.choices(list(odds), [float(p) for p in odds.values()])[0])


def play_turn(twin: Twin, rng: random.Random, tally: Counter, first: Sequence[Cell] = ()) -> None:
    """One whole turn, in law and oracle, noted in the tally; on one of the cells ``first`` where that is legal."""
    if twin.naive.must_pass:
        tally["pass"] += 1
        twin.pass_piece()
        return
    before = twin.naive
    liked = [cell for cell in first if not before.faults(cell)]
    twin.place(liked[0] if liked else likely_cell(before, rng))
    if twin.naive.placed is not None:
        asked = twin.naive
        chosen = likely_flips(asked, rng)
        tally["known back"] += len(asked.unknown(chosen)) < len(chosen)
        if twin.state.record["dealt"][0]:
            twin.flip_as_dealt(text_of(chosen))
        else:
            twin.flip(text_of(chosen), "".join(back[0] for back in likely_backs(asked, chosen, rng)))
        note(asked, twin.naive, chosen, tally)
    enemy = oracle.other(before.mover)
    now = {cell for cell in twin.naive.board if twin.naive.shown(cell) == enemy}
    assert now <= {cell for cell in before.board if before.shown(cell) == enemy}, "a flip gave the opponent something"
    tally[twin.reason or "goes on"] += 1


def note(asked: Position, after: Position, chosen: frozenset[str], tally: Counter) -> None:
    """What became of a choice of flips."""
    tally[f"flips: {after.last}"] += 1
    tally[f"{len(chosen)} chosen"] += 1
    if after.last == "foul":
        tally["foul, some stand" if len(after.put_back) < len(chosen) else "foul, all put back"] += 1


def compare_game(options: dict[str, Any], seed: int, tally: Counter) -> Twin:
    """A random game from the start, law and oracle side by side."""
    rng, twin = random.Random(f"{options} {seed}"), Twin.start(seed, **options)
    while not twin.state.is_over:
        play_turn(twin, rng, tally)
    return twin


def fits(board: dict[Cell, oracle.Piece], piece: oracle.Piece, options: oracle.Options) -> bool:
    """Has the owner another piece, and another back of this kind?"""
    own = [other for other in board.values() if other.owner == piece.owner]
    room = {COLOURED: options.coloured, RED: options.pieces - options.coloured, None: options.pieces}[piece.back]
    return len(own) < options.pieces - 1 and sum(other.back == piece.back for other in own) < room


def scatter(options: oracle.Options, rng: random.Random) -> tuple[Position, list[Cell]]:
    """A position of phase 2 with pieces of every kind at random, and no cell to try first."""
    signs, board = "BWBWBWbwRrCcDd" if rng.random() < 0.5 else "BBBWbBW", {}
    cells, density = Position(options).cells(), rng.uniform(0.2, 0.9)
    for cell in rng.sample(cells, len(cells)):
        piece = oracle.SIGNS[rng.choice(signs)]
        if rng.random() < density and fits(board, piece, options):
            board[cell] = piece
    return Position(options, board, rng.randrange(2 * options.stones, 2 * options.pieces)), []


def star(options: oracle.Options, rng: random.Random) -> tuple[Position, list[Cell]]:
    """A position of phase 2 in which a free cell sandwiches pieces in front of rows of the mover, and that cell.

    Rows of four and five lengths arise on both sides of the cell, so fives, long rows and both at once are frequent.
    """
    ply = rng.randrange(2 * options.stones, 2 * options.pieces)
    position = Position(options, ply=ply)
    mover = position.mover
    own = "Bcdb" if mover == oracle.BLACK else "WCDw"
    sandwiched = "WWWCD" if mover == oracle.BLACK else "BBBcd"
    centre, board = rng.choice(position.cells()), {}
    for direction in rng.sample(list(oracle.STEPS), 8):
        kind = rng.random()
        row = rng.choices((own[0], rng.choice(own)), (4, 1), k=rng.randint(1, 4))
        if kind < 0.6:
            row = [rng.choice(sandwiched), *row]
        elif kind < 0.8:
            row = row[: rng.randint(0, 2)]
        for distance, letter in enumerate(row, start=1):
            cell, piece = position.toward(centre, direction, distance), oracle.SIGNS[letter]
            if position.on_board(cell) and fits(board, piece, options):
                board[cell] = piece
    for cell in rng.sample(position.cells(), rng.randint(0, 6)):
        piece = oracle.SIGNS[rng.choice("BWRrbw")]
        if cell != centre and cell not in board and fits(board, piece, options):
            board[cell] = piece
    return Position(options, board, ply), [centre]


def bush(options: oracle.Options, rng: random.Random) -> tuple[Position, list[Cell]]:
    """A position of either phase with a free cell on whose lines threes, fours and long rows of the mover live."""
    ply = rng.choice((0, 1, *range(2 * options.stones, 2 * options.pieces)))
    position = Position(options, ply=ply)
    own, enemy = ("B", "W") if position.mover == oracle.BLACK else ("W", "B")
    turned = {"B": "b", "W": "w"}[own] if position.second_phase else own
    inner = [cell for cell in position.cells() if position.on_board(position.toward(cell, "NE", 2))]
    centre, board = rng.choice([cell for cell in inner if position.on_board(position.toward(cell, "SW", 2))]), {}
    for direction in rng.sample(list(oracle.FOUR_LINES), rng.choice((1, 2, 2, 2))):
        for distance in rng.sample((-4, -3, -2, -2, -1, -1, 1, 1, 2, 2, 3, 4), rng.randint(3, 6)):
            cell, letter = position.toward(centre, direction, distance), rng.choice((own, own, own, turned))
            if position.on_board(cell) and fits(board, oracle.SIGNS[letter], options):
                board[cell] = oracle.SIGNS[letter]
        end = position.toward(centre, direction, rng.choice((-4, -3, 3, 4)))
        if rng.random() < 0.3 and position.on_board(end):
            board[end] = oracle.SIGNS[enemy]
    return Position(options, board, ply), [centre]


def compare_set_up(options: dict[str, Any], seed: int, tally: Counter, turns: int = 2) -> None:
    """A few turns from a random set-up position, law and oracle side by side, with the reasons of a few cells."""
    rng, made = random.Random(f"set-up {options} {seed}"), game("gomocku", **options)
    naive, first = rng.choice((star, star, bush, bush, scatter))(naive_options(made), rng)
    last_mover = oracle.other(naive.mover)
    if any(naive.shown(cell) == last_mover and naive.makes_five(cell) for cell in naive.board):
        return  # taken for a won game
    twin = Twin(set_up(made, naive), naive)
    for cell in {*first, *rng.sample(naive.cells(), 6)}:
        for fault in twin.check_fault(cell):
            tally[f"fault: {fault}"] += 1
    while not twin.state.is_over and twin.naive.ply < naive.ply + turns:
        play_turn(twin, rng, tally, first)
        first = []


def check_undo(state: State, action: int) -> None:
    """Play an action; undoing it restores every field, and the key is what it is from scratch."""
    before, key = state.record.copy(), state.key
    state.play(action)
    assert state.key == int(calls.key_from_scratch(state.record, 0))
    state.undo()
    assert not core.differences(state.record, before) and state.key == key
    state.play(action)
