"""Notifications: notices to the seats of a game, press, and the pictures in both."""
