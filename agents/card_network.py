"""Networks for Goita: the worth of each candidate play by what a seat knows, and a critic that sees all hands.

The first has DouZero's shape (Zha et al. 2021): a state and a candidate action in, a value out; the state is encoded once for
all candidates. The second is for training only, since it looks at what no player may know. Torch is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from narabe.envs.game import Game
from narabe.envs.rules import goita
from narabe.envs.rules.goita.record import FACE_DOWN, KINDS, PASS, PLAYS
from narabe.envs.rules.goita.sight import FACTS, FIRST_PLAY, STANDING

HIDDEN_PLANES = 2


@dataclass(frozen=True)
class CardShape:
    """How large a network for cards is: ``layers`` of ``width`` numbers that read the state, one more for each candidate."""

    width: int = 256
    layers: int = 3

    def __post_init__(self) -> None:
        for name in ("width", "layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: at least 1")

    def to_dict(self) -> dict[str, int]:
        """The fields, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, int]) -> CardShape:
        """The shape that `to_dict` wrote; `ValueError` names fields that this version does not know."""
        unknown = set(data) - {f.name for f in fields(cls)}
        if unknown:
            raise ValueError(f"fields {', '.join(sorted(unknown))} of a network's shape are not known to this version")
        return cls(**data)


class CardNetwork(nn.Module):
    """The expected payoff of each action, for the seat that plays it, by what that seat knows.

    >>> import torch
    >>> from narabe.envs import game
    >>> g = game("goita")
    >>> worth = CardNetwork(g, CardShape(width=16, layers=1))(torch.zeros(2, *g.observation_shape))
    >>> tuple(worth.shape)
    (2, 70)
    """

    candidates: Tensor  # (actions, features), see `action_features`

    def __init__(self, game: Game, shape: CardShape) -> None:
        super().__init__()
        self.shape, self.encode = shape, Encoding(game)
        self.num_actions = game.num_actions
        self.register_buffer("candidates", torch.from_numpy(action_features(game)), persistent=False)
        self.state = nn.Sequential(*_layers(self.encode.size, shape))
        self.action = nn.Linear(self.candidates.shape[1], shape.width, bias=False)
        self.both = nn.Linear(shape.width, shape.width)
        self.last = nn.Linear(shape.width, 1)

    def forward(self, planes: Tensor) -> Tensor:
        """Observations (n, planes, seats, kinds), int8 or float32, of the players to move, to values (n, actions) in [-1, 1].

        What it says of illegal actions does not count.
        """
        n, actions = len(planes), len(self.candidates)
        rows = torch.arange(n, device=planes.device).repeat_interleave(actions)
        every = torch.arange(actions, device=planes.device).repeat(n)
        return self.judge(self.read(planes), rows, every).view(n, actions)

    def read(self, planes: Tensor) -> Tensor:
        """What the network makes of observations, before it looks at actions: float32 (n, width)."""
        return self.state(self.encode(planes))

    def judge(self, state: Tensor, rows: Tensor, actions: Tensor) -> Tensor:
        """The values (m,) of some actions (int64), each in the row ``rows[i]`` of what `read` gave; few are quickly judged."""
        pairs = F.relu(state[rows] + self.action(self.candidates)[actions])
        return torch.tanh(self.last(F.relu(self.both(pairs)))[:, 0])


class Critic(nn.Module):
    """The expected payoff (n,) in [-1, 1] of the seat to move, of one who sees all hands; for training only."""

    def __init__(self, game: Game, shape: CardShape) -> None:
        super().__init__()
        self.shape, self.encode = shape, Encoding(game)
        hidden = HIDDEN_PLANES * game.num_players * KINDS
        self.layers = nn.Sequential(*_layers(self.encode.size + hidden, shape), nn.Linear(shape.width, 1))

    def forward(self, planes: Tensor, hidden: Tensor) -> Tensor:
        """Of observations (n, planes, seats, kinds) and what they do not tell (n, 2, seats, kinds), see `hidden_planes`."""
        return torch.tanh(self.layers(torch.cat((self.encode(planes), hidden.flatten(1).float()), 1))[:, 0])


class Encoding(nn.Module):
    """Observations of Goita as numbers (n, size) of about 1: counts by card, facts scaled, of a play each bit by itself."""

    scale: Tensor

    def __init__(self, game: Game) -> None:
        super().__init__()
        expect_goita(game)
        planes, seats, kinds = game.observation_shape
        scale = torch.ones(FIRST_PLAY, seats, kinds)
        scale[FACTS, :, 0] = 1 / game.options["hand"]  # cards in hand
        scale[FACTS, :, 1] = 1 / 4  # face down and unknown
        scale[FACTS, :, 7] = 1 / max(game.options["match"] // game.options["points"], 15)  # points
        scale[STANDING, 1, 2:4] = torch.tensor([1 / 2, 1 / 32])  # kings face up, plies
        self.register_buffer("scale", scale, persistent=False)
        self.size = (FIRST_PLAY + 3 * (planes - FIRST_PLAY)) * seats * kinds

    def forward(self, planes: Tensor) -> Tensor:
        plays = planes[:, FIRST_PLAY:].to(torch.int8).flatten(1)
        bits = torch.cat((plays & 1, (plays & 2) >> 1, (plays & 4) >> 2), 1)  # ten times as fast as shifts of uint8
        return torch.cat(((planes[:, :FIRST_PLAY].float() * self.scale).flatten(1), bits.float()), 1)


def action_features(game: Game) -> np.ndarray:
    """float32 (actions, 16 + words): kind laid, kind that attacks, each one of eight; then pass and the words, one each.

    >>> from narabe.envs import game
    >>> g = game("goita")
    >>> np.flatnonzero(action_features(g)[g.action_of("81")]).tolist()
    [7, 8]
    """
    expect_goita(game)
    words = game.num_actions - PLAYS
    features = np.zeros((game.num_actions, 2 * KINDS + words), np.float32)
    for action in range(game.num_actions):
        if PASS < action <= PLAYS:
            features[action, (action - 1) // KINDS] = features[action, KINDS + (action - 1) % KINDS] = 1
        else:
            features[action, 2 * KINDS + max(action - PLAYS, 0)] = 1
    return features


def hidden_planes(game: Game, records: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """int8 (n, 2, seats, kinds): all hands, and all cards that lie face down, of whole records; for training only.

    ``seats``: int64 (n,), from 0; rows are seats as in an observation, the own one first, then in turn order.
    """
    expect_goita(game)
    players, n = game.num_players, len(records)
    hands = records["hand"][:, :players, None] >> (4 * np.arange(KINDS)) & 15
    down = np.zeros((n, players, KINDS), np.int8)
    laid = (records["lies"] == FACE_DOWN) & (np.arange(records["lies"].shape[2]) < records["played"][:, :, None])
    i, seat, play = np.nonzero(laid[:, :players])
    np.add.at(down, (i, seat, records["first"][i, seat, play] - 1), 1)
    turned = (np.asarray(seats)[:, None] + np.arange(players)) % players
    both = np.stack((hands.astype(np.int8), down), 1)
    return np.take_along_axis(both, turned[:, None, :, None], 2)


def expect_goita(game: Game) -> None:
    """Raise `ValueError` for a game that is not played with the cards of Goita."""
    if game.law is not goita:
        raise ValueError(f"{game.spec} is no Goita: its network is narabe.agents.networks.Network")


def _layers(inputs: int, shape: CardShape) -> Iterator[nn.Module]:
    for i in range(shape.layers):
        yield nn.Linear(inputs if i == 0 else shape.width, shape.width)
        yield nn.ReLU()
