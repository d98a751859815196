"""Spec strings: `name`, or `name:option=value,option=value`.

An agent's options are the dataclass fields of its class (those besides the game). Other packages add agents by the
entry point group ``narabe.agents``; a dotted name such as ``mypackage.bots.Clever`` names a class directly.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import importlib.metadata
import types
import typing
from typing import Any

from narabe.agents.agent import Agent
from narabe.envs.game import Game

OWN = {
    "random": "narabe.agents.simple:RandomAgent",
    "greedy": "narabe.agents.simple:GreedyAgent",
    "uct": "narabe.agents.searching:UctAgent",
    "ismcts": "narabe.agents.ismcts:IsmctsAgent",
    "expectimax": "narabe.agents.expecting:ExpectimaxAgent",
    "solver": "narabe.agents.solving:SolverAgent",
    "alphabeta": "narabe.agents.alphabeta:AlphaBetaAgent",
    "two_phases": "narabe.agents.two_phases:TwoPhasesAgent",
    "goita_rules": "narabe.agents.goita_rules:GoitaRulesAgent",
    "pimc": "narabe.agents.pimc:PimcAgent",
    "net": "narabe.agents.neural:NetAgent",
    "human": "narabe.agents.human:HumanAgent",
}
GROUP = "narabe.agents"


class AgentError(ValueError):
    """A spec string that names no agent, or an option that the agent does not take."""


@functools.cache
def known() -> dict[str, str]:
    """Name and ``module:Class`` of every agent, our own and those of installed packages."""
    found = {point.name: point.value for point in importlib.metadata.entry_points(group=GROUP)}
    return found | OWN


def load(name: str) -> type[Agent]:
    """The class behind a name; `AgentError` lists what exists, or says why a class cannot be had."""
    path = known().get(name)
    if path is None and "." in name:
        path = ":".join(name.rpartition(".")[::2])
    if path is None:
        close = difflib.get_close_matches(name, known(), 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise AgentError(f"no agent named {name!r}.{hint} Agents: {', '.join(sorted(known()))}")
    module, _, attribute = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise AgentError(f"no agent {name!r}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise AgentError(f"no agent {name!r}: {attribute} of {module} is no subclass of narabe.agents.Agent")
    return found


def options(agent: type[Agent]) -> dict[str, dataclasses.Field[Any]]:
    """The options that an agent's class takes, by name."""
    fields = dataclasses.fields(agent)
    return {f.name: f for f in fields if f.init and f.name not in ("game", "spec")}


def make(spec: str, game: Game) -> Agent:
    """The agent that a spec string names, for a game.

    >>> from narabe.envs import game
    >>> make("uct:sims=50", game("gomoku", size=9)).sims
    50
    """
    if not isinstance(game, Game):
        raise TypeError(f"make takes a Game, such as narabe.envs.game({game!r})")
    name, given = parse(spec)
    agent = load(name)
    allowed = options(agent)
    hints = typing.get_type_hints(agent)
    values = {}
    for key, text in given.items():
        if key not in allowed:
            close = difflib.get_close_matches(key, allowed, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise AgentError(f"{name} has no option {key!r}.{hint} Options of {name}: {', '.join(allowed) or 'none'}")
        values[key] = _value(f"{name}:{key}", text, hints[key])
    try:
        return agent(game, spec=spec, **values)
    except (ValueError, TypeError) as error:
        raise AgentError(f"{spec}: {error}") from error


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """(name, options as texts) of a spec string; `AgentError` shows the form where it is malformed."""
    name, colon, tail = spec.strip().partition(":")
    given: dict[str, str] = {}
    for part in tail.split(",") if colon else []:
        key, equals, text = part.partition("=")
        if not equals or not key.strip() or not text.strip():
            raise AgentError(f"cannot read {part!r} in {spec!r}: the form is name:option=value,option=value")
        given[key.strip()] = text.strip()
    return name.strip(), given


def _value(where: str, text: str, kind: Any) -> Any:
    """The text as a value of the option's type."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        kinds = [k for k in typing.get_args(kind) if k is not type(None)]
        if text.lower() == "none":
            return None
        kind = kinds[0]
    if kind is bool:
        if text.lower() in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            return text.lower() in ("true", "yes", "on", "1")
        raise AgentError(f"{where}={text}: true or false")
    try:
        return kind(text)
    except (TypeError, ValueError):
        raise AgentError(f"{where}={text}: not {'a whole number' if kind is int else 'a number'}") from None
