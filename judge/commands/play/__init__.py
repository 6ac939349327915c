"""The commands with which a player plays: orders, bids, orders ahead, press, votes."""
