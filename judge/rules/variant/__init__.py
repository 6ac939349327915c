"""A variant as a whole: read from its folder, checked."""
