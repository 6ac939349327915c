"""The pieces of a position laid out on the board, and which orders they can be given."""
