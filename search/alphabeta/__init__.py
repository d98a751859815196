"""Alpha-beta for the line games: patterns kept from move to move, an estimate tuned on games, selective depth."""

from narabe.search.alphabeta.engine import Engine, Found
from narabe.search.alphabeta.weights import as_weights, kind_of_game, weights_for

__all__ = ["Engine", "Found", "as_weights", "kind_of_game", "weights_for"]
