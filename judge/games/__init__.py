"""The life of a game, from forming to end: seats, orders on file, deadlines, who is told what."""
