"""People: their names and addresses, wrong passwords, tokens, reliability, and limits on the replies they get."""
