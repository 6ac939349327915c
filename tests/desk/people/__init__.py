"""Tests of judge/desk/people."""
