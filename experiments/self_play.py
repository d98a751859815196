"""Games that an agent plays against itself from given starts: what the studies of openings are made of.

They lie in a folder as the games of a tournament do, and are as safe to stop. The order is by round, then by start, so
that a half-played folder is a balanced one, and asking for more games adds some at the end and changes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from narabe import __version__, agents, envs
from narabe.envs import Game
from narabe.experiments import openings, referee
from narabe.experiments.args import UsageError
from narabe.experiments.asking import made_ready
from narabe.experiments.counter import Counter
from narabe.experiments.executor import Outcome, Task
from narabe.experiments.judging import exact_interval
from narabe.experiments.openings_args import SelfPlayArgs
from narabe.experiments.referee import GameRecord, Match, Rules
from narabe.experiments.schedule import CHANCES, GAMES, OPENINGS, Fixture, stream_seed
from narabe.experiments.store import Settings, Store, StoreError
from narabe.experiments.tournament import COMPILE_SECONDS, LAW, WARM_UP_MOVES, WARM_UP_SECONDS

SCHEDULE = "self-play"  # in the settings of such a folder, which no tournament has
MEMORY = TRIES = 0x800  # megabytes for a move; draws of random plies that leave the game open


@dataclass(frozen=True)
class SelfPlay:
    """``games`` games from each of the ``starts`` (all actions from the start of the game), which ``words`` describe."""

    game_spec: str
    agent: str
    starts: tuple[tuple[int, ...], ...]
    words: str
    games: int
    args: SelfPlayArgs
    out: Path

    @cached_property
    def game(self) -> Game:
        return envs.game(self.game_spec)

    @property
    def total(self) -> int:
        return self.games * len(self.starts)

    @cached_property
    def rules(self) -> Rules:
        return Rules(self.game.address, tuple(self.game.options.items()), self.args.deadline, MEMORY)

    @property
    def settings(self) -> Settings:
        args = self.args
        return Settings(
            game=self.game.address,
            options=dict(self.game.options),
            agents=[self.agent],
            seed=args.seed,
            games=self.games,
            opening_plies=args.random_plies,
            deadline=args.deadline,
            memory=MEMORY,
            agent_factory=Rules.agent_factory,
            schedule=SCHEDULE,
            book=f"{self.words}; random plies within {args.near}" if args.random_plies else self.words,
        )


def check(args: SelfPlayArgs, games: int, specs: Sequence[str], players: Sequence[str]) -> None:
    """`UsageError` for what cannot be played."""
    for name, value, fits, words in (
        ("games", games, games >= 1, "at least 1"),
        ("random-plies", args.random_plies, args.random_plies >= 0, "0 or more"),
        ("near", args.near, args.near >= 0, "0 or more"),
        ("workers", args.workers, args.workers >= 0, "0 or more"),
        ("deadline", args.deadline, args.deadline > 0, "above 0"),
    ):
        if not fits:
            raise UsageError(f"--{name} {value}: it must be {words}")
    for spec in specs:
        game = envs.game(spec)
        if len(game.teams) != 2:
            raise UsageError(f"{game.spec} has {len(game.teams)} sides, and this is for games of two")
        for player in players:
            agents.make(player, game).close()


def play(plan: SelfPlay, console: Console, what: str = "games") -> list[GameRecord]:
    """Play what is not yet played; all games in canonical order.

    Raises `StoreError` if the folder holds something else, and `KeyboardInterrupt` on Ctrl-C; what was over by then is kept.
    """
    with Store(plan.out, plan.settings) as store:
        done = {record.number for record in store.records()}
        missing = [number for number in range(plan.total) if number not in done]
        if missing and done and store.version != __version__:
            raise StoreError(
                f"{plan.out} was begun by narabe {store.version}, and this is {__version__}: use another --out"
            )
        if missing:
            who = f"{plan.agent} and {plan.game_spec}"
            with (
                closing(made_ready(plan.args.workers, _preparations(plan), console, who)) as executor,
                closing(executor.run(_tasks(plan, missing))) as outcomes,  # type: ignore[type-var]
                Counter(console, what, plan.total, len(done)) as shown,
            ):
                for number, outcome in enumerate(outcomes, len(done) + 1):
                    store.add(_record_of(outcome))
                    shown.at(number)
        return store.records()


def _record_of(outcome: Outcome) -> GameRecord:
    if outcome.failure is None:
        return outcome.value
    record = referee.after_failure(outcome.task.payload, outcome.failure)
    if record is None:
        raise UsageError(
            f"{outcome.task.key} broke off outside of any agent's move; the same command goes on: {outcome.failure.detail}"
        )
    return record


def _preparations(plan: SelfPlay) -> list[Task]:
    seconds = max(WARM_UP_SECONDS, WARM_UP_MOVES * plan.args.deadline)
    law = Task(LAW, referee.compile_law, (plan.rules, COMPILE_SECONDS))
    return [law, Task(plan.agent, referee.warm_up, (plan.rules, plan.agent, seconds))]


def _tasks(plan: SelfPlay, numbers: Sequence[int]) -> Iterator[Task]:
    cells = openings.cells_near(plan.game, plan.args.near)
    for number in numbers:
        turn, start = divmod(number, len(plan.starts))
        fixture = Fixture(
            id=f"{turn:05d}-{start:03d}",
            number=number,
            opening=start,
            seats=(0,) * plan.game.num_players,
            seed=stream_seed(plan.args.seed, GAMES, number),
            chance=stream_seed(plan.args.seed, CHANCES, number),
        )
        both = (plan.agent,) * plan.game.num_players
        opening = opened(plan, plan.starts[start], turn, start, cells)
        yield Task(f"game {fixture.id}", referee.play, Match(plan.rules, fixture, both, both, opening))


def opened(
    plan: SelfPlay, start: tuple[int, ...], turn: int, number: int, cells: frozenset[int] | None
) -> tuple[int, ...]:
    """A start with its random plies. They depend on the round and the start alone, so variants share them where they can."""
    if not plan.args.random_plies:
        return start
    rng = np.random.default_rng(np.random.SeedSequence(plan.args.seed, spawn_key=(OPENINGS, turn, number)))
    for _ in range(TRIES):
        state = plan.game.start(seed=int(rng.integers(1 << 63)), chance="manual")
        for action in start:
            state.play(action)
        openings.play_random(state.settle(), plan.args.random_plies, rng, cells)
        if not state.is_over:
            return tuple(state.history)
    raise UsageError(f"{plan.game.spec}: with --random-plies {plan.args.random_plies} the game is over at once")


# ---- what they come to ------------------------------------------------------------------------------------------------------


@dataclass
class Score:
    """Games won, drawn and lost by one side; a draw counts as half a win.

    As text it is in percent:

    >>> print(Score(15, 2, 3))
    80.0 (56.3 to 94.3)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, payoff: float) -> None:
        """Another game, by the side's payoff."""
        self.wins += payoff > 0
        self.draws += payoff == 0
        self.losses += payoff < 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Points a game, from 0 to 1; NaN of no games."""
        return (self.wins + self.draws / 2) / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval for the share: that of Clopper and Pearson (Biometrika 26, 1934) with half points as hits.

        With draws it is wider than need be, as a game that may be drawn varies less than one that is won or lost.

        >>> [round(x, 3) for x in Score(wins=0, losses=10).interval]
        [0.0, 0.308]
        """
        return exact_interval(self.wins + self.draws / 2, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.1f} ({100 * low:.1f} to {100 * high:.1f})" if self.games else "-"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        share = self.share if self.games else None
        counts = {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {**counts, "score": share, "interval": list(self.interval)}


def difference(a: Score, b: Score) -> tuple[float, float, float]:
    """(a's share - b's, low, high): Newcombe's hybrid interval of 95 % (Statistics in Medicine 17, 1998, method 10).

    It is made of the intervals of both; those of `Score` are exact and not Wilson's, so it is somewhat wider.

    >>> [round(x, 2) for x in difference(Score(30, 0, 10), Score(20, 0, 20))]
    [0.25, 0.02, 0.45]
    """
    (low_a, high_a), (low_b, high_b), d = a.interval, b.interval, a.share - b.share
    low = ((a.share - low_a) ** 2 + (high_b - b.share) ** 2) ** 0.5
    high = ((high_a - a.share) ** 2 + (b.share - low_b) ** 2) ** 0.5
    return d, d - low, d + high


def whole(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games that were played to their end, which none was that somebody forfeited."""
    return [record for record in records if record.forfeit_seat is None]


def remarks(records: Sequence[GameRecord]) -> list[str]:
    """What a reader of figures that come from these games must know."""
    games = whole(records)
    lines, found = len({record.moves for record in games}), []
    if 2 * lines <= len(games):
        found.append(
            f"Only {lines} of {len(games)} games are different, move for move: the figures speak of these lines of play. For "
            "more, give the agent a temperature, or take --random-plies."
        )
    if len(games) < len(records):
        found.append(f"{len(records) - len(games)} games were forfeited and do not count.")
    return found
