"""Tests of judge/commands/master."""
