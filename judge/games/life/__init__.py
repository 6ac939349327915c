"""The life of a game: joining, forming, phases, a master's corrections, the end, and the lasting record."""
