"""A package of a user: a game of their own, made known to narabe."""

from narabe.envs import Variant, register
from narabe.tests.own_game import nim

VARIANTS = [
    Variant("nim", "own/Nim", "who takes the last stone wins", {"first": 3, "second": 4, "third": 5}),
    Variant("little_nim", "own/LittleNim", "nim with one heap", {"first": 5}),
]


def install() -> None:
    """Make the games known; a package would do this when it is imported."""
    register(nim, VARIANTS)
