"""What is learned from decisions: the payoff, and with the critic the same with less luck in it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from narabe.agents.card_network import CardShape, hidden_planes
from narabe.envs import game
from narabe.experiments.training_cards.learning import CardLearner, Pupils
from narabe.experiments.training_cards.window import Rows
from narabe.tests.training.small_run import small_cards

GOITA = game("goita")
SHAPE = CardShape(width=32, layers=1)


def learner(**changes: object) -> CardLearner:
    torch.manual_seed(1)
    settings = {"rate": 2e-3, "warm_up": 0, "average": 0.9, "weight_decay": 0.0, **changes}
    args = small_cards("run", **settings)  # type: ignore[arg-type]
    return CardLearner(Pupils(GOITA, SHAPE, SHAPE), args)


def first_turns(n: int) -> tuple[np.ndarray, np.ndarray]:
    """What the dealer sees before his first play, and what he does not."""
    states = [s for s in map(GOITA.start, range(n)) if not s.is_over]
    planes = np.stack([s.observe(s.to_play) for s in states])
    hidden = [hidden_planes(GOITA, s.record, np.array([s.to_play]))[0] for s in states]
    return planes, np.stack(hidden)


PLANES, HIDDEN = first_turns(1500)
LUCK = ((HIDDEN[:, 0, 2, 7] - HIDDEN[:, 0, 1, 7] - HIDDEN[:, 0, 3, 7]) / 2.0).astype(np.float32)  # kings of the others


def rows(rng: np.random.Generator, n: int, alike: float = 1.0) -> tuple[Rows, np.ndarray]:
    """Decisions in which play 1 earns 0.2 and play 2 loses as much, and the cards of the others far more; the worth."""
    k = rng.integers(len(PLANES), size=n)
    actions = rng.integers(1, 3, size=n)
    worth = np.where(actions == 1, 0.2, -0.2)
    payoffs = (worth + 0.6 * LUCK[k]).astype(np.float32)
    return Rows(PLANES[k], HIDDEN[k], actions, payoffs, np.full(n, alike, np.float32)), worth


@pytest.fixture(scope="module")
def taught() -> tuple[CardLearner, list[torch.Tensor]]:
    """A learner after some steps with the critic, and its losses."""
    rng, learning = np.random.default_rng(1), learner(baseline=1.0)
    losses = [learning.step(rows(rng, 64)[0]) for _ in range(200)]
    return learning, losses


def test_with_the_critic_targets_scatter_less(taught: tuple[CardLearner, list[torch.Tensor]]) -> None:
    """The luck of the others' cards, most of what is paid here, is taken out of what a play is compared by."""
    last = torch.stack(taught[1][-50:]).mean(0)
    assert last[3] < 0.3 * taught[1][0][3]  # the critic sees the cards
    assert last[0] < 0.25 * last[1] and last[2] > 0.9 * last[1]  # the worth's own loss; the guess does not see them


def test_the_baseline_leaves_the_mean_as_it_is(taught: tuple[CardLearner, list[torch.Tensor]]) -> None:
    """Over all hidden cards the worth that is learned is that of the play, not that less a value."""
    with torch.inference_mode():
        worth = taught[0].average.player(torch.from_numpy(PLANES)).mean(0)
    level = 0.6 * float(LUCK.mean())
    assert abs(level) > 0.1
    assert worth[1] == pytest.approx(0.2 + level, abs=0.05)
    assert worth[2] == pytest.approx(-0.2 + level, abs=0.05)


def test_without_a_baseline_the_target_is_the_payoff() -> None:
    batch, _ = rows(np.random.default_rng(1), 64)
    for taught, data in ((learner(baseline=0.0), batch), (learner(), batch._replace(alike=np.zeros(64, np.float32)))):
        losses = taught.step(data)
        assert losses[0] == losses[1]
    assert losses[2] == losses[3] == 0  # deals against others say nothing of play among equals
    one, other = learner(), learner()
    assert one.step(batch)[0] != other.step(batch)[1]


def test_the_critic_teaches_the_network_nothing_by_itself() -> None:
    """No gradient of the worth reaches the critic, nor the other way round; the guess shares what reads the state."""
    taught = learner()
    batch, _ = rows(np.random.default_rng(1), 16)
    planes, hidden, actions, payoffs, _ = map(torch.from_numpy, batch)
    worth, guess, critic = taught.network(planes, hidden, actions)
    ((worth - (payoffs - (critic - guess).detach())) ** 2).sum().backward()
    assert all(p.grad is None for p in taught.network.critic.parameters())
    assert all(p.grad is None for p in taught.network.guess.parameters())
    assert all(p.grad is not None for name, p in taught.network.player.named_parameters() if name.startswith("state"))


def test_it_is_taken_up_again_exactly() -> None:
    rng = np.random.default_rng(1)
    batches = [rows(rng, 16)[0] for _ in range(6)]
    one, other = learner(), learner()
    one.learn(batches[:3])
    other.take({name: x.clone() for name, x in one.tensors().items()}, one.steps)
    assert one.learn(batches[3:]) == other.learn(batches[3:]) is not None
    for name, x in one.tensors().items():
        assert torch.equal(x, other.tensors()[name]), name
    assert one.learn([]) is None
