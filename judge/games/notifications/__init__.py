"""Who is told what: notices to all seats of a game, press, the pictures that go along."""
