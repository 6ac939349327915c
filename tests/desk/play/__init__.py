"""Tests of judge/desk/play."""
