"""The board and its contents: provinces and their names, units, orders, phases, positions. Values only."""
