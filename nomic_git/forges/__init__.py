"""Forges: where proposals, votes and comments live (design section 11)."""
