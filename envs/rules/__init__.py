"""The laws: what a game is, as plain functions over one numpy record. See `core` for the names they share."""
