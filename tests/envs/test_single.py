"""The single environment: what step and reset give, starts, copies, pictures."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from narabe.envs import IllegalMove, State, game
from narabe.envs.single import GameEnv
from narabe.tests.envs.helpers import RACE, SMALL, every_id, play_out, race_registered, some_action


@pytest.fixture
def race_env() -> Iterator[GameEnv]:
    with race_registered():
        yield GameEnv("race", target=6)


def make(env_id: str, **options: object) -> GameEnv:
    env = gymnasium.make(env_id, disable_env_checker=True, **(SMALL[env_id] | options)).unwrapped
    assert isinstance(env, GameEnv)
    return env


def same_result(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    return pickle.dumps(a) == pickle.dumps(b)


# ---- step ----


@every_id
def test_follows_the_state(env_id: str) -> None:
    """Every step shows what a `State` that is played beside it says."""
    env, rng = make(env_id), np.random.default_rng(0)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        state = env.state  # a copy, with the same chance to come
        while True:
            assert observation in env.observation_space
            assert info["to_play"] == state.to_play
            assert info["action_mask"].dtype == np.int8
            assert np.array_equal(info["action_mask"], state.legal_mask())
            assert np.array_equal(env.action_masks(), state.legal_mask() == 1)
            if state.is_over:
                break
            assert np.array_equal(observation, state.observe(state.to_play))
            mover, action = state.to_play, some_action(info["action_mask"], rng)
            state.play(action)
            observation, reward, terminated, truncated, info = env.step(action)
            assert info["rewards"].tolist() == list(state.payoffs)
            assert reward == state.payoffs[mover]
            assert terminated == state.is_over
            assert truncated == (state.reason == "limit reached")
            assert info.get("result") == state.reason
        assert env.state == state
        assert env.state.history == state.history


@every_id
def test_the_end(env_id: str) -> None:
    """The last observation is the last mover's own, the mask is empty, and both seats have their rewards."""
    env = make(env_id)
    results = play_out(env, np.random.default_rng(1), env.reset(seed=1)[1])
    observation, reward, terminated, _, info = results[-1]
    mover = results[-2][4]["to_play"]
    assert terminated
    assert info["to_play"] == -2
    assert not info["action_mask"].any()
    assert np.array_equal(observation, env.state.observe(mover))
    assert info["rewards"].sum() == 0
    assert info["rewards"][mover] == reward
    assert isinstance(reward, float)
    assert "illegal" not in info
    assert all(not step[2] and step[1] == 0 and "result" not in step[4] for step in results[:-1])
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_the_loser_is_told() -> None:
    env = make("narabe/Freestyle-v0", size=5, row=3)
    env.reset()
    for action in (0, 5, 1, 6):
        _, reward, *_, info = env.step(action)
        assert reward == 0
        assert info["rewards"].tolist() == [0, 0]
    _, reward, terminated, _, info = env.step(2)
    assert terminated
    assert reward == 1
    assert info["rewards"].tolist() == [1, -1]
    assert info["result"] == "three in a row"


def test_actions_are_whole_numbers() -> None:
    env = make("narabe/Gomoku-v0")
    env.reset()
    with pytest.raises(TypeError):
        env.step(3.0)
    for action in (np.int32(3), np.array(4)):
        env.step(action)
    assert env.state.history == [3, 4]


def test_spaces_are_as_tight_as_the_planes() -> None:
    plain, pairs = make("narabe/Omok-v0"), make("narabe/CaptureGomoku-v0")
    assert (plain.observation_space.low.min(), plain.observation_space.high.max()) == (0, 1)
    assert pairs.observation_space.high[:, 0, 0].tolist() == [1, 1, 1, 1, 12, 12]
    assert plain.observation_space.dtype == np.int8
    assert plain.action_space == gymnasium.spaces.Discrete(49)


def test_dict_observation() -> None:
    env, planes = make("narabe/Renju-v0", observation="dict"), make("narabe/Renju-v0")
    observation, info = env.reset(seed=0)
    reference, _ = planes.reset(seed=0)
    assert observation in env.observation_space
    assert np.array_equal(observation["observation"], reference)
    assert np.array_equal(observation["action_mask"], info["action_mask"] == 1)
    observation["action_mask"][:] = False
    assert info["action_mask"].any()


# ---- illegal moves ----


