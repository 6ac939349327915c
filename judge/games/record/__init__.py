"""What the judge tells about a game when asked: LIST, HISTORY and SUMMARY, the press that was sent."""
