"""A variant as one game plays it: the settings of its master, and the borders that the master corrected."""
