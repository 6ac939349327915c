"""What is wrong with a variant's files: each mistake with its line."""
