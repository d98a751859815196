"""The referee: plays one game between agents, and puts down who won or who forfeited.

It uses only the public faces of games and agents. Whatever an agent does inside one of its calls is its own: a call
that raises, takes too long, wants too much memory or ends the process, like an illegal action, forfeits the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib import import_module
from typing import Any

from narabe.experiments import adjudication
from narabe.experiments.adjudication import Adjudication, Watch
from narabe.experiments.guard import DeadlinePassed, Failure, Guard, short_traceback
from narabe.experiments.schedule import Fixture, game_seeds

COMPILING_MEGABYTES = 1024
"""What compiling may take beside an agent's own memory, in the round that is played before all games."""

ILLEGAL, CRASH, DEADLINE, MEMORY, DIED = "illegal action", "exception", "deadline", "memory", "process died"


@dataclass(frozen=True)
class Rules:
    """What all games of a tournament share.

    Attributes:
        game: the game's name.
        options: its options, as pairs.
        deadline: seconds for one call of an agent.
        memory: megabytes an agent may ask for in one call, above what is in use.
        agent_factory, game_factory: `module:function` for `function(spec, game)` and `function(name, **options)`.
        adjudication: when a hopeless game of two sides is broken off; None: never.
    """

    game: str
    options: tuple[tuple[str, Any], ...] = ()
    deadline: float = 60.0
    memory: int = 2048
    agent_factory: str = "narabe.agents:make"
    game_factory: str = "narabe.envs:game"
    adjudication: Adjudication | None = None


@dataclass(frozen=True)
class Match:
    """A game to be played: the fixture, the agents' labels and specs by seat, and the opening's actions."""

    rules: Rules
    fixture: Fixture
    agents: tuple[str, ...]
    specs: tuple[str, ...]
    opening: tuple[int, ...]


@dataclass(frozen=True)
class Progress:
    """How far a game has come: the seat whose agent is being called, the moves so far, seconds and moves by seat."""

    seat: int
    moves: tuple[str, ...]
    seconds: tuple[float, ...]
    choices: tuple[int, ...]
    started: str


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Attributes:
        id, number, opening, seed: as in the fixture.
        agents: the agents' labels by seat.
        moves: all moves as text, with a space between, outcomes of chance among them, so that a start with
            `chance="manual"` plays them all; the first `opening_plies` are the opening's.
        plies: number of moves.
        payoffs: by seat, from -1 to 1.
        result: who won, in words.
        reason: how the game ended, in words; `adjudication.REASON` for one that was broken off as hopeless.
        forfeit_seat, forfeit_kind, forfeit_detail: who broke off the game and how; None in a game played to its end.
        choices: moves that each seat's agent chose.
        seconds: that each seat's agent took for them.
        started, finished: UTC, ISO 8601.
    """

    id: str
    number: int
    opening: int
    seed: int
    agents: tuple[str, ...]
    moves: str
    opening_plies: int
    plies: int
    payoffs: tuple[float, ...]
    result: str
    reason: str
    forfeit_seat: int | None
    forfeit_kind: str | None
    forfeit_detail: str | None
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    started: str
    finished: str


class Forfeit(Exception):
    """An agent lost the game by what it did."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind, self.detail = kind, detail


def play(match: Match, guard: Guard) -> GameRecord:
    """Plays a match to its end or to a forfeit; a task's function for an executor."""
    table = _Table(match, guard)
    try:
        table.seat_agents()
        while not table.is_over:
            table.turn()
        record = table.record()
    except Forfeit as forfeit:
        guard.spoiled = forfeit.kind != ILLEGAL
        record = forfeited(match, table.progress(), forfeit.kind, forfeit.detail)
    table.dismiss_agents(record)
    return record


