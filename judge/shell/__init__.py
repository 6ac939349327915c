"""The `judge` command: what a keeper, and a program, can ask from the shell."""
