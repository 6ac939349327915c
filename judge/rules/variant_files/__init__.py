"""What the files of a variant have in common: lines and their mistakes, TOML text, the map, the powers."""
