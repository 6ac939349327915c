"""Colors of a drawing: tints of the powers' own colors, and ink that is legible on them."""

from collections.abc import Sequence
from functools import lru_cache

PAPER = "#ece2c8"
SEA = "#cfe0ec"
SCENERY = "#d9d0bb"
IMPASSABLE = "#d5cfc2"
LAKE = "#c3d8e6"
# The color of the page, for the area inside the frame that is not on the board.
OFF = "#fdfbf6"
INK = "#1d2530"
SEA_INK = "#35607d"
COAST = "#5c6b73"
LAND_LINE = "#8a7a5e"
SEA_LINE = "#86a9c1"
FAIL = "#c8102e"
ARMY_LINE = "#6b4423"
FLEET_LINE = "#0b5c8a"
LINK = "#8a1c4a"
HATCH = "#bdb4a2"
NEUTRAL = "#8c8c8c"
NEUTRAL_LAND = "#d3d0ca"
GOOD = "#1a7f37"

# The maximum share of a power's color in the tint of its land, and the step for lowering it.
_TINT, _STEP = 0.62, 0.02
# The minimum contrast between text and its background (WCAG 2.2, success criterion 1.4.3).
LEGIBLE = 4.5


@lru_cache(maxsize=256)
def tint(color: str) -> str:
    """Return the color of a power's land: as strong as possible under a legible name. White stays white."""
    share = _TINT
    while contrast(found := _mix(color, "#ffffff", share), INK) < LEGIBLE:
        share -= _STEP
    return found


def ink_on(color: str) -> str:
    """Return black or white, whichever is more legible on `color`."""
    return max("#ffffff", "#000000", key=lambda ink: contrast(color, ink))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted(
        _weighed([part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _shares(color)])
        for color in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def line(color: str) -> str:
    """Return the color of a power's lines and letters on white: its own color, darkened if it is too light."""
    return _mix(color, INK, 0.55) if _weighed(_shares(color)) > 0.6 else color


def arrow(color: str) -> str:
    """Return the color of a power's arrows. White stays white, since darkened it would be the grey of neutrals."""
    return color if _is_white(color) else line(color)


def edge(color: str) -> str:
    """Return the color of an arrow's edge, which makes the arrow visible on every background."""
    return INK if _is_white(color) else "#fff"


def _weighed(shares: Sequence[float]) -> float:
    """Return the brightness from 0 (black) to 1 (white), as the eye weighs red, green and blue (ITU-R BT.709)."""
    red, green, blue = shares
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _is_white(color: str) -> bool:
    return min(_shares(color)) > 0.9


def _mix(first: str, second: str, share: float) -> str:
    mixed = (share * one + (1 - share) * other for one, other in zip(_shares(first), _shares(second), strict=True))
    return "#" + "".join(f"{round(255 * part):02x}" for part in mixed)


def _shares(color: str) -> list[float]:
    """Return the shares of red, green and blue in a color, each from 0 to 1."""
    return [part / 255 for part in bytes.fromhex(color[1:])]
