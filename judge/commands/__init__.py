"""What letters ask for is carried out and answered: a table of commands, modules for families of them, one reply."""
