"""Connect Four players beside exact values: how often a chosen column keeps the outcome, and the score.

    python -m narabe.experiments.study_connect_four --cases runs/c4_cases.jsonl --out runs/c4_study.json \\
        --agents net:file=runs/c4/player.safetensors,sims=0 net:file=runs/c4/player.safetensors,sims=100

Positions come from games of random moves, of `greedy` and of short UCT (the last two after 0 to 8 random plies), as many
of each number of discs and group, no two equal or mirror images. In all of them the columns with room differ in score. They are

- *balanced* if best play draws, or if it wins and at least two columns win and at least two do not;
- *one-sided* otherwise: one side wins, and all columns but at most one agree on whether the mover does.

The solver's score is 0 for a draw, k for a win with k - 1 own stones to spare, -k for such a loss. A column is
*outcome-optimal* if its score has the sign of the best one (win, draw, loss), *score-optimal* if it has the best score: it
wins as soon, or loses as late, as can be. Intervals are Clopper and Pearson's, 95 %. The positions with their scores are
kept in `--cases`, made there if it does not exist (a minute or two of one core with the usual settings).
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from narabe import agents, envs
from narabe.agents import Agent
from narabe.envs import Game, State
from narabe.experiments.args import UsageError
from narabe.experiments.judging import choices, share_of
from narabe.experiments.outputs import expect_file
from narabe.search.gravity import Solver
from narabe.search.gravity.law import board_of, position_of_state

FORMAT = 1
SOURCES = ("random", "greedy", "uct:sims=32,reuse=false")
OPENING = 8
"""Random plies before an agent takes over, at most."""
BAND = 4
"""Numbers of discs that are counted together."""
GROUPS = ("balanced", "one-sided")


@dataclass(frozen=True)
class StudyConnectFour:
    """Compare players of Connect Four with exact values."""

    agents: tuple[str, ...] = ()
    """Spec strings of the players; none: only make the positions."""
    cases: pathlib.Path = pathlib.Path("runs/connect_four_cases.jsonl")
    """The positions with the score of every column; made if it does not exist."""
    positions: int = 3000
    """How many to make: half of them balanced, spread evenly over the numbers of discs."""
    discs: tuple[int, int] = (12, 35)
    """Fewest and most discs on the board. A position of 8 costs the solver tenths of a second, one of 12 hundredths."""
    seed: int = 1
    """Of the positions, and of the players' own random numbers."""
    mb: float = 64.0
    """Memory for the solver's table in MiB."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


@dataclass(frozen=True)
class Case:
    """A position as the columns played (from 1), the score of every column for the mover (None: full), and who played."""

    moves: str
    scores: tuple[int | None, ...]
    source: str

    @property
    def discs(self) -> int:
        return len(self.moves)

    @cached_property
    def best(self) -> int:
        return max(score for score in self.scores if score is not None)

    @cached_property
    def outcomes(self) -> list[int]:
        """1, 0, -1: what the columns with room lead to."""
        return [int(np.sign(score)) for score in self.scores if score is not None]

    @property
    def group(self) -> str:
        """balanced or one-sided.

        >>> Case("", (2, 2, 0, -1, -1, -1, None), "").group, Case("", (3, -1, -1, -1, -1, -1, -1), "").group
        ('balanced', 'one-sided')
        """
        wins = self.outcomes.count(1)
        others = len(self.outcomes) - wins
        return GROUPS[0] if self.best == 0 or (wins >= 2 and others >= 2) else GROUPS[1]

    @property
    def forced(self) -> bool:
        """Can the mover win with the next disc, or do all columns but at most one let the opponent win with the next?"""
        left = 42 - self.discs
        safe = sum(score > -(left // 2) for score in self.scores if score is not None)
        return self.best == (left + 1) // 2 or safe < 2

    def keeps_outcome(self, column: int) -> bool:
        score = self.scores[column]
        return score is not None and np.sign(score) == np.sign(self.best)

    def keeps_score(self, column: int) -> bool:
        return self.scores[column] == self.best

    def state(self, game: Game) -> State:
        state = game.start()
        for digit in self.moves:
            state.play(int(digit) - 1)
        return state

    def line(self) -> str:
        return json.dumps({"moves": self.moves, "scores": self.scores, "source": self.source}) + "\n"


# ---- positions ----


def bands(args: StudyConnectFour) -> list[range]:
    """The numbers of discs, in bands."""
    first, last = args.discs
    return [range(low, min(low + BAND, last + 1)) for low in range(first, last + 1, BAND)]


def header(args: StudyConnectFour) -> dict[str, Any]:
    """What the positions of a file depend on."""
    return {"format": FORMAT, "seed": args.seed, "positions": args.positions, "discs": list(args.discs)}


def cases_of(args: StudyConnectFour, console: Console) -> list[Case]:
    """The positions of the file; made, if it is not there. `UsageError` if it holds others than these arguments ask for."""
    if not args.cases.exists():
        made = list(make(args, console))
        args.cases.parent.mkdir(parents=True, exist_ok=True)
        temporary = args.cases.with_name(args.cases.name + ".tmp")
        temporary.write_text(json.dumps(header(args)) + "\n" + "".join(case.line() for case in made))
        temporary.replace(args.cases)
    first, *lines = args.cases.read_text().splitlines()
    if json.loads(first) != header(args):
        raise UsageError(f"{args.cases} holds positions for {first}, not for {json.dumps(header(args))}: name another")
    rows = [json.loads(line) for line in lines]
    return [Case(row["moves"], tuple(row["scores"]), row["source"]) for row in rows]


def make(args: StudyConnectFour, console: Console) -> Iterator[Case]:
    """Positions drawn until each band of discs has its number of each group; `UsageError` for numbers that cannot be."""
    first, last = args.discs
    parts = len(bands(args)) * len(GROUPS) if first <= last else 0
    if not (0 <= first <= last <= 40) or not args.positions or args.positions % parts:
        raise UsageError(f"--positions {args.positions}: a multiple of {parts} for --discs {first} {last} (of 0 to 40)")
    game = envs.game("connect_four")
    solver, players = Solver(board_of(game), args.mb), [agents.make(spec, game) for spec in SOURCES]
    known: set[int] = set()
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("solving", total=args.positions)
        for number, band in enumerate(bands(args)):
            rng = np.random.default_rng((args.seed, number))
            wanted = dict.fromkeys(GROUPS, args.positions // parts)
            while any(wanted.values()):
                k = int(rng.integers(len(SOURCES)))
                discs, state = int(rng.choice(band)), None
                while state is None:
                    state = drawn(game, players[k], k == 0, discs, rng)
                key = state.canonical_key[0]
                if key in known:
                    continue
                known.add(key)
                case = solved(solver, state, SOURCES[k])
                if len(set(case.scores) - {None}) > 1 and wanted[case.group]:
                    wanted[case.group] -= 1
                    progress.advance(bar)
                    yield case


def drawn(game: Game, player: Agent, only_random: bool, discs: int, rng: np.random.Generator) -> State | None:
    """A game of so many plies: random ones first, all of them or a few, then the player's; None if it ends before."""
    state = game.start()
    opening = discs if only_random else int(rng.integers(min(OPENING, discs) + 1))
    player.new_game(0, int(rng.integers(1 << 31)))
    for ply in range(discs):
        action = rng.choice(state.legal_actions()) if ply < opening else player.analyse(state).action
        state.play(int(action))
        if state.is_over:
            return None
    return state


