"""Alpha-beta where stones are taken: what it finds on fixed positions stays as it is, compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from narabe.envs import game
from narabe.search.alphabeta import Engine

Facts = tuple[str, int, int, int, int]  # move, score, depth, nodes, fours

# (game, moves from the start, what a search of 1,500 nodes finds): by a search that kept no words of lines. Change a row with
# the search or its weights, and only with them
POSITIONS: list[tuple[str, str, Facts]] = [
    ("size=9", "E5 G7 B2 C3 C7 D6 E7 E6 C6 C8 D7 C5 B4 C7 B5 B3 C5", ("D5", 307, 4, 1500, 33927)),
    ("size=9,opening=none", "I9 F6 E7 D6 G6 F4 E5 G3 E6 E4 G4 E2 G2 F5 D3 E4 E9", ("E8", -998, 3, 1500, 52599)),
    ("size=11", "F6 H8 G9 F4 H9 E7 H3 G10 E3 G2 G11 G5 H5 I11 J11 G3", ("G4", 555, 3, 1500, 7197)),
    ("size=11,opening=none", "F6 H8 F7 F8 F5 G8 E8 I8 J8 G6 D3 G9", ("G10", -580, 3, 1500, 7595)),
    (
        "size=13",
        "G7 H8 H10 F12 G12 F10 J11 D8 D10 H13 C12 C6 C5 C9 F8 A9 D7 D11 B9 G8 H6 E11 D5 F13 F9",
        ("F7", 548, 2, 1500, 12094),
    ),
    (
        "size=13,opening=none",
        "G11 H13 I11 H11 E10 G10 F9 G13 G8 D11 D7 B8 B11 F13 I13 D13",
        ("E13", 527, 4, 1500, 16520),
    ),
    ("size=15", "H8 J10 H12 I10 H10 K10 H7 H9 G8 J11 I8 H6", ("I12", -92, 3, 1500, 9018)),
    ("size=15,opening=none", "I13 I9 F10 G11 H10 I10 I11 G9 J12 H9 J9 E9 F9 G8 K13", ("L14", -270, 2, 1500, 21051)),
    (
        "size=19",
        "J10 L9 M8 J8 L8 K9 H7 F9 M9 J9 M7 K6 D7 E6 C9 L4 A7 N3 M10 D8 A10 L12 N8 M11 E10 J11 N9 N13 H9 O15 N11 F7 N7",
        ("N10", 910, 1, 1500, 17009),
    ),
    (
        "size=19,opening=none",
        "S5 Q6 R8 Q7 P10 N11 O5 P13 P9 N14 N9 L10 M9 P12 L14 O9 M7 O13 M13 M11 N12 L15 N10",
        ("O11", -16, 2, 1500, 23197),
    ),
]


def search(options: str, moves: str, nodes: int, vcf: int = 50) -> Facts:
    """What the engine finds, and in how many steps."""
    state = game(f"capture_gomoku:{options}").start()
    for move in moves.split():
        state.play(move)
    found = Engine(state.game, mb=1, vcf=vcf).search(state.record, nodes=nodes)
    return state.game.text_of(found.move), found.score, found.depth, found.nodes, found.vcf_nodes


@pytest.mark.parametrize(("options", "moves", "facts"), POSITIONS, ids=[options for options, *_ in POSITIONS])
def test_what_is_found_stays_the_same(options: str, moves: str, facts: Facts) -> None:
    assert search(options, moves, nodes=1500) == facts


def sample() -> str:
    """A few nodes of some of the positions, as text."""
    return repr([search(options, moves, nodes=12, vcf=3) for options, moves, _ in POSITIONS[:4]])


def test_compiled_and_plain_python_give_the_same() -> None:
    code = "from narabe.tests.search.test_alphabeta_captures import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()
