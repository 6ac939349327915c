"""Text that people and their mail programs put around an order, and between two orders of a line.

Such text is bullets, characters around bold and code, comments, courtesies, commas, headings and names of powers. A
line is first read as it was written. If it is not an order, it is read again without decoration. So the decoration of a
line that is an order is never removed. The lines come from an email, with single blanks.
"""

import re
from collections.abc import Collection, Sequence
from html import unescape

from judge.rules.board.names import LOOKALIKES, fold, word_set
from judge.rules.board.phase import (
    KINDS,
    SEASONS,
    SPOKEN_KIND,
    SPOKEN_SEASON,
    PhaseKind,
    first_from,
    following,
    kind,
    phase_of,
    season,
    year,
)
from judge.rules.parsing.vocabulary import (
    BUILD,
    BY_WAY_OF,
    CONVOYED,
    COURTESIES,
    DISBAND,
    DOUBTS,
    FLEET_WORDS,
    KIND_WORDS,
    OPENINGS,
    ORDER_WORDS,
    REMOVE,
    THANKS,
    WAIVE,
)
from judge.rules.variant.variant import Variant

_SIGNS = "✅👉➔➜*•·▪▫◦○●◉■□◆◇‣➢➣►▶▷✓✔☑★☆§–—"
# Emoji before an order, such as swords or a flag, but no emoji that mean "forbidden" or a question.
_PICTURE = f"(?![☐{DOUBTS}])[\u2600-\u27bf\U0001f1e6-\U0001faff]\ufe0f?"
# Bullets: a punctuation mark, an emoji, hyphens, "1." "1.)" "1:" "1 -", "1st:", "(3)", "[3]", "a)", "b.", "[x]",
# Outlook's "o".
_BULLETS = re.compile(
    rf"\s*(?:(?:[{_SIGNS}]|{_PICTURE}|\d\ufe0f?\u20e3|\d{{1,2}}(?:st|nd|rd|th)[.:)]|-{{1,3}}>?|o(?=\s)|\d{{1,2}}\s?(?:[.:)]{{1,2}}|-(?=\s))"
    r"|#\d{1,2}[.:)]?\s|\(\d{1,2}\)|\(?[A-Za-z]\)|[b-eg-z]\.(?=\s)|[af]\.(?=\s+[AF]\b)|\[(?:[xX]|\d{1,2})\])\s*){1,4}"
)
# A box that is not ticked, or is crossed out. The text after it was not chosen.
_NOT_CHOSEN = re.compile(r"\s*(?:\[\s?\]|[☐☒✗✘❌❎🗷])\s*")
# An underscore inside a word is part of the word.
_MARKS = re.compile(r"[*`\"]+|(?<!\w)_+|(?<!_)_+(?!\w)")
# The number of a footnote, and a character escaped for Markdown.
_FOOTNOTE = re.compile(
    r"<sup>\w{0,3}</sup>|(?<=[^\W\d_])(?:\^\d{1,3}|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})(?!\w)"
)
_ESCAPED = re.compile(r"\\(?=[-*_#.])")
_LATIN = re.compile(r"[A-Za-z]")
SQUARE = str.maketrans("[]", "()")
_COMMENT = re.compile(r"(?:^|\s)(?://|#(?!\d)).*", re.DOTALL)

# The maximum length of a line that is read as a whole, in characters. All orders of the player with the most units fit
# into it.
LONGEST_LINE = 2_000
# The mark in a form where the player should write an order, and a line that still has this mark.
LEFT_OPEN = "..."
_NOT_FILLED_IN = re.compile(
    r"\s*(?:[AF] +[^\W\d_]+(?:/[NESW]C)?|BUILD|REMOVE|HOME|DP *\d+ *:)\s*(?:\.\s*){2,}", re.IGNORECASE
)
# In normalized text, a word after which the fleets that convoy an army are listed.
_BY_WAY_OF = re.compile(r" (?:VIA|BY) (?!CONVOY$)")
# A coast after a comma: "Spain, south coast", "Spain, SC".
_COAST = re.compile(
    r"\s*(?:(?:on )?(?:the )?(?:north|south|east|west)(?:ern)?[ -]coast\b(?! of\b)|[nsew]\.?c\.?\s*$)", re.IGNORECASE
)
# Words that begin winter orders and mean nothing after a place. "R" and DISBAND are not among them: "Cape R Durb" and
# "Cape D" are orders of a unit.
_NO_PLACE_BEFORE = BUILD | WAIVE | REMOVE - DISBAND - {"R"}


