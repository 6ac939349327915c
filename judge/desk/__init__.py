"""What a letter asks for: a table of commands, a module for each family of them, one reply."""
