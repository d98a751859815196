"""Tournaments: every agent against every other one, from paired openings, with ratings at the end.

A run lives in a folder. Each game is written there as soon as it is over, and the same command goes on wherever the
last one ended; which games there are, and each game's moves, depend on the settings alone.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from narabe import __version__
from narabe.experiments import executor, openings, referee, report
from narabe.experiments.executor import Executor, Task
from narabe.experiments.interrupts import deferred
from narabe.experiments.progress import display
from narabe.experiments.referee import GameRecord, Match, Rules
from narabe.experiments.schedule import Fixture, labels, round_robin
from narabe.experiments.standings import Standings, standings
from narabe.experiments.store import FILE, Settings, Store, StoreError
from narabe.experiments.tournament_args import TournamentArgs, TournamentError, command, game_options

COMPILE_SECONDS = 300.0
"""For compiling the law, which comes first of all."""

WARM_UP_SECONDS, WARM_UP_MOVES = 300.0, 10.0
"""For making an agent ready (compiling, loading, a first move): so long, or so many deadlines of a move if longer."""

LAW = "the rules of the game"
PLAIN_WIDTH = 120
"""Columns of the tables where output goes to a file or another program."""


class Stopped(Exception):
    """The user stopped the tournament, with `stored` of `total` games in its folder."""

    def __init__(self, stored: int, total: int) -> None:
        super().__init__(f"{stored} of {total} games are stored")
        self.stored, self.total = stored, total


@dataclass(frozen=True)
class Plan:
    """All that follows from the arguments before a game is played."""

    args: TournamentArgs
    rules: Rules
    game: Any
    agents: list[str]
    fixtures: list[Fixture]
    settings: Settings


def run(args: TournamentArgs, game_factory: str = Rules.game_factory) -> int:
    """Plays a tournament for the command line, and prints its tables. Returns the exit code: 0, 2 or 130 (stopped)."""
    console, errors = Console(), Console(stderr=True)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    try:
        with deferred():
            table, plan = play(args, console, game_factory)
    except TournamentError as error:
        errors.print(f"narabe: {escape(str(error))}", highlight=False, soft_wrap=True)
        return 2
    except Stopped as stop:
        console.print(f"Stopped: {stop.stored} of {stop.total} games are stored. The same command goes on from there:")
        console.print(f"  {escape(command(args))}", highlight=False, soft_wrap=True)
        return 130
    except KeyboardInterrupt:
        console.print("Stopped before the first game.")
        return 130
    _print_results(console, table, plan)
    return 0


def play(
    args: TournamentArgs, console: Console | None = None, game_factory: str = Rules.game_factory
) -> tuple[Standings, Plan]:
    """Plays what is not yet played of a tournament, and writes its report.

    Raises `TournamentError` where the arguments or the folder do not allow it, and `Stopped` on an interrupt
    (`KeyboardInterrupt`) once games are played; every game that was over by then is in the folder.
    """
    console = console or Console(quiet=True)
    plan = make_plan(args, game_factory)
    with Store(args.out, plan.settings) as store:
        records = store.records()
        done = {record.id for record in records}
        missing = [fixture for fixture in plan.fixtures if fixture.id not in done]
        if missing:
            if store.version != __version__:
                raise StoreError(
                    f"{args.out} was begun by narabe {store.version}, and this is {__version__}: go on with that "
                    "version, or choose another folder with --out"
                )
            try:
                with closing(_games(plan, missing, records, console)) as games:
                    for record in games:
                        store.add(record)
                        records.append(record)
            except KeyboardInterrupt:
                raise Stopped(len(store.records()), len(plan.fixtures)) from None
        table = standings(plan.agents, store.records())
        text = report.summary(table, plan.settings, store.version, command(args), plan.game.players)
        report.write(args.out, text, table, f"{plan.settings.game}: {len(plan.agents)} agents, {table.games} games")
    return table, plan


def make_plan(args: TournamentArgs, game_factory: str = Rules.game_factory) -> Plan:
    """Checks the arguments and lays out the games. Raises `TournamentError`."""
    for name, value, fits in (
        ("workers", args.workers, args.workers >= 0),
        ("deadline", args.deadline, args.deadline > 0),
        ("memory", args.memory, args.memory > 0),
    ):
        if not fits:
            raise TournamentError(f"--{name} {value}: it must be {'0 or more' if name == 'workers' else 'above 0'}")
    options = tuple(game_options(args).items())
    rules = Rules(args.game, options, args.deadline, args.memory, args.agent_factory, game_factory)
    try:
        game = referee.game_of(rules)
        referee.locate(rules.agent_factory)
    except (ValueError, KeyError, TypeError, ImportError, AttributeError) as error:
        raise TournamentError(str(error)) from error
    agents = labels(args.agents)
    plies = openings.usual_plies(game) if args.opening_plies is None else args.opening_plies
    settings = Settings(
        game=game.name,
        options=dict(game.options),
        agents=agents,
        seed=args.seed,
        games=args.games,
        opening_plies=plies,
        deadline=args.deadline,
        memory=args.memory,
        agent_factory=args.agent_factory,
    )
    fixtures = round_robin(len(agents), game.num_players, args.games, args.seed)
    return Plan(args, rules, game, agents, fixtures, settings)


def _games(
    plan: Plan, missing: Sequence[Fixture], records: Sequence[GameRecord], console: Console
) -> Generator[GameRecord]:
    """Plays the missing games; yields each as it ends. `records` grows meanwhile, and is what the display shows."""
    starts = openings.draw(plan.game, 1 + max(f.opening for f in missing), plan.settings.opening_plies, plan.args.seed)
    if records:
        console.print(f"Going on: {len(records)} of {len(plan.fixtures)} games are here already.", highlight=False)
    with closing(_executor(plan)) as workers:
        _prepare(workers, console)
        tasks = [Task(fixture.id, referee.play, _match(plan, fixture, starts)) for fixture in missing]
        with display(console, plan.agents, len(plan.fixtures), len(records)) as shown:
            for outcome in workers.run(tasks):
                record = outcome.value
                if outcome.failure is not None:
                    record = referee.after_failure(outcome.task.payload, outcome.failure)
                    if record is None:
                        raise TournamentError(
                            f"game {outcome.task.key} broke off outside of any agent's move, so nobody forfeits it; "
                            f"the same command goes on. {outcome.failure.detail}"
                        )
                yield record
                shown.show(records)


def _executor(plan: Plan) -> Executor:
    seconds = max(WARM_UP_SECONDS, WARM_UP_MOVES * plan.args.deadline)
    specs = dict.fromkeys(plan.args.agents)
    law = Task(LAW, referee.compile_law, (plan.rules, COMPILE_SECONDS))
    preparations = [law, *(Task(spec, referee.warm_up, (plan.rules, spec, seconds)) for spec in specs)]
    return executor.make(plan.args.workers, preparations, plan.args.backend, plan.args.ray_address)


def _prepare(workers: Executor, console: Console) -> None:
    words = "Making the agents ready; what they need is compiled when it is first used ..."
    if not console.is_terminal:
        console.print(words)
    with console.status(words):
        outcomes = workers.prepare()
    wrong = [f"agent {outcome.task.key!r}: {outcome.value}" for outcome in outcomes if outcome.value is not None]
    if wrong:
        raise TournamentError("\n".join(wrong))
    for outcome in outcomes:
        if outcome.failure is not None:
            reason = outcome.failure.detail.splitlines()[-1]
            console.print(
                f"[yellow]{escape(outcome.task.key)} failed while it was made ready ({escape(reason)}); it plays "
                "nonetheless, and forfeits where it fails again.[/]"
            )


def _match(plan: Plan, fixture: Fixture, starts: Sequence[tuple[int, ...]]) -> Match:
    return Match(
        rules=plan.rules,
        fixture=fixture,
        agents=tuple(plan.agents[number] for number in fixture.seats),
        specs=tuple(plan.args.agents[number] for number in fixture.seats),
        opening=starts[fixture.opening],
    )


def _print_results(console: Console, table: Standings, plan: Plan) -> None:
    args = plan.args
    console.print(report.standings_table(table, f"{plan.settings.game}, {table.games} games"))
    console.print(report.cross_table(table))
    for reason, count in sorted(table.reasons.items(), key=lambda item: (-item[1], item[0])):
        console.print(f"{count:6d}  {escape(reason)}", highlight=False)
    more = TournamentArgs(**{**vars(args), "games": 2 * args.games})
    report_path = escape(str(args.out / report.SUMMARY))
    console.print(f"\nReport: {report_path}, {report.CHART}; games: {FILE} beside it.", highlight=False, soft_wrap=True)
    console.print("Twice the games make the intervals about 0.7 times as wide; those played already are kept:")
    console.print(f"  {escape(command(more))}", highlight=False, soft_wrap=True)
