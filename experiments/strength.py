"""Write what studies and tournaments measured of a network onto its card.

    python -m narabe.experiments.strength agents/players/gomoku_9.json --recipe experiments/recipes/gomoku9.sh \\
        --studies runs/gomoku9_blocks.json --runs runs/gomoku9_uct

The list on the card is made anew: of each study the share over all positions, of each tournament the score against every
other agent, with 95 % intervals.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import tyro

from narabe.experiments.args import UsageError
from narabe.experiments.judging import Share
from narabe.experiments.standings import scores
from narabe.experiments.store import read

WORDS = {
    "outcome": "columns that keep the outcome, by experiments/study_connect_four.py",
    "score": "columns that keep the score, by experiments/study_connect_four.py",
    "blocked": "simple fours blocked, by experiments/study_blocks.py",
}


@dataclass(frozen=True)
class StrengthArgs:
    """Put measured strength on a card."""

    card: tyro.conf.Positional[pathlib.Path]
    """The card, NAME.json."""
    studies: tuple[pathlib.Path, ...] = ()
    """What the studies wrote (``--out``)."""
    runs: tuple[pathlib.Path, ...] = ()
    """Folders of tournaments."""
    recipe: str | None = None
    """Also say that this file holds the command by which the network was made."""


def plain(spec: str) -> str:
    """The agent without the name of its file.

    >>> plain("net:file=runs/a.safetensors,sims=64"), plain("net:sims=0"), plain("net:file=a")
    ('net:sims=64', 'net:sims=0', 'net')
    """
    return re.sub(r"file=[^,]*,?", "", spec).rstrip(":,")


def of_study(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The lines of a study."""
    for spec, told in json.loads(path.read_text())["agents"].items():
        found = told["positions"]["all"]
        for name, words in WORDS.items():
            share = found.get(name) if name != "blocked" else found if "hits" in found else None
            if share is not None:
                yield line(plain(spec), words, "positions", Share(share["hits"], share["n"]))


def of_run(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The score of the run's agents that are networks against each other agent; a draw counts half, and half a point that is
    left over is dropped."""
    held = read(folder)
    if held is None:
        raise UsageError(f"{folder} holds no tournament")
    points: dict[tuple[str, str], list[float]] = {}
    for record in held.records:
        shares = scores(record)
        for agent, score in shares.items():
            for other in shares:
                if other != agent and agent.startswith("net"):
                    points.setdefault((agent, other), []).append(score)
    for (agent, other), told in sorted(points.items()):
        yield line(plain(agent), f"score against {plain(other)}", "games", Share(int(sum(told)), len(told)))


def line(agent: str, what: str, unit: str, share: Share) -> dict[str, Any]:
    return {
        "agent": agent,
        "what": what,
        unit: share.n,
        "share": round(share.share, 4),
        "interval": [round(x, 4) for x in share.interval],
    }


def write(args: StrengthArgs) -> list[dict[str, Any]]:
    """Put the list on the card; returns it."""
    card = json.loads(args.card.read_text())
    found = [told for path in args.studies for told in of_study(path)]
    found += [told for folder in args.runs for told in of_run(folder)]
    card["strength"] = found
    if args.recipe is not None:
        card["training"]["command"] = args.recipe
    args.card.write_text(json.dumps(card, indent=2) + "\n")
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    try:
        for told in write(tyro.cli(StrengthArgs, description=__doc__, args=argv)):
            print(json.dumps(told))
    except (UsageError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
