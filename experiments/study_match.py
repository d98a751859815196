"""Matches of Goita: how deals end between agents of one kind, the chance to win from every score, and when a redeal pays.

    python -m narabe.experiments.study_match --game goita_match --agent goita_rules --deals 20000 --out runs/match_table.json
    python -m narabe.experiments.study_match --show runs/match_table.json

Two kinds of deals are played, all dealt by seat 0, since seats are alike: deals in which nobody holds exactly five shi, and
for each seat deals in which it alone does. There the five are announced and the partner says to play on (`--fives silent`:
nothing is said). How likely each kind is, is known exactly. From the shares of how they end follows the chance that the
dealer's pair wins a match, by `narabe.search.goita.match_table`, where the pair of a holder of five asks for a redeal if
that is better for it on average over its hands. Standard errors are those of a bootstrap.

The file holds the counts, both tables with their errors, and what a redeal adds; it grows with every chunk of deals, and
a study that was stopped or killed goes on from there. It is the same for any number of workers.
"""

from __future__ import annotations

import functools
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import tyro
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from narabe.agents import AgentError, make
from narabe.envs import Game, State, game
from narabe.envs.rules import goita
from narabe.envs.rules.goita import record as R
from narabe.envs.rules.goita.deals import dealt_hand, draw_deal
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.experiments.args import UsageError
from narabe.search.goita.match_table import (
    MOST_POINTS,
    SEATS,
    DealerRule,
    FiveChances,
    MatchTable,
    Tallies,
    five_chances,
    match_table,
)

CHUNK = 250
"""Deals of a task."""
SAY_SECONDS = 10.0
PLAIN = -1
"""The kind of deals without a holder of five; the others are named by the holder's seat."""
KINDS = (PLAIN, *range(SEATS))
RULES: tuple[DealerRule, ...] = ("next", "winner")
RESAMPLED = 400
"""Bootstrap samples."""
NAMES = {PLAIN: "nobody", 0: "dealer", 1: "right", 2: "partner", 3: "left"}
"""Of kinds, in the file."""
HOLDERS = ("the dealer", "the right neighbour", "the dealer's partner", "the left neighbour")


@dataclass(frozen=True)
class StudyMatch:
    """Measure deals between agents of one kind, and compute the match table."""

    game: str = "goita_match"
    """A game of Goita for four; options may follow. Its deals are played one by one."""
    agent: str = "goita_rules"
    """Who sits on all four seats, as `narabe agents` lists them."""
    deals: int = 20_000
    """Deals in which nobody holds five; rounded up to whole chunks of 250."""
    five_deals: int = 4_000
    """Deals for each seat that alone holds five; rounded up in the same way."""
    fives: Literal["announced", "silent"] = "announced"
    """Do all know of the five that are played on?"""
    seed: int = 1
    """Of deals and agents."""
    workers: int = 1
    """Processes."""
    out: pathlib.Path = pathlib.Path("runs/match_table.json")
    """Where the figures are kept."""
    show: pathlib.Path | None = None
    """Play nothing, but show this file."""


# ---- deals ----


