"""Games in other shapes: with opponents as part of the environment."""

from narabe.envs.adapters.opponent import OpponentEnv

__all__ = ["OpponentEnv"]
