"""The `judge` command for keepers and programs."""
