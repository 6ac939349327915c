"""The commands of a game's master: run phases, change deadlines and settings, correct the board, admit players."""
