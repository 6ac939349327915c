"""Letters as named mail programs write them: built here, kept in tests/data/letters, with what must be understood."""
