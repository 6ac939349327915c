"""The life of a game: joining, forming, phases, the end."""
