"""The game: play as values. No I/O and no clock; `now` is an argument."""
