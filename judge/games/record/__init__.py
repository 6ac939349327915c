"""A game as it is told to anybody who asks: LIST, HISTORY and SUMMARY, the press that was sent."""
