"""Tournaments: every agent against every other one, from paired openings, with ratings at the end.

A run lives in a folder. Each game is written there as soon as it is over, and the same command goes on wherever the
last one ended; which games there are, and each game's moves, depend on the settings alone. With a sequential test this
is so of the games that count: what was played beyond them stays in the folder.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from narabe import __version__
from narabe.experiments import executor, openings, referee, report
from narabe.experiments.adjudication import Adjudication
from narabe.experiments.book import Book, read_book
from narabe.experiments.executor import Executor, Task
from narabe.experiments.interrupts import deferred
from narabe.experiments.progress import display
from narabe.experiments.referee import GameRecord, Match, Rules
from narabe.experiments.schedule import SCHEDULES, Fixture, labels
from narabe.experiments.sprt import Sprt, Trial
from narabe.experiments.standings import Standings, scores, standings
from narabe.experiments.store import FILE, Held, Settings, Store, StoreError, read
from narabe.experiments.team_ratings import team_ratings
from narabe.experiments.tournament_args import (
    TournamentArgs,
    TournamentError,
    command,
    game_options,
    games_of,
    numbers,
)

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
    book: Book | None = None
    trial: Trial | None = None  # the sequential test, once games are played
    beyond: int = 0  # games in the folder that are not part of the result


def run(args: TournamentArgs, game_factory: str = Rules.game_factory) -> int:
    """Plays a tournament for the command line, and prints its tables. Returns the exit code: 0, 2 or 130 (stopped)."""
    console, errors = plain_console(), Console(stderr=True)
    try:
        with deferred():
            if len(games_of(args)) > 1:
                from narabe.experiments.several import play_all

                play_all(args, console, game_factory)
            else:
                table, plan = play(args, console, game_factory)
                print_results(console, table, plan)
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
    return 0


def plain_console() -> Console:
    """A console for tables, wide enough for them where its output goes to a file or another program."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    return console


def play(
    args: TournamentArgs,
    console: Console | None = None,
    game_factory: str = Rules.game_factory,
    plan: Plan | None = None,
) -> tuple[Standings, Plan]:
    """Plays what is not yet played of a tournament (or of a plan made otherwise), and writes its report.

    Raises `TournamentError` where the arguments or the folder do not allow it, and `Stopped` on an interrupt
    (`KeyboardInterrupt`) once games are played; every game that was over by then is in the folder.
    """
    console = console or Console(quiet=True)
    plan = plan or make_plan(args, game_factory)
    with Store(args.out, plan.settings) as store:
        records = store.records()
        trial = trial_of(plan.settings, records)
        done = {record.id for record in records}
        missing = [fixture for fixture in plan.fixtures if fixture.id not in done]
        if missing and not is_decided(trial):
            if store.version != __version__:
                raise StoreError(
                    f"{args.out} was begun by narabe {store.version}, and this is {__version__}: go on with that "
                    "version, or choose another folder with --out"
                )
            try:
                with closing(_games(plan, missing, records, trial, console)) as games:
                    for record in games:
                        store.add(record)
                        records.append(record)
                        follow(trial, plan.settings, record)
            except KeyboardInterrupt:
                raise Stopped(len(store.records()), len(plan.fixtures)) from None
        table = result(plan.settings, store.records(), trial, args.intervals, plan.game.teams)
        text = report.summary(
            table, plan.settings, store.version, command(args), plan.game.players, trial, plan.game.spec
        )
        report.write(args.out, text, table, f"{plan.game.spec}: {len(plan.agents)} agents, {table.games} games")
    return table, replace(plan, trial=trial, beyond=len(records) - table.games)


@dataclass(frozen=True)
class Seen:
    """What the folder of a run holds, finished or not, and what it adds up to."""

    held: Held
    title: str
    table: Standings
    trial: Trial | None
    total: int  # games that the run is to have, with a sequential test at most


def look(out: Path, intervals: str) -> Seen | None:
    """What a folder holds of a tournament, which may be played meanwhile; None for nothing. Raises `StoreError`.

    `intervals`: as in the arguments.
    """
    held = read(out)
    if held is None:
        return None
    settings = held.settings
    if settings.schedule not in SCHEDULES:
        raise StoreError(
            f"{out} holds games of a `narabe openings` that is not finished: the command that began it goes on with it"
        )
    trial = trial_of(settings, held.records)
    rules = Rules(settings.game, tuple(settings.options.items()))
    teams: Sequence[Sequence[int]] = ()
    title, seats = settings.game, 2
    try:
        game = referee.game_of(rules)
        title, teams, seats = game.spec, game.teams, game.num_players
    except (ValueError, KeyError, TypeError, ImportError, AttributeError):
        pass  # a game of somebody's own that is not here; its results can be shown nonetheless
    table = result(settings, held.records, trial, intervals, teams)
    total = len(SCHEDULES[settings.schedule](len(settings.agents), seats, settings.games, settings.seed))
    return Seen(held, title, table, trial, total)


def result(
    settings: Settings,
    records: Sequence[GameRecord],
    trial: Trial | None,
    intervals: str,
    teams: Sequence[Sequence[int]],
) -> Standings:
    """What the games add up to: of a sequential test that is decided, those that it judged.

    ``trial``: as `trial_of` these records; ``intervals``: as in the arguments, after a sequential test always by pairs.
    """
    counted = [record for record in records if trial is None or trial.counts_for_the_result(record.number)]
    table = standings(settings.agents, counted, paired=intervals == "pairs" or trial is not None)
    skills = team_ratings(settings.agents, counted, teams)
    for row in table.rows:
        row.skill = skills[row.agent] if skills is not None else None
    return table


