"""Notices to the people in a game, press, and the pictures in these emails."""
