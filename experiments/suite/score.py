"""`narabe suite`: agents asked for a move in every position, and how many of their moves are right."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from narabe import agents
from narabe.agents.agent import Agent, Budget
from narabe.experiments import interrupts
from narabe.experiments.args import UsageError
from narabe.experiments.judging import choices
from narabe.experiments.outputs import expect_file
from narabe.experiments.report import TitledTable, milliseconds
from narabe.experiments.suite.args import SuiteArgs
from narabe.experiments.suite.positions import CATEGORIES, Puzzle, game_of, load
from narabe.experiments.training.gate import Score

AT_ONCE = 8
"""Positions of one game that an agent is asked about together."""
WIDEST = 6
"""Categories of one table."""
STOPPED = 130


@dataclass(frozen=True)
class Answer:
    """What an agent played in a position, if that was right, and the seconds it took (its share, where several were asked)."""

    agent: str
    budget: str
    seed: int
    puzzle: str
    move: str
    right: bool
    seconds: float


def run(args: SuiteArgs, console: Console | None = None) -> int:
    """Ask, print the table; returns the exit status: 0, or 130 after Ctrl-C."""
    console = console or Console()
    if not console.is_terminal:
        console = Console(width=120, file=console.file)
    puzzles, budget = chosen(args), budget_of(args)
    if not args.agents:
        raise UsageError("--agents: name at least one")
    expect_file(args.out)
    players = {spec: {name: player(spec, name) for name in {p.game for p in puzzles}} for spec in args.agents}
    for spec, by_game in players.items():
        if not any(by_game.values()):
            raise UsageError(f"{spec} plays none of the games of these positions")
    answers = {(a.agent, a.puzzle): a for a in stored(args) if a.budget == words(budget) and a.seed == args.seed}
    status = 0
    with interrupts.deferred():
        try:
            for answer in ask_all(players, puzzles, budget, args, answers, console):
                answers[answer.agent, answer.puzzle] = answer
        except KeyboardInterrupt:
            status = STOPPED
    for part in parts(puzzles):
        console.print(table(list(args.agents), part, answers, players, words(budget)))
    if status:
        again = f"; the same command goes on: {args.out}" if args.out else "; with --out the same command goes on"
        console.print(f"Stopped{again}", highlight=False)
    return status


# ---- what is asked ----


def chosen(args: SuiteArgs) -> list[Puzzle]:
    """The positions that the arguments ask for; `UsageError` for a category that there is not."""
    unknown = [name for name in args.only if name not in CATEGORIES]
    if unknown:
        raise UsageError(f"no category {unknown[0]}: {', '.join(CATEGORIES)}")
    if args.positions is not None and args.positions < 1:
        raise UsageError(f"--positions {args.positions}: 1 or more")
    seen: Counter[str] = Counter()
    found = []
    for puzzle in load():
        seen[puzzle.category] += 1
        if (not args.only or puzzle.category in args.only) and seen[puzzle.category] <= (args.positions or 10**9):
            found.append(puzzle)
    return found


def budget_of(args: SuiteArgs) -> Budget | None:
    """The budget of all agents, None: each its own."""
    if args.sims is None and args.ms is None:
        return None
    try:
        return Budget(args.sims, args.ms)
    except ValueError as error:
        raise UsageError(f"--sims and --ms: {error}") from error


def words(budget: Budget | None) -> str:
    """A budget in a table's title."""
    if budget is None:
        return "each agent's own budget"
    return f"{budget.sims} simulations a position" if budget.sims else f"{budget.ms:g} ms a position"


def player(spec: str, game: str) -> Agent | None:
    """The agent, None if it does not play this game; `AgentError` for one that there is not."""
    try:
        return agents.make(spec, game_of(game))
    except agents.AgentError:
        kind = spec.partition(":")[0]
        if "." not in kind and kind not in agents.known():
            raise
        return None
    except ValueError:
        return None


def stored(args: SuiteArgs) -> list[Answer]:
    """The answers that are in the file already."""
    if args.out is None or not args.out.exists():
        return []
    text = args.out.read_text()
    try:
        return [Answer(**json.loads(line)) for line in text[: text.rfind("\n") + 1].splitlines()]
    except (ValueError, TypeError) as error:
        raise UsageError(f"{args.out} holds something else than answers ({error}): choose another --out") from error


# ---- asking ----


