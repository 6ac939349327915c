"""The commands of a player for the game itself: orders, bids, orders for later phases, press, votes."""
