"""The life of a game: joining, forming, phases, what a master corrects, the end, and the record that remains."""