class _Table:
    """A game being played."""

    def __init__(self, match: Match, guard: Guard) -> None:
        self.match, self.guard = match, guard
        self.game = game_of(match.rules)
        _, self.seeds = game_seeds(match.fixture.seed, self.game.num_players)
        self.state = self.game.start(seed=match.fixture.chance, chance="manual")
        self.agents: list[Any] = []
        self.told = [0] * self.game.num_players
        self.seat = 0
        self.moves: list[str] = []
        self.seconds = [0.0] * self.game.num_players
        self.choices = [0] * self.game.num_players
        self.started = now()
        rule = match.rules.adjudication
        self.watch = None if rule is None else Watch(rule, self.game.teams)
        self.winner: int | None = None  # the side that has won by agreement

    @property
    def is_over(self) -> bool:
        return self.state.is_over or self.winner is not None

    def seat_agents(self) -> None:
        """Makes an agent for each seat, and shows all of them the opening."""
        make = locate(self.match.rules.agent_factory)
        for seat, spec in enumerate(self.match.specs):
            self.agents.append(self.ask(seat, make, spec, self.game))
            self.ask(seat, self.agents[seat].new_game, seat, self.seeds[seat])
        for action in self.match.opening:
            self.state.play(action)
        self.state.settle()
        self.spread()

    def dismiss_agents(self, record: GameRecord) -> None:
        """Closes the agents. The record stands, whatever they do now; as the step's note it survives the process."""
        for agent in self.agents:
            try:
                with self.guard.step(record, self.match.rules.deadline):
                    agent.close()
            except (Exception, SystemExit):  # see above
                self.guard.spoiled = True

    def turn(self) -> None:
        """One move of the seat to play."""
        seat = self.state.to_play
        view = self.view(seat)
        before = time.perf_counter()
        try:
            action, value = self.ask(seat, _choose, self.agents[seat], view)
        finally:
            self.seconds[seat] += time.perf_counter() - before
        if not 0 <= action < self.game.num_actions:
            raise Forfeit(ILLEGAL, f"action {action}: there are actions 0 to {self.game.num_actions - 1}")
        fault = self.state.why_illegal(action)
        if fault is not None:
            raise Forfeit(ILLEGAL, f"action {action}: {fault}")
        self.choices[seat] += 1
        self.state.play(action)
        self.spread()
        if self.watch is not None and not self.state.is_over:
            self.winner = self.watch.heard(seat, value)

    def view(self, seat: int) -> Any:
        """What the seat knows, its hidden parts drawn anew for each move."""
        return self.state.view(seat, seed=self.seeds[seat] + len(self.state.seen(seat)))

    def spread(self) -> None:
        """Puts down all that was played since the last time, and tells every agent what its seat saw of it."""
        history = self.state.history
        self.moves += [self.game.text_of(action) for action in history[len(self.moves) :]]
        for seat, agent in enumerate(self.agents):
            seen = self.state.seen(seat)
            news, self.told[seat] = seen[self.told[seat] :], len(seen)
            self.ask(seat, _tell, agent, news)

    def ask(self, seat: int, call: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of a seat's agent; raises `Forfeit` for anything but an answer."""
        self.seat = seat
        try:
            with self.guard.step(self.progress(), self.match.rules.deadline, self.match.rules.memory):
                return call(*arguments)
        except DeadlinePassed as error:
            raise Forfeit(DEADLINE, str(error)) from None
        except MemoryError:
            raise Forfeit(MEMORY, f"asked for more than {self.match.rules.memory} MB") from None
        except (Exception, SystemExit) as error:  # an agent may raise anything, and loses
            raise Forfeit(CRASH, short_traceback(error)) from None

    def progress(self) -> Progress:
        return Progress(self.seat, tuple(self.moves), tuple(self.seconds), tuple(self.choices), self.started)

    def record(self) -> GameRecord:
        if self.winner is not None:
            losers = next(seats for side, seats in enumerate(self.game.teams) if side != self.winner)
            result = in_words(self.game, self.game.teams[self.winner])
            payoffs = given_up(self.game, losers[0])
            return _record(self.match, self.progress(), payoffs, result=result, reason=adjudication.REASON)
        payoffs = tuple(float(payoff) for payoff in self.state.payoffs)
        seats = getattr(self.state, "winners", None)
        result = winners(self.game, payoffs) if seats is None else in_words(self.game, seats)
        return _record(self.match, self.progress(), payoffs, result=result, reason=self.state.reason)


def forfeited(match: Match, progress: Progress, kind: str, detail: str) -> GameRecord:
    """The record of a game that the agent on seat `progress.seat` gave away."""
    payoffs = given_up(game_of(match.rules), progress.seat)
    player = game_of(match.rules).players[progress.seat]
    record = _record(match, progress, payoffs, result=f"{player} forfeits", reason=f"forfeit: {kind}")
    return replace(record, forfeit_seat=progress.seat, forfeit_kind=kind, forfeit_detail=detail)


def given_up(game: Any, seat: int) -> tuple[float, ...]:
    """The payoffs where a seat gave the game away: -1 for it and its team, the others share as much."""
    losers = next((team for team in game.teams if seat in team), (seat,))
    others = game.num_players - len(losers)
    return tuple(-1.0 if s in losers else len(losers) / others for s in range(game.num_players))


def after_failure(match: Match, failure: Failure) -> GameRecord | None:
    """The record of a game whose worker was lost in an agent's call; None if it was lost outside of any call."""
    if isinstance(failure.note, GameRecord):  # the game was over
        return failure.note
    if not isinstance(failure.note, Progress):
        return None
    kind = {"deadline": DEADLINE, "died": DIED}.get(failure.kind, CRASH)
    return forfeited(match, failure.note, kind, failure.detail)


def _record(match: Match, progress: Progress, payoffs: tuple[float, ...], result: str, reason: str) -> GameRecord:
    fixture = match.fixture
    return GameRecord(
        id=fixture.id,
        number=fixture.number,
        opening=fixture.opening,
        seed=fixture.seed,
        agents=match.agents,
        moves=" ".join(progress.moves),
        opening_plies=min(len(match.opening), len(progress.moves)),
        plies=len(progress.moves),
        payoffs=payoffs,
        result=result,
        reason=reason,
        forfeit_seat=None,
        forfeit_kind=None,
        forfeit_detail=None,
        choices=progress.choices,
        seconds=progress.seconds,
        started=progress.started,
        finished=now(),
    )


def winners(game: Any, payoffs: Sequence[float]) -> str:
    """Who won, in words: the players of the highest payoff, or `draw` where all have the same."""
    best = max(payoffs)
    return in_words(game, [seat for seat, payoff in enumerate(payoffs) if payoff == best])


def in_words(game: Any, seats: Sequence[int]) -> str:
    """The seats that won, in words; `draw` where none or all did."""
    names = [game.players[seat] for seat in seats]
    if len(names) in (0, game.num_players):
        return "draw"
    return f"{names[0]} wins" if len(names) == 1 else f"{' and '.join(names)} win"


def compile_law(job: tuple[Rules, float], guard: Guard) -> None:
    """Compiles what playing the game itself needs, by a first move; so no agent is charged for it.

    A task's function for an executor, with (rules, seconds) as its payload.
    """
    rules, seconds = job
    with guard.step("compiling the rules of the game", seconds):
        state = game_of(rules).start(seed=0)
        state.play(int(state.legal_actions()[0]))
        _ = state.why_illegal(0), state.view(0), state.payoffs, state.is_over


def warm_up(job: tuple[Rules, str, float], guard: Guard) -> str | None:
    """Compiles and loads what the agent `spec` needs, by a round of a game; returns why there is no such agent.

    A task's function for an executor, with (rules, spec, seconds for each step) as its payload.
    """
    rules, spec, seconds = job
    game = game_of(rules)
    memory = rules.memory + COMPILING_MEGABYTES
    with guard.step(f"making {spec}", seconds, memory):
        try:
            agent = locate(rules.agent_factory)(spec, game)
        except (ValueError, KeyError, ImportError, AttributeError) as error:
            return str(error) or type(error).__name__
    state = game.start(seed=0)
    with guard.step(f"first moves of {spec}", seconds, memory):
        agent.new_game(0, 0)
        chosen, told = False, 0
        while True:
            view = state.view(0)
            _tell(agent, view.seen[told:])
            told = len(view.seen)
            if state.is_over or (chosen and state.to_play == 0):
                break
            if state.to_play == 0:
                state.play(_choose(agent, view)[0])
                chosen = True
            else:
                state.play(int(state.legal_actions()[0]))
        agent.close()
    return None


def _tell(agent: Any, seen: Sequence[int]) -> None:
    for action in seen:
        agent.tell(action)


def _choose(agent: Any, view: Any) -> tuple[int, Any]:
    """The action that an agent chooses, and what it thinks the game is worth by seat, if it says so."""
    (analysis,) = agent.choose([view])
    return int(analysis.action), getattr(analysis, "value", None)


@lru_cache(maxsize=4)
def game_of(rules: Rules) -> Any:
    """The game that the rules name."""
    return locate(rules.game_factory)(rules.game, **dict(rules.options))


@lru_cache
def locate(path: str) -> Any:
    """What `module:name` names. Raises `ValueError` for another form; errors of the import come through."""
    module, colon, name = path.partition(":")
    if not colon or not module or not name:
        raise ValueError(f"{path!r} is not of the form module:function")
    return getattr(import_module(module), name)


def now() -> str:
    """This moment: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
