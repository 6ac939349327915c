"""What a variant can switch on beyond the standard rules: a module for each mechanism."""
