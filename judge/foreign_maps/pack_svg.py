"""Read the board from an SVG file of jDip, with the places of names, units and centers.

Such a file comes from strangers, and pictures made from it are mailed to all players. So only numbers leave this
module, and a shape is a list of points. A file that contains a script, or refers to another file or address, is
refused.

The files of jDip have a group named `MapLayer`. In it, the id of a province's shape, or of a group around it, is `_`
and the province's name. PROVINCE_DATA has the places of units and centers.
"""

import re
import string
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import svgelements as svg

from judge.foreign_maps.jdip import parse_xml
from judge.foreign_maps.sketch import MapError
from judge.maps.geometry import Point

# Limits on a file. Each is at least four times what the largest known file needs.
_MOST_ELEMENTS, _MOST_POINTS, _DEEPEST, _LONGEST_VALUE = 10_000, 100_000, 30, 1_000
_LARGEST, _FARTHEST = 1e6, 1e12
# The minimum length of a board's side, in units of the file, and the maximum ratio of its sides.
_SMALLEST, _LONGEST = 1, 20
# The maximum length of a name on the board.
_MOST_OF_A_NAME = 40
# The number of straight lines that each kind of segment of an outline becomes.
_STEPS = {svg.Move: 1, svg.Line: 1, svg.Close: 1, svg.QuadraticBezier: 8, svg.CubicBezier: 8, svg.Arc: 12}
_SHAPES = {"rect": svg.Rect, "circle": svg.Circle, "ellipse": svg.Ellipse}
_MEASURES = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
_SCRIPTS = {"script", "foreignObject", "handler", "listener", "iframe", "object", "embed"}
# External addresses and scripts, in text from which blanks and quotes have been removed.
_ADDRESS = re.compile(r"url\((?!#)[^)]|@import|javascript:", re.IGNORECASE)
_NO_BLANKS_OR_QUOTES = str.maketrans("", "", f"{string.whitespace}'\"")


# {name of a place: its point}.
Points = dict[str, Point]


class Shape(NamedTuple):
    """A shape of the board, with its outlines.

    `name` is its id, or the id of the group around it. `look` is its class.
    """

    name: str
    look: str
    rings: list[list[Point]]


class PackBoard(NamedTuple):
    """The board in a file.

    Places have the names in the file, in lowercase, such as `stp-nc`. `box` is left, top, width and height.
    """

    box: tuple[float, float, float, float]
    shapes: list[Shape]
    names: Points
    units: Points
    centers: Points


def read_board(text: str) -> PackBoard:
    """Read the board in the text of an SVG file.

    Raises MapError.
    """
    # Remove <!DOCTYPE …>. No entity is needed, but jDip declares the prefix of its elements in it.
    before, declared, rest = text.partition("<!DOCTYPE")
    if "[" in rest.partition(">")[0]:
        rest = rest.partition("]")[2]
    text = before + rest.partition(">")[2] if declared else text
    root = parse_xml(text.replace("<jdipNS:", "<").replace("</jdipNS:", "</"))
    _refuse_strange(root)
    layer, labels = (root.find(f".//{{*}}g[@id='{name}']") for name in ("MapLayer", "BriefLabelLayer"))
    if layer is None:
        raise MapError("it has no MapLayer")
    units, centers = (_places(root, what) for what in ("UNIT", "SUPPLY_CENTER"))
    names = {
        # Keep only the beginning of a name, since the elements of its text can be nested thousands deep.
        "".join(islice(element.itertext(), _MOST_OF_A_NAME))[:_MOST_OF_A_NAME].strip().lower(): _point(element)
        for element in (labels.iterfind(".//{*}text[@x]") if labels is not None and not labels.get("transform") else ())
    }
    shapes = list(_Outlines().shapes(layer, "", "", svg.Matrix(), 0))
    return PackBoard(_box(root), shapes, names, units, centers)