@pytest.mark.parametrize(("action", "why"), [(24, "D4: occupied"), (49, "49 is no action"), (-1, "-1 is no action")])
def test_illegal_move_forfeits(action: int, why: str) -> None:
    env = make("narabe/Gomoku-v0")
    env.reset()
    env.step(24)
    before = env.state
    observation, reward, terminated, _, info = env.step(action)
    assert terminated
    assert reward == -1
    assert info["rewards"].tolist() == [1, -1]
    assert info["illegal"] is True
    assert info["result"].startswith(f"illegal move: {why}")
    assert info["to_play"] == -2
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    assert env.state == before
    assert np.array_equal(observation, before.observe(1))
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_an_illegal_move_is_the_teams_loss() -> None:
    env = make("narabe/Goita-v0", first_dealer=1, no_five_shi=True)
    env.reset(seed=0)
    assert env.step(0)[4]["rewards"].tolist() == [1, -1, 1, -1]  # one who leads must play


def test_illegal_move_raises() -> None:
    env = make("narabe/Gomoku-v0", illegal="raise")
    env.reset()
    env.step(24)
    for action, why in ((24, "D4: occupied"), (49, "no action")):
        with pytest.raises(IllegalMove, match=why):
            env.step(action)
    assert env.state.history == [24]
    assert not env.step(25)[2]


def test_three_seats_share_a_forfeit(race_env: GameEnv) -> None:
    _, info = race_env.reset(seed=1)
    while info["action_mask"].all():
        *_, info = race_env.step(0)
    mover = info["to_play"]
    _, reward, terminated, _, info = race_env.step(1)
    assert terminated
    assert reward == -1
    assert info["rewards"][mover] == -1
    assert sorted(info["rewards"]) == [-1, 0.5, 0.5]


@pytest.mark.parametrize("option", ["illegal", "observation", "render_mode"])
def test_wrong_words_are_refused(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}='nonsense': choose one of"):
        GameEnv("gomoku", **{option: "nonsense"})


# ---- starts ----


def test_start_from_moves_and_positions() -> None:
    env = make("narabe/Omok-v0")
    state = env.game.start().play("D4").play("C3")
    wanted = state.observe(0)
    for options in (
        {"moves": ["D4", "C3"]},
        {"moves": "D4, C3"},
        {"moves": [24, 16]},
        {"position": state},
        {"position": state.to_text()},
        {"position": state.copy().undo(), "moves": ["C3"]},
    ):
        observation, info = env.reset(options=options)
        assert np.array_equal(observation, wanted)
        assert info["to_play"] == 0
        assert np.array_equal(info["action_mask"], state.legal_mask())
        assert env.state == state
        env.step(0)
        assert env.state == state.copy().play(0)
    assert env.reset()[0][:2].sum() == 0


def test_the_legal_moves_of_a_laid_position() -> None:
    """A double three that exists from the start is known, although the masks are kept move by move."""
    env = make("narabe/Omok-v0", size=9)
    state = env.game.position(black=["D5", "F5", "E4", "E6"], to_move="black")
    _, info = env.reset(options={"position": state})
    assert not info["action_mask"][env.game.action_of("E5")]


def test_starts_that_are_refused() -> None:
    env = make("narabe/Freestyle-v0", row=3)
    other = game("omok", size=7).start()
    for error, options, why in (
        (IllegalMove, {"moves": ["A1", "A1"]}, r"moves\[1\]: A1: occupied"),
        (ValueError, {"moves": [0, 7, 1, 8, 2]}, "finished game"),
        (ValueError, {"position": other}, "one of omok"),
        (ValueError, {"position": "8/8"}, "6 fields"),
        (ValueError, {"start": 3}, "position and moves, not start"),
    ):
        with pytest.raises(error, match=why):
            env.reset(options=options)


def test_options_belong_to_a_name() -> None:
    with pytest.raises(TypeError, match="go with the name of a game"):
        GameEnv(game("gomoku"), size=9)


