"""The schedule: who meets whom, and that more games change nothing of what is scheduled already."""

from collections import Counter

import pytest

from narabe.experiments.schedule import SCHEDULES, ScheduleError, game_seeds, labels, round_robin


def test_each_pair_meets_equally_often_in_both_seatings_from_each_opening():
    fixtures = round_robin(num_agents=4, num_players=2, games=6, seed=1)
    assert len(fixtures) == 6 * 6
    meetings = Counter((fixture.seats, fixture.opening) for fixture in fixtures)
    assert set(meetings.values()) == {1}
    assert {seats for seats, _ in meetings} == {(i, j) for i in range(4) for j in range(4) if i != j}
    assert {opening for _, opening in meetings} == {0, 1, 2}


@pytest.mark.parametrize(
    ("schedule", "pairs"), [("gauntlet", {(0, 1), (0, 2), (0, 3)}), ("ladder", {(0, 1), (1, 2), (2, 3)})]
)
def test_a_gauntlet_is_of_the_first_and_a_ladder_of_neighbours(schedule, pairs):
    fixtures = SCHEDULES[schedule](4, 2, 6, 1)
    meetings = Counter((fixture.seats, fixture.opening) for fixture in fixtures)
    assert meetings == {((i, j), k): 1 for a, b in pairs for i, j in ((a, b), (b, a)) for k in range(3)}
    assert [fixture.number for fixture in fixtures] == list(range(18))
    assert SCHEDULES[schedule](4, 2, 8, 1)[:18] == fixtures


def test_two_agents_have_one_schedule():
    assert len({tuple(make(2, 2, 4, 7)) for make in SCHEDULES.values()}) == 1


def test_numbers_ids_and_seeds_are_distinct_and_in_order():
    fixtures = round_robin(3, 2, 4, seed=1)
    assert [fixture.number for fixture in fixtures] == list(range(12))
    assert len({fixture.id for fixture in fixtures}) == len({fixture.seed for fixture in fixtures}) == 12


def test_more_games_only_add_fixtures():
    assert round_robin(3, 2, 10, seed=5)[:12] == round_robin(3, 2, 4, seed=5)


def test_another_seed_gives_other_games():
    assert {f.seed for f in round_robin(2, 2, 4, seed=1)}.isdisjoint(f.seed for f in round_robin(2, 2, 4, seed=2))


@pytest.mark.parametrize(("players", "seats"), [(3, {(0, 1, 0), (1, 0, 1)}), (4, {(0, 1, 0, 1), (1, 0, 1, 0)})])
def test_more_seats_than_agents_are_shared_alternately(players, seats):
    assert {fixture.seats for fixture in round_robin(2, players, 2, seed=0)} == seats


@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_a_number_of_games_that_cannot_be_paired_is_refused(games):
    with pytest.raises(ScheduleError, match=f"--games {games}: .* even"):
        round_robin(2, 2, games, seed=0)


def test_one_agent_is_no_tournament():
    with pytest.raises(ScheduleError, match="at least two agents"):
        round_robin(1, 2, 2, seed=0)


def test_equal_specs_get_names_of_their_own():
    assert labels(["uct:sims=100", "random", "uct:sims=100", "uct:sims=100"]) == [
        "uct:sims=100", "random", "uct:sims=100#2", "uct:sims=100#3",
    ]  # fmt: skip
    with pytest.raises(ScheduleError, match="one name"):
        labels(["random", "random", "random#2"])


def test_seats_and_chance_have_seeds_of_their_own():
    chance, seats = game_seeds(99, 4)
    assert len({chance, *seats}) == 5
    assert game_seeds(99, 4) == (chance, seats)
