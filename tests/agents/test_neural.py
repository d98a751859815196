"""The agent with a network: alone and with searches, its trees from move to move, slots side by side, options."""

from __future__ import annotations

import pathlib
import time

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from narabe.agents import Agent, AgentError, Analysis, Budget, make
from narabe.agents.checkpoints import Card, save
from narabe.agents.evaluating import Evaluator
from narabe.envs import Game, State, Variant, game, variants
from narabe.search.puct import gumbel_search, puct_search
from narabe.tests.agents.nets import SMALL, batch_of, network_of, positions
from narabe.tests.agents.play import begin, play_on
from narabe.tests.games import game_of, heap

GAME = game("freestyle", size=5, row=4)
FOUR = game("connect_four")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("nets")


def agent_for(folder: pathlib.Path, options: str, g: Game = GAME, slots: int = 1) -> Agent:
    path = folder / g.spec.replace(":", "_").replace(",", "_")
    if not path.with_name(path.name + ".json").exists():
        save(path, network_of(g), Card.of(g, SMALL))
    agent = make(f"net:file={path},{options}", g)
    for slot in range(slots):
        agent.new_game(0, 1, slot)
    return agent


def choose(agent: Agent, state: State, budget: Budget | None = None) -> Analysis:
    return agent.choose([state.view(state.to_play)], budget)[0]


def expect_full(analysis: Analysis, state: State) -> None:
    """Everything is filled in, and fits together."""
    legal = state.legal_mask() > 0
    assert legal[analysis.action]
    assert analysis.policy.sum() == pytest.approx(1) and (analysis.policy[~legal] == 0).all()
    assert analysis.policy.dtype == np.float64 and analysis.visits.dtype == np.int64
    assert not analysis.visits[~legal].any()
    assert analysis.value is not None and len(analysis.value) == state.game.num_players
    assert sum(analysis.value) == pytest.approx(0, abs=1e-6)
    assert analysis.principal_variation[0] == analysis.action and analysis.nodes > 0
    follow = state.copy()
    follow.chance = "manual"
    for action in analysis.principal_variation:
        follow.play(action)


GAMES = [
    GAME,
    game("gomocku", size=7),
    FOUR,
    game("stacking", span=12, reach=1, max_height=12),
    game("stacking", players=3, width=4, height=4),
]


@pytest.mark.parametrize("options", ["sims=0", "sims=12", "sims=12,search=gumbel", "sims=8,temperature=1"])
@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.spec)
def test_whole_games_with_full_analyses(folder: pathlib.Path, g: Game, options: str) -> None:
    """Of two players; in the game of three, values of a network that has learned nothing need not sum to zero."""
    agents = [agent_for(folder, options, g) for _ in range(g.num_players)]
    begin(agents, 1)

    def look(state: State, analysis: Analysis) -> None:
        if g.num_players == 2:
            expect_full(analysis, state)

    state = g.start(seed=3)
    play_on(state, agents, look)
    assert state.is_over


def test_the_network_alone_plays_its_likeliest_move(folder: pathlib.Path) -> None:
    agent, states = agent_for(folder, "sims=0"), positions(GAME, 6)
    logits, values = Evaluator(network_of(GAME), GAME)(*batch_of(states))
    for i, state in enumerate(states):
        found = choose(agent, state)
        assert found.action == logits[i].argmax() and found.nodes == 1 and not found.visits.any()
        shares = torch.from_numpy(logits[i].astype(np.float64)).softmax(0).numpy()
        np.testing.assert_allclose(found.policy, shares, atol=1e-5)
        np.testing.assert_allclose(found.value, values[i], atol=1e-5)


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_it_finds_what_the_search_finds(folder: pathlib.Path, kind: str) -> None:
    state = positions(GAME, 4)[3]
    found = choose(agent_for(folder, f"sims=60,search={kind}"), state)
    search, more = (puct_search, {}) if kind == "puct" else (gumbel_search, {"gumbel_scale": 0.0})
    alone = search(GAME, state.record, Evaluator(network_of(GAME), GAME), np.ones(1, np.uint64), sims=60, **more)
    np.testing.assert_array_equal(found.visits, alone.visits[0])
    np.testing.assert_allclose(found.policy, alone.policy[0], atol=1e-6)
    assert (found.action, list(found.principal_variation)) == (alone.action[0], alone.principal_variation(0))
    assert found.nodes == 60


def test_a_search_sees_a_win_that_the_network_does_not(folder: pathlib.Path) -> None:
    state = GAME.position(black="A1 B1 C1", white="A5 B5 E5")
    for kind in ("puct", "gumbel"):
        found, alone = (
            choose(agent_for(folder, f"sims=200,search={kind}"), state),
            choose(agent_for(folder, "sims=0"), state),
        )
        assert GAME.text_of(found.action) == "D1" != GAME.text_of(alone.action)
        assert found.value is not None and alone.value is not None
        assert found.value[0] > alone.value[0] + 0.1 and found.value[1] < alone.value[1] - 0.1


