"""Orders, bids and votes on file for a phase: giving and replacing them, what is missing, and confirmations."""
