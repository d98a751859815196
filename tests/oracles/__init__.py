"""Naive oracles: plain, slow, readable versions of the rules, against which the compiled laws are tested."""
