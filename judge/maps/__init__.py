"""Draw boards: positions and outcomes become SVG text, and `render` turns it into pictures for emails.

Apart from caches in memory, this package has no state: no database, no clock, no mail. A variant can be drawn if it has
a file `geometry.json`.
"""
