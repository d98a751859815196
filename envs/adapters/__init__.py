"""Games in other shapes: with opponents as part of the environment (`opponent`)."""
