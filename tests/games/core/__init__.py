"""Tests of judge/games/core."""
