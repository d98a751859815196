"""The exact solver of Goita with open hands: alpha-beta over the four hands, in compiled code.

`OpenHands` is the Python face; searches in compiled code use a `Table` and the kernels `descent.ask`, `descent.solve` and
`worlds.solve_actions`.
"""

from narabe.search.goita.position import Position, PositionError, action_of_text, position_of
from narabe.search.goita.solver import SLICE, Bounds, OpenHands, Table

__all__ = ["SLICE", "Bounds", "OpenHands", "Position", "PositionError", "Table", "action_of_text", "position_of"]