def trial_of(settings: Settings, records: Sequence[GameRecord]) -> Trial | None:
    """The sequential test as far as these games bring it; None where the tournament is none."""
    if not settings.sprt:
        return None
    trial = Trial(Sprt(**settings.sprt))
    for record in records:
        follow(trial, settings, record)
    return trial


def follow(trial: Trial | None, settings: Settings, record: GameRecord) -> None:
    """Shows the test another game."""
    if trial is not None:
        trial.game(record.number, scores(record)[settings.agents[0]])


def is_decided(trial: Trial | None) -> bool:
    """Is there a test with a verdict, so that nothing more need be played?"""
    return trial is not None and trial.verdict is not None


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
    sprt = numbers(args.sprt, "--sprt", elo0=None, elo1=None, alpha=Sprt.alpha, beta=Sprt.beta)
    adjudicate = numbers(args.adjudicate, "--adjudicate", margin=None, plies=None)
    rule = Adjudication.of(adjudicate)
    rules = Rules(args.game, options, args.deadline, args.memory, args.agent_factory, game_factory, rule)
    try:
        game = referee.game_of(rules)
        referee.locate(rules.agent_factory)
    except (ValueError, KeyError, TypeError, ImportError, AttributeError) as error:
        raise TournamentError(str(error)) from error
    agents = labels(args.agents)
    if sprt and len(agents) != 2:
        raise TournamentError(f"--sprt compares two agents, and --agents names {len(agents)}")
    if sprt:
        Sprt(**sprt)  # which refuses what cannot be meant
    if rule is not None and len(game.teams) != 2:
        raise TournamentError(f"--adjudicate is for games of two sides, and {game.spec} has {len(game.teams)}")
    book = None if args.book is None else read_book(args.book, game)
    if book is not None:
        if args.opening_plies is not None:
            raise TournamentError("--book has openings of its own: leave out --opening-plies")
        book.drawn(args.games // 2, args.seed)  # refuses a book with too few
    plies = openings.usual_plies(game) if args.opening_plies is None else args.opening_plies
    settings = Settings(
        game=game.address,
        options=dict(game.options),
        agents=agents,
        seed=args.seed,
        games=args.games,
        opening_plies=plies,
        deadline=args.deadline,
        memory=args.memory,
        agent_factory=args.agent_factory,
        schedule=args.schedule,
        sprt=sprt,
        adjudicate=adjudicate,
        book=None if book is None else book.digest,
    )
    fixtures = SCHEDULES[args.schedule](len(agents), game.num_players, args.games, args.seed)
    return Plan(args, rules, game, agents, fixtures, settings, book)


def _games(
    plan: Plan, missing: Sequence[Fixture], records: Sequence[GameRecord], trial: Trial | None, console: Console
) -> Generator[GameRecord]:
    """Plays the missing games until all are over or the test is decided; yields each as it ends.

    `records` and `trial` grow meanwhile, and are what the display shows.
    """
    count, seed = 1 + max(fixture.opening for fixture in missing), plan.args.seed
    if plan.book is not None:
        starts = plan.book.drawn(count, seed)
    else:
        starts = openings.draw(plan.game, count, plan.settings.opening_plies, seed)
    if records:
        console.print(f"Going on: {len(records)} of {len(plan.fixtures)} games are here already.", highlight=False)
    with closing(_executor(plan)) as workers:
        _prepare(workers, console)
        tasks = [Task(fixture.id, referee.play, _match(plan, fixture, starts)) for fixture in missing]
        words = None if trial is None else lambda: str(trial)
        with display(console, plan.agents, len(plan.fixtures), len(records), words) as shown:
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
                if is_decided(trial):
                    return


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


def print_tables(console: Console, game: str, table: Standings, settings: Settings, trial: Trial | None) -> None:
    """Prints the standings, the cross table, how games ended, and what a sequential test came to."""
    console.print(report.standings_table(table, f"{escape(game)}, {table.games} games", console.width))
    console.print(report.cross_table(table))
    for reason, count in sorted(table.reasons.items(), key=lambda item: (-item[1], item[0])):
        console.print(f"{count:6d}  {escape(reason)}", highlight=False)
    if table.paired:
        console.print("Intervals are from the scores of pairs of games.", highlight=False)
    if trial is not None:
        first, second = settings.agents
        console.print(f"\n{escape(report.verdict_words(trial, first, second))}", highlight=False, style="bold")
        console.print(f"{trial}; difference {report.difference_words(table, 0, 1)} Elo", highlight=False)


def print_results(console: Console, table: Standings, plan: Plan) -> None:
    """Prints what a tournament came to, and how to go on with it."""
    args = plan.args
    print_tables(console, plan.game.spec, table, plan.settings, plan.trial)
    if plan.beyond:
        console.print(
            f"{plan.beyond} games were played beyond those that the test judged; they are kept and not counted."
        )
    more = replace(args, games=2 * args.games)
    report_path = escape(str(args.out / report.SUMMARY))
    console.print(f"\nReport: {report_path}, {report.CHART}; games: {FILE} beside it.", highlight=False, soft_wrap=True)
    if is_decided(plan.trial):
        return
    if plan.book is not None and args.games > len(plan.book.starts):  # openings that twice the games take
        console.print("The book has too few openings for twice the games; a larger one is for a folder of its own.")
        return
    wish = "Twice the games make the intervals about 0.7 times as wide" if plan.trial is None else "Go on with the test"
    console.print(f"{wish}; those played already are kept:")
    console.print(f"  {escape(command(more))}", highlight=False, soft_wrap=True)
