"""Time zones as people name them: IANA names, cities and offsets; what could be more than one zone is asked back."""

import re
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

# Letters that stand for more than one zone, or for half a year of one. Python has some of them (EST, CET) as offsets
# without summer time, which is not what people mean by them.
_ABBREVIATIONS = {
    "Africa/Johannesburg": "sast",
    "America/Anchorage": "akst akdt",
    "America/Argentina/Buenos_Aires": "art",
    "America/Chicago": "cst cdt ct",
    "America/Denver": "mst mdt mt",
    "America/Halifax": "ast adt",
    "America/Los_Angeles": "pst pdt pt",
    "America/New_York": "est edt et",
    "America/Sao_Paulo": "brt brst",
    "Asia/Dubai": "gst",
    "Asia/Hong_Kong": "hkt",
    "Asia/Jerusalem": "ist idt",
    "Asia/Kolkata": "ist",
    "Asia/Seoul": "kst",
    "Asia/Shanghai": "cst",
    "Asia/Singapore": "sgt",
    "Asia/Tokyo": "jst",
    "Australia/Adelaide": "acst acdt",
    "Australia/Perth": "awst",
    "Australia/Sydney": "aest aedt",
    "Europe/Berlin": "cet cest mez mesz met mest",
    "Europe/Dublin": "ist",
    "Europe/Helsinki": "eet eest oez oesz",
    "Europe/Lisbon": "wet west",
    "Europe/London": "bst",
    "Europe/Moscow": "msk",
    "Pacific/Auckland": "nzst nzdt",
    "Pacific/Honolulu": "hst",
}


def find_zone(written: str) -> tuple[str, str]:
    """The zone that somebody means by "Europe/Berlin", "berlin" or "New York"; or "" and which may be meant."""
    offset = re.fullmatch(r"(?:UTC|GMT)\s*([+-])\s*(\d{1,2})(?::?00)?", written.strip(), re.IGNORECASE)
    if offset and int(offset[2]) <= 12:
        # The zones named Etc/GMT have their sign the other way round (POSIX): GMT+2 means what they call Etc/GMT-2.
        return f"Etc/GMT{'-' if offset[1] == '+' else '+'}{int(offset[2])}", ""
    wanted = "_".join(written.lower().split())
    if meant := abbreviated(wanted):
        return "", f" Did you mean {' or '.join(meant)}?"
    exact = [zone for zone in _zones() if zone.lower() == wanted]
    near = sorted(zone for zone in _zones() if zone.lower().endswith("/" + wanted))
    if exact or len(near) == 1:
        return ZoneInfo((exact or near)[0]).key, ""
    return "", f" Did you mean {', '.join(near[:3])}?" if near else ""


def abbreviated(written: str) -> list[str]:
    """The zones that an abbreviation may stand for; none if it is not one that is known."""
    word = written.lower()
    return [zone for zone, words in _ABBREVIATIONS.items() if word in words.split()]


@cache
def _zones() -> frozenset[str]:
    """All that there are; to find them takes a look into some six hundred files."""
    return frozenset(available_timezones())
