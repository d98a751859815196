"""Who wins the line games on small boards: all of them proved, checked, and put into a table.

    python -m narabe.experiments.study_proving --out runs/small_boards.json
    python -m narabe.experiments.study_proving --plain      # 5x5 with rows of five by plain alpha-beta as well

Prints the table in Markdown; with ``--out`` also writes it as JSON, which the tests read (``tests/data/small_boards.json``).
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tyro

from narabe import envs
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.search.proving import Prover, Verdict
from narabe.search.threats import check

GAMES = ("gomoku", "freestyle", "omok", "renju", "capture_gomoku:opening=none")
BOARDS = {
    3: ((3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (5, 5)),
    4: ((4, 3), (5, 3), (4, 4), (5, 4), (6, 4), (5, 5), (6, 5), (6, 6)),
    5: ((5, 4), (5, 5), (6, 5), (6, 6), (7, 6), (7, 7)),
}
"""Width and height by row."""
NAMES = {"capture_gomoku:opening=none": "capture Gomoku"}


@dataclass
class StudyProving:
    """Prove small boards of all line games, and print who wins."""

    games: list[str] = field(default_factory=lambda: list(GAMES))
    """Which games."""
    rows: list[int] = field(default_factory=lambda: [3, 4, 5])
    """Which lengths of the row."""
    cells: int = 49
    """Leave out larger boards."""
    seconds: float = 60.0
    """Give up a board after so long."""
    mb: float = 1024.0
    """Memory for the table of each board in MiB."""
    plain: bool = False
    """Instead ask plain alpha-beta about 5x5 with rows of five, which takes some minutes."""
    out: str | None = None
    """File for the table as JSON."""


def run(args: StudyProving) -> int:
    """Prove every board and print the table; returns the exit status."""
    if args.plain:
        return run_plain(args)
    rows = []
    for game, width, height, row in boards(args):
        rows.append(prove(game, width, height, row, args))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
        if args.out is not None:
            pathlib.Path(args.out).write_text("[\n " + ",\n ".join(map(json.dumps, rows)) + "\n]\n")
    print(table(rows))
    return 0


def boards(args: StudyProving) -> Iterator[tuple[str, int, int, int]]:
    """(game, width, height, row) of all that is asked for."""
    for row in args.rows:
        for width, height in BOARDS[row]:
            if width * height <= args.cells:
                for game in args.games:
                    yield game, width, height, row


def spec(game: str, width: int, height: int, row: int) -> str:
    """The game as `envs.game` takes it."""
    return f"{game}{',' if ':' in game else ':'}width={width},height={height},row={row}"


def prove(name: str, width: int, height: int, row: int, args: StudyProving) -> dict[str, Any]:
    """One line of the table."""
    game = envs.game(spec(name, width, height, row))
    prover, begun = Prover(game, args.mb), time.process_time()
    verdict = prover.solve(game.start(), shortest=True, ms=1000 * args.seconds)
    took = time.process_time() - begun
    checked = [check(proof) for proof in verdict.proofs]
    return {
        "game": name,
        "width": width,
        "height": height,
        "row": row,
        "result": result(verdict),
        "plies": verdict.plies if verdict.exact else None,
        "judged": verdict.nodes,
        "proof": sum(len(proof) for proof in verdict.proofs),
        "checked": sum(counts.replies for counts in checked),
        "seconds": round(took, 2),
    }


def result(verdict: Verdict) -> str:
    """Black, White, draw, or what is known: "not Black" if he at least cannot force a win."""
    if verdict.winner is not None:
        return verdict.players[verdict.winner]
    if verdict.is_draw:
        return "draw"
    held = [player for player, won in zip(verdict.players, verdict.wins) if won is False]
    return f"not {held[0]}" if held else "?"


def table(rows: list[dict[str, Any]]) -> str:
    """The results in Markdown: one table a row, a line for each board, a column for each game."""
    parts = []
    for row in sorted({line["row"] for line in rows}):
        games = list(dict.fromkeys(line["game"] for line in rows))
        parts += ["", f"Rows of {('three', 'four', 'five')[row - 3]}:", ""]
        parts += ["| board | " + " | ".join(NAMES.get(game, game) for game in games) + " |"]
        parts += ["| --- |" + " --- |" * len(games)]
        sizes = dict.fromkeys((line["width"], line["height"]) for line in rows if line["row"] == row)
        for width, height in sizes:
            cells = [
                cell(line)
                for game in games
                for line in rows
                if (line["game"], line["width"], line["height"], line["row"]) == (game, width, height, row)
            ]
            parts.append(f"| {width}x{height} | " + " | ".join(cells) + " |")
    return "\n".join(parts).strip()


def cell(line: dict[str, Any]) -> str:
    """One result, such as "Black in 11 (0.4 M, 0.7 s)": the winner, the plies, positions judged, CPU seconds."""
    words = line["result"] + (f" in {line['plies']}" if line["plies"] is not None else "")
    judged = line["judged"]
    amount = str(judged) if judged < 10_000 else f"{judged / 1e3:.0f} k" if judged < 1e6 else f"{judged / 1e6:.1f} M"
    return f"{words} ({amount}, {line['seconds']:.1f} s)"


# ---- plain alpha-beta, for comparison ----


@kernel
def can_win(s, player, known, count):
    """Can ``player`` (1, 2) force a win? Every line is played to its end; ``known``: uint64, a table of results by key.

    The low bit of an entry tells the result. Nothing else is pruned.
    """
    if core.is_over(s):
        return core.payoff(s, player) > 0
    count[0] += 1
    key = np.uint64(core.key(s))
    at = np.int64(key >> np.uint64(8)) & (len(known) - 1)
    if known[at] >> np.uint64(1) == key >> np.uint64(1):
        return known[at] & np.uint64(1) != 0
    own = core.to_move(s) == player
    won = not own
    for j in range(core.num_candidates(s)):
        a = core.candidate_at(s, j)
        if core.is_legal(s, a):
            core.apply(s, a)
            child = can_win(s, player, known, count)
            core.undo(s)
            if child == own:
                won = own
                break
    known[at] = key & ~np.uint64(1) | np.uint64(1 if won else 0)
    return won


@kernel
def ask_plainly(states, player, known, count):
    return can_win(states[0], player, known, count)


def run_plain(args: StudyProving) -> int:
    """5x5 with rows of five by plain alpha-beta, in the games without captures."""
    for name in args.games:
        if name.startswith("capture"):
            continue
        game, count = envs.game(spec(name, 5, 5, 5)), np.zeros(1, np.int64)
        begun = time.process_time()
        wins = []
        for player in (1, 2):
            known = np.zeros(1 << int(args.mb * (1 << 17)).bit_length() - 1, np.uint64)
            wins.append(bool(ask_plainly(game.start().record, player, known, count)))
        said = "Black" if wins[0] else "White" if wins[1] else "draw"
        print(f"{game.spec}: {said}, {count[0]:,} positions, {time.process_time() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(run(tyro.cli(StudyProving)))
