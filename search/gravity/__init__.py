"""The exact solver of bounded boards with gravity and four in line: alpha-beta over bitboards.

The core knows stones and columns only; `law` reads a state of block stacking.
"""

from narabe.search.gravity.board import Board, BoardError, Position, position_of
from narabe.search.gravity.solver import SLICE, Bounds, Solver, plies_to_end

__all__ = ["SLICE", "Board", "BoardError", "Bounds", "Position", "Solver", "plies_to_end", "position_of"]
