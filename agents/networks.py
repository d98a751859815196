"""Networks for boards: residual blocks with global pooling, and heads whose shape follows how a game's actions lie.

Torch is imported here, so import this module only where a network is used.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass, fields
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from narabe.agents.layouts import Layout, layout_of
from narabe.envs.game import Game

ILLEGAL = -1e30  # logit of an illegal action: softmax gives exactly 0, and 0 times its logarithm is 0


@dataclass(frozen=True)
class NetShape:
    """How large a network is.

    ``blocks`` residual blocks of ``channels``; every ``pool_every``-th of them pools ``pooled`` channels over the whole board
    (mean and maximum) and adds a bias computed from them to all its outputs. ``head``: channels of the heads. ``ownership``:
    also predict who owns each cell at the end. ``window``, ``rows``: of a sliding window only so many columns around the
    middle and rows above the floor are looked at (0: all); of other games nothing is cut off.
    """

    blocks: int = 4
    channels: int = 32
    pooled: int = 8
    pool_every: int = 2
    head: int = 16
    ownership: bool = False
    window: int = 0
    rows: int = 0

    def __post_init__(self) -> None:
        least = {"blocks": 1, "channels": 1, "pooled": 1, "pool_every": 1, "head": 1, "window": 0, "rows": 0}
        for name, low in least.items():
            if getattr(self, name) < low:
                raise ValueError(f"{name}={getattr(self, name)}: at least {low}")
        if self.pooled > self.channels:
            raise ValueError(f"pooled={self.pooled}: at most the {self.channels} channels")

    def to_dict(self) -> dict[str, int | bool]:
        """The fields, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, int | bool]) -> NetShape:
        """The shape that `to_dict` wrote; `ValueError` names fields that this version does not know."""
        unknown = set(data) - {f.name for f in fields(cls)}
        if unknown:
            raise ValueError(f"fields {', '.join(sorted(unknown))} of a network's shape are not known to this version")
        return cls(**data)  # type: ignore[arg-type]


class Outputs(NamedTuple):
    """What a network says of n positions; see `Network.forward`."""

    policy: Tensor
    value: Tensor
    reply: Tensor
    ownership: Tensor | None


