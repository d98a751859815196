"""The Python side of each family of games: options, names, texts, and what to draw."""