def unmarked(line: str) -> str:
    """Return the line without bullets, bold and italics (`/A PAR H/`), backquotes, tables, entities and comments."""
    line = in_plain_signs(line)
    if "|" in line:  # the line is a row of a table
        line = " ".join(line.replace("|", " ").split())
    bare = without_bullets(_MARKS.sub("", without_bullets(_COMMENT.sub("", line))))
    return bare.translate(SQUARE).strip(" /'‘’")


def in_plain_signs(line: str) -> str:
    """Return the line without footnotes and escapes of Markdown, with the signs that entities and lookalikes mean."""
    line = _ESCAPED.sub("", _FOOTNOTE.sub("", unescape(line)))
    return line if line.isascii() or not _LATIN.search(line) else line.translate(LOOKALIKES)


def without_bullets(line: str) -> str:
    """Return the line without its bullets: `- A PAR H`, `1.) A PAR H`, `[x] A PAR H`."""
    bullets = _BULLETS.match(line)
    return line[bullets.end() :] if bullets else line


def behind_open_box(line: str) -> str:
    """Return the text after a box that is not ticked: "[ ] A PAR H", "☐ A PAR H". Return "" if there is no such box."""
    box = _NOT_CHOSEN.match(line)
    return line[box.end() :] if box else ""


def without_courtesies(line: str) -> str:
    """Return the line without words like "please" and "and" at its beginning, and thanks at its end."""
    words = line.split()
    first, last = 0, len(words)
    while first < last and _word(words[first]) in COURTESIES | OPENINGS:
        first += 1
    while first < last and _word(words[last - 1]) in COURTESIES | THANKS:
        last -= 1
    return " ".join(words[first:last]).rstrip(" ,") if last - first < len(words) else line


def _word(text: str) -> str:
    return fold(text.strip(",.:;!"))


def filled_in(text: str) -> str:
    """Return the line without orders of a form that the player has not filled in."""
    parts = re.split(r"[;,]", text)
    filled = [part for part in parts if not _NOT_FILLED_IN.fullmatch(without_bullets(part))]
    return text if len(filled) == len(parts) else ";".join(filled)


def split_orders(line: str, names: Collection[str] = ()) -> list[str]:
    """Return the orders of a line.

    A comma in a list of provinces after VIA does not end an order. Words in `names` are not taken for provinces.
    """
    parts: list[str] = []
    for part in re.split(r"[;,]", line):
        text, words = part.strip(), fold(part).split()
        if not words:
            continue
        place = words[1:] if words[0] in FLEET_WORDS else words
        is_place = len(place) == 1 and place[0] not in names
        if not parts:
            parts.append(text)
        elif is_place and _BY_WAY_OF.search(fold(parts[-1])):
            parts[-1] += f" and {text}"
        elif _COAST.match(part) or words[0] in BY_WAY_OF | CONVOYED:
            parts[-1] += f" {text}"
        else:
            parts.append(text)
    return parts


def in_pieces(line: str) -> list[str]:
    """Return the line, split at ";" if it is longer than LONGEST_LINE, and at "," if still too long."""
    if len(line) <= LONGEST_LINE:
        return [line]
    pieces = [piece for part in line.split(";") for piece in (part.split(",") if len(part) > LONGEST_LINE else [part])]
    return [piece.strip() for piece in pieces if piece.strip()]


# A name in brackets or with punctuation after it, and then an order. The order begins with the kind of its unit, or
# with the verb of a winter order.
_DASHED = re.compile(
    r"\(?(?P<name>[^:()]{2,30}?) *[-=>.)]+ *(?P<order>(?:A|F|ARMY|FLEET|BUILDS?|REMOVES?|WAIVES?)\b.*)", re.IGNORECASE
)

# A heading with a power's name, such as "China (Yellow)", and a line in which all its units hold.
_HEADED = re.compile(r"(?:ORDERS )?(?:FOR )?(.+?)(?:['’]S?)?(?: ORDERS)?(?: \(([^()]+)\))?", re.IGNORECASE)
_HOLDS = re.compile(r"(?P<name>[^:()]{2,30}?):? +(?:(?:ALL|UNITS?) +)*(?:H|HOLDS?)(?: +ALL)?[.!]?", re.IGNORECASE)


