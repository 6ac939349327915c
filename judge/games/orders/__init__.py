"""Orders, bids and votes on file for a phase: giving and replacing them, missing orders, and confirmations."""
