"""Carry out the commands in letters and answer them: a table of commands, modules for families of them, one reply."""
