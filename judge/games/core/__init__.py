"""What all about a game needs: the judge at work, the game's board, settings and outcomes, who may see what."""
