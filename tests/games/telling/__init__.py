"""Tests of judge/games/telling."""
