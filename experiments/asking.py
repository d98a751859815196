"""What an agent thinks of a position, asked for in any process: tasks of an executor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from rich.console import Console

from narabe import agents, envs
from narabe.agents import Agent, Analysis
from narabe.envs import State
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Executor, InProcessExecutor, Outcome, ProcessExecutor, Task
from narabe.experiments.guard import Guard

CERTAIN = 1 - 1e-6
"""A value beyond this, on either side, is a win in the agent's eyes, and no odds."""


@dataclass(frozen=True)
class Question:
    """A position to ask about: ``start`` is all actions from the start of the game, ``seed`` of the agent's random choices."""

    game: str
    agent: str
    number: int
    start: tuple[int, ...]
    seed: int


class Thought(NamedTuple):
    """What an agent thinks of a position.

    ``value``: of the first player, from -1 to 1; None if the agent tells none. ``is_clear``: False where it sees a win for one
    side when the one is to move, and for the other when the other is. ``proven``: for the side to move, if it is certain.
    """

    value: float | None
    is_clear: bool
    proven: float | None


def ask(question: Question, guard: Guard | None = None) -> Thought:
    """The agent's answer; also a task's function for an executor. The same question has the same answer in every process.

    Searches favour the side to move, or the other, by the parity of their depth. So the agent is asked twice, before and
    after the move that it would make, and the value has the mean of the log odds.
    """
    state, agent = position_of(question), _agent(question.game, question.agent)
    first = _look(agent, state, question.seed)
    if first.value is None:
        return Thought(None, False, first.proven)
    state.play(first.action)
    a = float(first.value[0])
    if first.proven or state.to_play < 0:  # certain, over, or a chance turn
        return Thought(a, True, first.proven)
    second = _look(agent, state, question.seed)
    assert second.value is not None
    b = float(second.value[0])
    return Thought(middle(a, b), not (a * b < 0 and max(abs(a), abs(b)) > CERTAIN), first.proven)


def middle(a: float, b: float) -> float:
    """The value whose log odds are the mean of those of two values, where a win is taken for something very likely.

    >>> middle(0.5, 0.5), middle(0.99, -0.99), round(middle(0.9, 0.0), 3)
    (0.5, 0.0, 0.627)
    """
    x, y = (math.atanh(max(-CERTAIN, min(CERTAIN, value))) for value in (a, b))
    return round(math.tanh((x + y) / 2), 12)


def _look(agent: Agent, state: State, seed: int) -> Analysis:
    agent.new_game(state.to_play, seed)
    return agent.choose([state.view(state.to_play)])[0]


def position_of(question: Question) -> State:
    """The position that the question is about."""
    state = envs.game(question.game).start(chance="manual")
    for action in question.start:
        state.play(action)
    return state


@lru_cache(maxsize=2)
def _agent(game: str, spec: str) -> Agent:
    return agents.make(spec, envs.game(game))


def made_ready(workers: int, preparations: Sequence[Task], console: Console, who: str) -> Executor:
    """An executor with so many processes (0: this one) that has done the preparations; `UsageError` where one fails."""
    executor = ProcessExecutor(workers, preparations) if workers else InProcessExecutor(preparations)
    words = f"Making {who} ready; what is needed is compiled when it is first used ..."
    if not console.is_terminal:
        console.print(words, highlight=False, soft_wrap=True)
    try:
        with console.status(words):
            for outcome in executor.prepare():
                value_of(outcome)
    except BaseException:
        executor.close()
        raise
    return executor


def value_of(outcome: Outcome) -> Any:
    """What a task brought; `UsageError` with the last line of what went wrong."""
    if outcome.failure is None:
        return outcome.value
    words = outcome.failure.detail.splitlines()[-1].removeprefix(f"{UsageError.__module__}.UsageError: ")
    raise UsageError(f"{outcome.task.key} failed: {words}")
