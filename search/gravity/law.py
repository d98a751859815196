"""From block stacking to the solver: which games it can solve, and a state's stones as bitboards."""

from __future__ import annotations

from narabe.envs.game import Game, State
from narabe.envs.rules import stacking
from narabe.search.gravity.board import Board, BoardError, Position


def board_of(game: Game) -> Board:
    """The board of a game; `BoardError` says why a game cannot be solved.

    >>> from narabe.envs import game
    >>> board_of(game("connect_four"))
    Board(width=7, height=6, cylinder=False)
    """
    if game.law is not stacking:
        raise BoardError(f"{game.spec} cannot be solved: only block stacking such as connect_four can")
    options = game.options
    why = [
        (not options["width"] or not options["height"], "it has no walls or no ceiling (options width and height)"),
        (options["row"] != 4, f"row is {options['row']}, not 4"),
        (options["players"] != 2, f"it has {options['players']} players, not 2"),
        (options["claim"], "a four must be claimed (option claim)"),
        (options["resign"] or options["takeback"], "players may resign or ask for a takeback"),
    ]
    for applies, words in why:
        if applies:
            raise BoardError(f"{game.spec} cannot be solved: {words}")
    try:
        return Board(options["width"] * options["boards"], options["height"], options["cylinder"])
    except BoardError as error:
        raise BoardError(f"{game.spec} cannot be solved: {error}") from None


def position_of_state(state: State) -> Position:
    """The stones of a position that is not over; `BoardError` where the limit of plies would end the game early."""
    if state.is_over:
        raise BoardError("the game is over, so there is nothing to solve")
    board = board_of(state.game)
    cells = state.game.face.board(state)
    own = taken = 0
    for row in range(board.height):
        for column in range(board.width):
            owner = int(cells[row, column])
            bit = 1 << (column * (board.height + 1) + row)
            taken |= bit if owner else 0
            own |= bit if owner == state.to_play + 1 else 0
    position = Position(own, taken)
    if state.ply + board.cells - position.plies > state.game.options["plies"]:
        raise BoardError(f"{state.game.spec} cannot be solved from here: the game may end at its limit of plies first")
    return position
