"""Maps of other programs, their files and drawings, made into variants of this judge."""
