"""The referee for Diplomacy games played by email."""

__version__ = "1.0.0"
