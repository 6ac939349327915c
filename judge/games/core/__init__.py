"""The base of all modules about games: services, a game's board, settings and outcomes, and who may see what."""
