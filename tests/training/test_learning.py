"""The learner: it learns, its average trails, and it is gone on with exactly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from narabe.agents.networks import NetShape, Network
from narabe.envs import game
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.learning import Learner, rate_at
from narabe.experiments.training.window import Rows

GAME = game("gomoku:size=5,row=4")
ARGS = TrainArgs(rate=5e-3, warm_up=5, average=0.9)


def learner(**changes: object) -> Learner:
    torch.manual_seed(1)
    return Learner(Network(GAME, NetShape(blocks=1, channels=8)), replace(ARGS, **changes))  # type: ignore[arg-type]


def rows(seed: int, n: int = 64) -> Rows:
    """Positions with something to learn: play beside the own stones; who has more stones in the first row wins."""
    rng = np.random.default_rng(seed)
    stones = rng.integers(0, 3, (n, 5, 5))
    observations = np.zeros((n, 4, 5, 5), np.int8)
    observations[:, 0], observations[:, 1] = stones == 1, stones == 2
    masks = (stones == 0).reshape(n, 25).astype(np.int8)
    beside = np.roll(observations[:, 0], 1, axis=2).reshape(n, 25) * masks + 0.01 * masks
    policies = (beside / beside.sum(1, keepdims=True)).astype(np.float16)
    lead = np.sign(observations[:, 0, 0].sum(1) - observations[:, 1, 0].sum(1)).astype(np.float32)
    replies = policies.copy()
    replies[::2] = 0  # every other one has none
    return Rows(observations, masks, policies, np.stack((lead, -lead), 1), replies)


def equal(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_all_losses_fall(precision: str) -> None:
    one = learner(precision=precision)
    first = one.learn([rows(0)])
    for _ in range(3):
        last = one.learn(rows(k) for k in range(30))
    assert first is not None and last is not None
    p = rows(1).policies.astype(float)
    entropy = -float((p * np.log(np.maximum(p, 1e-9))).sum(1).mean())
    assert last.policy - entropy < 0.5 * (first.policy - entropy)
    assert last.value < 0.5 * first.value
    assert last.reply < first.reply - 0.2
    assert one.steps == 91 and one.learn([]) is None


def test_losses_are_what_they_are_said_to_be() -> None:
    """By numpy, from the outputs of the network before its first step."""
    one, some = learner(), rows(3, 16)
    torch.manual_seed(1)
    same = Network(GAME, NetShape(blocks=1, channels=8)).train()
    with torch.no_grad():
        out = same(torch.from_numpy(some.observations).float())
    logits = np.where(some.masks == 1, out.policy.double().numpy(), -np.inf)
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    policy = -np.where(some.masks == 1, some.policies * np.nan_to_num(logs, neginf=0), 0).sum(1).mean()
    value = ((out.value.numpy() - some.values) ** 2).mean()
    replies = out.reply.double().numpy()
    logs = replies - np.log(np.exp(replies).sum(1, keepdims=True))
    reply = -(some.replies * logs).sum(1)[some.replies.sum(1) > 0].mean()
    losses = one.learn([some])
    assert losses is not None
    assert np.allclose([losses.policy, losses.value, losses.reply], [policy, value, reply], rtol=1e-3)


def test_ownership_is_learned_where_it_has_a_weight() -> None:
    def owned(seed: int) -> Rows:
        some = rows(seed)
        return some._replace(owners=some.observations[:, 0] - some.observations[:, 1])

    torch.manual_seed(1)
    one = Learner(Network(GAME, NetShape(blocks=1, channels=8, ownership=True)), replace(ARGS, ownership_weight=0.5))
    torch.manual_seed(1)
    same = Network(GAME, NetShape(blocks=1, channels=8, ownership=True)).train()
    with torch.no_grad():
        out = same(torch.from_numpy(owned(0).observations).float())
    first = one.learn([owned(0)])
    assert first is not None and out.ownership is not None
    assert first.ownership == pytest.approx(((out.ownership.numpy() - owned(0).owners) ** 2).mean(), rel=1e-3)
    last = one.learn(owned(k) for k in range(30))
    assert last is not None and last.ownership < 0.6 * first.ownership
    plain = learner().learn([owned(0)])
    assert plain is not None and plain.ownership == 0


def test_it_is_gone_on_with_exactly() -> None:
    one = learner()
    one.learn(rows(k) for k in range(7))
    other = learner()
    other.take({name: x.clone() for name, x in one.tensors().items()}, one.steps)
    assert equal(one.tensors(), other.tensors())
    assert one.learn([rows(8), rows(9)]) == other.learn([rows(8), rows(9)])
    assert equal(one.tensors(), other.tensors())


def test_the_average_trails_behind() -> None:
    one = learner()
    before = {name: x.clone() for name, x in one.average.state_dict().items()}
    one.step(rows(0))
    now, keep = one.network.state_dict(), 2 / 11  # the first steps are forgotten fast
    for name, mean in one.average.state_dict().items():
        if mean.dtype.is_floating_point:
            assert torch.allclose(mean, keep * before[name] + (1 - keep) * now[name], atol=1e-5), name
    assert not one.average.training and one.network.training


def test_long_gradients_are_cut() -> None:
    """A clipped first step of AdamW moves weights as any other, so the moments are looked at."""
    free, cut = learner(clip=1e9), learner(clip=1e-3)
    for one in (free, cut):
        one.step(rows(0))
    lengths = [math.sqrt(sum(float((x / 0.1).square().sum()) for name, x in one.tensors().items() if name[:2] == "m."))
               for one in (free, cut)]  # fmt: skip
    assert lengths[0] > 0.1 and lengths[1] == pytest.approx(1e-3, rel=1e-3)


def test_rates() -> None:
    args = TrainArgs(rate=1.0, warm_up=10, schedule="cosine", schedule_steps=100)
    assert rate_at(args, 0) < 0.11 and rate_at(args, 4) < rate_at(args, 9) <= 1
    assert [rate_at(args, k) for k in range(10, 100)] == sorted(
        (rate_at(args, k) for k in range(10, 100)), reverse=True
    )
    assert rate_at(args, 50) == pytest.approx(0.525) and rate_at(args, 100) == rate_at(args, 10**6) == pytest.approx(
        0.05
    )
    steady = replace(args, schedule="constant")
    assert rate_at(steady, 9) == rate_at(steady, 10**6) == 1


def test_decay_spares_biases_and_norms() -> None:
    one = learner(weight_decay=0.3)
    decays = {id(p): group["weight_decay"] for group in one.optimiser.param_groups for p in group["params"]}
    for name, p in one.network.named_parameters():
        assert decays[id(p)] == (0.3 if p.ndim > 1 else 0), name
