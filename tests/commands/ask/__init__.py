"""Tests of judge/commands/ask."""
