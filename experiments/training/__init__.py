"""Learning by self-play: games are played with a network, the network learns from them, and so on. See `loop`."""
