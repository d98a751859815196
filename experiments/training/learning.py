"""The learner: losses, steps of AdamW, and the running average of the weights that plays and is the product."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from narabe.agents.networks import Network, masked_log_softmax
from narabe.experiments.training.args import RunArgs, TrainArgs
from narabe.experiments.training.window import Rows

BatchT = TypeVar("BatchT")
FLOOR = 0.05  # of the rate, where a cosine ends


class Losses(NamedTuple):
    """Means over an iteration: cross-entropies of policy and reply in nats, mean squared error of the value.

    The reply's is over the positions that have one; of ownership the mean squared error, 0 where it is not learned.
    """

    policy: float
    value: float
    reply: float
    ownership: float = 0.0


def rate_at(args: RunArgs, step: int) -> float:
    """The learning rate of step number ``step``, counted from 0.

    >>> [round(rate_at(TrainArgs(rate=1.0, warm_up=4, schedule="cosine", schedule_steps=10), k), 3) for k in (0, 3, 5, 99)]
    [0.25, 0.804, 0.525, 0.05]
    """
    rate = args.rate
    if args.schedule == "cosine":
        part = min(1.0, step / args.schedule_steps)
        rate *= FLOOR + (1 - FLOOR) * 0.5 * (1 + math.cos(math.pi * part))
    return rate * min(1.0, (step + 1) / max(1, args.warm_up))


class BaseLearner(ABC, Generic[BatchT]):
    """A network that learns by AdamW, and the running average of its weights.

    ``network``: the weights that learn; ``average``: the same network with averaged weights, in evaluation mode; ``steps``:
    made so far. Subclasses write `step`, over `descend`.
    """

    def __init__(self, network: nn.Module, args: RunArgs) -> None:
        self.args, self.device, self.steps = args, torch.device(args.device), 0
        self.network = network.to(self.device).train()
        self.average = copy.deepcopy(self.network).eval().requires_grad_(False)
        parameters = list(self.network.named_parameters())
        groups = [
            {"params": [p for _, p in parameters if p.ndim >= 2], "weight_decay": args.weight_decay},
            {"params": [p for _, p in parameters if p.ndim < 2], "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=args.rate)
        self._names = {p: name for name, p in parameters}

    @abstractmethod
    def step(self, rows: BatchT) -> Tensor:
        """One step; its losses as a tensor (float64)."""

    def means(self, batches: Iterable[BatchT]) -> list[float] | None:
        """A step for each batch; the means of the losses, None if there was no batch."""
        total, n = torch.zeros((), dtype=torch.float64, device=self.device), 0
        for rows in batches:
            total = total + self.step(rows)
            n += 1
        return (total / n).tolist() if n else None

    def descend(self, loss: Tensor) -> None:
        """A step down the gradients of ``loss``, at the rate that is due, and into the average."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.args, self.steps)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.args.clip)
        self.optimiser.step()
        self.steps += 1
        self._take_into_average()

    def _take_into_average(self) -> None:
        """The average forgets the first steps faster than the later ones."""
        keep = min(self.args.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mean, now in zip(self.average.state_dict().values(), self.network.state_dict().values()):
                if mean.dtype.is_floating_point:
                    mean.lerp_(now, 1 - keep)
                else:
                    mean.copy_(now)

    # ---- as tensors by name -----------------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """All that the learner is but ``steps``: ``net.``, ``average.``, and the moments ``m.`` and ``v.`` of AdamW."""
        found = {f"net.{name}": x for name, x in self.network.state_dict().items()}
        found |= {f"average.{name}": x for name, x in self.average.state_dict().items()}
        for p, name in self._names.items():
            state = self.optimiser.state.get(p)
            found[f"m.{name}"] = state["exp_avg"] if state else torch.zeros_like(p)
            found[f"v.{name}"] = state["exp_avg_sq"] if state else torch.zeros_like(p)
        return {name: x.detach().cpu().contiguous() for name, x in found.items()}

    def take(self, tensors: dict[str, Tensor], steps: int) -> None:
        """Become what `tensors` gave after so many steps."""
        self.network.load_state_dict(part(tensors, "net."))
        self.average.load_state_dict(part(tensors, "average."))
        self.steps = steps
        for p, name in self._names.items():
            self.optimiser.state[p] = {
                "step": torch.tensor(float(steps)),
                "exp_avg": tensors[f"m.{name}"].to(self.device, torch.float32, copy=True),
                "exp_avg_sq": tensors[f"v.{name}"].to(self.device, torch.float32, copy=True),
            }
        if not steps:
            self.optimiser.state.clear()


class Learner(BaseLearner[Rows]):
    """The learner of a board's network."""

    args: TrainArgs

    def __init__(self, network: Network, args: TrainArgs) -> None:
        super().__init__(network, args)
        self._forward = torch.compile(self.network) if args.compile else self.network

    def learn(self, batches: Iterable[Rows]) -> Losses | None:
        """A step for each batch; the means of the losses, None if there was no batch."""
        means = self.means(batches)
        return Losses(*means) if means else None

    def step(self, rows: Rows) -> Tensor:
        """One step; the losses of policy, value, reply and ownership as a tensor."""
        args = self.args
        observations, masks, policies, values, replies, *owners = (
            torch.from_numpy(np.ascontiguousarray(column)).to(self.device) for column in rows if column is not None
        )
        with torch.autocast(self.device.type, torch.bfloat16, enabled=args.precision == "bfloat16"):
            out = self._forward(observations.float())
        policy = -(policies.float() * masked_log_softmax(out.policy, masks)).sum(1).mean()
        value = F.mse_loss(out.value.float(), values)
        has_reply = replies.float().sum(1) > 0.5
        said = -(replies.float() * F.log_softmax(out.reply.float(), 1)).sum(1)
        reply = (said * has_reply).sum() / has_reply.sum().clamp(min=1)
        loss = policy + args.value_weight * value + args.reply_weight * reply
        ownership = torch.zeros_like(value)
        if args.ownership_weight:
            ownership = F.mse_loss(out.ownership.float(), owners[0].float())
            loss = loss + args.ownership_weight * ownership
        self.descend(loss)
        return torch.stack((policy, value, reply, ownership)).detach().double()


def part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): x for name, x in tensors.items() if name.startswith(prefix)}
