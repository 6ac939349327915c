"""Tests of judge/service."""
