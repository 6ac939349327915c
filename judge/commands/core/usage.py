"""The usage of a command, which is its grammar, its line in HELP and its row in the documents.

The parts of `SET ABSENCE <date> [TO <later date>]` mean:

    WORD         the word itself
    A|B          one of the words: the argument `how`; for a second choice in the usage, the argument `what`
    <date>       a placeholder; _KINDS has the pattern of its text and the name of the argument
    [ … ]        optional
    … | …        one of the two
    ( … )        a note for people only, about the lines after the command

If no blank precedes a placeholder, people write no blank there either.
"""

import re
from collections.abc import Collection, Iterator

from judge.letters.written_passwords import AROUND

GAME = r"[A-Za-z0-9]{1,20}"
_TEXT = r"\S.*?"
# A length of time, which is a number of hours, or a number with its unit.
_LENGTH = r"\d{1,4}(?:\.\d{1,4})?(?:\s?(?:h|hrs?|hours?|d|days?|w|weeks?))?"
_PHASE = r"[SFWA][^\W\d]*\s*\d{4}\s*\w*"
# The short name of a phase, such as S1901M, in commands that may also name a game.
SHORT_PHASE = r"[SFW]\d{1,4}[MRAB]?"
_PART_OF_BOARD = r"[A-Z]+(?:\s+[A-Z]+){0,3}"
# A word of a power's name, such as "Commonwealth", or the & in "Poland & Saxony".
_OF_POWER = r"(?:(?u:[^\W\d_])[^\s@]*|&)"
_LETTER = r"(?u:[^\W\d_])"
# A word of a variant's name, or a password after power and game. Orders do not match, because punctuation separates
# their words.
_AROUND = f"[{re.escape(AROUND)}]*+"
_WORD = rf"{_AROUND}[A-Za-z0-9][\w/&'.-]*+{_AROUND}"
_NOT_OFF = r"(?!(?:OFF|NO|NONE)\s*[.;]?$)"
# In `[<game>] [FULL]`, the word FULL is not the name of a game.
_NO_OPTION = r"(?!(?:FULL|FROM|TO|BIDS|BROAD|LINES|MAPS)\b)"
_ALL = r"(?:ALL|EVERYBODY|EVERYONE)"
_INITIALS = r"(?=\s*[A-Z]+\s*:?\s*[.;]?$)"
GREY = "GREY|GRAY|ANONYMOUS|ANONYMOUSLY"
_OPTION = r"[A-Z0-9/_&]{1,30}"

