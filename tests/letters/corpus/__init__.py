"""Letters as named mail programs write them, and what such letters are made of."""
