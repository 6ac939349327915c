"""Tests of judge/games/notifications."""
