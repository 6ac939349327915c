"""Tests of judge/commands/play."""
