"""Reads the board out of an SVG file of jDip: shapes, the places of names, units and centers. Nothing else is taken.

Such a file comes from strangers, and what is made of it is mailed to everybody. So only numbers leave this module: a
shape is a list of points. A file with a script in it, or that refers to another file or address, is refused whole.

jDip's files name a group `MapLayer`, in which every shape of a province has the province's name with a `_` before it
as its id, or stands in a group that has; PROVINCE_DATA says where units and centers stand.
"""

import re
import string
from collections.abc import Iterator
from itertools import islice, pairwise
from math import atan2, ceil, cos, hypot, isfinite, pi, radians, sin, sqrt
from typing import NamedTuple
from xml.etree import ElementTree

from judge.maps.geometry import Point

# Of the largest known file a quarter, or less.
_MOST_BYTES, _MOST_ELEMENTS, _MOST_POINTS, _DEEPEST = 500_000, 10_000, 100_000, 30
_LARGEST = 1e6
# In units of the file: a smaller board cannot be told from nothing. And how much longer than wide it may be.
_SMALLEST, _LONGEST = 1, 20
# The characters of a name on the board that are read.
_MOST_OF_A_NAME = 40
# A curve becomes so many straight lines, a quarter of a circle too.
_STEPS = 8
_SCRIPTS = {"script", "foreignObject", "handler", "listener", "iframe", "object", "embed"}
# Tried on texts without blanks and quotes.
_ADDRESS = re.compile(r"url\((?!#)[^)]|@import|javascript:", re.IGNORECASE)
_NO_BLANKS_OR_QUOTES = str.maketrans("", "", f"{string.whitespace}'\"")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PATH = re.compile(rf"([MmZzLlHhVvCcSsQqTtAa])|({_NUMBER})|([^\s,])")
_NEEDED = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_TRANSFORM = re.compile(r" ?([a-zA-Z]{1,20}) ?\(([^()]{0,500})\) ?,?")

Ring = tuple[Point, ...]
# x' = a x + c y + e, y' = b x + d y + f, as SVG writes it.
Matrix = tuple[float, float, float, float, float, float]
_AS_IT_IS: Matrix = (1, 0, 0, 1, 0, 0)


class NotUsed(ValueError):
    """The file cannot be used as a board: the message says why."""


class Shape(NamedTuple):
    """A shape of the board: the id of it or of the group around it, how it looks (its class), and its outlines."""

    name: str
    look: str
    rings: tuple[Ring, ...]


class StrangeBoard(NamedTuple):
    """`box`: left, top, width, height; the places are by the names that the file uses, in small letters, such as
    `stp-nc`.
    """

    box: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]
    names: dict[str, Point]
    units: dict[str, Point]
    centers: dict[str, Point]


def read_board(text: str) -> StrangeBoard:
    """The board in the text of an SVG file; raises NotUsed."""
    root = _parse(text)
    _refuse_strange(root)
    layers = {one.get("id", ""): one for one in root.iter() if _tag(one) == "g"}
    if "MapLayer" not in layers:
        raise NotUsed("it has no MapLayer")
    reader = _Reader()
    reader.read(layers["MapLayer"], "", "", _AS_IT_IS, 0)
    places = [one for one in root.iter() if _tag(one) == "PROVINCE"]
    return StrangeBoard(
        _box(root),
        tuple(reader.shapes),
        dict(_texts(layers.get("BriefLabelLayer"))),
        dict(_places(places, "UNIT")),
        dict(_places(places, "SUPPLY_CENTER")),
    )