# ---- from move to move ------------------------------------------------------------------------------------------------


def test_told_of_the_moves_it_goes_on_with_its_tree(folder: pathlib.Path) -> None:
    state, agent = FOUR.start(), agent_for(folder, "sims=300", FOUR)
    first = choose(agent, state)
    for move in first.principal_variation[:2]:
        state.play(move)
        agent.tell(move)
    second = choose(agent, state, Budget(sims=10))
    assert second.visits.sum() > 12 and second.nodes == 10


@pytest.mark.parametrize("options", ["sims=50,reuse=no", "sims=50"])
def test_without_its_tree_it_starts_afresh(folder: pathlib.Path, options: str) -> None:
    """With reuse=no, or where it was not told what was played."""
    state, agent = GAME.start(), agent_for(folder, options)
    for move in choose(agent, state).principal_variation[:2]:
        state.play(move)
        if "reuse" in options:
            agent.tell(move)
    assert choose(agent, state).visits.sum() == 50


def test_without_reuse_the_same_position_is_searched_afresh(folder: pathlib.Path) -> None:
    state = GAME.start()
    for options, visits in (("sims=50,reuse=no", 50), ("sims=50", 100)):
        agent = agent_for(folder, options)
        choose(agent, state)
        assert choose(agent, state).visits.sum() == visits


def test_a_new_game_has_a_new_tree(folder: pathlib.Path) -> None:
    state, agent = GAME.start(), agent_for(folder, "sims=50")
    first = choose(agent, state)
    agent.new_game(0, 1)
    np.testing.assert_array_equal(choose(agent, state).visits, first.visits)


