"""The life of a game: joining, forming, phases, votes, the end."""
