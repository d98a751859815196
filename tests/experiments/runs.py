"""Small runs on disk, written by hand, which the tests of tables and arrays read."""

from dataclasses import replace

from rich.console import Console

from narabe import envs
from narabe.experiments.referee import GameRecord
from narabe.experiments.store import Settings, Store

QUIET = Console(quiet=True)
GAME = envs.game("gomoku", size=3, row=3)
SETTINGS = Settings("gomoku", dict(GAME.options), ["random", "greedy"], 7, 4, 2, 60.0, 2048, "narabe.agents:make")
WON = GameRecord(
    id="00000-0x1-b", number=1, opening=0, seed=2**63 - 1, agents=("greedy", "random"), moves="B2 A1 B1 C3 B3",
    opening_plies=2, plies=5, payoffs=(1.0, -1.0), result="Black wins", reason="three in a row", forfeit_seat=None,
    forfeit_kind=None, forfeit_detail=None, choices=(2, 1), seconds=(0.125, 0.0),
    started="2026-01-01T00:00:00+00:00", finished="2026-01-01T00:00:01+00:00",
)  # fmt: skip
MIRRORED = replace(WON, id="00001-0x1-a", number=2, opening=1, agents=("random", "greedy"), moves="B2 C3 B3 A1 B1")
"""The same game, turned by half."""
BROKEN = replace(
    WON, id="00001-0x1-b", number=3, opening=1, moves="B2 A1 A2", plies=3, payoffs=(1.0, -1.0), reason="forfeit: exception",
    forfeit_seat=1, forfeit_kind="exception", forfeit_detail="ValueError: 'no',\nand a second line",
)  # fmt: skip
RECORDS = [WON, MIRRORED, BROKEN]


def write_run(folder, settings, records):
    """A run in a folder; returns the folder."""
    with Store(folder, settings) as store:
        for record in records:
            store.add(record)
    return folder