def solved(solver: Solver, state: State, source: str) -> Case:
    """The position with the scores of its columns."""
    scores: list[int | None] = [None] * solver.board.width
    for column, score in solver.scores(position_of_state(state)):
        scores[column] = score
    return Case("".join(str(action + 1) for action in state.history), tuple(scores), source)


# ---- players ----


def judged(cases: Sequence[Case], columns: Sequence[int]) -> dict[str, dict[str, Any]]:
    """By group of positions: how many, and the shares of columns that keep outcome and score.

    ``any_column``: the share of outcome-optimal ones to be expected of a column drawn at random.
    """
    outcome = np.array([case.keeps_outcome(column) for case, column in zip(cases, columns)])
    score = np.array([case.keeps_score(column) for case, column in zip(cases, columns)])
    chance = np.array([np.mean(np.array(case.outcomes) == np.sign(case.best)) for case in cases])
    rows = {}
    for name, chosen in sets(cases).items():
        if chosen.any():
            rows[name] = {
                "any_column": float(chance[chosen].mean()),
                "outcome": share_of(outcome[chosen]),
                "score": share_of(score[chosen]),
            }
    return rows


def sets(cases: Sequence[Case]) -> dict[str, np.ndarray]:
    """The sets of positions that are reported, as boolean arrays."""
    discs = np.array([case.discs for case in cases])
    found = {"all": np.ones(len(cases), bool)}
    found |= {group: np.array([case.group == group for case in cases]) for group in GROUPS}
    found["columns differ in outcome"] = np.array([len(set(case.outcomes)) > 1 for case in cases])
    found["nothing forced"] = np.array([not case.forced for case in cases])
    for low in range(int(discs.min()) // BAND * BAND, int(discs.max()) + 1, BAND):
        found[f"{low} to {low + BAND - 1} discs"] = (discs >= low) & (discs < low + BAND)
    for source in SOURCES:
        found[f"from {source}"] = np.array([case.source == source for case in cases])
    return found


def table(title: str, rows: dict[str, dict[str, Any]]) -> Table:
    """The figures of one player for the terminal, or for a notebook."""
    t = Table(title=title)
    for name in ("positions", "", "any column", "outcome-optimal", "score-optimal"):
        t.add_column(name, justify="left" if name == "positions" else "right")
    for name, row in rows.items():
        chance = f"{100 * row['any_column']:.1f} %"
        t.add_row(name, f"{row['outcome'].n:,}", chance, str(row["outcome"]), str(row["score"]))
    return t


def run(args: StudyConnectFour) -> int:
    """Make the positions, ask the players, print and write; returns the exit status."""
    expect_file(args.out)
    console = Console(width=None if Console().is_terminal else 120)
    game = envs.game("connect_four")
    players = {spec: agents.make(spec, game) for spec in args.agents}
    cases = cases_of(args, console)
    counts = Counter((case.group, case.discs) for case in cases)
    for group in GROUPS:
        listed = ", ".join(f"{discs}: {n}" for (of, discs), n in sorted(counts.items()) if of == group)
        console.print(f"{group} positions by number of discs: {listed}", highlight=False)
    states = [case.state(game) for case in cases]
    figures: dict[str, Any] = {}
    for spec, player in players.items():
        choices(player, states[:1])  # compiles
        begun = time.perf_counter()
        columns = choices(player, states, args.seed)
        seconds = time.perf_counter() - begun
        rows = judged(cases, columns.tolist())
        console.print(table(f"{spec} ({1000 * seconds / len(cases):.2f} ms a position)", rows))
        plain = {
            name: {k: x if isinstance(x, float) else x.to_dict() for k, x in row.items()} for name, row in rows.items()
        }
        figures[spec] = {"seconds": seconds, "positions": plain}
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"cases": header(args), "agents": figures}, indent=1) + "\n")
    return 0


def main() -> None:
    """The command line."""
    try:
        sys.exit(run(tyro.cli(StudyConnectFour, description=__doc__)))
    except (UsageError, agents.AgentError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
