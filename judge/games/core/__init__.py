"""Needed by every module about games: services, a game's board, settings and outcomes, and who may see what."""
