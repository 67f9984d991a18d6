"""The referee: one pass over a game, and what it says on a proposal (design sections 1 and 5)."""
