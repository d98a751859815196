"""Makes the positions of the suite anew: the same ones, as long as laws and searches stay as they are.

    python -m narabe.experiments.suite.make
    python -m narabe.experiments.suite.make --only stacking goita

Takes about half an hour of a core. Categories that are not named are kept as they are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.progress import Progress

from narabe.envs import State, game
from narabe.experiments.suite import endings, lines
from narabe.experiments.suite.positions import CATEGORIES, FILE, Puzzle, load, save

BOARDS = (("gomoku:size=11", 20), ("freestyle:size=11", 20), ("renju:size=11", 10), ("omok:size=11", 10))
"""Games of the line categories, and how many positions of each."""
STACKING = (("connect_four", 30), ("connect_four:cylinder=true", 15), ("connect_four:width=8,height=6", 15))
GOMOCKU = (("gomocku:size=9", 50),)
GOITA = (("goita:payoff=win", 50),)
SEED = 1
Found = tuple[State, list[int]]


@dataclass(frozen=True)
class MakeSuite:
    """Make the positions of the suite."""

    only: tuple[str, ...] = ()
    """Categories, all unless given."""
    out: Path = FILE
    """The file."""


def of_lines(category: str, spec: str) -> Iterator[Found]:
    """Positions of a category of the line games."""
    g = game(spec)
    prover = lines.Prover(g)
    for state in lines.drawn(g, SEED):
        if lines.kind_of(prover, state) == category:
            right = lines.right_moves(prover, state, category)
            if right:
                yield state, right


def sources(category: str) -> list[tuple[str, int, Iterator[Found]]]:
    """Spec, number, and where the positions come from."""
    if category == "stacking":
        return [(spec, n, endings.stacking(spec, SEED)) for spec, n in STACKING]
    if category == "gomocku":
        return [(spec, n, endings.gomocku(spec, SEED)) for spec, n in GOMOCKU]
    if category == "goita":
        return [(spec, n, endings.goita(spec, SEED)) for spec, n in GOITA]
    return [(spec, n, of_lines(category, spec)) for spec, n in BOARDS]


def name(category: str, state: State) -> str:
    """A name that is of this position alone, so that answers kept on file never count for another."""
    return f"{category}-{hashlib.sha256(f'{state.game.spec} {state.to_text()}'.encode()).hexdigest()[:8]}"


def make(category: str, progress: Progress) -> list[Puzzle]:
    """The positions of a category."""
    made: list[Puzzle] = []
    bar = progress.add_task(category, total=sum(n for _, n, _ in sources(category)))
    for _, n, found in sources(category):
        known: set[int] = set()
        for state, right in found:
            if state.canonical_key[0] in known:
                continue
            known.add(state.canonical_key[0])
            moves = tuple(state.game.text_of(action) for action in right)
            made.append(Puzzle(name(category, state), category, state.game.spec, state.to_text(), moves))
            progress.advance(bar)
            if len(known) == n:
                break
    return made


def main(args: MakeSuite) -> None:
    """Make them, and write the file."""
    stored = load(args.out) if args.out.exists() else []
    with Progress(console=Console(stderr=True)) as progress:
        for category in args.only or CATEGORIES:
            stored = [puzzle for puzzle in stored if puzzle.category != category] + make(category, progress)
            stored.sort(key=lambda puzzle: list(CATEGORIES).index(puzzle.category))
            save(stored, args.out)


if __name__ == "__main__":
    main(tyro.cli(MakeSuite, description=__doc__))
