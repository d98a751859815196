"""Agents by spec string: what is understood, and what a wrong one is told."""

from __future__ import annotations

import importlib.metadata
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from narabe.agents import Agent, AgentError, Analysis, Budget, known, make, specs
from narabe.agents.agent import single_choice
from narabe.agents.searching import UctAgent
from narabe.agents.simple import GreedyAgent, RandomAgent
from narabe.envs import View, game
from narabe.tests.games import game_of, poker

GAME = game("gomoku", size=7)
OURS = ", ".join(sorted(specs.OWN))
OPTIONS = "Options of uct: sims, ms, c, temperature, max_nodes, reuse"


@dataclass
class First(Agent):
    """The legal action that comes first, or ``skip`` places later."""

    skip: int = 0
    label: str = "first"
    loud: bool = False

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [single_choice(view.num_actions, self.skip) for view in views]


def test_names_and_options() -> None:
    assert type(make("random", GAME)) is RandomAgent
    assert type(make(" greedy ", GAME)) is GreedyAgent
    agent = make("uct:sims=50, c=1.5,temperature=0.25,max_nodes=5000,reuse=no", GAME)
    assert isinstance(agent, UctAgent)
    assert (agent.sims, agent.ms, agent.c, agent.temperature) == (50, None, 1.5, 0.25)
    assert (agent.max_nodes, agent.reuse, agent.game) == (5000, False, GAME)
    assert agent.spec == "uct:sims=50, c=1.5,temperature=0.25,max_nodes=5000,reuse=no"
    assert make("uct:ms=2.5,sims=none", GAME).ms == 2.5
    assert [make(f"uct:reuse={word}", GAME).reuse for word in ("true", "Yes", "1", "off", "0")] == [True] * 3 + [
        False
    ] * 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("unknown", f"no agent named 'unknown'. Agents: {OURS}"),
        ("gready", f"no agent named 'gready'. Did you mean greedy? Agents: {OURS}"),
        ("", f"no agent named ''. Agents: {OURS}"),
        ("uct:sim=5", f"uct has no option 'sim'. Did you mean sims? {OPTIONS}"),
        ("random:sims=5", "random has no option 'sims'. Options of random: none"),
        ("uct:game=3", f"uct has no option 'game'. {OPTIONS}"),
        ("uct:_trees=3", f"uct has no option '_trees'. {OPTIONS}"),
        ("uct:", "cannot read '' in 'uct:': the form is name:option=value,option=value"),
        ("uct:sims", "cannot read 'sims' in 'uct:sims': the form is name:option=value,option=value"),
        ("uct:sims=5,", "cannot read '' in 'uct:sims=5,': the form is"),
        ("uct:=5", "cannot read '=5' in 'uct:=5': the form is"),
        ("uct:sims=", "cannot read 'sims=' in 'uct:sims=': the form is"),
        ("uct:sims=many", "uct:sims=many: not a whole number"),
        ("uct:sims=1.5", "uct:sims=1.5: not a whole number"),
        ("uct:c=high", "uct:c=high: not a number"),
        ("uct:reuse=maybe", "uct:reuse=maybe: true or false"),
        ("uct:sims=0", "uct:sims=0: sims=0: must be above zero"),
        ("uct:ms=-1", "uct:ms=-1: ms=-1.0: must be above zero"),
        ("uct:ms=nan", "uct:ms=nan: ms=nan: must be above zero"),
        ("uct:sims=5,ms=5", "uct:sims=5,ms=5: a budget is sims or ms, not both"),
        ("uct:temperature=-1", "uct:temperature=-1: temperature=-1.0: zero or more"),
        ("uct:max_nodes=49", "max_nodes=49: gomoku:size=7 needs at least 50"),
        ("no.such.module.Agent", "no agent 'no.such.module.Agent': No module named 'no'"),
        ("narabe.agents.simple.Nobody", "has no attribute 'Nobody'"),
        ("numpy.zeros", "no agent 'numpy.zeros': zeros of numpy is no subclass of narabe.agents.Agent"),
        (".Agent", "no agent '.Agent': "),
    ],
)
def test_what_a_wrong_spec_is_told(spec: str, message: str) -> None:
    with pytest.raises(AgentError) as caught:
        make(spec, GAME)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_hidden_game_refuses_uct_in_one_line() -> None:
    with pytest.raises(AgentError, match="^uct:sims=5: plain UCT would look into hidden hands here: [^\n]*$"):
        make("uct:sims=5", game_of(poker, cards=3))


def test_a_dotted_name_is_a_class() -> None:
    agent = make(f"{__name__}.First:skip=4,label=x,loud=on", GAME)
    assert type(agent).__name__ == "First"
    assert (agent.skip, agent.label, agent.loud) == (4, "x", True)
    (analysis,) = agent.choose([GAME.start().view(0)])
    assert analysis.action == 4
    with pytest.raises(
        AgentError, match=r"First has no option 'skp'. Did you mean skip\? Options of .*: skip, label, loud"
    ):
        make(f"{__name__}.First:skp=4", GAME)


@pytest.fixture
def other_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that brings the agents ``first`` and, by mistake, another ``random``."""
    points = [importlib.metadata.EntryPoint(name, f"{__name__}:First", "narabe.agents") for name in ("first", "random")]

    def entry_points(group: str) -> list[importlib.metadata.EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(specs.importlib.metadata, "entry_points", entry_points)
    known.cache_clear()
    yield
    known.cache_clear()


@pytest.mark.usefixtures("other_package")
def test_other_packages_add_agents() -> None:
    assert set(known()) == {"first", *specs.OWN}
    assert type(make("first:skip=2", GAME)).__name__ == "First"
    assert type(make("random", GAME)) is RandomAgent  # ours stay what they are
    with pytest.raises(AgentError, match=r"Did you mean first\? Agents: .*first, .*random"):
        make("frist", GAME)


def test_agents_of_other_packages_are_gone_again() -> None:
    assert "first" not in known()


@pytest.mark.parametrize(
    ("sims", "ms", "message"),
    [
        (5, 5, "sims or ms, not both"),
        (0, None, "sims=0: must be above zero"),
        (None, -0.5, "ms=-0.5: must be above zero"),
        (None, float("nan"), "ms=nan"),
        (None, float("inf"), "ms=inf"),
        (1e3, None, "sims=1000.0: must be a whole number"),
    ],
)
def test_budgets_that_are_refused(sims: float | None, ms: float | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Budget(sims, ms)  # type: ignore[arg-type]


def test_budgets_travel() -> None:
    assert pickle.loads(pickle.dumps(Budget(ms=3))) == Budget(ms=3) != Budget(sims=3)
