"""`narabe openings tree`: where games of an agent against itself led, by first moves up to symmetry."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from narabe import __version__, envs
from narabe.envs import Game, State
from narabe.envs.game import CHANCE_SEAT, IllegalMove
from narabe.envs.scene import Scene
from narabe.experiments import interrupts, self_play
from narabe.experiments.args import UsageError
from narabe.experiments.asking import Question, ask, made_ready, value_of
from narabe.experiments.counter import Counter
from narabe.experiments.executor import Task
from narabe.experiments.openings import identity
from narabe.experiments.openings_args import TreeArgs
from narabe.experiments.referee import GameRecord
from narabe.experiments.report import plain_table
from narabe.experiments.schedule import VALUE, stream_seed
from narabe.experiments.self_play import Score, SelfPlay
from narabe.experiments.tournament import plain_console

TREE, PICTURE = "tree.json", "first_moves.svg"
VALUES = "values.json"
DEEPEST = 6


@dataclass
class Node:
    """A position of the tree, up to symmetry.

    ``path``: the moves to it from the root, in the image in which it was first met; ``images``: of a first move, its mirror
    images, itself among them; ``score``: of the side that moved to it; ``value``: for that side, by the agent's search, from -1
    to 1; ``children``: by identity, in the order in which they were first met.
    """

    path: tuple[int, ...]
    images: tuple[int, ...] = ()
    score: Score = field(default_factory=Score)
    value: float | None = None
    children: dict[object, Node] = field(default_factory=dict)

    def replies(self) -> list[Node]:
        """The children, most games first."""
        return sorted(self.children.values(), key=lambda node: -node.score.games)


@dataclass(repr=False)
class Tree:
    """What the games came to. ``root``: the position before the first moves; ``moves``: best score first."""

    root: State
    moves: list[Node]
    records: list[GameRecord]

    @property
    def counted(self) -> int:
        """Games that were not forfeited."""
        return sum(node.score.games for node in self.moves)

    def heat(self) -> dict[int, float]:
        """Scores by action, mirror images too, of the moves that have games."""
        return {action: node.score.share for node in self.moves if node.score.games for action in node.images}

    def scene(self) -> Scene:
        """The heat map: the score of each move in percent, the best one hottest."""
        heat = self.heat()
        low, high = min(heat.values(), default=0.0), max(heat.values(), default=1.0)
        shades = {action: 0.05 + 0.95 * (share - low) / max(high - low, 1e-9) for action, share in heat.items()}
        numbers: dict[int | str, str] = {action: f"{100 * share:.0f}" for action, share in heat.items()}
        scene = self.root.scene(heat=shades, numbers=numbers)
        assert isinstance(scene, Scene)
        mover = self.root.game.players[self.root.to_play]
        words = f"score of {mover} in percent by first move, {self.counted} games"
        return scene.with_(title=self.root.game.spec, captions=[words])

    def svg(self) -> str:
        """The heat map as an SVG document."""
        from narabe.envs.drawing.svg import svg

        return svg(self.scene())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Tree of {self.root.game.spec}: {self.counted} games from {len(self.moves)} first moves>"


def run(args: TreeArgs, console: Console | None = None) -> int:
    """Play and show the tree; returns the exit code: 0, or 130 after Ctrl-C. `UsageError` says what cannot be done."""
    console = console or plain_console()
    with interrupts.deferred():
        try:
            tree = study(args, console)
        except KeyboardInterrupt:
            console.print("Stopped. What was played is kept; the same command goes on from there.")
            return 130
    show(tree, args, console)
    return 0


def study(args: TreeArgs, console: Console | None = None) -> Tree:
    """Play what is missing and write the files; the tree."""
    console = console or Console(quiet=True)
    self_play.check(args, args.games, [args.game], [args.agent])
    if not 1 <= args.depth <= DEEPEST:
        raise UsageError(f"--depth {args.depth}: 1 to {DEEPEST}")
    game = envs.game(args.game)
    root = root_of(game, args.after)
    firsts = first_moves(root, args.moves)
    starts = tuple((*root.history, node.path[0]) for node in firsts)
    words = f"first moves {' '.join(game.text_of(node.path[0]) for node in firsts)}"
    plan = SelfPlay(args.game, args.agent, starts, words, args.games, args, args.out)
    records = self_play.play(plan, console)
    tree = grown(root, firsts, records, args.depth)
    if args.values:
        put_values(tree, args, console)
    write(tree, args)
    return tree


def root_of(game: Game, moves: Sequence[str]) -> State:
    """The position before the first moves; `UsageError` where there is no such thing."""
    root = game.start(chance="manual")
    try:
        for move in moves:
            root.play(move)
    except IllegalMove as error:
        raise UsageError(f"--after: {error}") from None
    if root.to_play == CHANCE_SEAT:
        raise UsageError(f"{game.spec} begins with a chance turn: its first moves depend on the deal")
    if root.is_over:
        raise UsageError("--after: the game is over after these moves")
    return root


def first_moves(root: State, only: Sequence[str] = ()) -> list[Node]:
    """The moves of a position up to symmetry, with their images; those among ``only``, if any are named.

    >>> root = envs.game("gomoku", size=3, row=3).start()
    >>> [(root.game.text_of(node.path[0]), len(node.images)) for node in first_moves(root)]
    [('A1', 4), ('B1', 4), ('B2', 1)]
    """
    classes: dict[object, list[int]] = {}
    for action in map(int, root.legal_actions()):
        classes.setdefault(identity(root.copy().play(action)), []).append(action)
    if only:
        wanted = []
        for text in only:
            if why := root.why_illegal(text):
                raise UsageError(f"--moves: {why}")
            wanted.append(root.game.action_of(text))
        named = {identity(root.copy().play(action)): action for action in reversed(wanted)}
        return [Node((named[key],), tuple(images)) for key, images in classes.items() if key in named]
    return [Node((images[0],), tuple(images)) for images in classes.values()]


def grown(root: State, firsts: Sequence[Node], records: Sequence[GameRecord], depth: int) -> Tree:
    """The tree of these games."""
    by_key: dict[object, Node] = {identity(root.copy().play(node.path[0])): node for node in firsts}
    for record in self_play.whole(records):
        actions = tuple(map(root.game.action_of, record.moves.split()))[len(root.history) :]
        follow(root, by_key, actions[:depth], record.payoffs)
    best = sorted(firsts, key=lambda node: -node.score.share if node.score.games else 1.0)
    return Tree(root, best, list(records))


def follow(root: State, children: dict[object, Node], actions: Sequence[int], payoffs: Sequence[float]) -> None:
    """Count a game in all nodes that it went through, up to the first chance turn."""
    state = root.copy()
    path: tuple[int, ...] = ()
    for ply, action in enumerate(actions):
        mover = state.to_play
        if mover == CHANCE_SEAT:
            return
        state.play(action)
        key = identity(state)
        if key not in children:
            children[key] = Node((*path, as_seen_from(root, path, actions[:ply], action)))
        node = children[key]
        node.score.add(payoffs[mover])
        path, children = node.path, node.children


def as_seen_from(root: State, path: tuple[int, ...], moves: Sequence[int], action: int) -> int:
    """The image of an action that is played after ``moves``, where these are turned so that they lead where ``path`` does."""
    game, wanted = root.game, _after(root, path, 0)
    for k in range(game.num_symmetries):
        if _after(root, moves, k) == wanted:
            return game.symmetry(action, k)
    raise AssertionError("two positions of one identity, and no symmetry between them")


def _after(root: State, moves: Sequence[int], k: int) -> int | None:
    """The key of the position after the moves before the root and these, all turned by symmetry ``k``; None if illegal."""
    state = root.game.start(chance="manual")
    try:
        for action in (*root.history, *moves):
            state.play(root.game.symmetry(action, k))
    except IllegalMove:
        return None
    return state.key


# ---- values ---------------------------------------------------------------------------------------------------------------


def put_values(tree: Tree, args: TreeArgs, console: Console) -> None:
    """Ask the agent for the value of each first move; what it said once is in a file of the folder."""
    game, path = tree.root.game, args.out / VALUES
    known: dict[str, float | None] = json.loads(path.read_text()) if path.exists() else {}
    missing = [node for node in tree.moves if game.text_of(node.path[0]) not in known]
    over = [node for node in missing if tree.root.copy().play(node.path[0]).to_play < 0]
    if missing:
        tasks = (_task(tree.root, node, args) for node in missing if node not in over)
        with (
            closing(made_ready(args.workers, [], console, args.agent)) as executor,
            closing(executor.run(tasks)) as outcomes,  # type: ignore[type-var]
            Counter(console, "values", len(tree.moves), len(tree.moves) - len(missing)) as shown,
        ):
            for outcome in outcomes:
                thought = value_of(outcome)
                value = thought.value if thought.is_clear else None
                sign = 1 if tree.root.to_play in game.teams[0] else -1
                known[game.text_of(outcome.task.payload.start[-1])] = None if value is None else round(sign * value, 4)
                _replace(path, json.dumps(known, indent=1))
                shown.at(len(known))
    for node in tree.moves:
        node.value = known.get(game.text_of(node.path[0]))


def _task(root: State, node: Node, args: TreeArgs) -> Task:
    action = node.path[0]
    question = Question(args.game, args.agent, action, (*root.history, action), stream_seed(args.seed, VALUE, action))
    return Task(f"value of {root.game.text_of(action)}", ask, question)


# ---- what is shown and written --------------------------------------------------------------------------------------------


def show(tree: Tree, args: TreeArgs, console: Console) -> None:
    """The tree as a table, and what else is to be known of it."""
    game = tree.root.game
    table = plain_table(f"{game.spec}, {args.agent} against itself")
    for name in ("move", "alike", "games", "won", "drawn", "lost", "score in %, 95 %", "value"):
        left = name == "move"
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for node in tree.moves:
        for cells, style in _lines(node, game, args):
            table.add_row(*cells, style=style)
    console.print(table)
    mover = game.players[tree.root.to_play]
    words = f"Scores and values are those of the side that makes the move; first moves are {mover}'s. "
    words += '"alike": how many mirror images the move has. Values are given to first moves, where they are clear.'
    console.print(words, highlight=False)
    for line in self_play.remarks(tree.records):
        console.print(line, highlight=False)
    files = f"{escape(str(args.out / TREE))}, {PICTURE}, games.sqlite"
    console.print(f"Files: {files}", highlight=False, soft_wrap=True)


def _lines(node: Node, game: Game, args: TreeArgs) -> Iterator[tuple[list[str], str | None]]:
    yield _cells(node, game, ""), "bold" if args.depth > 1 else None
    stack = [(child, 1) for child in reversed(node.replies()[: args.width])]
    while stack:
        child, depth = stack.pop()
        yield _cells(child, game, "  " * depth), None
        stack += [(below, depth + 1) for below in reversed(child.replies()[: args.width])]


def _cells(node: Node, game: Game, margin: str) -> list[str]:
    score = node.score
    value = "" if node.value is None else f"{node.value:+.2f}"
    images = str(len(node.images)) if node.images else ""
    counts = [str(number) for number in (score.games, score.wins, score.draws, score.losses)]
    return [f"{margin}{escape(game.text_of(node.path[-1]))}", images, *counts, str(score), value]


def write(tree: Tree, args: TreeArgs) -> None:
    """The tree as JSON, and the heat map of games that have a board."""
    game = tree.root.game
    facts = {
        "game": game.to_dict(),
        "agent": args.agent,
        "narabe": __version__,
        "command": command(args),
        "after": [game.text_of(action) for action in tree.root.history],
        "mover": game.players[tree.root.to_play],
        "games": tree.counted,
        "different_games": len({record.moves for record in self_play.whole(tree.records)}),
        "forfeits": len(tree.records) - tree.counted,
        "moves": [_facts(node, game) for node in tree.moves],
    }
    _replace(args.out / TREE, json.dumps(facts, indent=1))
    if not isinstance(game.face.scene(tree.root), Scene):
        return
    _replace(args.out / PICTURE, tree.svg())
    if args.png:
        try:
            from PIL import Image

            from narabe.envs.drawing.raster import rgb
        except ImportError:
            raise UsageError("--png needs Pillow: pip install 'narabe[render]'") from None
        Image.fromarray(rgb(tree.scene())).save((args.out / PICTURE).with_suffix(".png"))


def _facts(node: Node, game: Game) -> dict[str, Any]:
    facts = {"move": game.text_of(node.path[-1]), "path": [game.text_of(action) for action in node.path]}
    if node.images:
        facts["images"] = [game.text_of(action) for action in node.images]
    return {**facts, **node.score.to_dict(), "value": node.value, "replies": [_facts(n, game) for n in node.replies()]}


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text + "\n", encoding="utf-8", newline="\n")
    part.replace(path)


def command(args: TreeArgs) -> str:
    """The command that makes this tree."""
    words = ["narabe", "openings", "tree", "--game", args.game, "--agent", args.agent, "--games", str(args.games)]
    words += ["--depth", str(args.depth)]
    words += ["--after", *args.after] if args.after else []
    words += ["--moves", *args.moves] if args.moves else []
    words += ["--random-plies", str(args.random_plies), "--near", str(args.near)] if args.random_plies else []
    return shlex.join([*words, "--seed", str(args.seed), "--out", str(args.out)])
