"""Colours of a drawing: tints of the powers' own colours, and ink that can be read on them."""

PAPER = "#f5ecd7"
SEA = "#cfe0ec"
SCENERY = "#e0d8c6"
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
NEUTRAL = "#8c8c8c"
NEUTRAL_LAND = "#e2ded5"
GOOD = "#1a7f37"

# How much of a power's colour is in the tint of what it owns.
_TINT = 0.48


def tint(colour: str) -> str:
    """The colour of land that a power of this colour owns; white becomes grey, to differ from the paper."""
    return "#b9c0c9" if _white(colour) else _mix(colour, "#ffffff", _TINT)


def dot(colour: str) -> str:
    """The colour of a center that a power of this colour owns: never the white of a free one."""
    return "#98a1ab" if _white(colour) else colour


def ink_on(colour: str) -> str:
    """Black or white, whichever is better read on `colour`."""
    return "#ffffff" if lightness(colour) < 0.58 else INK


def line(colour: str) -> str:
    """The colour of a power's arrows: its own, darkened if it would be hard to see on the land."""
    return _mix(colour, INK, 0.55) if lightness(colour) > 0.6 else colour


def lightness(colour: str) -> float:
    """From 0 (black) to 1 (white), as the eye weighs red, green and blue (ITU-R BT.709)."""
    red, green, blue = _parts(colour)
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def _white(colour: str) -> bool:
    return min(_parts(colour)) > 0.8 * 255


def _mix(first: str, second: str, share: float) -> str:
    return "#" + "".join(
        f"{round(share * one + (1 - share) * other):02x}"
        for one, other in zip(_parts(first), _parts(second), strict=True)
    )


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
