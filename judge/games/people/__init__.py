"""People: their names and addresses, wrong passwords, tokens, reliability, how often they are answered."""