def ask_all(
    players: dict[str, dict[str, Agent | None]],
    puzzles: Sequence[Puzzle],
    budget: Budget | None,
    args: SuiteArgs,
    known: dict[tuple[str, str], Answer],
    console: Console,
) -> Iterator[Answer]:
    """Answers that are not known yet, as they come; each is in the file before it is handed on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        for spec, by_game in players.items():
            todo = [p for p in puzzles if by_game[p.game] is not None and (spec, p.id) not in known]
            bar = progress.add_task(escape(spec), total=len(todo))
            groups: dict[str, list[Puzzle]] = defaultdict(list)
            for puzzle in todo:
                groups[puzzle.game].append(puzzle)
            for name, group in groups.items():
                agent = by_game[name]
                assert agent is not None
                choices(agent, [group[0].state()], budget=budget)  # compiles
                for begin in range(0, len(group), AT_ONCE):
                    interrupts.check()
                    part = ask(agent, spec, group[begin : begin + AT_ONCE], budget, args.seed)
                    keep(args.out, part)
                    progress.advance(bar, len(part))
                    yield from part


def ask(agent: Agent, spec: str, group: Sequence[Puzzle], budget: Budget | None, seed: int) -> list[Answer]:
    """An agent's answers to a few positions of one game."""
    begun = time.perf_counter()
    actions = choices(agent, [puzzle.state() for puzzle in group], seed, budget=budget)
    seconds = (time.perf_counter() - begun) / len(group)
    found = []
    for puzzle, action in zip(group, actions):
        move = game_of(puzzle.game).text_of(int(action))
        found.append(Answer(spec, words(budget), seed, puzzle.id, move, move in puzzle.right, round(seconds, 6)))
    return found


def keep(path: Path | None, answers: Sequence[Answer]) -> None:
    """Add them to the file, whose last line may be torn."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text() if path.exists() else ""
    with path.open("r+" if text else "w") as file:
        file.seek(len(text[: text.rfind("\n") + 1].encode()))
        file.truncate()
        file.write("".join(json.dumps(asdict(answer)) + "\n" for answer in answers))


# ---- the table ----


def parts(puzzles: Sequence[Puzzle]) -> list[list[Puzzle]]:
    """The positions of a few categories each, so that the tables are not too wide."""
    names = list(dict.fromkeys(puzzle.category for puzzle in puzzles))
    found = [names[begin : begin + WIDEST] for begin in range(0, len(names), WIDEST)]
    return [[puzzle for puzzle in puzzles if puzzle.category in part] for part in found]


def table(
    specs: Sequence[str],
    puzzles: Sequence[Puzzle],
    answers: dict[tuple[str, str], Answer],
    players: dict[str, dict[str, Agent | None]],
    title: str,
) -> Table:
    """Agents by categories: solved of asked, Wilson's 95 % interval in percent, milliseconds a position."""
    shown = TitledTable(title=f"solved, 95 % interval, time a position; {title}", box=SIMPLE)
    groups = {c: [p for p in puzzles if p.category == c] for c in dict.fromkeys(p.category for p in puzzles)}
    shown.add_column("")
    for category in groups:
        shown.add_column(category, justify="right")
    for spec in specs:
        cells = []
        for group in groups.values():
            asked = [answers[spec, p.id] for p in group if (spec, p.id) in answers]
            cells.append(cell(asked) if asked else "-" if not any(players[spec][p.game] for p in group) else "")
        shown.add_row(escape(spec), *cells, end_section=True)
    shown.add_row("by chance", *(f"{100 * by_chance(group):.0f} %" for group in groups.values()))
    if any(puzzle.plies for puzzle in puzzles):
        shown.add_row("plies of the win", *(lengths(group) for group in groups.values()))
    return shown


def lengths(group: Sequence[Puzzle]) -> str:
    """From the shortest to the longest win that is asked for."""
    plies = [puzzle.plies for puzzle in group]
    return f"{min(plies)}-{max(plies)}" if all(plies) else ""


def cell(asked: Sequence[Answer]) -> str:
    """What a category came to for an agent."""
    solved = sum(answer.right for answer in asked)
    low, high = Score(len(asked), solved).interval
    time = milliseconds(sum(answer.seconds for answer in asked) / len(asked))
    return f"{solved}/{len(asked)}\n{100 * max(low, 0):.0f}-{100 * min(high, 1):.0f} %\n{time} ms"


def by_chance(group: Sequence[Puzzle]) -> float:
    """The share that a random legal move solves."""
    return sum(len(p.right) / len(p.state().legal_actions()) for p in group) / len(group)
