"""The life of a game, from its forming to its end: seats, orders on file, deadlines, who is told what."""
