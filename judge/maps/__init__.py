"""Draw boards: positions and outcomes become SVG text, which `render` makes into a picture that any mail program shows.

Apart from the bitmaps that `render` keeps in memory, this package has no state: no database, no clock, no mail. A
variant can be drawn if a `geometry.json` is among its files.
"""
