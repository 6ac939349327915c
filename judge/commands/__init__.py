"""Carry out the commands in letters, and answer each letter with one reply."""
