"""What a master does: phases and people, the clock, settings, corrections, admission."""
