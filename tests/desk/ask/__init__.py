"""Tests of judge/desk/ask."""
