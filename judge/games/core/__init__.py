"""The modules that all other modules about games use: services, board, settings, and who may see what."""
