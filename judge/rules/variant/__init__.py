"""Variants: reading one from its folder, checking it, and finding all that there are."""
