"""The referee: a game's record, and who loses it when an agent does what it must not."""

from dataclasses import replace

import pytest

from narabe.envs import game
from narabe.experiments import referee
from narabe.experiments.guard import Failure, Guard
from narabe.experiments.referee import GameRecord, Match, Progress, Rules
from narabe.experiments.schedule import round_robin
from narabe.tests.experiments import fakes

OPENING = (3, 11, 7, 0)


def match(*specs, number=0, deadline=60.0, **options):
    rules = Rules("toy", tuple(options.items()), deadline, 512, fakes.AGENTS, fakes.GAME)
    fixture = round_robin(2, len(specs), 4, seed=7)[number]
    return Match(rules, fixture, agents=specs, specs=specs, opening=OPENING)


def play(*specs, **options):
    return referee.play(match(*specs, **options), Guard())


def timeless(record: GameRecord) -> GameRecord:
    return replace(record, seconds=(), started="", finished="")


def test_a_record_tells_the_whole_game():
    record = play("random", "greedy")
    moves = record.moves.split()
    assert moves[:4] == ["c3", "c11", "c7", "c0"]
    assert (record.opening_plies, record.plies, len(moves)) == (4, 12, 12)
    assert record.choices == (4, 4)
    state = fakes.ToyGame().start()
    for move in moves:
        state.play(int(move[1:]))
    assert state.is_over
    assert record.payoffs == state.payoffs == (-1.0, 1.0)
    assert (record.result, record.reason, record.forfeit_seat) == ("B wins", "highest sum", None)


def test_a_game_is_the_same_each_time_and_another_fixture_is_another_game():
    assert timeless(play("random", "random")) == timeless(play("random", "random"))
    assert play("random", "random").moves != play("random", "random", number=2).moves


def test_seats_have_random_streams_of_their_own():
    first, second = play("random", "greedy"), play("random", "random")
    assert first.moves.split()[:5] == second.moves.split()[:5]  # the seat to move first draws the same
    assert first.moves != second.moves


@pytest.mark.parametrize(
    ("spec", "kind", "detail"),
    [
        ("cheats", referee.ILLEGAL, "action 3: taken"),
        ("raises", referee.CRASH, "RuntimeError: no idea, says <object object at 0x...>"),
        ("leaves", referee.CRASH, "SystemExit: 0"),
        ("answers_nothing", referee.CRASH, "TypeError"),
        ("eats", referee.MEMORY, "asked for more than 512 MB"),
        ("deaf", referee.CRASH, "what was that?"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_misbehaves_loses(spec, kind, detail, seat):
    record = play(*((spec, "random") if seat == 0 else ("random", spec)))
    assert (record.forfeit_seat, record.forfeit_kind) == (seat, kind)
    assert detail in record.forfeit_detail
    assert record.payoffs[seat] == -1.0
    assert record.payoffs[1 - seat] == 1.0
    assert record.reason == f"forfeit: {kind}"
    assert record.result == f"{'AB'[seat]} forfeits"
    assert record.plies == len(record.moves.split()) < 12


def test_a_move_that_comes_too_late_loses():
    record = play("pausing", "random", deadline=0.001)
    assert (record.forfeit_seat, record.forfeit_kind) == (0, referee.DEADLINE)
    assert record.forfeit_detail == "took longer than 0.001 s"


@pytest.mark.parametrize(("spec", "spoiled"), [("random", False), ("cheats", False), ("raises", True), ("eats", True)])
def test_a_process_in_which_an_agent_broke_down_is_not_used_again(spec, spoiled):
    guard = Guard()
    referee.play(match("greedy", spec), guard)
    assert guard.spoiled is spoiled


def test_with_four_players_the_others_share_what_the_forfeiter_loses():
    record = play("random", "greedy", "cheats", "greedy", players=4)
    assert record.forfeit_seat == 2
    assert record.payoffs == pytest.approx((1 / 3, 1 / 3, -1, 1 / 3))


def test_a_lost_worker_is_laid_to_the_seat_that_was_being_asked():
    progress = Progress(1, ("c3", "c11", "c7"), (0.5, 0.25), (1, 0), "2026-01-01T00:00:00+00:00")
    record = referee.after_failure(match("random", "segfaults"), Failure("died", "ended by SIGSEGV", progress))
    assert (record.forfeit_seat, record.forfeit_kind, record.forfeit_detail) == (1, referee.DIED, "ended by SIGSEGV")
    assert (record.moves, record.plies, record.payoffs) == ("c3 c11 c7", 3, (1.0, -1.0))
    assert referee.after_failure(match("random", "random"), Failure("died", "ended by SIGKILL")) is None


def test_winners_in_words():
    board = fakes.ToyGame(players=4)
    assert referee.winners(board, (1, -1, 1, -1)) == "A and C win"
    assert referee.winners(board, (-1 / 3, -1 / 3, 1, -1 / 3)) == "C wins"
    assert referee.winners(board, (0, 0, 0, 0)) == "draw"


@pytest.mark.parametrize("path", ["json", "json:", ":loads"])
def test_a_path_without_both_parts_is_refused(path):
    with pytest.raises(ValueError, match="module:function"):
        referee.locate(path)


def test_warming_up_tells_of_an_unknown_agent():
    rules = match("random", "random").rules
    assert referee.warm_up((rules, "random", 60.0), Guard()) is None
    assert "there is no agent 'rando'" in referee.warm_up((rules, "rando", 60.0), Guard())


def test_a_real_game_is_refereed_by_its_own_rules():
    rules = Rules("gomoku", (("size", 5), ("row", 4)), 60.0, 512, f"{fakes.HERE}:make_legal")
    fixture = round_robin(2, 2, 2, seed=1)[0]
    record = referee.play(Match(rules, fixture, ("a", "b"), ("a", "b"), opening=(0, 24)), Guard())
    state = game("gomoku", size=5, row=4).start()
    for move in record.moves.split():
        assert not state.is_over
        state.play(move)
    assert (state.payoffs, state.reason) == (record.payoffs, record.reason)


def test_hidden_parts_are_drawn_anew_for_each_move_and_seat(monkeypatch):
    seeds, view = {}, fakes.ToyState.view
    monkeypatch.setattr(
        fakes.ToyState,
        "view",
        lambda state, seat, seed=0: seeds.setdefault((seat, len(state.history)), seed) and view(state, seat, seed),
    )
    play("random", "random")
    assert len(seeds) == 8  # of the seat to play, after the opening and after each move but the last
    assert len(set(seeds.values())) == len(seeds)
