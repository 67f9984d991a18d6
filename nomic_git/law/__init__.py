"""The law: a rulebook as values. Nothing here reads a file, a clock or a repository."""
