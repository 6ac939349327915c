"""The desk does what a letter asks: a table of commands, a module for each family of commands, one reply."""
