"""The common parts of the files of a variant: lines and their mistakes, TOML text, the map, the powers."""
