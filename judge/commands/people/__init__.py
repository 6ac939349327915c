"""Commands of people for themselves, such as REGISTER, SIGNON, own settings, and codes sent by email."""
