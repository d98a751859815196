"""Simple fours in Gomoku: how often a player blocks them.

    python -m narabe.experiments.study_blocks --cases runs/blocks.jsonl --out runs/blocks.json \\
        --agents net:file=runs/g9/player.safetensors,sims=0 net:file=runs/g9/player.safetensors,sims=64

In each position the side to move cannot win at once, and the other side, were it its turn, could on exactly one cell,
where the side to move may play. *Blocked* means that after the player's move the other side cannot win at once.

Positions come from games between `random`, `greedy`, short UCT and shallow alpha-beta, each pair as often as any other,
after 0 to 8 random plies; at most four of a game, no two equal up to symmetry. A four is *solid* if its stones are in a row
and *broken* if the cell lies between them. Intervals are Clopper and Pearson's, 95 %, as if all positions came from different
games. The positions are kept in `--cases`, made there if it does not exist.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from narabe import agents, envs
from narabe.agents import Agent
from narabe.agents.simple import loses_at_once
from narabe.envs import Game, State
from narabe.envs.rules import core
from narabe.envs.rules.core import (
    apply,
    candidate_at,
    hand_over,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    to_move,
    undo,
)
from narabe.envs.rules.jit import kernel
from narabe.experiments.args import UsageError
from narabe.experiments.judging import Share, choices, share_of
from narabe.experiments.outputs import expect_file
from narabe.search.at_once import wins_at_once

FORMAT = 1
SOURCES = ("random", "greedy", "uct:sims=48,reuse=false", "alphabeta:nodes=300,vcf=0,mb=1")
OPENING = 8
"""Random plies before the players take over, at most."""
OF_A_GAME = 4
"""Positions of one game, at most."""


@dataclass(frozen=True)
class StudyBlocks:
    """Count the simple fours that players block."""

    agents: tuple[str, ...] = ()
    """Spec strings of the players; none: only make the positions."""
    cases: pathlib.Path = pathlib.Path("runs/blocks_cases.jsonl")
    """The positions; made if the file does not exist."""
    game: str = "gomoku"
    """A game of rows without captures."""
    size: int = 9
    """Of its board."""
    positions: int = 5000
    """How many to make."""
    seed: int = 1
    """Of the positions, and of the players' own random numbers."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


@dataclass(frozen=True)
class Case:
    """A position as text, the cell to block, is the four broken, stones on the board, and whose game it was."""

    position: str
    cell: int
    broken: bool
    stones: int
    source: str


# ---- positions ----


@kernel
def open_cell(states):
    """The only cell where the player who waits would win at once, -1 if there is another number of them.

    Also -1 if the player to move of ``states[0]`` wins at once or may not play there. ``states[1]`` is scratch.
    """
    s, other = states[0], states[1]
    if is_over(s) or wins_at_once(s, to_move(s), 0.0) >= 0:
        return np.int64(-1)
    hand_over(other)
    cell, player = np.int64(-1), to_move(other)
    for i in range(num_candidates(other)):
        a = np.int64(candidate_at(other, i))
        if is_legal(other, a):
            apply(other, a)
            won = is_over(other) and payoff(other, player) > 0
            undo(other)
            if won:
                if cell >= 0:
                    return np.int64(-1)
                cell = a
    return cell if cell >= 0 and is_legal(s, cell) else np.int64(-1)


@kernel
def is_parried(states, action):
    """After the player to move of ``states[0]`` plays so, can the other not win at once?"""
    return not loses_at_once(states[0], action, to_move(states[0]))


def cell_to_block(state: State) -> int:
    """The cell of the one simple four against the side to move, or -1; see `open_cell`.

    >>> g = envs.game("gomoku", size=9)
    >>> g.text_of(cell_to_block(g.position(black="E5 F5 H5 I5", white="A1 B1 C1 D3", to_move="white")))
    'G5'
    """
    return int(open_cell(copies(state, 2)))


def is_blocked(state: State, action: int) -> bool:
    """Can the other side not win at once after this action?"""
    return bool(is_parried(copies(state, 1), action))


def copies(state: State, n: int) -> np.ndarray:
    """The position's record n times, to be changed."""
    states = core.new_states(state.game.law, n)
    states[:] = state.record[0]
    return states


