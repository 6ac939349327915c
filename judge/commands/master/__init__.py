"""The commands of a game's master, for phases, deadlines, settings, corrections of the board, and applicants."""