def _parse(text: str) -> ElementTree.Element:
    if len(text.encode()) > _MOST_BYTES:
        raise NotUsed(f"it is larger than {_MOST_BYTES // 1000} kB")
    # What it declares is not needed, and entities could be built to fill the memory; a use of one is an error below.
    # The prefix of jDip's own elements is declared there alone.
    text = _without_declarations(text)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise NotUsed("it defines entities of its own")
    try:
        return ElementTree.fromstring(re.sub(r"(</?)jdipNS:", r"\1", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise NotUsed(f"not XML: {error}") from error


def _without_declarations(text: str) -> str:
    """The text without its first <!DOCTYPE …>, and what that has in brackets."""
    before, declared, rest = text.partition("<!DOCTYPE")
    name, bracket, _ = rest.partition("[")
    if bracket and ">" not in name:
        rest = rest.partition("]")[2]
    return before + rest.partition(">")[2] if declared else text


def _refers_elsewhere(text: str) -> bool:
    return bool(_ADDRESS.search(text.translate(_NO_BLANKS_OR_QUOTES)))


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _refuse_strange(root: ElementTree.Element) -> None:
    for number, element in enumerate(root.iter()):
        if number > _MOST_ELEMENTS:
            raise NotUsed(f"it has more than {_MOST_ELEMENTS:,} elements")
        tag = _tag(element)
        if tag in _SCRIPTS:
            raise NotUsed(f"there is a <{tag}> in it")
        if tag == "style" and _refers_elsewhere(element.text or ""):
            raise NotUsed("its styles refer to another file")
        for key, value in element.attrib.items():
            name = key.rpartition("}")[2].lower()
            if name.startswith("on"):
                raise NotUsed(f"there is a script in it ({name})")
            if name in ("href", "src") and not value.strip().startswith("#"):
                raise NotUsed(f"it refers to another file, {value.strip()[:60]}")
            if _refers_elsewhere(value):
                raise NotUsed(f"its {name} refers to another file")


def _box(root: ElementTree.Element) -> tuple[float, float, float, float]:
    numbers = _numbers(root.get("viewBox", ""))
    if len(numbers) != 4:
        numbers = [0, 0, *(_number(root.get(side, "").removesuffix("px")) for side in ("width", "height"))]
    left, top, width, height = numbers
    if min(width, height) < _SMALLEST or max(width, height) > _LONGEST * min(width, height):
        raise NotUsed("it has no size, or is too narrow")
    return left, top, width, height


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise NotUsed(f"{text[:20]!r} is no number") from None
    if not (isfinite(number) and abs(number) <= _LARGEST):
        raise NotUsed(f"{text[:20]} is too large")
    return number


def _numbers(text: str) -> list[float]:
    return [_number(one) for one in re.split(r"[\s,]+", text.strip()) if one]


def _texts(layer: ElementTree.Element | None) -> Iterator[tuple[str, Point]]:
    """The names on the board, where their middle stands on their baseline."""
    for element in layer.iter() if layer is not None and not layer.get("transform") else ():
        if _tag(element) == "text" and element.get("x"):
            # Names can lie in each other, thousands deep: so of each only the beginning.
            words = "".join(islice(element.itertext(), _MOST_OF_A_NAME))[:_MOST_OF_A_NAME].strip().lower()
            yield words, (_number(element.get("x", "")), _number(element.get("y", "0")))


def _places(provinces: list[ElementTree.Element], what: str) -> Iterator[tuple[str, Point]]:
    for province in provinces:
        for element in province:
            if _tag(element) == what:
                at = (_number(element.get("x", "")), _number(element.get("y", "")))
                yield province.get("name", "").lower(), at


class _Reader:
    """The shapes of a layer, in the order in which they are drawn."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self._points = 0

    def read(self, element: ElementTree.Element, name: str, look: str, matrix: Matrix, depth: int) -> None:
        if depth > _DEEPEST:
            raise NotUsed("its groups lie too deep in each other")
        name = element.get("id", "") if depth and element.get("id") else name
        look = element.get("class", "") or look
        if moved := element.get("transform"):
            matrix = _moved(matrix, moved)
        rings = tuple(tuple(_at(matrix, point) for point in ring) for ring in _outlines(element) if len(ring) > 2)
        self._points += sum(map(len, rings))
        if self._points > _MOST_POINTS:
            raise NotUsed(f"it has more than {_MOST_POINTS:,} points")
        if rings:
            self.shapes.append(Shape(name.lstrip("_").lower(), look, rings))
        for inner in element:
            self.read(inner, name, look, matrix, depth + 1)


def _at(matrix: Matrix, point: Point) -> Point:
    """Where the point comes to lie; raises NotUsed if numbers of a computer do not tell."""
    (a, b, c, d, e, f), (x, y) = matrix, point
    across, down = a * x + c * y + e, b * x + d * y + f
    if not (isfinite(across) and isfinite(down)):
        raise NotUsed("its transformations lead too far")
    return across, down


def _moved(matrix: Matrix, text: str) -> Matrix:
    """The matrix of what stands within a transformation."""
    done, text = 0, " ".join(text.split())
    for found in _TRANSFORM.finditer(text):
        if found.start() != done:
            break
        done = found.end()
        matrix = _times(matrix, _step(found[1], _numbers(found[2])))
    if done != len(text):
        raise NotUsed(f"transform={text[:40]!r} is not understood")
    return matrix


def _step(kind: str, numbers: list[float]) -> Matrix:
    match kind, numbers:
        case "translate", [x, *y] if len(y) < 2:
            return 1, 0, 0, 1, x, y[0] if y else 0
        case "scale", [x, *y] if len(y) < 2:
            return x, 0, 0, y[0] if y else x, 0, 0
        case "rotate", [turn]:
            return cos(radians(turn)), sin(radians(turn)), -sin(radians(turn)), cos(radians(turn)), 0, 0
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
    raise NotUsed(f"a transformation by {kind[:20]} is not understood")


def _times(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    (ax, ay), (cx, cy), (ex, ey) = (_at((*outer[:4], 0, 0), at) for at in ((a, b), (c, d), (e, f)))
    return ax, ay, cx, cy, ex + outer[4], ey + outer[5]


def _outlines(element: ElementTree.Element) -> list[Ring]:
    """The outlines of one element that is a shape."""

    def number(key: str) -> float:
        return _number(element.get(key, "0"))

    match _tag(element):
        case "path":
            return _path(element.get("d", ""))
        case "polygon" | "polyline":
            numbers = _numbers(element.get("points", ""))
            return [tuple(zip(numbers[::2], numbers[1::2], strict=False))]
        case "rect":
            x, y, wide, high = map(number, ("x", "y", "width", "height"))
            return [((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))]
        case "circle" | "ellipse" as kind:
            across, down = (number("r"),) * 2 if kind == "circle" else (number("rx"), number("ry"))
            turns = [2 * pi * step / (4 * _STEPS) for step in range(4 * _STEPS)]
            return [tuple((number("cx") + across * cos(turn), number("cy") + down * sin(turn)) for turn in turns)]
    return []


def _path(data: str) -> list[Ring]:
    """The outlines of a path, every curve as straight lines."""
    rings: list[list[Point]] = []
    here: Point = (0.0, 0.0)
    control: Point | None = None
    for command, numbers in _commands(data):
        kind = command.lower()
        if kind == "z":
            here = rings[-1][0] if rings else here
            control = None
            continue
        x, y = here if command.islower() else (0.0, 0.0)
        if kind == "h":
            ends = [(x + numbers[0], here[1])]
        elif kind == "v":
            ends = [(here[0], y + numbers[0])]
        elif kind == "a":
            ends = [(x + numbers[5], y + numbers[6])]
        else:
            ends = [(x + across, y + down) for across, down in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "m":
            rings.append([ends[0]])
        elif not rings:
            raise NotUsed("a path does not begin with M")
        elif kind == "a":
            rings[-1] += _arc(here, ends[0], numbers)
        else:
            if kind in "st":
                ends.insert(0, (2 * here[0] - control[0], 2 * here[1] - control[1]) if control else here)
            rings[-1] += _curve([here, *ends])
        control = ends[-2] if len(ends) > 1 else None
        here = ends[-1]
    return [tuple(ring) for ring in rings]


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Each command of a path with its numbers; one that is not repeated in writing too."""
    command = ""
    numbers: list[float] = []
    for letter, number, other in _PATH.findall(data):
        if other or (number and command in ("", "z", "Z")):
            raise NotUsed(f"a path has {other or number!r} in it")
        if letter:
            if numbers:
                raise NotUsed("a path lacks a number")
            command = letter
            if command in "zZ":
                yield command, []
            continue
        numbers.append(_number(number))
        if len(numbers) == _NEEDED[command.lower()]:
            yield command, numbers
            # Further points after the first of a new outline are lines.
            numbers, command = [], {"m": "l", "M": "L"}.get(command, command)
    if numbers:
        raise NotUsed("a path lacks a number")


def _curve(points: list[Point]) -> list[Point]:
    """The points of a Bézier curve behind its first (de Casteljau); of a straight line its end."""
    if len(points) == 2:
        return points[1:]
    found = []
    for step in range(1, _STEPS + 1):
        left, share = points, step / _STEPS
        while len(left) > 1:
            left = [(x + (ex - x) * share, y + (ey - y) * share) for (x, y), (ex, ey) in pairwise(left)]
        found.append(left[0])
    return found


def _arc(start: Point, end: Point, numbers: list[float]) -> list[Point]:
    """The points of an arc of an ellipse behind its first (SVG 1.1, F.6.5)."""
    across, down, turn = abs(numbers[0]), abs(numbers[1]), radians(numbers[2])
    if not across or not down or start == end:
        return [end]
    (sx, sy), (ex, ey) = start, end
    half_x, half_y = (sx - ex) / 2, (sy - ey) / 2
    x = (cos(turn) * half_x + sin(turn) * half_y) / across
    y = (-sin(turn) * half_x + cos(turn) * half_y) / down
    far = hypot(x, y)
    if not far:
        # Beside such an ellipse the way is too short for numbers of a computer.
        return [end]
    grown = max(1.0, far)
    across, down, x, y, far = across * grown, down * grown, x / grown, y / grown, min(1.0, far)
    off = sqrt(max(0.0, 1 - far * far)) / far * (1 if bool(numbers[3]) != bool(numbers[4]) else -1)
    cx, cy = off * y, -off * x
    first, last = atan2(y - cy, x - cx), atan2(-y - cy, -x - cx)
    sweep = (last - first) % (2 * pi) if numbers[4] else -((first - last) % (2 * pi))
    steps = max(1, ceil(abs(sweep) / (pi / 2) * _STEPS))
    found = []
    for step in range(1, steps):
        angle = first + sweep * step / steps
        px, py = across * (cos(angle) + cx), down * (sin(angle) + cy)
        found.append((cos(turn) * px - sin(turn) * py + (sx + ex) / 2, sin(turn) * px + cos(turn) * py + (sy + ey) / 2))
    return [*found, end]
