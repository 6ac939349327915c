"""What every module about games needs: services, the board, settings and outcomes of a game, who may see what."""
