"""Tables of what there is: games with their options, agents with theirs."""

from __future__ import annotations

import dataclasses
import inspect
import os
import typing
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from narabe import envs
from narabe.envs.faces.face import Option
from narabe.envs.registration import id_of
from narabe.envs.variants import Entry, entry
from narabe.experiments.args import AgentsArgs, GamesArgs, UsageError

PLAIN_WIDTH = 120
"""Columns of the tables where output goes to a file or another program."""


def run(args: GamesArgs, console: Console | None = None) -> int:
    """List all games, or show one in full. Raises `UsageError` for a game or an option that does not exist."""
    console = console or _console()
    if args.name is None:
        console.print(games_table())
        console.print("All options of one: [bold]narabe games omok[/]. Play: [bold]narabe play --game omok[/].")
        return 0
    try:
        game = envs.game(args.name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    found = entry(game.name)
    facts = (
        f"Players: {', '.join(game.players)}",
        f"actions: {game.num_actions}",
        f"Gymnasium: {id_of(found.variant)}",
    )
    console.print(f"[bold]{escape(game.name)}[/]: {escape(found.variant.about)}", highlight=False)
    console.print(escape("; ".join(facts)), highlight=False)
    console.print(options_table(found, game.options))
    console.print("[bold]*[/] set by the variant, [bold]+[/] set by you. Change them as in:", highlight=False)
    for line in _examples(found):
        console.print(f"  {escape(line)}", highlight=False, soft_wrap=True)
    return 0


def run_agents(args: AgentsArgs, console: Console | None = None) -> int:
    """List all agents, or show one in full. Raises `UsageError` for an agent that does not exist."""
    from narabe.agents import AgentError, specs

    console = console or _console()
    if args.name is None:
        console.print(agents_table())
        console.print(
            "Options follow the name: [bold]uct:sims=800,temperature=0.5[/]. One in full: [bold]narabe agents uct[/]."
        )
        return 0
    name = args.name.partition(":")[0]
    try:
        agent = specs.load(name)
    except AgentError as error:
        raise UsageError(str(error)) from error
    console.print(f"[bold]{escape(name)}[/]: {escape(_doc(agent) or 'no description')}", highlight=False)
    options = specs.options(agent)
    if options:
        console.print(agent_options_table(agent, options))
        spec, game = _example(name, options), _game_for(name)
        console.print(f"For example: narabe play --game {game} --against {escape(spec)}", highlight=False)
    else:
        console.print("It takes no options.")
    return 0


# ---- games ----


def games_table() -> Table:
    """All games: name, board, about, and the options that the variant sets."""
    table = Table(box=SIMPLE_HEAD)
    for title in ("game", "board", "about", "options that differ"):
        table.add_column(title, no_wrap=title in ("game", "board"))
    for found in envs.entries():
        options = found.face.complete(found.variant.options, {})
        changed = {name: value for name, value in _changed(found).items() if name not in ("width", "height")}
        words = ", ".join(f"{name}={_text(value)}" for name, value in changed.items())
        table.add_row(*map(escape, (found.variant.name, _board(options), found.variant.about, words or "-")))
    return table


def options_table(found: Entry, options: dict[str, Any]) -> Table:
    """All options of a game: value (marked if the variant or the user set it), the family's default, allowed, about."""
    table = Table(box=SIMPLE_HEAD)
    for title in ("option", "value", "default", "allowed", "about"):
        table.add_column(title, no_wrap=title in ("option", "value", "default"))
    own = found.face.complete(found.variant.options, {})
    for option in found.face.options:
        value = options[option.name]
        mark = "+" if value != own[option.name] else "*" if value != option.default else " "
        cells = (option.name, f"{_text(value)} {mark}", _text(option.default), option.values, option.about)
        table.add_row(*map(escape, cells), style="bold" if mark.strip() else None)
    return table


def _changed(found: Entry) -> dict[str, Any]:
    """The options in which a variant differs from its family."""
    options = found.face.complete(found.variant.options, {})
    return {o.name: options[o.name] for o in found.face.options if options[o.name] != o.default}


def _board(options: dict[str, Any]) -> str:
    """Columns x rows; a side of 0 is one without a bound."""
    if not {"width", "height"} <= options.keys():
        return "-"
    width, height = options["width"], options["height"]
    if width and height:
        return f"{width}x{height}"
    if width:
        return f"{width} wide"
    return f"no walls, {height} high" if height else "no walls"


def _examples(found: Entry) -> list[str]:
    """How to change an option, on the command line and in Python: a size and a switch, if the game takes them."""
    own = found.face.complete(found.variant.options, {})
    changes: dict[str, Any] = {}
    sides = [{side: n} for side in ("size", "width") for n in (9, 11, 13)]
    switches = [{o.name: not own[o.name]} for o in found.face.options if isinstance(o.default, bool)]
    others = [{o.name: value} for o in found.face.options for value in _others(o, own[o.name])]
    for candidates in (sides if {"width", "height"} <= own.keys() else [], switches):
        changes |= next((c for c in candidates if _changes_something(found, own, changes, c)), {})
    if not changes:
        changes = next((c for c in others if _changes_something(found, own, {}, c)), {})
    name = found.address
    command = " ".join(f"{key}={_text(value)}" for key, value in changes.items())
    python = "".join(f", {key}={value!r}" for key, value in changes.items())
    return [
        f"narabe play --game {name}" + (f" --option {command}" if changes else ""),
        f'narabe.envs.game("{name}"{python})',
    ]


def _others(option: Option, value: Any) -> list[Any]:
    """Values of an option next to the one it has."""
    if option.choices:
        return [choice for choice in option.choices if choice != value]
    return [not value] if isinstance(option.default, bool) else [value + 1, value - 1]


def _changes_something(found: Entry, own: dict[str, Any], changes: dict[str, Any], more: dict[str, Any]) -> bool:
    """Can the game be made with these changes, and do the further ones differ from what it would have been?"""
    try:
        before = envs.game(found.variant.name, **changes).options if changes else own
        return envs.game(found.variant.name, **changes, **more).options != before
    except ValueError:
        return False


# ---- agents ----


def agents_table() -> Table:
    """All agents: name, the first line about it, and its options with their defaults."""
    from narabe.agents import specs

    table = Table(box=SIMPLE_HEAD)
    for title in ("agent", "about", "options"):
        table.add_column(title, no_wrap=title == "agent")
    for name in specs.known():
        try:
            agent = specs.load(name)
            about = _doc(agent).partition("\n")[0]
            words = " ".join(f"{key}={_default(field)}" for key, field in specs.options(agent).items())
        except Exception as error:  # noqa: BLE001 - another package's agent may fail in any way when it is imported
            about, words = f"cannot be loaded: {error}", ""
        table.add_row(*map(escape, (name, about, words or "-")))
    return table


def agent_options_table(agent: type[Any], options: dict[str, dataclasses.Field[Any]]) -> Table:
    """An agent's options: name, type, default."""
    table = Table(box=SIMPLE_HEAD)
    for title in ("option", "type", "default"):
        table.add_column(title)
    hints = typing.get_type_hints(agent)
    for name, field in options.items():
        kind = hints[name]
        table.add_row(
            *map(
                escape,
                (name, getattr(kind, "__name__", str(kind)) if isinstance(kind, type) else str(kind), _default(field)),
            )
        )
    return table


def _example(name: str, options: dict[str, dataclasses.Field[Any]]) -> str:
    """A spec that sets one option: to its default, or to 100 where that is none."""
    option, field = next(iter(options.items()))
    value = _default(field)
    return f"{name}:{option}={100 if value == 'None' else value}"


def _game_for(name: str) -> str:
    """The first game that the agent plays."""
    from narabe.agents import AgentError, make

    for found in envs.entries():
        try:
            make(name, envs.game(found.variant.name)).close()
        except AgentError:
            continue
        return found.variant.name
    return envs.entries()[0].variant.name


def _doc(agent: type[Any]) -> str:
    """The description of an agent; the signature that dataclasses write in place of a missing one does not count."""
    text = inspect.cleandoc(agent.__doc__ or "").replace("``", "`")
    return "" if text.startswith(f"{agent.__name__}(") else text


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return _text(field.default)
    return "..." if field.default_factory is dataclasses.MISSING else _text(field.default_factory())


def _text(value: object) -> str:
    """A value as it is typed on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _console() -> Console:
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    return console
