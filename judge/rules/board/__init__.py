"""Values that describe the board and what is on it: provinces and their names, units, orders, phases, positions."""
