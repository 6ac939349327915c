"""Modules that all others about games use: services, board, settings, and who may see which facts."""
