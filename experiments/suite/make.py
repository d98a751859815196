"""Makes the positions of the suite anew: the same ones, as long as laws and searches stay as they are.

    python -m narabe.experiments.suite.make
    python -m narabe.experiments.suite.make --only stacking goita

Takes about a quarter of an hour of a core; after a stop the same command goes on. Categories that are not named are kept as
they are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from narabe.envs import State, game
from narabe.experiments.suite import endings, lines
from narabe.experiments.suite.lines import Found
from narabe.experiments.suite.positions import CATEGORIES, FILE, Puzzle, load, save


def shares(n: int, games: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """So many positions, by games and their parts.

    >>> shares(9, (("gomoku", 2), ("renju", 1)))
    (('gomoku', 6), ('renju', 3))
    """
    whole = sum(part for _, part in games)
    return tuple((spec, n * part // whole) for spec, part in games)


LINES = (
    ("gomoku:size=11", 3),
    ("freestyle:size=9", 1),
    ("freestyle:size=15", 2),
    ("gomoku:size=15", 2),
    ("renju:size=15", 1),
    ("omok:size=15", 1),
)
LARGE = (("freestyle:size=15", 2), ("gomoku:size=15", 2), ("renju:size=15", 1))
PENTE = (("capture_gomoku:size=9,opening=none", 2), ("capture_gomoku:size=11,opening=none", 1))
"""Games of the line categories, and in what proportion."""
GAMES = {
    "vcf": shares(50, LINES),
    "vcf_long": shares(30, LARGE),
    "vct": shares(40, LINES),
    "vct_long": (
        ("gomoku:size=11", 16),
        ("renju:size=11", 6),
        ("freestyle:size=15", 4),
    ),
    "block_four": shares(50, LINES),
    "block_three": shares(40, LINES),
    "capture_win": shares(36, PENTE),
    "capture_block": ((PENTE[0][0], 18),),
    "stacking": (("connect_four", 30), ("connect_four:cylinder=true", 15), ("connect_four:width=8,height=6", 15)),
    "gomocku": (("gomocku:size=9", 50),),
    "goita": (("goita:payoff=win", 50),),
}
"""Games of each category, and how many positions of each."""
SEED = 1


Ending = Callable[[str, int], Iterator[tuple[State, list[int]]]]


@dataclass(frozen=True)
class MakeSuite:
    """Make the positions of the suite."""

    only: tuple[str, ...] = ()
    """Categories, all unless given."""
    out: Path = FILE
    """The file."""


def source(category: str, spec: str) -> Iterator[Found]:
    """Positions of a category in a game, without end."""
    makers: dict[str, Ending] = {"stacking": endings.stacking, "gomocku": endings.gomocku, "goita": endings.goita}
    if category in makers:
        return (Found(state, right) for state, right in makers[category](spec, SEED))
    return lines.Maker(spec).positions(category, SEED)


def name(category: str, state: State) -> str:
    """A name that is of this position alone, so that answers kept on file never count for another."""
    return f"{category}-{hashlib.sha256(f'{state.game.spec} {state.to_text()}'.encode()).hexdigest()[:8]}"


def make(category: str, spec: str, n: int, advance: Callable[[], None]) -> list[Puzzle]:
    """So many positions of a category in a game, no two of them alike."""
    made, known = list[Puzzle](), set[int]()
    for found in source(category, spec):
        state = found.state
        if state.canonical_key[0] in known:
            continue
        known.add(state.canonical_key[0])
        moves = tuple(state.game.text_of(action) for action in found.right)
        made.append(Puzzle(name(category, state), category, state.game.spec, state.to_text(), moves, found.plies))
        advance()
        if len(made) == n:
            break
    return made


def main(args: MakeSuite) -> None:
    """Make them game by game, each kept in a file beside `out` once it is made, and write the suite."""
    stored = load(args.out) if args.out.exists() else []
    part = args.out.with_suffix(".part")
    done, made = load(part) if part.exists() else [], list[Puzzle]()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for category in args.only or CATEGORIES:
            bar = progress.add_task(category, total=sum(n for _, n in GAMES[category]))
            for spec, n in GAMES[category]:
                name_of_game = game(spec).spec
                known = [p for p in done if (p.category, p.game) == (category, name_of_game)]
                if len(known) == n:
                    progress.advance(bar, n)
                else:  # none, or so many as were asked for once
                    done = [p for p in done if p not in known]
                    known = make(category, spec, n, partial(progress.advance, bar))
                    done += known
                    save(done, part)
                made += known
    kept = [p for p in stored if p.category not in (args.only or CATEGORIES)]
    save(sorted(kept + made, key=lambda p: list(CATEGORIES).index(p.category)), args.out)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    main(tyro.cli(MakeSuite, description=__doc__))
