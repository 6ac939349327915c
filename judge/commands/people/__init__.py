"""Commands of people for themselves: register, sign on, join a game, change settings, use codes sent by email."""
