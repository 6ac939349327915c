"""Maps of other programs made into variants of ours."""
