"""People and their seats: wrong passwords, tokens, reliability, seats that nobody holds."""