class Network(nn.Module):
    """A network for all boards of a game's family; the weights do not depend on the size of the board.

    (Of games whose actions lie in no known order, `layouts.Layout.kind` "dense", they do.) Made with the random numbers of
    torch, so call ``torch.manual_seed`` first for the same weights.

    >>> import torch
    >>> from narabe.envs import game
    >>> network = Network(game("gomoku", size=9), NetShape(blocks=1, channels=8)).eval()
    >>> out = network(torch.zeros(2, 4, 9, 9))
    >>> tuple(out.policy.shape), tuple(out.value.shape)
    ((2, 81), (2, 2))
    """

    scale: Tensor  # (planes, 1, 1), what each plane is multiplied by to be about 1

    def __init__(self, game: Game, shape: NetShape) -> None:
        super().__init__()
        self.shape, self.layout = shape, layout_of(game)
        self.num_players, self.num_actions = game.num_players, game.num_actions
        planes = game.observation_shape[0]
        low, high = game.face.observation_range(game)
        scale = 1.0 / np.maximum(np.maximum(np.abs(low.astype(int)), np.abs(high.astype(int))), 1)
        kept = [p for p in range(planes) if p != self.layout.anchor]
        self.register_buffer("scale", torch.tensor(scale[kept], dtype=torch.float32)[:, None, None])
        wrap = self.layout.wrap
        self.stem = Conv(len(kept), shape.channels, wrap)
        self.blocks = nn.ModuleList(
            Block(shape.channels, shape.pooled if i % shape.pool_every == shape.pool_every - 1 else 0, wrap)
            for i in range(shape.blocks)
        )
        self.head = PolicyHead(self.layout, shape, game.observation_shape[1] * game.observation_shape[2])
        self.value = ValueHead(shape, game.num_players)
        self.owners = nn.Conv2d(shape.channels, 1, 1) if shape.ownership else None
        if shape.ownership and self.layout.anchor >= 0:
            raise ValueError(f"ownership=True: {game.spec} has no fixed cells that could be owned at the end")

    def forward(self, planes: Tensor) -> Outputs:
        """Planes (n, planes, height, width), float32 or int8, as the player to move sees them, to `Outputs`.

        ``policy``: logits (n, actions), illegal actions not masked; ``value``: (n, players) in [-1, 1], the expected payoffs,
        first of the player to move, then of the others in turn order (of two players the second is minus the first);
        ``reply``: logits (n, actions) of what the next player will do; ``ownership``: (n, height, width) in [-1, 1], 1 for
        cells that the player to move will own at the end, or None if the shape has none.
        """
        view = self.view(planes)
        x = F.relu_(self.stem(view))
        for block in self.blocks:
            x = block(x)
        pooled = pool(x)
        logits = self.head(x, pooled, view)
        if self.layout.anchor >= 0:
            logits = self._by_column(logits, planes)
        ownership = torch.tanh(self.owners(x)[:, 0]) if self.owners is not None else None
        return Outputs(logits[:, 0], self.value(pooled, x), logits[:, 1], ownership)

    def view(self, planes: Tensor) -> Tensor:
        """What the convolutions see: planes as numbers of about 1, of a sliding window its middle and not where it is."""
        x = planes
        if self.layout.anchor >= 0:
            width, columns = x.shape[3], self.shape.window or x.shape[3]
            left = max(width // 2 - columns // 2, 0)
            x = x[:, :, : self.shape.rows or None, left : left + columns]
            x = torch.cat((x[:, : self.layout.anchor], x[:, self.layout.anchor + 1 :]), 1)
        return x.to(self.scale.dtype) * self.scale

    def _by_column(self, logits: Tensor, planes: Tensor) -> Tensor:
        """Logits by column as shown to logits by action; a column outside of what is seen has those of the edge."""
        width, sheets = planes.shape[3], self.layout.sheets
        shown = (logits.shape[2] - self.layout.extras) // sheets
        left = max(width // 2 - (self.shape.window or width) // 2, 0)
        anchor = planes[:, self.layout.anchor, 0].argmax(1, keepdim=True)  # where column width // 2 is shown
        columns = torch.arange(width, device=planes.device) - width // 2 + anchor - left
        columns = columns.clamp(0, shown - 1)[:, None].expand(-1, 2, -1)
        parts = [logits[:, :, i * shown : (i + 1) * shown].gather(2, columns) for i in range(sheets)]
        return torch.cat((*parts, logits[:, :, sheets * shown :]), 2)


class Conv(nn.Module):
    """A 3x3 convolution, batch norm after it; where the edges are joined the left one sees the right one.

    ``fold`` moves the batch norm into the weights, for inference.
    """

    def __init__(self, inputs: int, outputs: int, wrap: bool) -> None:
        super().__init__()
        self.wrap = wrap
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=(1, 0 if wrap else 1), bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        if self.wrap:
            x = torch.cat((x[..., -1:], x, x[..., :1]), 3)
        return self.norm(self.conv(x))

    def fold(self) -> None:
        self.conv = nn.utils.fuse_conv_bn_eval(self.conv, self.norm)  # type: ignore[arg-type]
        self.norm = nn.Identity()


class Block(nn.Module):
    """Two convolutions and a way past them; ``pooled`` channels of the middle, seen as a whole, add a bias at the end."""

    def __init__(self, channels: int, pooled: int, wrap: bool) -> None:
        super().__init__()
        self.first, self.second = Conv(channels, channels, wrap), Conv(channels, channels, wrap)
        self.pooled = pooled
        self.bias = nn.Linear(2 * pooled, channels) if pooled else None

    def forward(self, x: Tensor) -> Tensor:
        middle = F.relu_(self.first(x))
        out = self.second(middle).add_(x)  # in place: a new array costs a third of a convolution here
        if self.bias is not None:
            out = out.add_(self.bias(pool(middle[:, : self.pooled]))[:, :, None, None])
        return F.relu_(out)


def pool(x: Tensor) -> Tensor:
    """(n, channels, height, width) to (n, 2 * channels): the mean and the maximum over the board."""
    whole = (x.shape[2], x.shape[3])  # amax would be up to ten times slower than this on a CPU
    return torch.cat((F.avg_pool2d(x, whole), F.max_pool2d(x, whole)), 1).flatten(1)


class PolicyHead(nn.Module):
    """Logits (n, 2, actions) of the policy and of the reply to it; columns of a sliding window as they are shown."""

    def __init__(self, layout: Layout, shape: NetShape, cells: int) -> None:
        super().__init__()
        self.layout = layout
        c, inner = shape.channels, shape.head
        self.local: nn.Module
        self.last: nn.Module
        if layout.kind == "cells":
            self.local = nn.Conv2d(c, inner, 1)
            self.whole = nn.Linear(2 * c, inner)
            self.last = nn.Conv2d(inner, 2, 1)
        elif layout.kind == "columns":
            self.local = nn.Conv1d(3 * c, inner, 1)
            self.whole = nn.Linear(2 * c, inner)
            self.last = nn.Conv1d(inner, 2 * layout.sheets, 1)
        elif layout.kind == "dense":
            self.local = nn.Conv2d(c, inner, 1)
        if layout.extras:
            seen = 3 * c if layout.marked >= 0 else 2 * c + inner * cells * (layout.kind == "dense")
            self.extras = nn.Sequential(nn.Linear(seen, 4 * inner), nn.ReLU(), nn.Linear(4 * inner, 2 * layout.extras))

    def forward(self, x: Tensor, pooled: Tensor, view: Tensor) -> Tensor:
        """Of features (n, channels, height, width), their `pool`, and the planes they were made of."""
        n, parts = x.shape[0], []
        if self.layout.kind == "cells":
            inner = F.relu_(self.local(x).add_(self.whole(pooled)[:, :, None, None]))
            parts.append(self.last(inner).flatten(2))
        elif self.layout.kind == "columns":
            # of each column: its mean, its maximum, and the cell where a piece would come to lie
            column = (x.shape[2], 1)
            lands = (x * view[:, self.layout.landing, None]).sum(2)
            columns = torch.cat((F.avg_pool2d(x, column)[:, :, 0], F.max_pool2d(x, column)[:, :, 0], lands), 1)
            inner = F.relu_(self.local(columns).add_(self.whole(pooled)[:, :, None]))
            parts.append(self.last(inner).reshape(n, 2, -1))
        elif self.layout.kind == "dense":
            pooled = torch.cat((pooled, F.relu_(self.local(x)).flatten(1)), 1)
        if self.layout.extras:
            if self.layout.marked >= 0:
                pooled = torch.cat((pooled, (x * view[:, self.layout.marked, None]).sum((2, 3))), 1)
            parts.append(self.extras(pooled).reshape(n, 2, -1))
        return torch.cat(parts, 2)


class ValueHead(nn.Module):
    """Expected payoffs (n, players) in [-1, 1], first of the player to move, then in turn order."""

    def __init__(self, shape: NetShape, players: int) -> None:
        super().__init__()
        self.players = players
        self.first = nn.Linear(3 * shape.channels, 4 * shape.head)
        self.last = nn.Linear(4 * shape.head, 1 if players == 2 else players)

    def forward(self, pooled: Tensor, x: Tensor) -> Tensor:
        """Of the `pool` of features ``x``, and of the mean scaled by the size of the board (KataGo's third statistic)."""
        side = (x.shape[2] * x.shape[3]) ** 0.5
        mean = pooled[:, : x.shape[1]]
        values = torch.tanh(self.last(F.relu(self.first(torch.cat((pooled, mean * ((side - 14) / 10)), 1)))))
        return torch.cat((values, -values), 1) if self.players == 2 else values


def folded(network: Network) -> Network:
    """A copy for inference: in eval mode, batch norms folded into the convolutions, no gradients; the same outputs."""
    copied = copy.deepcopy(network).eval().requires_grad_(False)
    for part in copied.modules():
        if isinstance(part, Conv):
            part.fold()
    return copied


def masked_log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """Logarithms of the probabilities of legal actions, float32 whatever the logits are; `ILLEGAL` or less for the others.

    ``logits``, ``masks``: (n, actions), masks 1 (or True) where legal. Probabilities of illegal actions are exactly 0, and
    so are their gradients; 0 times such a logarithm is 0.
    """
    return F.log_softmax(logits.float().masked_fill(masks == 0, ILLEGAL), 1)


def seat_order(values: np.ndarray, players: np.ndarray) -> np.ndarray:
    """Values (n, players), the player to move first and then in turn order, to seat order; ``players`` (n,), from 1.

    >>> seat_order(np.array([[0.5, -0.5, 0.0]]), np.array([2])).tolist()
    [[0.0, 0.5, -0.5]]
    """
    n = values.shape[1]
    return np.take_along_axis(values, (np.arange(n) - np.asarray(players)[:, None] + 1) % n, 1)


def mover_first(values: np.ndarray, players: np.ndarray) -> np.ndarray:
    """The way back from `seat_order`: payoffs in seat order to those of the player to move first."""
    n = values.shape[1]
    return np.take_along_axis(values, (np.arange(n) + np.asarray(players)[:, None] - 1) % n, 1)
