"""An embedded mail system and people who use it, for `judge demo` and `judge serve`."""
