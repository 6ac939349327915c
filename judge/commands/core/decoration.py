"""The forms in which people write commands: in bold, after a bullet or a greeting, with orders after a sign-on."""

import re
from collections.abc import Collection, Iterator

from judge.letters.signon_lines import possible_games, signon_line
from judge.letters.text import fold as fold_line
from judge.rules.board.names import fold
from judge.rules.parsing.decoration import without_bullets
from judge.rules.parsing.vocabulary import BUILD, KIND_WORDS, ORDER_WORDS, REMOVE, TO, WAIVE

# Of bold, italics and code. Quotes are marks too: some phones set them around what is copied.
MARKS = "*_`\""
_FENCE = "```"
_SHORTEST_RULE = 3
# Words that people write between the others of a sign-on.
BETWEEN = {"in", "game", "as", "for", "to", "with", "and", "my", "is", "power", "password", "passwd", "pw"}
AROUND_PASSWORDS = MARKS + "'<>()[],;:."
# Signs that people write between the words of a sign-on: "F heron / hush", "Fheron | hush".
_PARTING = "/|=-–:,;"
# What may stand between a greeting and the sign-on.
_PAUSE = ",.!:;-"
_GREETINGS = {
    "HELLO", "HI", "HEY", "HALLO", "DEAR", "GREETINGS", "GOOD", "MORNING", "AFTERNOON", "EVENING", "DAY", "JUDGE",
    "BONJOUR", "BONSOIR", "SALUT", "GUTEN", "TAG", "MORGEN", "ABEND", "MOIN", "SERVUS", "LIEBER", "CIAO", "HOLA",
    "PLEASE", "BITTE", "THERE", "AGAIN", "SIR", "MADAM", "ALL",
}  # fmt: skip
_MOST_GREETING = 40
_SIGNON = re.compile(r"(?<![^\s*_`\"])SIGNON(?=[\s*_`\"])", re.IGNORECASE | re.ASCII)
# A sign-on in other words, up to the power; what follows ">" is quoted.
_IN_OTHER_WORDS = re.compile(r"[^>]{0,60}?(?<!\w)(?:sign|log)(?:ing)?[-_ ]?(?:on|in)\W{0,9}", re.IGNORECASE)
_OPENS = ("SIGNON", "LOGIN", "LOGON")
# Words of a sign-on, and how many it may have: SIGNON Great Britain heron hush.
_MOST_WORDS = 6
# The words of a power and a game: GREAT BRITAIN HERON.
_MOST_NAMED = 4
# Between the sign-on and the orders that follow on its line.
_LINKS = {"AND", "WITH", "ORDERS", "MY", "THEN"}


def forms(line: str) -> Iterator[str]:
    """Yield the line as it was written, then without bullets and marks around it, then without those around each word.

    Signs that part the words of a sign-on are left out of the last form.
    """
    yield line
    rest = without_bullets(line).lstrip(MARKS)
    before = line[: len(line) - len(rest)]
    around = len(before) - len(before.rstrip(MARKS))
    while around and rest[-1:] and rest[-1] in MARKS:
        rest, around = rest[:-1], around - 1
    if rest != line:
        yield rest
    first, *others = [word.strip(MARKS) for word in rest.split(" ")]
    # "SIGNON: Fheron hush"
    first = first.rstrip(_PAUSE) if first.rstrip(_PAUSE).upper() in _OPENS else first
    if first.upper() in _OPENS:
        others = [word for word in others if word.strip(_PARTING)]
    bare = " ".join(filter(None, (first, *others)))
    if bare != rest:
        yield bare


def is_meant(line: str, form: str) -> bool:
    """Return whether a `form` of the line is meant as a command.

    A single word may be an item of a list, or emphasized, so it must be in capitals.
    """
    first, _, others = form.partition(" ")
    marked = line[:1] in MARKS or form[:1].isupper() or first.upper() in _OPENS
    return form == line or first.isupper() or bool(others) and marked


