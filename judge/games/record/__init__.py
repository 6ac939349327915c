"""A game as it is told to whoever asks: LIST, HISTORY and SUMMARY, the press that was sent."""
