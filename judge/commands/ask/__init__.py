"""Commands that only ask: for the state and the history of games, maps, provinces, help."""