def test_a_limit_of_the_program_shows_as_truncated() -> None:
    """A block at the edge of the frame ends the game of a floor without walls as a draw, in both environments alike."""
    env = GameEnv("stacking", span=1, reach=1)
    env.reset()
    assert env.step(1)[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step(2)
    assert (reward, terminated, truncated, info["result"]) == (0.0, True, True, "limit reached")
    envs = gymnasium.make_vec("narabe/Stacking-v0", 2, span=1, reach=1)
    envs.reset()
    envs.step([1, 1])
    _, _, terminated, truncated, _ = envs.step([1, 2])
    assert (terminated.tolist(), truncated.tolist()) == ([False, True], [False, True])


# ---- chance ----


def test_chance_turns_are_never_to_play(race_env: GameEnv) -> None:
    rng, openings = np.random.default_rng(0), set()
    for seed in range(30):
        _, info = race_env.reset(seed=seed)
        assert info["to_play"] == 0
        assert not race_env.state.is_over
        openings.add(race_env.state.history[1])
        for *_, later in play_out(race_env, rng, info):
            assert later["to_play"] in (-2, 0, 1, 2)
            assert abs(later["rewards"].sum()) < 1e-12
        assert race_env.state.is_over
    assert openings == {0, 1, 2}


def test_one_seed_one_sequence_of_episodes(race_env: GameEnv) -> None:
    def histories(seed: int) -> list[list[int]]:
        rng, found = np.random.default_rng(0), []
        for episode in range(4):
            _, info = race_env.reset(seed=seed if episode == 0 else None)
            play_out(race_env, rng, info)
            found.append(race_env.state.history)
        return found

    first = histories(3)
    assert histories(4) != first == histories(3)
    assert first[0] != first[1]


def test_a_state_of_the_environment_throws_the_same_dice(race_env: GameEnv) -> None:
    _, info = race_env.reset(seed=5)
    state = race_env.state
    while not state.is_over:
        race_env.step(0)
        state.play(0)
    assert race_env.state.history == state.history
    assert race_env.state.payoffs == state.payoffs


def test_start_from_moves_in_a_game_with_chance(race_env: GameEnv) -> None:
    race_env.reset(seed=2, options={"moves": [0, 0]})
    state = race_env.state
    assert state.chance == "auto"
    assert sum(state.record["points"][0]) > 0
    assert race_env.reset(seed=2, options={"moves": [0, 0]})[1]["to_play"] == state.to_play
    assert race_env.state.history == state.history


# ---- copies ----


@pytest.mark.parametrize("how", [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("name", ["capture_gomoku", "gomocku", "race"])
def test_copies_go_on_alike_and_apart(how: object, name: str) -> None:
    with race_registered():
        env = GameEnv(name, **SMALL.get(name, {}))
        rng = np.random.default_rng(2)
        _, info = env.reset(seed=11)
        env.action_space.seed(12)
        for _ in range(4):
            *_, info = env.step(some_action(info["action_mask"], rng))
        twin, text = how(env), env.state.to_text()
        results = play_out(env, np.random.default_rng(3), info) + [env.reset()]
        assert twin.state.to_text() == text
        again = play_out(twin, np.random.default_rng(3), info) + [twin.reset()]
        assert all(map(same_result, results, again))
        assert twin.state.history == env.state.history
        assert twin.np_random.random() == env.np_random.random()
        assert twin.action_space.sample() == env.action_space.sample()


def test_a_copy_before_the_first_reset() -> None:
    env = copy.deepcopy(make("narabe/Gomoku-v0"))
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.state  # noqa: B018
    env.reset()
    assert not env.step(0)[2]


def test_nothing_handed_out_is_the_board() -> None:
    env = make("narabe/Gomoku-v0")
    observation, info = env.reset()
    observation[:], info["action_mask"][:], info["rewards"][:] = 1, 0, 9
    state = env.state.play(3)
    _, _, _, _, info = env.step(4)
    assert env.state.history == [4]
    assert state.history == [3]
    assert info["action_mask"].sum() == 48


# ---- pictures ----


def test_ansi_is_the_state_as_text() -> None:
    env = make("narabe/Gomoku-v0", render_mode="ansi")
    env.reset()
    env.step(24)
    assert env.render() == str(env.state)
    assert "[X]" in env.render()


def test_rgb_opens_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    monkeypatch.setattr(pygame.display, "init", lambda: pytest.fail("a display was opened"))
    env = make("narabe/Gomoku-v0", render_mode="rgb_array", cell=20)
    env.reset()
    empty = env.render()
    env.step(24)
    assert empty.dtype == np.uint8
    assert empty.ndim == 3
    assert empty.shape[2] == 3
    assert env.render().shape == empty.shape
    assert (env.render() != empty).any()


def test_human_shows_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = make("narabe/Gomoku-v0", render_mode="human")
    env.metadata["render_fps"] = 1000
    env.reset()
    env.step(24)
    surface = pygame.display.get_surface()
    pixels = make("narabe/Gomoku-v0", render_mode="rgb_array")
    pixels.reset(options={"moves": [24]})
    assert np.array_equal(pygame.surfarray.array3d(surface).swapaxes(0, 1), pixels.render())
    assert env.render() is None
    assert copy.deepcopy(env)._window is None
    env.close()
    env.close()
    assert not pygame.display.get_init()


def test_a_game_without_a_picture_is_text_only(race_env: GameEnv) -> None:
    assert race_env.metadata["render_modes"] == ["ansi"]
    with pytest.raises(ValueError, match="choose one of ansi"):
        GameEnv("race", render_mode="rgb_array")
    env = gymnasium.make(RACE, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == str(env.unwrapped.state)


def test_state_is_a_state() -> None:
    env = make("narabe/Gomoku-v0")
    env.reset()
    env.step(24)
    assert isinstance(env.state, State)
    assert env.state.undo().history == []
