"""The commands of a master: phases and people, the clock, settings, corrections, admission."""
