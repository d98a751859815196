"""What a folder of `narabe openings tree` or `advantage` holds, counted anew from its games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narabe import envs
from narabe.experiments import advantage, opening_tree
from narabe.experiments.advantage import Row
from narabe.experiments.args import UsageError
from narabe.experiments.opening_tree import Node, Tree
from narabe.experiments.openings_args import AdvantageArgs, TreeArgs
from narabe.experiments.stored import open_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_MOVES = 40
"""First moves in a picture."""


def read_tree(folder: Path) -> tuple[Tree, TreeArgs]:
    """The tree of a folder, with as much of its arguments as `opening_tree.show` needs."""
    facts = _facts(folder / opening_tree.TREE)
    run = open_run(folder)
    game, found = run.game, facts["moves"]
    root = opening_tree.root_of(game, facts["after"])
    firsts = [
        Node((game.action_of(move["move"]),), tuple(map(game.action_of, move["images"])), value=move["value"])
        for move in found
    ]
    depth = _depth(found)
    tree = opening_tree.grown(root, firsts, list(run.records()), depth)
    return tree, TreeArgs(game=game.spec, agent=facts["agent"], depth=depth, after=facts["after"], out=folder)


def read_advantage(folder: Path) -> tuple[list[Row], AdvantageArgs]:
    """The rows of a folder, with as much of their arguments as `advantage.show` needs."""
    found = _facts(folder / advantage.FACTS)["rows"]
    games, agents = (list(dict.fromkeys(row[name] for row in found)) for name in ("game", "agent"))
    args = AdvantageArgs(game=games, agents=agents, out=folder)
    rows = []
    for row in found:
        run = open_run(advantage.folder_of(args, envs.game(row["game"]).spec, row["agent"]))
        rows.append(advantage.row_of(row["game"], row["agent"], list(run.records())))
    return rows, args


def first_moves(tree: Tree, title: str) -> Figure:
    """The scores of the first moves with their intervals, as a figure of matplotlib; best first, so many as fit."""
    from matplotlib.figure import Figure

    nodes = [node for node in tree.moves if node.score.games][:MOST_MOVES]
    figure = Figure(figsize=(8, 1.4 + 0.28 * len(nodes)), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    advantage.bars(axes, range(len(nodes)), [node.score for node in nodes])
    game = tree.root.game
    advantage.name_rows(axes, [game.text_of(node.path[0]) for node in nodes], game.players[tree.root.to_play])
    return figure


def _depth(moves: list[dict[str, Any]]) -> int:
    """Plies of a stored tree."""
    return 1 + max((_depth(move["replies"]) for move in moves if move["replies"]), default=0)


def _facts(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}; the command that made it writes it anew") from None
