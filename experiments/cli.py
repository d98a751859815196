"""The command line. Nothing here imports numba or numpy: a job is imported when it is asked for."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Union

import tyro

import narabe
from narabe.experiments.annotate_args import AnnotateArgs
from narabe.experiments.args import AgentsArgs, GamesArgs, PlayArgs, UsageError
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.data_args import DatasetArgs, ExportArgs
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.openings_args import OpeningsArgs
from narabe.experiments.prove_args import ProveArgs
from narabe.experiments.show_args import ShowArgs
from narabe.experiments.solve_args import SolveArgs
from narabe.experiments.suite.args import SuiteArgs
from narabe.experiments.tournament_args import TournamentArgs, TournamentError
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training_cards.args import CardTrainArgs

DONE, UNREAD, USAGE, STOPPED = 0, 1, 2, 130
"""Exit codes: done, the reader of the output went away, something was asked for that cannot be done, Ctrl-C."""

ABOUT = """Game-playing-AI research on Japanese and Korean board games.

First steps: `narabe games`, `narabe play --game omok --size 13`, `narabe tournament --agents random greedy uct`.
Each command explains its options, as in `narabe play --help`. `narabe --version` shows the version.
"""


@dataclass(frozen=True)
class Command:
    """A word after `narabe`: its arguments (whose docstring explains it), its job as `module:function`, an example."""

    name: str
    args: type[Any]
    job: str
    example: str


JOBS = "narabe.experiments"
COMMANDS = (
    Command(
        "play",
        PlayArgs,
        f"{JOBS}.play:run",
        "narabe play --game omok --size 13 --against uct:sims=2000 --seat random",
    ),
    Command("games", GamesArgs, f"{JOBS}.games:run", "narabe games renju"),
    Command("agents", AgentsArgs, f"{JOBS}.games:run_agents", "narabe agents uct"),
    Command(
        "tournament",
        TournamentArgs,
        f"{JOBS}.tournament:run",
        "narabe tournament --game omok --size 13 --agents random greedy uct:sims=400 --games 20 --out runs/first",
    ),
    Command("show", ShowArgs, f"{JOBS}.show:run", "narabe show runs/first"),
    Command(
        "solve",
        SolveArgs,
        f"{JOBS}.solve:run",
        "narabe solve --game connect_four --moves 444444222265",
    ),
    Command(
        "prove",
        ProveArgs,
        f"{JOBS}.prove:run",
        "narabe prove --game gomoku:width=6,height=5,row=4 --shortest",
    ),
    Command(
        "annotate",
        AnnotateArgs,
        f"{JOBS}.annotate:run",
        "narabe annotate 11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145",
    ),
    Command("odds", OddsArgs, f"{JOBS}.odds:run", "narabe odds"),
    Command(
        "train",
        TrainArgs,
        f"{JOBS}.training.loop:run",
        "narabe train --game connect_four --run runs/c4 --minutes 60 --workers 2",
    ),
    Command(
        "train-cards",
        CardTrainArgs,
        f"{JOBS}.training_cards.loop:run",
        "narabe train-cards --game goita --run runs/goita --minutes 60 --workers 2",
    ),
    Command(
        "openings",
        OpeningsArgs,
        f"{JOBS}.opening_studies:run",
        "narabe openings tree --game omok:size=9 --agent uct:sims=1000,vcf=true --games 20 --out runs/tree",
    ),
    Command("export", ExportArgs, f"{JOBS}.export:run", "narabe export runs/first games.parquet"),
    Command("dataset", DatasetArgs, f"{JOBS}.dataset:run", "narabe dataset runs/first games.npz --skip-opening"),
    Command(
        "suite",
        SuiteArgs,
        f"{JOBS}.suite.score:run",
        "narabe suite --agents greedy uct:sims=800 alphabeta --ms 100 --only vcf block_three",
    ),
    Command("bench", BenchArgs, f"{JOBS}.bench:run", "narabe bench --out runs/bench.json"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words of a command line ask for (those of this process by default); returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words in (["--version"], ["-V"]):
        print(f"narabe {narabe.__version__}")
        return DONE
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())  # agents and games of one's own lie where one works
    try:
        args = parse(words or ["--help"])
        return run(args)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends
        return UNREAD
    except (ValueError, TournamentError) as error:
        if not is_usage(error):
            raise
        print(f"narabe: {error}", file=sys.stderr)
        return USAGE


def parse(words: Sequence[str]) -> Any:
    """The arguments of the command that the words name; `SystemExit`: 0 after help, 2 for words that do not fit."""
    named = words[0] if words else ""
    kinds = tuple(
        Annotated[
            c.args,
            tyro.conf.subcommand(
                c.name, description=description(c) if c.name == named else brief(c), prefix_name=False
            ),
        ]
        for c in COMMANDS
    )
    return tyro.cli(Union[kinds], prog="narabe", description=ABOUT, args=words)  # type: ignore[call-overload]  # noqa: UP007


def brief(command: Command) -> str:
    """What a command does, in a few words: for the list of all."""
    return _joined(_paragraphs(command)[0])


def description(command: Command) -> str:
    """What a command does, with an example."""
    text = "\n\n".join(map(_joined, _paragraphs(command)))
    return text if "Example:" in text else f"{text}\n\nExample: `{command.example}`."


def _paragraphs(command: Command) -> list[str]:
    return inspect.cleandoc(command.args.__doc__ or "").split("\n\n")


def _joined(paragraph: str) -> str:
    """A paragraph as one line, which the terminal breaks; one that is set in is a table or a program, and stays."""
    return paragraph if paragraph.startswith(" ") else " ".join(paragraph.split())


def run(args: Any) -> int:
    """Import the job that takes these arguments, and do it."""
    (command,) = (command for command in COMMANDS if command.args is type(args))
    module, _, function = command.job.partition(":")
    return int(getattr(importlib.import_module(module), function)(args) or DONE)


def is_usage(error: Exception) -> bool:
    """Is this an error that the user can mend, so that its one line says more than a traceback?"""
    kinds: list[type[Exception]] = [UsageError, TournamentError]
    theirs = (
        ("narabe.envs.variants", "UnknownGame"),
        ("narabe.envs.faces.face", "OptionError"),
        ("narabe.agents.specs", "AgentError"),
    )
    for module, name in theirs:
        if module in sys.modules:  # where it is not imported, nobody raised its error
            kinds.append(getattr(sys.modules[module], name))
    return isinstance(error, tuple(kinds))


if __name__ == "__main__":
    sys.exit(main())
