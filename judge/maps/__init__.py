"""A board drawn: positions and outcomes in, SVG text out; `render` makes it a picture that any mail program shows.

Pure except for `render`, which keeps bitmaps of boards in a folder if it is given one: no database, no clock, no mail.
A variant can be drawn if a `geometry.json` is among its files.
"""

from judge.maps.geometry import Geometry, NoGeometry, load_geometry, read_geometry
from judge.maps.scene import Scene, read_scene, scene_of

__all__ = ["Geometry", "NoGeometry", "Scene", "load_geometry", "read_geometry", "read_scene", "scene_of"]
