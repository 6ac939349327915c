"""A built-in mail system and simulated people, for `judge demo` and `judge serve`."""
