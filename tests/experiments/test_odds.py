"""`narabe odds`: what it prints, the positions that teach, games with themselves."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from narabe.envs import game
from narabe.experiments import odds, odds_games
from narabe.experiments.args import UsageError
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.odds_positions import POSITIONS
from narabe.experiments.seat_games import seat_shares, self_play
from narabe.experiments.study_star import late_position
from narabe.search.flip_timing import Timing, flip_timing

TINY = "gomocku:size=6,stones=6,chance=3,coloured=4"


def shown(width: int = 80, **args: object) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    assert odds.run(OddsArgs(**args), console) == 0  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_backs_in_80_columns() -> None:
    text = shown(sections=["backs"])
    words = " ".join(text.split())
    assert '"about one half" and "one fifth" are 8/15 and 1/5' in words
    assert "for a player the chance is 2/5, whichever pile was chosen" in words
    assert "2 62/95 (65.3 %) 14/95 (14.7 %) 33/95 (34.7 %)" in words
    assert "…" not in text
    rows = [line.split() for line in text.splitlines() if line.startswith(" 3  ")]
    assert rows[1][:3] == ["3", "5/17", "5/16"]


def test_other_rules_have_their_own_numbers() -> None:
    words = " ".join(shown(sections=["backs"], game="gomocku:coloured=10").split())
    assert "with chance 1/2" in words
    assert "The first and the last row" in words


def test_piles_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds.odds_piles, "SMALL", ({"size": 4, "stones": 3, "chance": 3, "coloured": 3},))
    text = shown(sections=["piles"])
    assert "…" not in text
    assert [line.split()[6:] for line in text.splitlines() if " piles  " in line] == [
        ["0", "400", "4", "yes", "1/4", "7/10", "-1/5"],
        ["1", "400", "4", "yes", "1/2", "4/5", "1/5"],
    ]


# ---- positions -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved() -> dict[str, Timing]:
    return {p.name: flip_timing(game(p.game).from_text(p.text)) for p in POSITIONS}


def value(timing: Timing, cell: str, flips: str = "none") -> float:
    return next(c.value for c in timing.choices if (c.cell, c.flips) == (cell, flips))


def near(p: Fraction) -> object:
    return pytest.approx(float(p), abs=1e-12)


def test_the_positions_come_from_where_it_says() -> None:
    for p in POSITIONS:
        state = late_position(game(p.game), p.plies, p.seed, 4.0, 9)
        assert state is not None
        assert state.to_text() == p.text


def test_the_lessons_are_true(solved: dict[str, Timing]) -> None:
    """What each text says, by the values of the moves that it names."""
    one = solved["one chance"]
    assert value(one, "E4", "N") == near(Fraction(-1, 5))
    assert [c.value for c in one.choices[1:]] == [-1.0] * (len(one.choices) - 1)

    two = solved["two at once"]
    assert value(two, "E4", "N+S") == 1.0
    assert two.choices[0].win == Fraction(14, 95)
    assert max(value(two, "E4", "N"), value(two, "E4", "S")) == pytest.approx(0.113, abs=1e-3)

    count = solved["count, do not gamble"]
    assert value(count, "D7", "W") == near(Fraction(-1, 5))
    assert value(count, "E5", "N+NE+W") == 1.0
    assert value(count, "E5", "N+W") == near(Fraction(0))

    wait = solved["wait, they cannot"]
    assert (str(wait.choices[0]), wait.choices[0].value) == ("H9", 1.0)
    assert wait.now is not None and wait.now.value < 0.25

    away = solved["take the best chance away"]
    assert str(away.choices[0]) == "I2"
    assert away.choices[0].value == near(Fraction(1, 5))
    assert away.now is not None and away.now.value < -0.5

    leave = solved["leave it lying"]
    assert value(leave, "I5") == 1.0 > value(leave, "I5", "N")

    fewer = solved["one is better than two"]
    best = next(c for c in fewer.choices if (c.cell, c.flips) == ("D3", "NE"))
    both = next(c for c in fewer.choices if (c.cell, c.flips) == ("D3", "NE+SW"))
    assert (best.win, both.win, both.foul) == (Fraction(8, 19), Fraction(44, 171), Fraction(28, 171))
    assert best.value == fewer.choices[0].value > both.value

    foul = solved["a foul worth risking"]
    assert foul.choices[0].value == near(1 - 2 * Fraction(14, 95))
    assert foul.choices[0].foul == Fraction(14, 95)
    assert value(foul, "E6", "E") < 0


def test_a_position_of_ones_own(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots are optional (pip install narabe[notebooks])")
    first = POSITIONS[0]
    text = shown(position=[first.text], game="gomocku:size=9", out=tmp_path / "new")
    assert "Turn now: E4 turning N is worth -0.2000" in text
    (found,) = json.loads((tmp_path / "new" / "odds.json").read_text())["moments"]["positions"]
    assert found["choices"][0]["win"] == "2/5"
    assert (tmp_path / "new" / "moments.png").stat().st_size > 5000


def test_positions_that_nobody_chose() -> None:
    gains = odds.odds_moments.gains_of(plies=1, games=12)
    assert 3 < len(gains) <= 12
    assert np.abs(gains).max() <= 2
    text = shown(sections=["moments"], position=[POSITIONS[0].text], game="gomocku:size=9", sample=12)
    assert "…" not in text
    (row,) = (line.split() for line in text.splitlines() if line.startswith(" 1  ") and f" {len(gains)} " in line)
    assert row[:2] == ["1", str(len(gains))]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ({"game": "omok"}, "odds of gomocku"),
        ({"game": "gomocku:siz=9"}, "siz"),
        ({"position": ["9/9"], "game": "gomocku:size=9"}, "5 fields"),
        ({"position": ["9/9/9/9/9/9/9/9/9 0 - - -"], "game": "gomocku:size=9"}, "pieces are turned from ply 30 on"),
        ({"position": ["x"], "sections": ["backs"]}, "for the section moments"),
        ({"sections": ["moments"], "seconds": 0}, "--seconds is above 0"),
        ({"sections": ["games"], "games": 3, "agents": ["greedy"]}, "is even"),
        ({"sections": ["games"], "agents": ["gredy"], "workers": 0}, "Did you mean greedy"),
    ],
)
def test_what_cannot_be_had_is_said_in_a_line(args: dict[str, object], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=complaint) as error:
        shown(**({"runs": tmp_path} | args))
    assert "\n" not in str(error.value)


# ---- games -----------------------------------------------------------------------------------------------------------

BOARD = game("gomocku", size=5, stones=5, chance=5, coloured=4)


@pytest.mark.parametrize(
    ("moves", "end", "laid"),
    [
        ("A1 A2 B1 B2 C1 C2 D1 D2 E1", 0, 9),
        ("A1 A2 B1 B2 C1 C2 D1 A4 A5 C4 E1", 1, 11),
        ("A1 E1 B1 A3 C1 A4 A5 C3 C5 E3 D1", None, 11),
    ],
)
def test_how_a_game_ends(moves: str, end: int | None, laid: int) -> None:
    state = BOARD.start(chance="manual")
    for move in moves.split():
        state.play(move)
    assert state.is_over == (end is not None)
    if end is not None:
        assert odds_games.pieces_and_end(BOARD, moves.split()) == (end, laid)


def test_a_five_by_turning_is_told_from_one_by_laying() -> None:
    """E4 with E5 turned, and the same cell laid with a five of its own."""
    p = POSITIONS[0]
    state = game(p.game).from_text(p.text)
    state.chance = "manual"
    for move in ("E4", "N", "coloured"):
        state.play(move)
    assert state.is_over
    assert state.history[-1] >= 81  # which is how `pieces_and_end` tells


def test_games_are_kept_counted_and_gone_on_with(tmp_path: Path) -> None:
    args = {"sections": ["games"], "game": TINY, "agents": ["greedy"], "workers": 0, "runs": tmp_path}
    first = shown(games=4, **args)
    assert "greedy against itself, 4 games" in first
    assert "Going on: 4 of 12 games" in (text := shown(games=12, **args))
    assert text.count("greedy against itself, 12 games") == 1
    again = shown(games=12, **args)
    assert again.splitlines()[-8:] == text.splitlines()[-8:]


def test_every_game_has_its_own_opening_and_the_shares_add_up(tmp_path: Path) -> None:
    records = self_play(TINY, "greedy", 12, seed=5, out=tmp_path, opening_plies=2, workers=0)
    assert len({tuple(r.moves.split()[:2]) for r in records}) > 8
    assert len({r.opening for r in records}) == 12
    shares = seat_shares(records)
    assert sum(share.hits for share in shares) == 12
    assert all(share.n == 12 for share in shares)
    same = self_play(TINY, "greedy", 12, seed=5, out=tmp_path / "again", opening_plies=2, workers=0)
    assert [r.moves for r in same] == [r.moves for r in records]


def test_without_openings_games_differ_by_their_seeds(tmp_path: Path) -> None:
    records = self_play("stacking:players=3,span=8", "greedy", 6, seed=1, out=tmp_path, workers=0)
    assert {r.opening_plies for r in records} == {0}
    assert len({r.moves for r in records}) == 6
    assert len(seat_shares(records)) == 4
