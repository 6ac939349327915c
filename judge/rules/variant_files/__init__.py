"""The common parts of the files of a variant: kinds of values, mistakes and their lines, the map, the powers."""
