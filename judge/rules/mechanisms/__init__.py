"""Rules that a variant can switch on beyond the standard ones: one module for each mechanism."""
