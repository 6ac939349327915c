"""What letters ask for is carried out and answered: a table of commands, a module for each family of commands, one reply."""
