"""The life of a game: its people, orders on file, deadlines, and the notices to its people."""
