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
        console.print(f"For example: narabe play --against {escape(_example(name, options))}", highlight=False)
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
    return f"{options['width']}x{options['height']}" if {"width", "height"} <= options.keys() else "-"


def _examples(found: Entry) -> list[str]:
    """How to change an option, on the command line and in Python."""
    options = found.face.complete(found.variant.options, {})
    sized = {"width", "height"} <= options.keys()
    option = next((o for o in found.face.options if isinstance(o.default, bool)), None)
    changes = [("size", 9)] if sized else []
    if option is not None:
        changes.append((option.name, not options[option.name]))
    name = found.variant.name
    command = " ".join(f"{key}={_text(value)}" for key, value in changes)
    python = "".join(f", {key}={value}" for key, value in changes)
    return [
        f"narabe play --game {name}" + (f" --option {command}" if changes else ""),
        f'narabe.envs.game("{name}"{python})',
    ]


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
