"""Tests of judge/commands/people."""
