"""Variants: read a variant from its folder, check it, and find all variants."""
