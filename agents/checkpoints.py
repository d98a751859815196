"""Networks on file: NAME.safetensors holds the weights, NAME.json what they are; nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from dataclasses import asdict, dataclass, field
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_bytes
from safetensors.torch import save as save_bytes

import narabe
from narabe.agents.networks import NetShape, Network
from narabe.envs import game as game_of
from narabe.envs.game import Game

FORMAT = 1
# options in which a game may differ from the one that a network learned, unless one of them is 0 (no walls)
SIZES = ("width", "height", "span", "max_height", "plies")


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says why and what to do."""


@dataclass
class Card:
    """What a checkpoint is: the game it learned, its shape, how it was trained and how strong it was measured to be.

    ``training``: whatever the trainer tells, as JSON holds it; ``strength``: one dict a measurement;
    ``weights``: SHA-256 of the file of the weights, written by `save`.
    """

    game: dict[str, Any]
    planes: tuple[int, ...]
    actions: int
    shape: dict[str, Any]
    training: dict[str, Any] = field(default_factory=dict)
    strength: list[dict[str, Any]] = field(default_factory=list)
    weights: str = ""
    narabe: str = narabe.__version__
    format: int = FORMAT

    @classmethod
    def of(cls, game: Game, shape: NetShape, **more: Any) -> Card:
        """The card of a network of this shape for this game; ``more``: training, strength."""
        return cls(game.to_dict(), game.observation_shape, game.num_actions, shape.to_dict(), **more)

    @classmethod
    def read(cls, text: str, where: str) -> Card:
        """The card that `to_json` wrote; `CheckpointError` if it is something else or of another format."""
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise CheckpointError(
                    f"{where} has format {data['format']}, this version of narabe reads {FORMAT}: "
                    f"use the version that wrote it ({data.get('narabe', 'not told')}), or train anew"
                )
            card = cls(**data)
            card.planes = tuple(card.planes)
            NetShape.from_dict(card.shape)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(f"{where} is no card of a network: {error}") from None
        return card

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, allow_nan=False) + "\n"

    def made_game(self) -> Game:
        """The game that the network learned."""
        options = dict(self.game)
        return game_of(options.pop("name"), **options)


def save(path: str | os.PathLike[str], network: Network, card: Card) -> None:
    """Write NAME.safetensors and NAME.json (``path`` with either ending, or none); each is put in place at once.

    The card then names the digest of the weights (``card.weights``). `CheckpointError` if the card is not this network's.
    """
    if card.shape != network.shape.to_dict() or card.actions != network.num_actions:
        raise CheckpointError(
            f"the card tells of {card.actions} actions and a network {card.shape}, and this one has "
            f"{network.num_actions} and is {network.shape.to_dict()}: make the card with Card.of"
        )
    weights, told = names(path)
    weights.parent.mkdir(parents=True, exist_ok=True)
    tensors = {name: t.detach().cpu().contiguous() for name, t in network.state_dict().items()}
    data = save_bytes(tensors)
    card.weights = hashlib.sha256(data).hexdigest()
    for file, content in ((weights, data), (told, card.to_json().encode())):
        new = file.with_name(f".{file.name}.{os.getpid()}")  # put in place whole or not at all
        new.write_bytes(content)
        os.replace(new, file)


def load(path: str | os.PathLike[str], game: Game | None = None, device: str = "cpu") -> tuple[Network, Card]:
    """The network and card of a checkpoint, for the game that it learned or for ``game``, in eval mode.

    ``game`` may differ from it in the size of the board. `CheckpointError` for files that are missing, damaged or
    do not belong together, and for a game of other rules.

    >>> import tempfile
    >>> from narabe.envs import game
    >>> small = game("gomoku", size=9)
    >>> network = Network(small, NetShape(blocks=1, channels=8))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(f"{folder}/tiny", network, Card.of(small, network.shape))
    ...     again, card = load(f"{folder}/tiny", game("gomoku", size=15))
    >>> again.num_actions, card.game["width"]
    (225, 9)
    """
    weights, told = names(path)
    card = read_card(path)
    if not weights.exists():
        raise CheckpointError(f"{weights} is missing beside {told.name}: copy both files")
    data = weights.read_bytes()
    if hashlib.sha256(data).hexdigest() != card.weights:
        raise CheckpointError(
            f"{weights} is not the file that {told.name} tells of, or it is damaged: copy both files again"
        )
    try:
        learned = card.made_game()
    except ValueError as error:
        raise CheckpointError(
            f"{told}: no such game here ({error}); a game of your own has to be registered first"
        ) from None
    game = learned if game is None else game
    expect_alike(card, learned, game, str(weights))
    network = Network(game, NetShape.from_dict(card.shape))
    try:
        network.load_state_dict(load_bytes(data))
    except (SafetensorError, RuntimeError) as error:
        raise CheckpointError(f"{weights} does not hold the weights of {told.name}: {error}") from None
    return network.eval().to(device), card


def read_card(path: str | os.PathLike[str]) -> Card:
    """The card of a checkpoint, without its weights."""
    _, told = names(path)
    if not told.exists():
        raise CheckpointError(f"there is no checkpoint {told}: give the path of NAME.json or NAME.safetensors")
    return Card.read(told.read_text(), str(told))


def expect_alike(card: Card, learned: Game, game: Game, where: str) -> None:
    """Raise `CheckpointError` unless a network of ``learned`` may play ``game``: the same rules but for the size."""
    if card.planes != learned.observation_shape or card.actions != learned.num_actions:
        raise CheckpointError(
            f"{where} was trained on observations {card.planes} and {card.actions} actions, and {learned.spec} now has "
            f"{learned.observation_shape} and {learned.num_actions}: use the version of narabe that wrote it "
            f"({card.narabe}), or train anew"
        )
    why = unlike(learned, game)
    if why is not None:
        raise CheckpointError(f"{where} learned {learned.spec} and cannot play {game.spec}: {why}")


def unlike(learned: Game, game: Game) -> str | None:
    """Why a network of one game cannot play another one, or None: only sizes may differ, not the rules."""
    if learned.law is not game.law:
        return "that is another game; use a network that learned it"
    if learned.observation_shape[0] != game.observation_shape[0]:
        return (
            f"its observations have {game.observation_shape[0]} planes and not {learned.observation_shape[0]}; "
            "use a network that learned this game"
        )
    differing = [
        f"{name}={game.options[name]} and not {value}"
        for name, value in learned.options.items()
        if game.options[name] != value and (name not in SIZES or 0 in (value, game.options[name]))
    ]
    if differing:
        return (
            f"{', '.join(differing)}; only the size of the board may differ, so use a network that learned these rules"
        )
    return None


def names(path: str | os.PathLike[str]) -> tuple[pathlib.Path, pathlib.Path]:
    """(NAME.safetensors, NAME.json)."""
    path = pathlib.Path(path)
    stem = path.with_suffix("") if path.suffix in (".safetensors", ".json") else path
    return stem.with_name(stem.name + ".safetensors"), stem.with_name(stem.name + ".json")
