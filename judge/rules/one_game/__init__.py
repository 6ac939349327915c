"""A variant as one game plays it: what its master settled, and the borders that the master corrected."""
