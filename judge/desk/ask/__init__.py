"""Questions: where games stand, what they have been, maps, provinces, help."""