def is_heading(variant: Variant, text: str) -> bool:
    """Return whether a line, or a part of one, is only the name of a power or a group.

    Such headings are above the orders in the results.
    """
    return bool(heading_of(variant, text))


def heading_of(variant: Variant, text: str) -> str:
    """Return the name in a heading such as "China:", "China (Yellow)" or "Orders for China"; "" for other texts."""
    found = _HEADED.fullmatch(unmarked(text).strip("= :"))
    names = [name for name in found.groups() if name] if found else []
    return names[0] if names and variant.heading_words.issuperset(map(fold, names)) else ""


def with_colon(variant: Variant, text: str) -> str:
    """Return "Canada: A Queb - Otta" for "Canada - A Queb - Otta" and "(CA) A Queb - Otta", else the text.

    "Canada holds" becomes "Canada: ALL HOLD", but "Cape holds" is an order for the unit in Cape Town.
    """
    found = (_DASHED.fullmatch(text) or _HOLDS.fullmatch(text)) if variant.groups else None
    name = found["name"] if found else ""
    if not (found and (is_heading(variant, name) or variant.power_names.has_letters(name))):
        return text
    order = found.groupdict().get("order")
    if order or not variant.names.whole(fold(name)):
        return f"{name}: {order or 'ALL HOLD'}"
    return text


def name_before(variant: Variant, text: str) -> tuple[str, str]:
    """Return ("China", "WAIVE 2") for "China WAIVE 2", and likewise for any order that begins with BUILD or REMOVE.

    Returns ("", the text) if no power or group has that name.
    """
    words = text.split() if variant.groups else []
    at = next((at for at, word in enumerate(words) if fold(word) in _NO_PLACE_BEFORE), 0)
    name = " ".join(words[:at])
    # A single letter is not taken for a power's name: "B W" means a waived build.
    if len(name) < 2 or fold(words[0]) in ORDER_WORDS | KIND_WORDS.keys():
        return "", text
    try:
        variant.seat(name)
    except KeyError:
        return "", text
    return name, " ".join(words[at:])


# --- headings that are a phase ---------------------------------------------------------------------------------------


# The result for a heading that names no clear phase, such as "1902" or two phases.
UNPLACED = "?"

# The names of seasons and kinds of phases, without single letters, since these also occur in orders.
_SEASONS = {word: season for word, season in SPOKEN_SEASON.items() if len(word) > 1}
_KINDS = {word: what for word, what in SPOKEN_KIND.items() if len(word) > 1}
_TIMES = word_set("turn phase season year round orders order")
_NEXT = {"next", "following", "coming"}
_WHICH = _NEXT | {"this", "current", "same"}
_ASKED = word_set("turn round orders order moves retreats builds")
_BESIDE = (
    _TIMES
    | _WHICH
    | word_set("""
    the a of for in my our these are and here to now follow as please open new final below following game attached
    i we want would like send sending submit submitting enter entering give giving take file
""")
)
# A phase in short form, such as "f1901r" or "F '01".
_COMPACT = re.compile(r"\b([sfw])(?: ['\u2019]?)?(\d{1,4})([mrab]?)\b")
_WORD = re.compile(r"[a-z]+\d*[a-z]?|\d+")
_YEAR = re.compile(r"\d{4}")
_OF_HEADINGS = re.compile(r"[\w\s:;.,'\u2019=/~#()\[\]{}&+-]*")
_BRACKETS = re.compile(r"\([^()]{0,40}\)")
# The maximum length of a heading, in characters.
LONGEST_HEADING = 60


def phase_heading(line: str, now: str, names: Collection[str] = ()) -> str:
    """Return the phase if the line is only the name of a phase, else "".

    If it is unclear which phase a line means, return UNPLACED. `now` is the open phase. A season or a kind without a
    year means the next such phase, or the open phase itself. The words `names`, of the game and its powers, may be on
    the line too: "France – Fall 1901".
    """
    if len(line) > LONGEST_HEADING:
        return ""
    text = unmarked(line.lstrip("# ")).lower()
    forms = [_words_of_heading(form, names) for form in (without_brackets(text), text)]
    words = next((words for words in forms if _names_phase(line, words)), [])
    if not words:
        is_unclear = text.endswith(":") and not any(forms) and _names_later_phase(text, now)
        return UNPLACED if is_unclear else ""
    numbers = set(filter(str.isdecimal, words))
    seasons = {_SEASONS[word] for word in _SEASONS.keys() & words}
    kinds = {_KINDS[word] for word in _KINDS.keys() & words}
    years = {_year_of(number, now) for number in numbers}
    if 0 in years or max(len(seasons), len(years), len(kinds)) > 1:
        return UNPLACED
    return _placed(now, words, next(iter(seasons), None), next(iter(years), None), next(iter(kinds), None))


