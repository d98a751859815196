"""What a person at the table may type besides moves."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from narabe.agents import AgentError, make
from narabe.agents.human import NoMove
from narabe.envs import IllegalMove, State
from narabe.experiments.thinking import best_moves, describe, think

if TYPE_CHECKING:
    from narabe.experiments.play import Table

MIN_CLOSE = 0.7  # likeness from which a word is taken for a misspelt command


def run(table: Table, line: str) -> bool:
    """Do what a line asks for, if it is a command; or say what is wrong with it; False if it is a move.

    Raises `NoMove` where the command ends the turn, and `EOFError` where the person leaves.
    """
    word, _, rest = line.strip().partition(" ")
    word = {"?": "help", "exit": "quit"}.get(word.lower(), word.lower())
    if word in COMMANDS and table.state.why_illegal(line) is not None:  # a game's own word, such as resign, is a move
        COMMANDS[word](table, rest.strip())
        return True
    why = table.state.why_illegal(line)
    if why is None:
        return False
    close = difflib.get_close_matches(word, COMMANDS, 1, MIN_CLOSE)
    if close:
        table.say(f"{word}? Did you mean {close[0]}?", "yellow")
        return True
    table.say(why, "yellow")
    if not any(character.isdigit() for character in line):  # hardly meant as a move
        table.say("`help` lists the commands.", "yellow")
    return True


def help_(table: Table, _: str) -> None:
    """this list"""
    game = table.game
    action = int(table.state.legal_actions()[-1])
    table.say(f"Type a move, such as {game.text_of(action)}, or one of these:")
    for name, command in COMMANDS.items():
        table.say(f"  {name + ARGUMENTS.get(name, ''):<10} {command.__doc__}")
    table.say(f"Rules of {game.name}: narabe games {game.address}. Ctrl-C leaves, as quit does; nothing is lost.")


def board(table: Table, _: str) -> None:
    """draw the board again"""
    table.show_board()


def undo(table: Table, _: str) -> None:
    """take back your last move and the answers to it"""
    state = table.state
    earlier = state.copy()
    try:
        earlier.undo()
        while earlier.to_play != state.to_play:
            earlier.undo()
    except IllegalMove:
        table.say("You have no move to take back.", "yellow")
        return
    _change(table, earlier)


def hint(table: Table, _: str) -> None:
    """ask an agent what it would play"""
    seat = table.state.to_play
    try:
        agent, first = table.adviser or make(table.hint_spec, table.game), table.adviser is None
    except AgentError as error:
        table.say(f"No hint: {error} (choose another agent with --hint)", "yellow")
        return
    table.adviser = agent
    agent.new_game(seat, table.seeds[seat])
    view = table.view(seat)
    for action in view.seen:
        agent.tell(action)
    analysis, seconds = think(agent, view, table.console, agent.spec, first)
    move = table.game.text_of(analysis.action)
    table.say(f"{agent.spec} would play {move}: {describe(table.game, seat, analysis, seconds)}", "magenta")
    for line in best_moves(table.game, analysis):
        table.say(line)


def position(table: Table, _: str) -> None:
    """show the position and the moves as text"""
    table.tell_position()


def save(table: Table, name: str) -> None:
    """write the game with its moves to a file"""
    if not name:
        table.say("Give the file a name: save NAME", "yellow")
        return
    path = Path(name).expanduser()
    if path.exists() and not _is_saved_game(path):
        table.say(f"{path} exists and is no saved game: choose another name.", "yellow")
        return
    try:
        path.write_bytes(table.state.to_bytes())
    except OSError as error:
        table.say(f"Not saved: {error}", "yellow")
        return
    hidden = " It holds what is hidden from you, too." if table.blind else ""
    table.say(f"Saved. `load {name}` brings this game back.{hidden}")


def load(table: Table, name: str) -> None:
    """go on with a saved game"""
    if not name:
        table.say("Which file? load NAME", "yellow")
        return
    try:
        state = table.game.from_bytes(Path(name).expanduser().read_bytes())
    except (OSError, ValueError) as error:
        table.say(f"Not loaded: {error}", "yellow")
        return
    _change(table, state)


def resign(table: Table, _: str) -> None:
    """give the game up"""
    table.resigned = table.state.to_play
    raise NoMove


def quit_(table: Table, _: str) -> None:
    """leave; what is needed to go on is printed"""
    raise EOFError


def _change(table: Table, state: State) -> None:
    """Go on from another position."""
    table.state = state
    table.start_agents()
    raise NoMove


def _is_saved_game(path: Path) -> bool:
    try:
        State.from_bytes(path.read_bytes())
    except (OSError, ValueError):
        return False
    return True


COMMANDS: dict[str, Callable[[Table, str], None]] = {
    "help": help_,
    "undo": undo,
    "hint": hint,
    "board": board,
    "position": position,
    "save": save,
    "load": load,
    "resign": resign,
    "quit": quit_,
}
ARGUMENTS = {"save": " FILE", "load": " FILE"}
