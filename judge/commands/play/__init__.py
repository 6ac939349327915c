"""What a player writes to play: orders, bids, orders ahead, press, votes."""
