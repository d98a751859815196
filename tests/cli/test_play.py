"""A person at the terminal, by scripted input."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field

import pytest
from rich.console import Console

from narabe import envs
from narabe.agents import Agent
from narabe.agents.agent import single_choice
from narabe.envs import State
from narabe.envs.rules.random import new_stream
from narabe.experiments import cli, play, thinking
from narabe.experiments.args import PlayArgs, UsageError

CROSS = "9/9/9/9/2xx5/4x4/4x4/9/o6oo b 7 0-0 - -"  # E5 would make a double three


def sit(*lines, rc=0, stop=EOFError, **args) -> str:
    """What the terminal shows when a person types these lines, and then Ctrl-D (or Ctrl-C)."""
    console = Console(file=io.StringIO(), width=100)
    rest = iter(lines)

    def read(prompt: str) -> str:
        console.print(prompt, end="")
        line = next(rest, None)
        if line is None:
            raise stop
        console.print(line)
        return line

    settings = {"game": "gomoku:size=9", "against": ["random"], "seed": 5} | args
    assert play.run(PlayArgs(**settings), console, read) == rc
    return console.file.getvalue()


@dataclass
class Listener(Agent):
    """Plays the first legal action, and puts down what it is told."""

    log: list = field(default_factory=list)

    def new_game(self, seat, seed, slot=0):
        self.log.append(("new", seat))

    def tell(self, action, slot=0):
        self.log.append(self.game.text_of(action))

    def choose(self, views, budget=None):
        (view,) = views
        state = State(view.game, view.record.copy(), new_stream(0))
        return [single_choice(view.num_actions, int(state.legal_actions()[0]))]


@pytest.fixture
def listeners(monkeypatch):
    """All agents are listeners; the list of them, in the order in which they were made."""
    made: list[Listener] = []

    def make(spec, game):
        made.append(Listener(game, spec=spec))
        return made[-1]

    monkeypatch.setattr(play, "make", make)
    return made


def test_bad_input_is_answered_and_loses_nothing(listeners):
    text = sit("", "e5", "E5", "Z3", "J10", "what", "undoo", "position")
    assert "E5: occupied" in text
    assert "Z3 is off the 9x9 board (A1 to I9)" in text
    assert "J10 is off the 9x9 board" in text
    assert "cannot read 'what' as a point" in text
    assert "`help` lists the commands" in text
    assert "Did you mean undo?" in text
    assert "Moves: E5 A1" in text


def test_the_banned_point_is_named():
    text = sit("E5", game="omok:size=9", position=CROSS)
    assert "! E5: banned for the side to move" in text
    assert "E5: double three (two open threes at once) is banned" in text
    assert text.count("Black>") == 2


def test_help_lists_every_command():
    text = sit("help")
    for name, command in play.play_commands.COMMANDS.items():
        assert f"  {name}" in text
        assert command.__doc__ in text


def test_agents_are_told_everything(listeners):
    sit("e5", "e6")
    (white,) = listeners
    assert white.log == [("new", 1), "E5", "A1", "E6", "B1"]


def test_undo_takes_back_ones_move_and_the_answer(listeners):
    text = sit("undo", "e5", "e6", "undo", "position", "d4", "undo", "undo", "undo")
    assert text.count("You have no move to take back.") == 2
    assert "Moves: E5 A1\n" in text
    (white,) = listeners
    assert white.log[:5] == [("new", 1), "E5", "A1", "E6", "B1"]
    assert white.log[5:] == [("new", 1), "E5", "A1", "D4", "B1", ("new", 1), "E5", "A1", ("new", 1)]


def test_undo_stops_at_a_set_up_position(listeners):
    text = sit("undo", game="omok:size=9", position=CROSS)
    assert "You have no move to take back." in text


def test_resign(listeners):
    text = sit("e5", "resign")
    assert "White wins: Black resigned. You lost." in text
    assert "--moves E5 A1" in text


@pytest.mark.parametrize(
    ("lines", "stop", "rc"), [((), EOFError, 0), ((), KeyboardInterrupt, 130), (("quit",), None, 0)]
)
def test_leaving_prints_all_that_is_needed_to_go_on(listeners, lines, stop, rc):
    text = sit("e5", "e6", *lines, stop=stop, rc=rc)
    assert "Position: 9/9/9/4x4/4x4/9/9/9/oo7 b 4 0-0 B1 -" in text
    assert "Moves: E5 A1 E6 B1" in text
    command = text.splitlines()[-1]
    args = cli.parse(shlex.split(command)[1:])
    table = play.lay(args, Console(file=io.StringIO()), input)
    assert (table.moves(), table.own, table.game.options["width"]) == ("E5 A1 E6 B1", 0, 9)


def test_a_set_up_position_comes_back_too(listeners):
    text = sit("A4", game="omok:size=9", position=CROSS)
    args = cli.parse(shlex.split(text.splitlines()[-1])[1:])
    table = play.lay(args, Console(file=io.StringIO()), input)
    assert table.state.to_text() in text
    assert args.position == CROSS


def test_save_and_load(listeners, tmp_path):
    file, other = tmp_path / "game.json", tmp_path / "notes.txt"
    other.write_text("keep me")
    text = sit("e5", f"save {file}", "e6", f"load {file}", "position", f"save {file}", f"save {other}", "save", "load")
    assert "Moves: E5 A1\n" in text
    assert text.count("Saved.") == 2
    assert "is no saved game: choose another name" in text
    assert other.read_text() == "keep me"
    text = sit(f"load {tmp_path / 'none'}", f"load {other}", "load", f"save {tmp_path / 'no' / 'folder'}")
    assert text.count("Not loaded: ") == 2
    assert "Not saved: " in text
    assert "Not loaded: these bytes hold a state of gomoku" in sit(f"load {file}", game="omok:size=9")


def test_hint_names_moves_with_visits():
    text = sit("hint", "hint", hint="uct:sims=60")
    assert "uct:sims=60 would play" in text
    assert "value" in text
    assert "visits" in text
    assert "No hint: no agent named 'utc'" in sit("hint", hint="utc")
    assert "100.0%" in sit("hint", hint="greedy")  # an agent that counts no visits


def test_the_end_says_who_won_and_why(listeners):
    text = sit("e5", "e6", "e7", "e8", game="gomoku:size=9,row=4")
    assert "Black wins: four in a row. You won." in text
    assert "*X*" in text  # the winning row is drawn
    command = text.splitlines()[-1]
    assert "--moves E5 A1 E6 B1 E7 C1 E8" in command
    over = sit(game="gomoku:size=9,row=4", moves=["E5 A1", "E6", "B1", "E7", "C1", "E8"])
    assert "Black wins: four in a row" in over


@pytest.mark.parametrize(
    ("word", "seat"), [("first", 0), ("second", 1), ("Black", 0), ("white", 1), ("none", None), (" First", 0)]
)
def test_seats(word, seat):
    assert play.seat_of(word, envs.game("gomoku"), 0) == seat


def test_a_random_seat_follows_the_seed():
    game = envs.game("gomoku")
    seats = [play.seat_of("random", game, seed) for seed in range(20)]
    assert set(seats) == {0, 1}
    assert seats == [play.seat_of("random", game, seed) for seed in range(20)]
    with pytest.raises(UsageError, match="black, white, first, second, random, none"):
        play.seat_of("third", game, 0)


def test_second_seat_sees_the_first_move(listeners):
    text = sit("e5", seat="white")
    assert text.index("Black (random) plays A1") < text.index("White>")
    assert "[X]" in text


def test_watching_two_agents():
    text = sit(seat="none", game="gomoku:size=4,row=3")
    assert "Black (random) plays" in text
    assert "White (random) plays" in text
    assert "You won" not in text
    assert "--seat none" in text
    again = sit(seat="none", game="gomoku:size=4,row=3")
    assert text.splitlines()[-1] == again.splitlines()[-1]  # the same seed, the same moves


def test_two_people_at_one_terminal():
    text = sit("e5", "d5", "undo", "undo", "resign", against=["human"])
    assert "White>" in text
    assert "White wins: Black resigned." in text
    assert "Moves: " not in text  # undo takes back one's own move with the answer


def test_an_agent_that_thinks_long_is_announced(listeners, monkeypatch):
    monkeypatch.setattr(thinking, "PATIENCE", 0.01)
    monkeypatch.setattr(Listener, "choose", lambda self, views, budget=None: time.sleep(0.2) or [single_choice(81, 3)])
    text = sit("e5")
    assert "White (random) thinks ..." in text
    assert re.search(r"White \(random\) plays D1: \d+\.\d s", text)


def test_an_agent_that_breaks_loses_no_moves(listeners, monkeypatch, capsys):
    def choose(self, views, budget=None):
        raise RuntimeError("broken")

    monkeypatch.setattr(Listener, "choose", choose)
    lines = iter(["e5"])
    with pytest.raises(RuntimeError, match="broken"):
        play.run(PlayArgs(game="gomoku:size=9", against=["x"]), None, lambda prompt: next(lines))
    assert "Moves: E5" in capsys.readouterr().out


def test_lines_from_a_pipe():
    words = ["play", "--game", "omok", "--size", "9", "--against", "greedy", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "narabe.experiments.cli", *words],
        input="e5\ne5\nnonsense\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "E5: occupied" in done.stdout
    assert "Moves: E5 " in done.stdout
    assert "\x1b" not in done.stdout


# ---- chance, hidden backs, words that are moves ----

FLIP = "7/7/7/7/xo5/7/7 10 - - -"  # C3 sandwiches B3
CHANCE = {"game": "gomocku:size=7,stones=5,chance=5"}


def backs(shown: str) -> list[str]:
    return [line.removeprefix("Chance: ") for line in shown.splitlines() if line.startswith("Chance: ")]


def test_chance_follows_the_seed_from_a_position_too():
    first = [backs(sit("C3", "W", position=FLIP, seed=seed, **CHANCE))[:1] for seed in range(12)]
    assert {tuple(found) for found in first} == {("red",), ("coloured",)}
    assert backs(sit("C3", "W", position=FLIP, seed=3, **CHANCE))[:1] == first[3]


def test_going_on_with_the_moves_does_not_start_the_dice_over():
    """The second back of a game that is gone on with is the one that the game would have had."""
    for seed in range(8):
        shown = sit("C3", "W", "E5", "E6", "E7", position=FLIP, seed=seed, **CHANCE)
        state = envs.game("gomocku", size=7, stones=5, chance=5).from_text(FLIP)
        played = state.play("C3").play("W").to_text()
        assert played and backs(shown)
        outcome = backs(shown)[0]
        again = sit("undo", position=FLIP, moves=["C3", "W", outcome], seed=seed, **CHANCE)
        assert "You have no move" not in again
    rows = {}
    two = "7/7/7/4ox1/xo5/7/7 10 - - -"  # both sides of it can be turned, one after the other
    for seed in range(12):
        whole = backs(sit("C3", "W", "D4", "E", position=two, seed=seed, against=["greedy"], **CHANCE))
        rows[seed] = whole
    assert len({tuple(found) for found in rows.values()}) > 2


def test_a_person_is_never_shown_the_backs_of_a_physical_deal():
    shown = sit("position", "quit", game="gomocku:size=5,stones=2,chance=2,deal=physical", seed=3)
    assert shown.count("Moves: deal:face-down") == 2
    assert "deal:0" not in shown and "piles -" in shown


def test_a_word_that_is_a_move_of_the_game_is_played():
    """`resign` in a game that knows it is an action: with three players the others play on."""
    shown = sit("0", "resign", game="stacking:players=3,resign=true,reach=1", seed=3)
    assert "Red resigned" not in shown
    assert "Yellow (random) plays" in shown.split("resign", 1)[1]


def test_a_draw_with_a_player_out_is_called_a_draw():
    state = envs.game("stacking", players=3, width=4, height=1, resign=True).start()
    for move in ("1", "resign", "2", "3", "4"):
        state.play(move)
    assert (state.is_over, state.winners, state.reason) == (True, (), "board full")
    assert max(state.payoffs) > 0


# ---- hidden hands ----

HANDS = "11223448,11111578,11233667,12344555"  # player 2 holds five 市民


def positions(shown: str) -> list[str]:
    return [line.removeprefix("Position: ") for line in shown.splitlines() if line.startswith("Position: ")]


def test_a_person_is_shown_what_the_seat_knows():
    shown = sit("12", "position", "quit", game="goita", position=f"0-0 s1 {HANDS} 2silent")
    assert [hand.strip("x") for hand in positions(shown)[0].split()[2].split(",")][0] == "11223448"
    assert all(hand not in shown.split("To go on")[0] for hand in HANDS.split(",")[1:])
    assert "(it names what is hidden from you)" in shown


def test_people_at_one_terminal_are_each_shown_their_own_hand():
    shown = sit(
        "position", "14", "position", "quit", game="goita", against=["human"], position=f"0-0 s1 {HANDS} 2silent"
    )
    first, second, *_ = positions(shown)
    assert first.split()[2:] == ["11223448,xxxxxxxx,xxxxxxxx,xxxxxxxx", "-"]
    assert second.split()[2:] == ["4xxxxxxx,11111578,xxxxxxxx,xxxxxxxx", "2silent,1x4"]


def test_that_another_is_asked_in_secret_is_not_said(listeners, monkeypatch):
    monkeypatch.setattr(thinking, "PATIENCE", 0.01)
    choose = Listener.choose
    monkeypatch.setattr(
        Listener, "choose", lambda self, views, budget=None: time.sleep(0.05) or choose(self, views, budget)
    )
    shown = sit(game="goita", position=f"0-0 s3 {HANDS} -")
    assert "Player 3 (random) thinks ..." in shown and "Player 4 (random) thinks ..." in shown
    assert "Player 2" not in shown.split("or help.")[1].split("Player 3 (random)")[0]
    assert [listener.log[1] for listener in listeners] == ["silent", "11", "x1"]  # only player 2 is told of it


def test_hidden_hands_have_agents_of_their_own_where_none_is_named():
    shown = sit("hint", game="goita_two_by_four", against=[])
    assert "Player 2 is ismcts:sims=800" in shown and "ismcts:sims=2000 would play" in shown
    assert "--against" not in shown and "--hint" not in shown