def _words_of_heading(text: str, names: Collection[str]) -> list[str]:
    """Return the words of a heading without `names`, or an empty list if a word can be in no heading."""
    said = _WORD.findall(_COMPACT.sub(_spelled_out, text)) if _OF_HEADINGS.fullmatch(text) else []
    words = [word for word in said if word not in names]
    numbers = set(filter(str.isdecimal, words))
    if not all(map(may_be_beside, words)):
        return []
    # "Fall of France" is not a heading, but "Fall orders of France" and "France, Fall 1901" are.
    is_clear = len(words) == len(said) or numbers or not _ASKED.isdisjoint(words)
    return words if is_clear else []


def without_brackets(text: str) -> str:
    """Return the text without short remarks in brackets."""
    return _BRACKETS.sub(" ", text).strip()


def may_be_beside(word: str) -> bool:
    """Return whether a word, in small letters, may be in the heading of a phase or of orders."""
    return word.isdecimal() or word in _BESIDE or word in _SEASONS or word in _KINDS


def _names_later_phase(text: str, now: str) -> bool:
    """Return whether a sentence names a later season and its year: "What I plan for Fall 1901:"."""
    words = _WORD.findall(_COMPACT.sub(_spelled_out, text))
    seasons = {_SEASONS[word] for word in _SEASONS.keys() & words}
    years = {int(word) for word in words if _YEAR.fullmatch(word)}
    open_now = (year(now), "SFW".index(now[0]))
    return any((when, "SFW".index(said)) > open_now for when in years for said in seasons)


def _names_phase(line: str, words: Sequence[str]) -> bool:
    """Return whether words of a heading name a phase: "Fall", "Builds:", "1902", "next turn", but not "move"."""
    if any(word in _SEASONS or _YEAR.fullmatch(word) for word in words):
        return True
    if not _WHICH.isdisjoint(words) and not _TIMES.isdisjoint(words):
        return True
    is_headed = line.rstrip(" *_`").endswith((":", "="))
    return any(is_headed or word.endswith("s") for word in words if word in _KINDS)


def _year_of(number: str, now: str) -> int:
    """Return the number as a year, or 0 if it is not a year. Two digits are a year of the open phase's century."""
    if len(number) == 2:
        return year(now) // 100 * 100 + int(number)
    return int(number) if len(number) == 4 else 0


def _spelled_out(compact: re.Match[str]) -> str:
    """Return "fall 1901 retreats" for "f1901r"."""
    letter, number, what = compact.groups()
    return f" {SEASONS[letter.upper()]} {number} {KINDS[SPOKEN_KIND[what]] if what else ''} ".lower()


def _placed(now: str, words: list[str], said: str | None, when: int | None, what: PhaseKind | None) -> str:
    """Return the phase with the season `said`, the year `when` and the kind `what`, each of which may be missing.

    Returns UNPLACED if there is no such phase, or more than one.
    """
    if not _NEXT.isdisjoint(words):
        says_more = said or when or not {"phase", "year"}.isdisjoint(words)
        return UNPLACED if says_more else first_from(following(now), what or "M")
    if said == "W" or what == "A":
        return phase_of(said, when or year(now), what) or UNPLACED
    if said:
        return _of_season(now, said, when, what)
    if when not in (None, year(now)):
        return UNPLACED
    if what in (None, kind(now)):
        return now
    if when:
        return UNPLACED
    return now if what == "M" else first_from(now, what)


def _of_season(now: str, said: str, when: int | None, what: PhaseKind | None) -> str:
    is_now = season(now) == season(f"{said}{year(now)}M") and when in (None, year(now))
    if is_now:
        return f"{said}{year(now)}{what or kind(now)}"
    return phase_of(said, when, what) if when else first_from(now, what or "M", said)