def deal_game(name: str) -> Game:
    """The game of single deals, dealt by seat 0, under the rules of a match; `UsageError` if there is none."""
    try:
        match = game(name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if match.law is not goita or match.num_players != SEATS:
        raise UsageError(f"{match.spec}: a game of Goita for four is needed")
    if match.options["specials"] == "choice":
        raise UsageError(f"{match.spec}: hands of many shi must count by themselves, or not at all")
    return Game(match.name, **(match.changed | {"match": 0, "first_dealer": 0}))


def chances_of(deals: Game) -> FiveChances:
    """How likely the kinds of deals are, of those that are played at all."""
    options = deals.options
    if options["specials"] == "off" or options["no_five_shi"]:
        return FiveChances(0.0, 0.0, 0.0)
    try:
        return five_chances(options["shi"], options["hand"])
    except ValueError as error:
        raise UsageError(f"{deals.spec}: {error}") from error


@kernel
def _deal_of_kind(states, fives, rng):
    """A deal, as an outcome, in which just the seats of these bits hold exactly five shi (bits -1: whichever do)."""
    s = states[0]
    while True:
        a = draw_deal(s, rng)
        found = 0
        for seat in range(s.players):
            if dealt_hand(s, a - R.DEALT, np.int64(seat)) & 15 == 5:
                found |= 1 << seat
        if fives < 0 or found == fives:
            return a


def play_deal(state: State, agents: list[Any], seeds: list[int], silent: bool) -> tuple[int, int]:
    """Play a deal that was dealt to its end; (seat that goes out, points in points of a shi)."""
    for seat, agent in enumerate(agents):
        agent.new_game(seat, seeds[seat])
    told = [0] * len(agents)
    while not state.is_over:
        seat, phase = state.to_play, int(state.record["phase"][0])
        legal = state.legal_actions()
        if phase == R.ANNOUNCE:
            action = R.SAY_FIVE if not silent and R.SAY_FIVE in legal else R.SILENT
        elif phase == R.ANSWER:
            action = R.GO_ON
        elif len(legal) == 1:
            action = int(legal[0])
        else:
            seen = state.seen(seat)
            for action in seen[told[seat] :]:
                agents[seat].tell(action)
            told[seat] = len(seen)
            (analysis,) = agents[seat].choose([state.view(seat, seed=seeds[seat] + len(seen))])
            action = int(analysis.action)
        state.play(action)
    s = state.record[0]
    out = int(s["turn"]) if s["result"] & R.OUT else int(s["opened"]).bit_length() - 1
    return out, int(s["scores"][int(s["winner"]) - 1])


def play_chunk(args: StudyMatch, kind: int, number: int) -> np.ndarray:
    """One task: int64 [seat, points - 1], how the deals of a chunk ended."""
    deals = deal_game(args.game)
    agents = [make(args.agent, deals) for _ in range(SEATS)]
    counts = np.zeros((SEATS, MOST_POINTS), np.int64)
    asked = chances_of(deals).one > 0
    for sequence in np.random.SeedSequence((args.seed, kind + 1, number)).spawn(CHUNK):
        dealt, *seeds = (int(word) for word in sequence.generate_state(1 + SEATS))
        state = deals.start(chance="manual")
        outcome = _deal_of_kind(state.record, (1 << kind if kind >= 0 else 0) if asked else -1, new_stream(dealt))
        state.play(int(outcome))
        out, points = play_deal(state, agents, seeds, args.fives == "silent")
        counts[out, points - 1] += 1
    for agent in agents:
        agent.close()
    return counts


def duel(name: str, first: str, second: str, deals: int, seed: int = 1) -> np.ndarray:
    """float64 [deal]: the share of 0, 1/2 or 1 that the pair of agents ``first`` wins against one of ``second``.

    Each deal, in which nobody holds five shi, is played twice, so that both pairs have each hand once.
    """
    single = deal_game(name)
    seats = [make(spec, single) for spec in (first, second) * 2]
    swapped = [*seats[1:], seats[0]]
    won = np.zeros(deals)
    for n, sequence in enumerate(np.random.SeedSequence((seed, SEATS + 1)).spawn(deals)):
        dealt, *seeds = (int(word) for word in sequence.generate_state(1 + SEATS))
        for pair, agents in enumerate((seats, swapped)):
            state = single.start(chance="manual")
            state.play(int(_deal_of_kind(state.record, 0, new_stream(dealt))))
            out, _ = play_deal(state, agents, seeds, silent=True)
            won[n] += 0.5 * (out % 2 == pair)
    return won


# ---- the file ----


class Store:
    """The counts of the chunks that are done, in a file."""

    def __init__(self, args: StudyMatch) -> None:
        self.path = args.out
        self.chances = chances_of(deal_game(args.game))
        self.settings = {
            "game": game(args.game).spec,
            "agent": args.agent,
            "fives": args.fives,
            "seed": args.seed,
            "chunk": CHUNK,
        }
        self.counts = {kind: np.zeros((SEATS, MOST_POINTS), np.int64) for kind in KINDS}
        self.done: dict[int, list[int]] = {kind: [] for kind in KINDS}
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        known = json.loads(self.path.read_text())
        if known.get("settings") != self.settings:
            raise UsageError(f"{self.path} holds another study: {known.get('settings')}; give another --out")
        for kind in KINDS:
            self.counts[kind] = np.array(known["counts"][NAMES[kind]], np.int64)
            self.done[kind] = known["chunks"][NAMES[kind]]

    def add(self, kind: int, number: int, counts: np.ndarray) -> None:
        self.counts[kind] += counts
        self.done[kind] = sorted([*self.done[kind], number])

    def tallies(self) -> Tallies:
        fives = np.stack([self.counts[kind] for kind in KINDS if kind >= 0])
        return Tallies(self.counts[PLAIN], fives, self.chances)

    def save(self, findings: dict[str, Any] | None = None) -> None:
        """Write the file anew, all or nothing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(self.path.suffix + ".new")
        fresh.write_text(
            _written(
                {
                    "made_by": command_of(self),
                    "settings": self.settings,
                    "deals": {NAMES[kind]: int(self.counts[kind].sum()) for kind in KINDS},
                    "chunks": {NAMES[kind]: self.done[kind] for kind in KINDS},
                    "counts": {NAMES[kind]: self.counts[kind].tolist() for kind in KINDS},
                    **(findings or {}),
                }
            )
        )
        os.replace(fresh, self.path)


def command_of(store: Store) -> str:
    """The command that makes the file."""
    said, settings = store.counts, store.settings
    return (
        f"python -m narabe.experiments.study_match --game {settings['game']} --agent {settings['agent']}"
        f" --deals {said[PLAIN].sum()} --five-deals {said[0].sum()} --fives {settings['fives']} --seed {settings['seed']}"
    )


def _written(data: Any, depth: int = 0) -> str:
    """JSON with one line for each innermost list."""
    if isinstance(data, dict) or (isinstance(data, list) and data and isinstance(data[0], list)):
        pairs = data.items() if isinstance(data, dict) else ((None, item) for item in data)
        pad = " " * (depth + 1)
        rows = [
            pad + (f"{json.dumps(key)}: " if key is not None else "") + _written(value, depth + 1)
            for key, value in pairs
        ]
        first, last = "{}" if isinstance(data, dict) else "[]"
        return f"{first}\n" + ",\n".join(rows) + f"\n{' ' * depth}{last}" + ("" if depth else "\n")
    return json.dumps(data, separators=(",", ":"))


def read_study(path: pathlib.Path | str) -> tuple[dict[str, Any], Tallies]:
    """(settings, counts) of a file of this study.

    The tables follow from the counts: ``match_table(tallies.odds())``.
    """
    known = json.loads(pathlib.Path(path).read_text())
    counts = {kind: np.array(known["counts"][NAMES[kind]], np.int64) for kind in KINDS}
    fives = np.stack([counts[kind] for kind in KINDS if kind >= 0])
    return known["settings"], Tallies(counts[PLAIN], fives, chances_of(deal_game(known["settings"]["game"])))


# ---- what follows from the counts ----


@dataclass(frozen=True)
class Finding:
    """A table and its bootstrap standard errors, by one rule on who deals next."""

    table: MatchTable
    error: np.ndarray
    """Of ``table.win``: float64 [own, other]."""
    gains: np.ndarray
    """float64 [holder, holder's score, other score]: what a redeal adds to the chance of the holder's pair."""
    gain_errors: np.ndarray


def finding(tallies: Tallies, target: int = 15, rule: DealerRule = "next", seed: int = 0) -> Finding:
    """The table of counted deals, with standard errors."""
    table = match_table(tallies.odds(), target, rule)
    spread = match_table(tallies.resampled(RESAMPLED, seed), target, rule)
    gains = np.stack([table.redeal_gain(holder) for holder in range(SEATS)])
    errors = np.stack([spread.redeal_gain(holder).std(0) for holder in range(SEATS)])
    return Finding(table, spread.win.std(0), gains, errors)


def target_of(name: str) -> int:
    """The score that wins the match, in points of a shi; 15 in a game of single deals."""
    options = game(name).options
    return -(-options["match"] // options["points"]) if options["match"] else R.WHOLE_MATCH


def in_numbers(found: Finding) -> dict[str, Any]:
    """A finding for the file; scores from 0, of the dealer's pair (or the holder's) by row."""
    return {
        "win": found.table.win.round(4).tolist(),
        "win_error": found.error.round(4).tolist(),
        "redeal_gain": found.gains.round(4).tolist(),
        "redeal_gain_error": found.gain_errors.round(4).tolist(),
    }


# ---- what is shown ----


def show(console: Console, settings: dict[str, Any], tallies: Tallies) -> dict[DealerRule, Finding]:
    """Print what the counts tell."""
    say = functools.partial(console.print, soft_wrap=True)
    say(
        f"{settings['game']}, {settings['agent']} on all seats, fives {settings['fives']}, seed {settings['seed']}\n"
        "deals by who alone holds five shi: how often the dealer's pair wins (%, with its standard error), how often each"
        "\nseat goes out (%, counted from the dealer), mean points"
    )
    say(deal_line("nobody", tallies.plain))
    for holder, counts in enumerate(tallies.fives):
        if counts.sum():
            say(deal_line(HOLDERS[holder], counts))
    findings = {rule: finding(tallies, target_of(settings["game"]), rule) for rule in RULES}
    for rule, found in findings.items():
        who, win, error = (
            "the next seat" if rule == "next" else "who went out",
            found.table.win[0, 0],
            found.error[0, 0],
        )
        console.print(
            f"\n{who} deals: at 0-0 the dealer's pair wins the match with {win:.4f}, standard error {error:.4f}"
        )
        if tallies.chances.one:
            say(
                "five shi: a redeal pays (R, or r: by less than two standard errors) or not (., or : by less than two),"
                "\nby the score of the holder's pair (rows) and the other's"
            )
            console.print(Columns([redeal_grid(found, holder) for holder in range(SEATS)], padding=(0, 3)))
    return findings


def deal_line(what: str, counts: np.ndarray) -> str:
    """How deals of a kind ended."""
    n = int(counts.sum())
    shares, points = counts.sum(1) / n, counts.sum(0) @ np.arange(1, MOST_POINTS + 1) / n
    won = shares[0] + shares[2]
    error = float(np.sqrt(won * (1 - won) / n))
    seats = " ".join(f"{100 * share:4.1f}" for share in shares)
    return f"{what:<20} {n:7,} deals  {100 * won:4.1f} ± {100 * error:.1f}  {seats}  {points:.2f}"


def redeal_grid(found: Finding, holder: int) -> Text:
    """Where a redeal pays for the pair of a holder of five, by its score (rows) and the other's."""
    gain, sure = found.gains[holder], np.abs(found.gains[holder]) > 2 * found.gain_errors[holder]
    signs = np.where(gain > 0, np.where(sure, "R", "r"), np.where(sure, ".", ":"))
    if (signs == signs[0, 0]).all():
        return Text(f"{HOLDERS[holder]}\n   {signs[0, 0]} at all scores")
    text = Text(f"{HOLDERS[holder]}\n   " + "".join(str(other % 10) for other in range(len(signs))))
    for own, row in enumerate(signs):
        text.append(f"\n{own:2} " + "".join(row))
    return text


# ---- the study ----


def run(args: StudyMatch, console: Console | None = None) -> int:
    """Do what the arguments ask for; returns the exit status. `UsageError` for what cannot be done."""
    console = console or Console(highlight=False)
    if args.show is not None:
        try:
            show(console, *read_study(args.show))
        except (OSError, KeyError, ValueError) as error:
            raise UsageError(f"{args.show}: no file of this study ({error})") from error
        return 0
    if min(args.deals, args.five_deals, args.workers) < 1 or args.seed < 0:
        raise UsageError("--deals, --five-deals and --workers are at least 1, --seed at least 0")
    store = Store(args)
    try:
        make(args.agent, deal_game(args.game))
    except AgentError as error:
        raise UsageError(str(error)) from error
    status = 0
    try:
        play(args, store, console)
    except KeyboardInterrupt:
        console.print("stopped; what is done is kept")
        status = 130
    store.save()
    try:
        tallies = store.tallies()
        tallies.odds()
    except ValueError as error:
        console.print(f"{error}: the same command goes on")
        return status
    findings = show(console, store.settings, tallies)
    store.save({"tables": {rule: in_numbers(found) for rule, found in findings.items()}})
    return status


def play(args: StudyMatch, store: Store, console: Console) -> None:
    """Play the chunks that are missing, and save after each."""
    kinds = KINDS if store.chances.one else (PLAIN,)
    wanted = [
        (kind, number)
        for kind in kinds
        for number in range(-(-(args.deals if kind == PLAIN else args.five_deals) // CHUNK))
        if number not in store.done[kind]
    ]
    said = begun = time.monotonic()
    for n, (kind, number, counts) in enumerate(played(args, wanted), 1):
        store.add(kind, number, counts)
        store.save()
        now = time.monotonic()
        if now - said >= SAY_SECONDS:
            said = now
            left = (now - begun) / n * (len(wanted) - n)
            console.print(f"{n * CHUNK:,} of {len(wanted) * CHUNK:,} deals, {left / 60:.0f} minutes left")


def played(args: StudyMatch, wanted: list[tuple[int, int]]) -> Iterator[tuple[int, int, np.ndarray]]:
    """(kind, number, counts) of chunks as they are done; Ctrl-C loses only those in progress."""
    if args.workers == 1 or len(wanted) < 2:
        for kind, number in wanted:
            yield kind, number, play_chunk(args, kind, number)
        return
    kind, number = wanted[0]
    yield kind, number, play_chunk(args, kind, number)  # compiles once, for all processes
    queue = iter(wanted[1:])
    with ProcessPoolExecutor(args.workers, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(play_chunk, args, *task): task for task in itertools.islice(queue, 2 * args.workers)}
        while running:
            done = next(as_completed(running))
            kind, number = running.pop(done)
            running |= {pool.submit(play_chunk, args, *task): task for task in itertools.islice(queue, 1)}
            yield kind, number, done.result()


def main() -> None:
    """The command line."""
    try:
        sys.exit(run(tyro.cli(StudyMatch, description=__doc__)))
    except UsageError as error:
        print(f"study_match: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
