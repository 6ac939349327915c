"""Tests of judge/shell."""
