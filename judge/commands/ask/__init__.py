"""Questions: the state and the history of games, maps, provinces, help."""
