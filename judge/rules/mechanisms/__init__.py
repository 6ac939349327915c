"""Rules that a variant can switch on beyond the standard rules: one module for each mechanism."""
