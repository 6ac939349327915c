"""Orders, bids and votes on file for a phase: given, replaced, missing, told to the players who gave them."""
