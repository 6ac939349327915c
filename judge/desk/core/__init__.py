"""What every command works with: a line of the command table, the visit of one letter, its answers, the reader."""
