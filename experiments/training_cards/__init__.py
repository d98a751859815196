"""`narabe train-cards`: networks for Goita, by deep Monte Carlo."""