# The pattern of the text for each placeholder. The named group of a pattern is an argument of the handler.
_KINDS = {
    "<game>": rf"(?P<game>{GAME})",
    "<observed game>": rf"(?:[^\s@]+@)?(?P<game>{GAME})",
    "<game or code>": r"(?P<word>[A-Za-z0-9-]+)",
    "<power's letter><game>": rf"(?P<target>[^\s@?]+@{GAME}|[A-Za-z0-9]{{2,21}})",
    # The power and game of a sign-on in other words than SIGNON.
    "<place>": rf"(?P<target>\?\s?{GAME}|\?|[^\s@?]+@{GAME}|[A-Za-z0-9]{{2,21}})",
    # A power and a game joined by a ? or @, which no sentence has.
    "<signed place>": rf"(?P<target>\?\s?{GAME}|\?|[^\s@?]+@{GAME})",
    "<plain place>": r"(?P<target>[A-Za-z0-9]{2,21})",
    # A password without the full stop or semicolon that may end any command. A punctuation mark between blanks is not a
    # password.
    "<password>": r"(?!\W\s)(?P<password>\S+?)",
    "<variant>": rf"(?P<words>{_WORD}(?:\s+{_WORD}){{0,4}})",
    # A blank after the question mark is allowed only if a password follows. Otherwise SIGNON ? is another command.
    "<game to join>": rf"(?:\s(?={GAME}\s+\S))?(?P<game>{GAME})",
    "<new game>": rf"\s?(?P<game>{GAME})",
    "<board>": r"(?P<variant>\S+(?:\s+\S+){0,4})",
    "<power>": rf"(?P<power>{_OF_POWER}(?:\s+{_OF_POWER}){{0,3}})",
    "<powers>": rf"(?P<powers>{_TEXT})",
    "<power or powers>": rf"(?P<powers>{_TEXT})",
    "<preferred powers>": rf"(?P<preference>(?:{_LETTER}|[][*,;&'’. -])+?)",
    # Twelve letters from a to f may be the code of a confirmation email.
    "<requested powers>": rf"(?![a-f]{{12}}\b)(?P<powers>{_LETTER}(?:{_LETTER}|[,;&'’. -]){{0,60}})",
    "<address>": r"(?P<address>[^\s@]+@\S+?)",
    "<addresses>": r"(?P<addresses>[^\s@]+@\S.*?)",
    "<zone>": rf"(?P<zone>{_TEXT})",
    "<date>": rf"{_NOT_OFF}(?P<date>[^\s:=].*?)",
    "<later date>": rf"(?P<later>{_TEXT})",
    "<date or phase>": rf"(?P<begin>{_TEXT})",
    "<later date or phase>": rf"(?P<end>{_TEXT})",
    # A date that cannot be a number of hours.
    "<end of grace>": rf"{_NOT_OFF}(?!{_LENGTH}\s*[.;]?$|PRESS\b)"
    r"(?P<date>\S+\s+\S.*?|\d+\.\d+\.\d+|[\d.hd]*[^\s\d.;hd]\S*?)",
    "<length>": rf"(?P<length>{_LENGTH})",
    "<hours>": rf"(?P<hours>{_LENGTH})",
    "<hour:minute>": r"(?P<moment>NOON|MIDNIGHT|\d{1,2}(?:[:.]\d\d)?(?:\s?[AP]\.?M\.?)?)",
    "<text>": rf"(?P<text>{_TEXT})",
    "<kinds>": rf"(?P<kinds>{_TEXT})",
    "<subject>": r"(?P<subject>\S.{0,300}?)",
    "<condition>": r"(?P<condition>\S.{0,299}?)",
    "<line>": r"(?P<line>[^:]+:.*\S)",
    "<bid>": r"\d+\s*:?\s*\S.*?",
    "<unit>": rf"(?P<unit>{_TEXT})",
    "<province>": r"(?P<province>[^\s:][^:]{0,60}?)",
    "<coasts>": rf"(?P<coasts>{_TEXT})",
    "<places>": rf"(?P<places>{_TEXT})",
    "<code>": r"(?P<code>[0-9a-f]{12})",
    "<any code>": r"(?P<code>[A-Za-z0-9]+)",
    "<phase>": rf"(?P<phase>{_PHASE})",
    "<later phase>": r"(?P<phase>NOW|(?=.{0,40}\d)\S.{0,80})",
    "<phase or turn>": rf"(?P<phase>{_PHASE}|\d{{1,4}})",
    "<number>": r"(?P<most>[1-9]\d{0,3})",
    "<topic>": r"(?P<topic>[A-Z0-9][A-Z0-9_.]{0,30}(?:\s*&\s*[A-Z]{1,30})?)",
    "<key>": r"(?P<key>[A-Z0-9/]{1,30}(?:\s+[A-Z0-9/]{1,30}){0,3})",
    "<variant or game>": rf"(?P<of>{_OPTION}(?:\s+{_OPTION}){{0,2}})",
    # The word MAP with "of", "for" or a similar word after it is prose, such as "map of the harbour".
    "<view>": rf"(?!(?:OF|FOR|FROM|IN|ON|TO|WITH|BY|AT|IS)\s+(?!SVG|{SHORT_PHASE}))"
    rf"(?P<words>(?:{GAME}(?:\s+{SHORT_PHASE})?|{SHORT_PHASE})(?:\s+{_PART_OF_BOARD})?|{_PART_OF_BOARD})",
    "<province and board>": r"(?P<words>[^\s,:!?][^,:!?]{1,39})",
    "<readers>": rf"(?:(?P<but>TO\s+{_ALL}\s+(?:BUT|EXCEPT(?:\s+FOR)?)\s|-{_INITIALS})|TO:?\s|\+{_INITIALS})\s*"
    rf"(?!(?:.*\s)?(?:FAKE|FROM|PARTIAL|QUIET)\b)(?P<powers>{_TEXT})",
    "<color>": rf"(?:(?P<grey>{GREY})|(?P<white>WHITE|UNANONYMOUS|UNANONYMOUSLY))",
}
# The pattern for the text before a placeholder, if that text is not just a blank.
_BEFORE = {
    "<date>": r"[\s:=]+",
    "<end of grace>": r"[\s:=]++",
    "<later phase>": r":?\s+",
    "<variant or game>": r"[\s.]+",
    "<bid>": r"\s*",
    "<kinds>": r"[\s:=]+",
}
_NAME = re.compile(r"(.+?)(?: ((?:[][<(?+-]|\S+ ?\|).*))?")
_PART = re.compile(r"(\])|( \|)|( ?)(\[*)((?:<[^>]+>)+|: ?|[^][<>|: ]+(?:\|[^][<>|: ]+)*)")
_GROUP = re.compile(r"\?P<(\w+)>")


def split(usage: str) -> tuple[str, str]:
    """Return the name and the arguments of a usage, such as `SET MAP` and `ON | OFF`."""
    found = _NAME.fullmatch(usage)
    assert found
    return found[1], found[2] or ""


def pattern_of(arguments: str, taken: Collection[str] | None = None) -> str:
    """Return the regular expression for the arguments of a usage.

    `taken` has the arguments that the handler takes. Only these are named groups of the expression.
    """
    shown = arguments.partition("(")[0].rstrip()
    if not shown:
        return ""
    if not {"<", "["} & set(shown):
        shown = shown.replace(" | ", "|")
    pattern = "".join(_parts(f" {shown}"))
    if taken is not None:
        pattern = _GROUP.sub(lambda group: group[0] if group[1] in taken else "?:", pattern)
    return f"(?:{pattern})"


def _parts(arguments: str) -> Iterator[str]:
    choices, is_alone = iter(("how", "what")), arguments == " [<game>]"
    for closed, other, blank, opened, item in _PART.findall(arguments):
        if closed or other:
            yield ")?" if closed else "|"
            continue
        yield "(?:" * len(opened)
        if item[0] == ":":
            yield r"\s*:\s*"
            continue
        yield _BEFORE.get(item, r"\s+") if blank else ""
        if item == "<game>" and opened and not is_alone:
            yield _NO_OPTION
        if item[0] == "<":
            yield _KINDS[item]
            continue
        name = next(choices) if "|" in item else item.lower()
        group = f"?P<{name}>" if name.isidentifier() else "?:"
        yield f"({group}{'|'.join(map(re.escape, item.split('|')))})"
