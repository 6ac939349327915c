"""Colours of a drawing: tints of the powers' own colours, and ink that can be read on them."""

from functools import lru_cache

PAPER = "#ece2c8"
SEA = "#cfe0ec"
SCENERY = "#d9d0bb"
IMPASSABLE = "#d5cfc2"
LAKE = "#c3d8e6"
# What lies in the frame but not on the board: the colour of the sheet.
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

# How much of a power's colour is in the tint of what it owns, at most, and by what steps it becomes less.
_TINT, _STEP = 0.62, 0.02
# So much lighter or darker than its ground is text that can be read (WCAG 2.2, success criterion 1.4.3).
LEGIBLE = 4.5


@lru_cache(maxsize=256)
def tint(colour: str) -> str:
    """The colour of land that a power of this colour owns: as strong as it can be under a name; white stays white."""
    share = _TINT
    while contrast(found := _mix(colour, "#ffffff", share), INK) < LEGIBLE:
        share -= _STEP
    return found


@lru_cache(maxsize=256)
def ink_on(colour: str) -> str:
    """Black or white, whichever is better read on `colour`; one of the two always can be."""
    return max("#ffffff", "#000000", key=lambda ink: contrast(colour, ink))


def contrast(one: str, other: str) -> float:
    """How far two colours are apart in brightness, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _shares(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@lru_cache(maxsize=256)
def line(colour: str) -> str:
    """The colour of a power's lines and letters on white: its own, darkened if it would be hard to see."""
    return _mix(colour, INK, 0.55) if lightness(colour) > 0.6 else colour


@lru_cache(maxsize=256)
def arrow(colour: str) -> str:
    """The colour of a power's arrows: white stays white, since darkened it would be the grey of the neutrals."""
    return colour if _white(colour) else line(colour)


@lru_cache(maxsize=256)
def edge(colour: str) -> str:
    """The colour beside an arrow, so that it is seen on every ground."""
    return INK if _white(colour) else "#fff"


def lightness(colour: str) -> float:
    """From 0 (black) to 1 (white), as the eye weighs red, green and blue (ITU-R BT.709)."""
    red, green, blue = _shares(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _white(colour: str) -> bool:
    return min(_shares(colour)) > 0.9


def _mix(first: str, second: str, share: float) -> str:
    return "#" + "".join(
        f"{round(share * one + (1 - share) * other):02x}"
        for one, other in zip(_parts(first), _parts(second), strict=True)
    )


def _shares(colour: str) -> tuple[float, ...]:
    return tuple(part / 255 for part in _parts(colour))


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
