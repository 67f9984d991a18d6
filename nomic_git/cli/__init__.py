"""The command line (design section 13): thin; one module a group of commands."""