def is_ornament(line: str) -> bool:
    """Return whether the line only parts or frames others: a rule, the fence of a block of code.

    A dash alone does not, since a table may hold it.
    """
    if line.startswith(_FENCE):
        return " " not in line
    return not any(map(str.isalnum, line)) and (len(line) >= _SHORTEST_RULE or not set("->") & set(line))


def is_greeting(line: str) -> bool:
    """Return whether a short line begins like a greeting or like thanks."""
    words = line.split()
    return 0 < len(words) <= _MOST_WORDS and fold(words[0].strip(_PAUSE + MARKS)) in _GREETINGS


def begins_with_order(line: str) -> bool:
    """Return whether the line begins like an order: "A PAR - BUR", "BUILD A PAR", "PAR - BUR"."""
    words = without_bullets(line).split()
    return bool(words) and (_begins_with_unit(words) or _begins_with_move(words))


def without_greeting(line: str) -> str:
    """The sign-on behind a greeting, "Hello judge, SIGNON Fheron hush"; the line itself if there is none."""
    found = _SIGNON.search(line, 0, _MOST_GREETING + len("SIGNON "))
    greeting = line[: found.start()].rstrip(MARKS + " ") if found else ""
    words = [fold(word.strip(_PAUSE + MARKS)) for word in greeting.split()]
    greets = bool(words) and words[0] in _GREETINGS
    if found and greets and (greeting[-1] in _PAUSE or all(word in _GREETINGS for word in words)):
        return line[found.start() :]
    return line


def as_signon(line: str, games: Collection[str]) -> str:
    """Return a sign-on in other words ("Log on to Fheron hush", "Sign-on: Fheron hush") as SIGNON and what follows.

    Any other line is returned as it is. Words that prose uses too count only with one of the existing `games` behind
    them; by the same rule the passwords on such lines are masked.
    """
    found, folded = signon_line(line), fold_line(line)
    named = found is not None and not possible_games(found.named).isdisjoint(games)
    meant = found is not None and found.is_whole and (found.certain or named)
    if not (found and meant and _IN_OTHER_WORDS.fullmatch(folded, 0, found.start)):
        return line
    whole = f"SIGNON {(line if len(line) == len(folded) else folded)[found.start :]}"
    *words, last = whole.split()
    said = [word for word in words if word.strip(AROUND_PASSWORDS + _PARTING).lower() not in BETWEEN | {""}]
    return whole if not named or len(said) > _MOST_NAMED or run_on(whole) else " ".join([*said, last])


def run_on(line: str) -> tuple[str, str] | None:
    """("SIGNON Fheron hush", "A PAR - BUR, A MAR H") of a line with both; None for any other."""
    words = line.split(" ", _MOST_WORDS + 1)
    if words[0].upper() not in _OPENS:
        return None
    places = range(2, len(words))
    units = (at for at in places if _begins_with_unit(words[at:]))
    others = (at for at in places[1:] if _begins_with_move(words[at:]))
    at = next(units, 0) or next(others, 0)
    if not at:
        return None
    end = at
    while end > 3 and (fold(words[end - 1].strip(_PAUSE)) in _LINKS or not without_bullets(words[end - 1])):
        end -= 1
    return " ".join(words[:end]), " ".join(words[at:])


def _begins_with_unit(words: list[str]) -> bool:
    """Return whether the words, of which the last may be many, begin like "A PAR - BUR" or "BUILD A PAR"."""
    words = " ".join(words).split(" ", 5)
    first, *others = [fold(word.strip(MARKS)) for word in words]
    if first in BUILD | REMOVE | WAIVE | ORDER_WORDS and len(first) > 1:
        return bool(others) and others[0] in KIND_WORDS
    if first not in KIND_WORDS or not others or len(others[0]) < 2 or others[0] in KIND_WORDS:
        return False
    return "-" in words[1] or any(word in ORDER_WORDS | TO or not word[:1].isalnum() for word in others[1:])


def _begins_with_move(words: list[str]) -> bool:
    """Return whether the words begin like "PAR - BUR"."""
    return len(words) > 1 and words[0].isalpha() and words[1][:1] == "-" and len(words[0]) > 1
