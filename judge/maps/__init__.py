"""A board drawn: positions and outcomes in, SVG text out; `render` makes it a picture that any mail program shows.

Pure, except that `render` keeps bitmaps in memory: no database, no clock, no mail.
A variant can be drawn if a `geometry.json` is among its files.
"""
