"""Orders and variants in sentences for people."""
