"""`narabe suite`: positions with proven answers, by which any agent's tactics can be scored."""
