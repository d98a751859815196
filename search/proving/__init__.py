"""Proving whole games on small boards by proof-number search."""
