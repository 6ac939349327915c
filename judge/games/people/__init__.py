"""People: names and addresses, wrong passwords, tokens, reliability, and limits on the replies that people get."""
