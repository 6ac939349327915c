"""Orders and bids on file for a phase: given, replaced, missing, told to whoever gave them."""
