"""A board drawn: positions and outcomes in, SVG text out; `png` makes it a picture that any mail program shows.

Pure except for `png`, which runs the renderer: no database, no clock, no mail. A variant can be drawn if a
`geometry.json` lies beside its other files.
"""

from judge.maps.draw import draw, picture
from judge.maps.geometry import Geometry, NoGeometry, load_geometry, read_geometry
from judge.maps.scene import Scene, read_scene, scene_of

__all__ = [
    "Geometry", "NoGeometry", "Scene", "draw", "load_geometry", "picture", "read_geometry", "read_scene", "scene_of"
]
