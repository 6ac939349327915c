"""The board and what lies on it: provinces and their names, units, orders, phases, positions. Values only."""
