"""Networks on file: NAME.safetensors holds the weights, NAME.json what they are; nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_bytes
from safetensors.torch import save as save_bytes
from torch import nn

import narabe
from narabe.agents.card_network import CardNetwork, CardShape
from narabe.agents.networks import NetShape, Network
from narabe.envs import game as game_of
from narabe.envs.game import Game
from narabe.envs.rules import goita

FORMAT = 1
BOARD, CARDS = "board", "cards"
SHAPES: dict[str, Callable[[dict[str, Any]], NetShape | CardShape]] = {
    BOARD: NetShape.from_dict,
    CARDS: CardShape.from_dict,
}
MAKERS = {BOARD: "narabe train", CARDS: "narabe train-cards"}
# options in which a game may differ from the one that a network learned, unless one of them is 0 (no walls)
SIZES = ("width", "height", "span", "max_height", "plies")
# and of Goita those that say nothing of how a deal is played; a network of single deals may also play matches
AROUND = ("first_dealer", "dealer", "cards")
MATCH = ("match", "points")


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says why and what to do."""


@dataclass
class Card:
    """What a checkpoint is: the game it learned, its shape, how it was trained and how strong it was measured to be.

    ``training``: whatever the trainer tells, as JSON holds it; ``strength``: one dict a measurement;
    ``weights``: SHA-256 of the file of the weights, written by `save`; ``kind``: board, or cards for Goita.
    """

    game: dict[str, Any]
    planes: tuple[int, ...]
    actions: int
    shape: dict[str, Any]
    training: dict[str, Any] = field(default_factory=dict)
    strength: list[dict[str, Any]] = field(default_factory=list)
    weights: str = ""
    kind: str = BOARD
    narabe: str = narabe.__version__
    format: int = FORMAT

    @classmethod
    def of(cls, game: Game, shape: NetShape | CardShape, **more: Any) -> Card:
        """The card of a network of this shape for this game; ``more``: training, strength."""
        kind = CARDS if isinstance(shape, CardShape) else BOARD
        return cls(game.to_dict(), game.observation_shape, game.num_actions, shape.to_dict(), kind=kind, **more)

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
            SHAPES[card.kind](card.shape)
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


def save(path: str | os.PathLike[str], network: Network | CardNetwork, card: Card) -> None:
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
    card, state = _read(path, game, BOARD)
    network = Network(game or card.made_game(), NetShape.from_dict(card.shape))
    _fill(network, state, path)
    return network.eval().to(device), card


def load_cards(path: str | os.PathLike[str], game: Game | None = None, device: str = "cpu") -> tuple[CardNetwork, Card]:
    """The same of a network for Goita; ``game`` may be a match of what it learned as a single deal."""
    card, state = _read(path, game, CARDS)
    network = CardNetwork(card.made_game(), CardShape.from_dict(card.shape))
    _fill(network, state, path)
    return network.eval().to(device), card


def _read(path: str | os.PathLike[str], game: Game | None, kind: str) -> tuple[Card, dict[str, Any]]:
    """The card and the weights by name, for networks of this kind."""
    weights, told = names(path)
    card = read_card(path)
    if card.kind != kind:
        raise CheckpointError(
            f"{told} is a network of {card.kind} for {card.game['name']}, and one of {kind} is needed: "
            f"take a network that `{MAKERS[kind]}` made"
        )
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
    expect_alike(card, learned, game or learned, str(weights))
    try:
        return card, load_bytes(data)
    except SafetensorError as error:
        raise CheckpointError(f"{weights} does not hold the weights of {told.name}: {error}") from None


def _fill(network: nn.Module, state: dict[str, Any], path: str | os.PathLike[str]) -> None:
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        weights, told = names(path)
        raise CheckpointError(f"{weights} does not hold the weights of {told.name}: {error}") from None


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
    free = AROUND + (MATCH if learned.options.get("match") == 0 else ()) if learned.law is goita else ()
    differing = [
        f"{name}={game.options[name]} and not {value}"
        for name, value in learned.options.items()
        if game.options[name] != value and name not in free and (name not in SIZES or 0 in (value, game.options[name]))
    ]
    if differing:
        if learned.law is goita:
            return f"{', '.join(differing)}; only what lies around a deal may differ, so use a network of these rules"
        return (
            f"{', '.join(differing)}; only the size of the board may differ, so use a network that learned these rules"
        )
    return None


def names(path: str | os.PathLike[str]) -> tuple[pathlib.Path, pathlib.Path]:
    """(NAME.safetensors, NAME.json)."""
    path = pathlib.Path(path)
    stem = path.with_suffix("") if path.suffix in (".safetensors", ".json") else path
    return stem.with_name(stem.name + ".safetensors"), stem.with_name(stem.name + ".json")
