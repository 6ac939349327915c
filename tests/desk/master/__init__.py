"""Tests of judge/desk/master."""