def is_broken(state: State, cell: int) -> bool:
    """Does the cell lie between stones of the side that waits, in the row that would win?"""
    width, height = state.game.options["width"], state.game.options["height"]
    board = np.asarray(state.game.face.board(state)).reshape(height, width)
    row, column, other = cell // width, cell % width, 2 - state.to_play

    def run(dx: int, dy: int) -> int:
        n, x, y = 0, column + dx, row + dy
        while 0 <= x < width and 0 <= y < height and board[y, x] == other:
            n, x, y = n + 1, x + dx, y + dy
        return n

    runs = [sorted((run(dx, dy), run(-dx, -dy))) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
    return max(runs, key=sum)[0] > 0


def game_of(args: StudyBlocks) -> Game:
    """The game; `UsageError` for one in which a four is no matter of one cell."""
    game = envs.game(args.game, size=args.size)
    if not hasattr(game.law, "hand_over") or hasattr(game.law, "chance_draw") or game.options["captures"]:
        raise UsageError(f"{game.spec}: take a game of rows without captures or chance, such as gomoku")
    return game


def header(args: StudyBlocks) -> dict[str, Any]:
    """What the positions of a file depend on."""
    return {
        "format": FORMAT,
        "game": game_of(args).spec,
        "seed": args.seed,
        "positions": args.positions,
    }


def cases_of(args: StudyBlocks, console: Console) -> list[Case]:
    """The positions of the file; made, if it is not there. `UsageError` if it holds others than these arguments ask for."""
    if not args.cases.exists():
        made = list(make(args, console))
        args.cases.parent.mkdir(parents=True, exist_ok=True)
        temporary = args.cases.with_name(args.cases.name + ".tmp")
        temporary.write_text("".join(json.dumps(row) + "\n" for row in (header(args), *map(asdict, made))))
        temporary.replace(args.cases)
    first, *lines = args.cases.read_text().splitlines()
    if json.loads(first) != header(args):
        raise UsageError(f"{args.cases} holds positions for {first}, not for {json.dumps(header(args))}: name another")
    return [Case(**json.loads(line)) for line in lines]


def make(args: StudyBlocks, console: Console) -> Iterator[Case]:
    """Positions from games, until there are so many."""
    if args.positions < 1:
        raise UsageError(f"--positions {args.positions}: 1 or more")
    game = game_of(args)
    players = [agents.make(spec, game) for spec in SOURCES]
    pairs = [(i, j) for i in range(len(players)) for j in range(len(players))]
    known: set[int] = set()
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("playing", total=args.positions)
        number = 0
        while True:
            rng = np.random.default_rng((args.seed, number))
            pair = pairs[number % len(pairs)]
            number += 1
            found = fours_of_a_game(game, [players[i] for i in pair], rng)
            for k in sorted(rng.permutation(len(found))[:OF_A_GAME]):
                state, cell = found[k]
                key = state.canonical_key[0]
                if key in known:
                    continue
                known.add(key)
                stones = int(np.count_nonzero(game.face.board(state)))
                source = " and ".join(sorted(SOURCES[i].partition(":")[0] for i in pair))
                progress.advance(bar)
                yield Case(state.to_text(), cell, is_broken(state, cell), stones, source)
                if len(known) == args.positions:
                    return


def fours_of_a_game(game: Game, pair: Sequence[Agent], rng: np.random.Generator) -> list[tuple[State, int]]:
    """The positions of one game in which there is a simple four to block, and the cell."""
    state, found = game.start(), []
    opening = int(rng.integers(OPENING + 1))
    for seat, player in enumerate(pair):
        player.new_game(seat, int(rng.integers(1 << 31)))
    while not state.is_over:
        if state.ply < opening:
            action = int(rng.choice(state.legal_actions()))
        else:
            cell = cell_to_block(state)
            if cell >= 0:
                found.append((state.copy(), cell))
            action = pair[state.to_play].analyse(state).action
        state.play(action)
    return found


# ---- players ----


def sets(cases: Sequence[Case]) -> dict[str, np.ndarray]:
    """The sets of positions that are reported, as boolean arrays."""
    broken, stones = np.array([case.broken for case in cases]), np.array([case.stones for case in cases])
    found = {"all": np.ones(len(cases), bool), "solid fours": ~broken, "broken fours": broken}
    edges = [0, 10, 20, 30, 40, 60, 100, 1 << 20]
    for low, high in pairwise(edges):
        words = f"{low} to {high - 1} stones" if high < edges[-1] else f"{low} stones and more"
        found[words] = (stones >= low) & (stones < high)
    for source in sorted({case.source for case in cases}):
        found[f"from {source}"] = np.array([case.source == source for case in cases])
    return {name: chosen for name, chosen in found.items() if chosen.any()}


def judged(cases: Sequence[Case], states: Sequence[State], actions: Sequence[int]) -> dict[str, Share]:
    """The share of fours that these actions block, by set of positions."""
    blocked = np.array([is_blocked(state, action) for state, action in zip(states, actions)])
    return {name: share_of(blocked[chosen]) for name, chosen in sets(cases).items()}


def run(args: StudyBlocks) -> int:
    """Make the positions, ask the players, print and write; returns the exit status."""
    expect_file(args.out)
    console = Console(width=None if Console().is_terminal else 120)
    game = game_of(args)
    players = {spec: agents.make(spec, game) for spec in args.agents}
    cases = cases_of(args, console)
    console.print(f"{game.spec}: {len(cases):,} positions with a simple four to block")
    states = [game.from_text(case.position) for case in cases]
    figures: dict[str, Any] = {}
    for spec, player in players.items():
        choices(player, states[:1])  # compiles
        begun = time.perf_counter()
        actions = choices(player, states, args.seed)
        seconds = time.perf_counter() - begun
        rows = judged(cases, states, actions.tolist())
        t = Table("positions", "", "blocked", title=f"{spec} ({1000 * seconds / len(cases):.2f} ms a position)")
        for name, share in rows.items():
            t.add_row(name, f"{share.n:,}", str(share))
        console.print(t)
        figures[spec] = {"seconds": seconds, "positions": {name: share.to_dict() for name, share in rows.items()}}
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"cases": header(args), "agents": figures}, indent=1) + "\n")
    return 0


def main() -> None:
    """The command line."""
    try:
        sys.exit(run(tyro.cli(StudyBlocks, description=__doc__)))
    except (UsageError, agents.AgentError, envs.OptionError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
