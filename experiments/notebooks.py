"""The one runner of notebooks: executes them from top to bottom, and strips their outputs.

    python -m narabe.experiments.notebooks                          # run all of them, with small settings
    python -m narabe.experiments.notebooks first_steps --full       # one of them, at its real size
    python -m narabe.experiments.notebooks --strip                  # take outputs out before a commit

Notebooks are kept without outputs. Those that take long read the environment variable `NARABE_SMALL` and choose small
settings where it is 1, so that tests can run them all.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from narabe.experiments.args import UsageError

if TYPE_CHECKING:
    from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
SMALL = "NARABE_SMALL"
KERNEL = "python3"
CELL_SECONDS = 600
"""A cell that takes longer is stopped, and counts as failed."""


@dataclass
class NotebookArgs:
    """Run notebooks from top to bottom and say how long each took, or strip their outputs."""

    names: tyro.conf.Positional[list[str]] = field(default_factory=list)
    """Notebooks to take, by name or path; all of them if none is given."""

    full: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Run them at their real size, which may take long, in place of the small settings of the tests."""

    strip: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Do not run them, but take their outputs out."""


def run(path: Path | str, small: bool = True) -> NotebookNode:
    """Execute a notebook in a fresh kernel, in its own folder, and return it with its outputs; the file is left alone.

    Raises `nbclient.exceptions.CellExecutionError`, which shows the cell and its traceback, where one fails.
    """
    import nbformat
    from nbclient import NotebookClient

    path = Path(path)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=CELL_SECONDS, kernel_name=KERNEL, resources={"metadata": {"path": str(path.resolve().parent)}}
    )
    env = {**os.environ, SMALL: "1" if small else "0"}
    return client.execute(env=env)


def strip(path: Path | str) -> bool:
    """Take outputs and execution counts out of a notebook's file; True if there were any."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    ran = [cell for cell in notebook.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]
    for cell in ran:
        cell.outputs, cell.execution_count = [], None
    if ran:
        nbformat.write(notebook, path)
    return bool(ran)


def find(name: str) -> Path:
    """The notebook of a name or a path; `UsageError` lists what there is."""
    for path in (Path(name), FOLDER / name, FOLDER / f"{name}.ipynb"):
        if path.is_file():
            return path
    raise UsageError(f"no notebook {name!r}: {', '.join(path.stem for path in everything()) or 'there are none here'}")


def everything() -> list[Path]:
    """All notebooks of the checkout, sorted."""
    return sorted(FOLDER.glob("*.ipynb"))


def main(args: NotebookArgs) -> int:
    """The job for the command line: 0 if every notebook ran to its end, else 1; 2 for a name that does not exist."""
    from nbclient.exceptions import CellExecutionError

    try:
        paths = [find(name) for name in args.names] or everything()
    except UsageError as error:
        print(f"narabe: {error}", file=sys.stderr)
        return 2
    failed = 0
    for path in paths:
        if args.strip:
            print(f"{path.name}: {'stripped' if strip(path) else 'had no outputs'}")
            continue
        before = time.perf_counter()
        try:
            run(path, small=not args.full)
            print(f"{path.name}: {time.perf_counter() - before:.1f} s", flush=True)
        except CellExecutionError as error:
            failed += 1
            print(f"{path.name} failed:\n{error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(NotebookArgs, prog="python -m narabe.experiments.notebooks")))
