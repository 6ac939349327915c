"""Tests of judge/games/deadlines."""
