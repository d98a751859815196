"""narabe: game-playing-AI research on Japanese and Korean board games.

The parts are imported by name, so that a light job stays light::

    import narabe.envs as envs
    import narabe.agents as agents
"""

__version__ = "0.1.0"
