"""Tests of judge/desk/core."""
