"""Tests of judge/commands/core."""