def _places(root: Element, what: str) -> Points:
    """Return the place of a unit or a center in each province that has one.

    `what` is the name of the elements with these places.
    """
    found = {}
    for province in root.iterfind(".//{*}PROVINCE"):
        for element in province.iterfind(f"{{*}}{what}"):
            found[province.get("name", "").lower()] = _point(element)
    return found


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _refuse_strange(root: Element) -> None:
    for number, element in enumerate(root.iter()):
        if number > _MOST_ELEMENTS:
            raise MapError(f"it has more than {_MOST_ELEMENTS:,} elements")
        tag = _tag(element)
        if tag in _SCRIPTS:
            raise MapError(f"it contains a <{tag}>")
        for key, value in element.items():
            name = key.rpartition("}")[2].lower()
            if name.startswith("on"):
                raise MapError(f"it contains a script ({name})")
            if name in ("href", "src") and not value.strip().startswith("#"):
                raise MapError(f"it refers to another file, {value.strip()[:60]}")
            _refuse_address(name, value)
        if tag == "style":
            _refuse_address(tag, element.text or "")


def _refuse_address(name: str, value: str) -> None:
    if _ADDRESS.search(value.translate(_NO_BLANKS_OR_QUOTES)):
        raise MapError(f"its {name} refers to another file")


def _box(root: Element) -> tuple[float, float, float, float]:
    numbers = [*map(_number, root.get("viewBox", "").replace(",", " ").split())]
    if len(numbers) != 4:
        numbers = [0, 0, *(_number(root.get(side, "").removesuffix("px")) for side in ("width", "height"))]
    left, top, width, height = numbers
    if min(width, height) < _SMALLEST or max(width, height) > _LONGEST * min(width, height):
        raise MapError("it has no size, or is too narrow")
    return left, top, width, height


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise MapError(f"{text[:20]!r} is not a number") from None
    if not abs(number) <= _LARGEST:
        raise MapError(f"{text[:20]} is too large")
    return number


def _point(element: Element) -> Point:
    return _number(element.get("x", "")), _number(element.get("y", "0"))


class _Outlines:
    """The shapes of a layer, in the order they are drawn."""

    def __init__(self) -> None:
        self._points = 0

    def shapes(self, element: Element, name: str, look: str, matrix: svg.Matrix, depth: int) -> Iterator[Shape]:
        if depth > _DEEPEST:
            raise MapError("its groups are nested too deep")
        name = (depth and element.get("id")) or name
        look = element.get("class") or look
        try:
            if moved := element.get("transform"):
                matrix = svg.Matrix(_short(moved)) * matrix
            rings = self._rings(element, matrix)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, MapError):
                raise
            # The library's own messages would not help a keeper.
            raise MapError(f"the <{_tag(element)}> {name[:20]!r} cannot be read") from error
        if rings:
            yield Shape(name.lstrip("_").lower(), look, rings)
        for inner in element:
            yield from self.shapes(inner, name, look, matrix, depth + 1)

    def _rings(self, element: Element, matrix: svg.Matrix) -> list[list[Point]]:
        """Return the outlines of an element that is a shape, with curves divided into straight lines."""
        rings: list[list[Point]] = []
        for segment in _segments(element):
            if isinstance(segment, svg.Move):
                rings.append([])
            steps = _STEPS[type(segment)]
            self._points += steps
            if self._points > _MOST_POINTS:
                raise MapError(f"it has more than {_MOST_POINTS:,} points")
            for step in range(1, steps + 1):
                x, y = matrix.point_in_matrix_space(segment.point(step / steps) if steps > 1 else segment.end)
                if not (abs(x) <= _FARTHEST and abs(y) <= _FARTHEST):
                    raise MapError("its shapes are too large")
                rings[-1].append((x, y))
        return [ring for ring in rings if len(ring) > 2]


def _segments(element: Element) -> Any:
    match _tag(element):
        case "path":
            # At each Z the library searches back for the beginning of the outline. Begin a new outline after each Z, so
            # that the search is short.
            return svg.Path(re.sub("[zZ]", "z m0 0 ", element.get("d", "")))
        case "polygon" | "polyline":
            return svg.Path(f"M{element.get('points', '')}")
        case "rect" | "circle" | "ellipse" as kind:
            measures = {key: _short(value) for key in _MEASURES if (value := element.get(key))}
            return _SHAPES[kind](measures).segments()
    return ()


def _short(value: str) -> str:
    """Return the value.

    Raises MapError if the value is so long that the library would take minutes to read it.
    """
    if len(value) > _LONGEST_VALUE:
        raise MapError(f"{value[:20]!r} is too long")
    return value
