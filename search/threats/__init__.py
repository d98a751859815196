"""Victories by continuous fours and by continuous threats; and proofs, written out so that they can be checked."""

from narabe.search.threats.check import Counts, ProofError, check
from narabe.search.threats.proof import DEAD, LIGHT, NONE, PAIRED, WIN_NOW, Node, Proof
from narabe.search.threats.solver import Answer, SearchError, Solver

__all__ = [
    "DEAD", "LIGHT", "NONE", "PAIRED", "WIN_NOW", "Answer", "Counts", "Node", "Proof", "ProofError", "SearchError", "Solver",
    "check",
]  # fmt: skip
