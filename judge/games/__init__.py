"""The life of a game, from forming to its end: seats, orders on file, deadlines, and notices to the people in it."""
