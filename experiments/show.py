"""`narabe show`: what the folder of a run holds, in words and as a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from narabe.experiments import advantage, opening_tree, several, show_openings, show_training, tournament
from narabe.experiments.args import UsageError
from narabe.experiments.outputs import expect_file
from narabe.experiments.show_args import ShowArgs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE = "show.png"


def run(args: ShowArgs) -> int:
    """Prints and draws for the command line. Raises `UsageError` for a folder that holds nothing."""
    console = tournament.plain_console()
    if not args.folder.is_dir():
        raise UsageError(f"there is no folder {args.folder}; name the one that a run was given by --out or --run")
    draw = _shown(args, console)
    if not args.picture:
        return 0
    path = args.out or args.folder / PICTURE
    expect_file(path)
    try:
        figure = draw()
        figure.savefig(path, dpi=130)
    except ImportError as error:
        raise UsageError(
            f"a picture needs matplotlib ({error}): pip install 'narabe[notebooks]', or --no-picture"
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"--out {path}: the picture cannot be written ({error})") from None
    console.print(f"\nPicture: {escape(str(path))}", highlight=False, soft_wrap=True)
    return 0


def _shown(args: ShowArgs, console: Console) -> Callable[[], Figure]:
    """Prints what the folder holds, and returns what draws it (and imports matplotlib)."""
    for kind in (_tree, _advantage, _tournament, _several, _training):
        draw = kind(args.folder, args.intervals, console)
        if draw is not None:
            return draw
    raise UsageError(
        f"{args.folder} holds no run: neither games of a tournament or a study of openings nor the log of a training"
    )


def _tree(folder: Path, intervals: str, console: Console) -> Callable[[], Figure] | None:
    if not (folder / opening_tree.TREE).is_file():
        return None
    tree, args = show_openings.read_tree(folder)
    opening_tree.show(tree, args, console)
    return lambda: show_openings.first_moves(tree, f"{args.game}, {args.agent} against itself: {tree.counted} games")


def _advantage(folder: Path, intervals: str, console: Console) -> Callable[[], Figure] | None:
    if not (folder / advantage.FACTS).is_file():
        return None
    rows, args = show_openings.read_advantage(folder)
    advantage.show(rows, args, console)
    return lambda: advantage.plot(rows)


def _tournament(folder: Path, intervals: str, console: Console) -> Callable[[], Figure] | None:
    seen = tournament.look(folder, intervals)
    if seen is None:
        return None
    stored, settings = len(seen.held.records), seen.held.settings
    if not stored:
        raise UsageError(f"{folder} holds a tournament in {seen.title} of which no game is over yet")
    tournament.print_tables(console, seen.title, seen.table, settings, seen.trial)
    decided = tournament.is_decided(seen.trial)
    state = "finished" if decided or stored == seen.total else f"{stored} of {seen.total} games are over"
    console.print(f"\n{escape(seen.title)}, {settings.schedule}, seed {settings.seed}: {state}", highlight=False)

    def draw() -> Figure:
        from narabe.experiments import plots

        return plots.tournament(seen.table, f"{seen.title}: {seen.table.games} games ({state})", seen.trial)

    return draw


def _several(folder: Path, intervals: str, console: Console) -> Callable[[], Figure] | None:
    parts = [part for part in several.parts_of(folder, intervals) if part.table.games]
    if not parts:
        return None
    several.print_all(console, parts)
    for part in parts:
        console.print(f"{part.table.games:6d} games of {escape(part.name)}: narabe show {folder / part.folder}")

    def draw() -> Figure:
        from narabe.experiments import plots

        return plots.several(parts, several.order(parts))

    return draw


def _training(folder: Path, intervals: str, console: Console) -> Callable[[], Figure] | None:
    training = show_training.read(folder)
    if training is None:
        return None
    show_training.print_all(console, training)

    def draw() -> Figure:
        from narabe.experiments import plots

        return plots.training(training)

    return draw
