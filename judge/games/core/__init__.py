"""What every module about games needs: the office, the game's board, settings and outcomes, who may see what."""
