"""A mail system and people of our own, for `judge demo` and `judge serve`."""
