"""Tests of judge/games/life."""