def test_through_chance_the_tree_follows_too(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    g = game_of(heap, stones=20)
    monkeypatch.setitem(
        variants._ENTRIES, "heap", variants.Entry(Variant("heap", "test/heap", ""), g.law, g.face, "heap")
    )
    state = g.start(seed=2)
    agent = agent_for(folder, "sims=400", g)
    choose(agent, state)
    state.play(0)
    assert len(state.history) == 2  # the coin fell by itself
    for action in state.history:
        agent.tell(action)
    assert choose(agent, state, Budget(sims=1)).visits.sum() > 20


# ---- slots --------------------------------------------------------------------------------------------------------------


def test_slots_side_by_side_are_one_batch_and_change_nothing(folder: pathlib.Path) -> None:
    states = positions(GAME, 5)[2:]
    agent = agent_for(folder, "sims=40,fixed=yes,batch=8", slots=3)
    lengths = []
    give = agent._evaluate  # type: ignore[attr-defined]
    agent._evaluate = lambda *asked: lengths.append(len(asked[0])) or give(*asked)  # type: ignore[attr-defined]
    together = agent.choose([state.view(state.to_play, slot) for slot, state in enumerate(states)])
    assert lengths[0] == 3 and len(lengths) <= 42
    for state, found in zip(states, together):
        alone = choose(agent_for(folder, "sims=40,fixed=yes,batch=8"), state)
        np.testing.assert_array_equal(found.visits, alone.visits)
        assert found.value == alone.value


def test_slots_keep_trees_of_their_own(folder: pathlib.Path) -> None:
    first, second = positions(FOUR, 4)[2:]
    agent = agent_for(folder, "sims=60", FOUR, slots=2)
    found = agent.choose([first.view(first.to_play, 0), second.view(second.to_play, 1)])
    for move in found[1].principal_variation[:2]:
        second.play(move)
        agent.tell(move, slot=1)
    again = agent.choose([second.view(second.to_play, 1), first.view(first.to_play, 0)])
    assert again[0].visits.sum() > 60 and again[1].visits.sum() == 120
    agent.new_game(0, 1, slot=1)
    third = agent.choose([second.view(second.to_play, 1), first.view(first.to_play, 0)])
    assert third[0].visits.sum() == 60 and third[1].visits.sum() == 180


def test_two_views_of_one_slot_come_one_after_the_other(folder: pathlib.Path) -> None:
    views = [state.view(state.to_play) for state in positions(GAME, 2)]
    found = agent_for(folder, "sims=20").choose(views)
    assert [a.visits.sum() for a in found] == [20, 20]
    assert agent_for(folder, "sims=20").choose([]) == []


def test_the_same_seed_draws_the_same_moves(folder: pathlib.Path) -> None:
    def drawn(seed: int, options: str) -> list[int]:
        agent = agent_for(folder, options)
        agent.new_game(0, seed)
        return [choose(agent, GAME.start()).action for _ in range(12)]

    for options in ("sims=12,temperature=1", "sims=0,temperature=1"):
        assert drawn(1, options) == drawn(1, options) != drawn(2, options)
        assert len(set(drawn(1, options))) > 3


def test_the_temperature_of_the_network_alone(folder: pathlib.Path) -> None:
    """Moves are drawn by policy ** (1 / temperature)."""
    agent, state = agent_for(folder, "sims=0,temperature=0.5", FOUR), FOUR.start()
    found = [choose(agent, state) for _ in range(700)]
    shares = found[0].policy ** 2
    drawn = np.bincount([a.action for a in found], minlength=7)
    assert chisquare(drawn, shares / shares.sum() * 700).pvalue > 1e-3


# ---- budgets, options ---------------------------------------------------------------------------------------------------


def test_budgets(folder: pathlib.Path) -> None:
    state = GAME.start()
    assert choose(agent_for(folder, "temperature=0"), state).nodes == 64
    assert choose(agent_for(folder, "sims=30"), state, Budget(sims=20)).nodes == 20
    assert choose(agent_for(folder, "sims=30"), state, Budget(sims=200)).nodes == 200
    assert choose(agent_for(folder, "sims=0"), state, Budget(sims=20)).nodes == 20


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_milliseconds(folder: pathlib.Path, kind: str) -> None:
    """About as long as was asked for, compilation apart, with more simulations for more time."""
    state, nodes = GAME.start(), []
    for ms in (20, 300):
        agent = agent_for(folder, f"ms={ms},search={kind},reuse=no")
        choose(agent, state)
        begun = time.process_time()  # of our own work: the machine may be busy with other things
        nodes.append(choose(agent, state).nodes)
        assert time.process_time() - begun < ms / 1000 + 1.0
    assert nodes[1] > 2 * nodes[0] > 0


def test_analyse_and_threads(folder: pathlib.Path) -> None:
    agent, before = agent_for(folder, "sims=30"), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        state = GAME.start().play(12)
        expect_full(agent.analyse(state), state)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert agent.analyse(state, Budget(sims=5)).nodes == 5


@pytest.mark.parametrize(
    ("spec", "g", "why"),
    [
        ("net:sims=5", game("goita"), "goita has hidden hands, .* use ismcts or pimc, or net without sims and ms"),
        ("net:ms=5", game("goita"), "goita has hidden hands, .* use ismcts or pimc, or net without sims and ms"),
        ("net", game("goita"), "no network for goita comes with narabe: .*`narabe train-cards`"),
        ("net", GAME, "no network for freestyle:.* comes with narabe: give one .* net:file=PATH"),
        ("net:file=nowhere/best", GAME, "there is no checkpoint nowhere/best.json"),
        ("net:sims=-1", GAME, "sims=-1"),
        ("net:sims=0,ms=5", GAME, "not beside ms"),
        ("net:sims=5,ms=5", GAME, "a budget is sims or ms, not both"),
        ("net:search=alphabeta", GAME, "search='alphabeta': puct or gumbel"),
        ("net:temperature=-1", GAME, "temperature=-1.0"),
        ("net:threads=0", GAME, "threads=0"),
        ("net:depth=3", GAME, "no option 'depth'"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, g: Game, why: str) -> None:
    with pytest.raises(AgentError, match=why):
        make(spec, g)


def test_other_options_are_checked_with_the_file(folder: pathlib.Path) -> None:
    with pytest.raises(AgentError, match="precision='half': float32 or bfloat16"):
        agent_for(folder, "precision=half")
    file = agent_for(folder, "sims=1").spec.removesuffix(",sims=1")
    with pytest.raises(
        AgentError, match="learned freestyle.* and cannot play renju.*only the size of the board may differ"
    ):
        make(file, game("renju", size=5))
    assert make(file, game("freestyle", row=4)).game.num_actions == 225


def test_views_of_other_games_are_refused(folder: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="this agent plays freestyle"):
        choose(agent_for(folder, "sims=1"), game("freestyle", size=6).start())


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_a_win_in_sight_is_played_and_proven(folder: pathlib.Path, kind: str) -> None:
    """The network knows nothing: the search sees the four and that it must be blocked by its own means."""
    three = GAME.position(black="B2 C2 D2", white="A1 A4 E5", to_move="black")
    found = choose(agent_for(folder, f"search={kind},sims=8"), three)
    assert three.copy().play(found.action).is_over
    assert found.proven == 1.0
    assert found.nodes < 8
    blocked = GAME.position(black="B2 C2 D2", white="A2 A4", to_move="white")
    assert GAME.text_of(choose(agent_for(folder, f"search={kind},sims=64"), blocked).action) == "E2"
    lost = GAME.position(black="B2 C2 D2", white="A1 A4", to_move="white")
    assert choose(agent_for(folder, f"search={kind},sims=400"), lost).proven == -1.0
