"""Git: rulebooks and proposals read from commits, events written as commits, the history replayed."""
