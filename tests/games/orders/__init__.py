"""Tests of judge/games/orders."""
