"""A rulebook manager for Nomic, in Git: rules are files, proposals are branches, votes are counted."""

__version__ = "0.1.0"
