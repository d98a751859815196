"""`narabe dataset`: stored games as arrays, for people who train with code of their own. See `DatasetArgs` for the arrays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from narabe import __version__, envs
from narabe.agents.symmetries import Symmetries
from narabe.envs import Game, State
from narabe.envs.game import IllegalMove
from narabe.envs.rules import core
from narabe.experiments.args import UsageError
from narabe.experiments.data_args import DatasetArgs
from narabe.experiments.npz import NpzWriter
from narabe.experiments.referee import GameRecord
from narabe.experiments.store import FILE
from narabe.experiments.stored import StoredRun, open_run

ROWS = 512
"""Positions that are put down at once."""


class Moment(NamedTuple):
    """A position of a stored game, and what was played there. The state is played on when the next one is asked for."""

    state: State
    action: int
    outcome: np.ndarray
    game: int
    ply: int
    seat: int
    opening: bool


@dataclass
class Tally:
    """What was read and written."""

    games: int = 0
    forfeits: int = 0
    moments: int = 0
    positions: int = 0


def run(args: DatasetArgs, console: Console | None = None) -> int:
    """Write the arrays; `UsageError` says what cannot be done."""
    console = console or Console()
    if args.out.suffix != ".npz":
        raise UsageError(f"{args.out}: arrays are written to a file that ends in .npz")
    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit}: at least 1")
    is_training = not (args.run / FILE).exists() and (args.run / "window").is_dir()
    try:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        tally = (from_training if is_training else from_tournament)(args, console)
    except OSError as error:
        raise UsageError(f"{args.out} cannot be written ({error.strerror or error})") from None
    console.print(f"{tally.positions} positions: {escape(str(args.out))}", highlight=False, soft_wrap=True)
    if tally.forfeits:
        console.print(f"{tally.forfeits} games were left out: they were forfeited, and not played to their end.")
    return 0


# ---- a tournament -------------------------------------------------------------------------------------------------------


def from_tournament(args: DatasetArgs, console: Console) -> Tally:
    """Replay the games of a tournament, and write their positions."""
    source, tally = open_run(args.run), Tally()
    game = source.game
    known = source.settings["agents"]
    if unknown := [agent for agent in args.agents if agent not in known]:
        raise UsageError(f"no agent {unknown[0]!r} in {args.run}: {', '.join(known)}")
    if args.symmetries == "canonical" and core.hides(game.law):
        raise UsageError(
            f"{game.spec} has hidden hands, so equal positions need not look equal to a seat: --symmetries none"
        )
    records = track(
        source.records(), "games", total=source.count, console=console, transient=True, disable=not console.is_terminal
    )
    moments = chosen(records, game, args, tally)
    with NpzWriter(args.out) as out:
        blocks = each_once(moments, game, args.limit) if args.symmetries == "canonical" else as_played(moments, game)
        for block in blocks:
            out.add(**block)
            tally.positions += len(block["masks"])
        if not tally.positions:
            raise UsageError(
                f"{args.run} has no such positions: {tally.games} games, {tally.forfeits} of them forfeited"
            )
        out.put(meta=json.dumps(meta_of(args, source)))
    return tally


def meta_of(args: DatasetArgs, source: StoredRun) -> dict[str, Any]:
    """What stands in the file beside the arrays."""
    return {
        "game": source.game.to_dict(),
        "source": {"narabe": source.version, "settings": source.settings},
        "agents": args.agents,
        "symmetries": args.symmetries,
        "narabe": __version__,
    }


def chosen(records: Iterable[GameRecord], game: Game, args: DatasetArgs, tally: Tally) -> Iterator[Moment]:
    """The moments that the arguments ask for; what is left out is counted."""
    whole = args.limit if args.symmetries == "none" else None
    for record in records:
        tally.games += 1
        if record.forfeit_seat is not None:
            tally.forfeits += 1
            continue
        for moment in moments_of(record, game):
            if moment.opening and (args.skip_opening or args.agents):
                continue
            if args.agents and record.agents[moment.seat] not in args.agents:
                continue
            if tally.moments == whole:
                return
            tally.moments += 1
            yield moment


def moments_of(record: GameRecord, game: Game) -> Iterator[Moment]:
    """Every decision of a game, replayed by the rules; `UsageError` for a record that they refuse."""
    state = game.start(chance="manual")
    for ply, move in enumerate(record.moves.split()):
        seat = state.to_play
        try:
            action = game.action_of(move)
            if seat >= 0:
                outcome = np.roll(np.array(record.payoffs, np.float32), -seat)
                yield Moment(state, action, outcome, record.number, ply, seat, ply < record.opening_plies)
            state.play(action)
        except (IllegalMove, ValueError) as error:
            raise UsageError(f"game {record.id}, move {ply + 1}: {error}; was it played by other rules?") from None


def as_played(moments: Iterable[Moment], game: Game) -> Iterator[dict[str, np.ndarray]]:
    """Blocks of arrays, a row a moment."""
    block = _Block(game)
    for moment in moments:
        block.add(moment, moment.state.observe(moment.seat), moment.state.legal_mask())
        if len(block) == ROWS:
            yield block.arrays(block.one_hot())
            block = _Block(game)
    if len(block):
        yield block.arrays(block.one_hot())


def each_once(moments: Iterable[Moment], game: Game, limit: int | None) -> Iterator[dict[str, np.ndarray]]:
    """Blocks of arrays, a row a position up to symmetry, in the order of their first times; all are in memory until the end."""
    found = _EachOnce(game)
    for moment in moments:
        found.add(moment, limit)
    yield from found.blocks()


class _EachOnce:
    """Positions up to symmetry. How often one comes again is known at the end only."""

    def __init__(self, game: Game) -> None:
        self.game, self.symmetries = game, Symmetries(game)
        self.rows: dict[int, int] = {}  # by key
        self.firsts: list[_Block] = []
        self.played: list[tuple[int, int]] = []  # (row, action) of every moment
        self.outcomes: list[np.ndarray] = []  # their sums, by row
        self.counts: list[int] = []

    def add(self, moment: Moment, limit: int | None) -> None:
        turns = self.symmetries.count > 1
        key, k = moment.state.canonical_key if turns else (moment.state.key, 0)
        if key not in self.rows:
            if len(self.rows) == limit:
                return
            self.begin(moment, key, k)
        row = self.rows[key]
        self.played.append((row, self.game.symmetry(moment.action, k) if turns else moment.action))
        self.outcomes[row] = self.outcomes[row] + moment.outcome
        self.counts[row] += 1

    def begin(self, moment: Moment, key: int, k: int) -> None:
        """A row for a position that comes for the first time, in its canonical image."""
        if len(self.rows) % ROWS == 0:
            self.firsts.append(_Block(self.game))
        turn, state = np.array([k]), moment.state
        planes = self.symmetries.planes(state.observe(moment.seat)[None], turn)[0]
        self.firsts[-1].add(moment, planes, self.symmetries.by_action(state.legal_mask()[None], turn)[0])
        self.rows[key] = len(self.rows)
        self.outcomes.append(np.zeros(self.game.num_players))
        self.counts.append(0)

    def blocks(self) -> Iterator[dict[str, np.ndarray]]:
        played = np.array(sorted(self.played), np.int64).reshape(-1, 2)
        for low, block in zip(range(0, len(self.rows), ROWS), self.firsts):
            high = low + len(block)
            rows, actions = played[slice(*np.searchsorted(played[:, 0], (low, high)))].T
            policies = np.zeros((len(block), self.game.num_actions))
            np.add.at(policies, (rows - low, actions), 1)
            counts = np.array(self.counts[low:high], np.int32)
            block.actions = policies.argmax(1).tolist()
            block.outcomes = list(np.array(self.outcomes[low:high]) / counts[:, None])
            yield block.arrays(policies / counts[:, None]) | {"counts": counts}


class _Block:
    """Some rows."""

    def __init__(self, game: Game) -> None:
        self.num_actions = game.num_actions
        self.observations: list[np.ndarray] = []
        self.masks: list[np.ndarray] = []
        self.actions: list[int] = []
        self.outcomes: list[np.ndarray] = []
        self.facts: list[tuple[int, int, int, bool]] = []

    def __len__(self) -> int:
        return len(self.facts)

    def add(self, moment: Moment, observation: np.ndarray, mask: np.ndarray) -> None:
        self.observations.append(observation)
        self.masks.append(mask)
        self.actions.append(moment.action)
        self.outcomes.append(moment.outcome)
        self.facts.append((moment.game, moment.ply, moment.seat, moment.opening))

    def one_hot(self) -> np.ndarray:
        policies = np.zeros((len(self), self.num_actions))
        policies[np.arange(len(self)), self.actions] = 1
        return policies

    def arrays(self, policies: np.ndarray) -> dict[str, np.ndarray]:
        games, plies, seats, openings = zip(*self.facts)
        return {
            "observations": np.stack(self.observations),
            "masks": np.stack(self.masks),
            "actions": np.array(self.actions, np.int32),
            "policies": policies.astype(np.float16),
            "outcomes": np.stack(self.outcomes).astype(np.float32),
            "games": np.array(games, np.int32),
            "plies": np.array(plies, np.int32),
            "seats": np.array(seats, np.int8),
            "openings": np.array(openings, bool),
            "counts": np.ones(len(self), np.int32),
        }


# ---- a run of training ----------------------------------------------------------------------------------------------------


def from_training(args: DatasetArgs, console: Console) -> Tally:
    """Put the shards of a run of `narabe train` together."""
    from narabe.experiments.training import window
    from narabe.experiments.training.state import stored

    for name, given in (
        ("agents", args.agents),
        ("skip-opening", args.skip_opening),
        ("symmetries", args.symmetries != "none"),
    ):
        if given:
            raise UsageError(f"--{name} is for games of a tournament; {args.run} is a run of narabe train")
    settings, tally = stored(args.run), Tally()
    shards = sorted((args.run / "window").glob("*.npz"), reverse=True)
    if settings is None or not shards:
        raise UsageError(f"{args.run} holds no whole chunk of games yet")
    _expect_positions(shards[0])
    game = envs.game(settings["game"])
    with NpzWriter(args.out) as out:
        for path in track(shards, "shards", console=console, transient=True, disable=not console.is_terminal):
            try:
                positions, _ = window.read(path)
            except UsageError:
                if path.exists():
                    raise
                continue  # the run goes on, and has just forgotten it
            n = len(positions)
            n = n if args.limit is None else min(n, args.limit - tally.positions)
            out.add(
                observations=positions.observations[:n],
                masks=positions.masks[:n],
                policies=positions.policies[:n],
                outcomes=positions.values[:n],
                shards=np.full(n, window.iteration_of(path), np.int32),
            )
            tally.positions += n
            if tally.positions == args.limit:
                break
        out.put(meta=json.dumps({"game": game.to_dict(), "source": {"settings": settings}, "narabe": __version__}))
    return tally


def _expect_positions(path: Path) -> None:
    """`UsageError` for the shards of `narabe train-cards`, which hold no positions."""
    with np.load(path, allow_pickle=False) as data:
        if "observations" not in data:
            raise UsageError(
                f"{path.parent.parent} keeps deals and no positions, as runs of narabe train-cards do: play a tournament "
                "with its player, and take that"
            )
