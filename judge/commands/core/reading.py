"""Recognize the command on a line, in any form.

A line is matched with single blanks. Lines longer than any command are not matched. So the time to read a letter grows
at most in proportion to its size.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache

from judge.commands.core.command import Body, Call, Command, Doubt, MaybeSentence, Pattern, Place, Slip
from judge.commands.core.line_forms import (
    as_signon,
    bare_word,
    begins_with_move,
    begins_with_unit,
    ends_below_signature,
    forms,
    run_on,
    whole_signon,
    without_greeting,
)
from judge.commands.core.secrets import secret_in
from judge.games.core.setting_fields import OFF, ON, negated
from judge.letters import Line
from judge.letters.quotes import ended_at
from judge.letters.signon_lines import SignonLine, names_begun, pieces, possible_games, signon_line, signon_words
from judge.letters.text import fold
from judge.rules.parsing.decoration import LONGEST_LINE, without_bullets

# A comment is `//` and the rest of the line. In a web address no blank precedes the `//`, so it begins no comment.
_COMMENT = re.compile(r"(^|\s)//.*")
# The first word of a line, or SET and the word after it. With this word, only a few commands are possible for the line.
_FIRST_WORD = re.compile(r"(?:SET\s+)?[^\W\d_]*", re.IGNORECASE)
# A line that switches a setting on or off.
_ON_OR_OFF = re.compile(
    rf"SET (?P<no>NO ?|NOT )?(?P<words>.+?)(?:(?: ?[:=] ?| )(?:{'|'.join(ON)}|(?P<off>{'|'.join(OFF)})))?[.;]?",
    re.IGNORECASE,
)
# The names of the arguments of settings whose value can also be on, off or 0.
_SWITCHED = {"flag", "how", "hours", "number", "kinds"}
# The words after a setting that switch it off.
_OFF = ("OFF", "0", "DEFAULT")
# A line with more items than there are settings is not a list of settings.
_MOST_SETTINGS = 50
# The number of words (a game and a password) in a sign-on that may be meant for another judge.
_GAME_AND_PASSWORD = 2
# The maximum number of words, and beginnings of words, that the judge looks up as games for one letter.
_MOST_NAMES = 2000


def _sentence(context: object) -> None:
    raise MaybeSentence


# The answer to a line that would open a block or end the letter, but may belong to a sentence.
SENTENCE = Slip(names=("",), place=Place.ANYWHERE, handler=_sentence)
# The values of `Place` for commands that are recognized before the first sign-on (IN_LOBBY), and after one (IN_GAME).
IN_LOBBY = (Place.OPENING, Place.LOBBY, Place.ANYWHERE)
IN_GAME = (Place.OPENING, Place.GAME, Place.ANYWHERE)
# The places of commands after SIGNOFF, where a line is recognized as a command but not carried out.
_IN_ANY = (Place.LOBBY, Place.GAME, Place.ANYWHERE)


class What(Enum):
    """The meaning of a line among prose. If no board is known, a line that begins like an order is an ORDER."""

    COMMAND = auto()
    SIGNON = auto()
    ORDER = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a letter with its meaning."""

    line: Line
    # After a sign-on, any line that is not a command is an ORDER, because it may be one.
    what: What
    # True if people hardly ever write such a line to each other.
    surely: bool = False
    # The command or slip on the line, if any.
    call: Call | None = None
    # True if a blank line is above the line.
    is_apart: bool = False

    @property
    def text(self) -> str:
        """The text of the line, or of one command if the line has several settings."""
        return self.call.line if self.call else self.line.text

    @property
    def may_order(self) -> bool:
        """Return whether the line is filed with the orders around it, unless it is the heading of a phase."""
        return self.call.command.is_order if self.call else self.line.is_sure


def _is_deliberate(call: Call, games: Collection[str]) -> bool:
    """Return whether a command among prose is meant for the judge."""
    if not call.is_command:
        return call.is_in_capitals and not (call.command.body or call.command.is_said)
    if call.command.body is Body.CONDITION:
        return call.is_in_capitals
    if call.given.keys() == {"game"}:
        return call.is_in_capitals or call.given["game"].lower() in games
    return Doubt.WORD not in call.doubt


def _is_sure(signon: SignonLine, games: Collection[str]) -> bool:
    """Return whether a line among prose is surely a sign-on, to one of `games` or on another judge."""
    is_elsewhere = signon.certain and signon.is_whole and len(signon.words) == _GAME_AND_PASSWORD
    return is_elsewhere or signon.is_apart and signon.names(games)


def _is_heard(command: Pattern, name: str, heard: Sequence[Place]) -> bool:
    if name in command.prose and Place.GAME in heard:
        return False
    return command.place in heard or command.place is Place.END


class Reader:
    """Recognizes the commands on lines, and the slips, which are almost commands.

    A line is the command with the longest matching name, so BECOME MASTER is not BECOME with a power. No line can match
    two commands of the same name, so the order of the table does not matter.
    """

    def __init__(self, table: Iterable[Pattern]):
        table = tuple(table)
        self.commands = [slip for slip in table if isinstance(slip, Command)]
        self.names = tuple(name for command in self.commands for name in command.names)
        self.sandbox = next((slip for slip in table if slip.body is Body.SANDBOX), SENTENCE)
        # The patterns, by the first word of the name. Most lines are orders, which do not begin with such a word.
        self._forms: dict[str, list[tuple[str, Pattern, re.Pattern[str]]]] = defaultdict(list)
        named = [(name, slip) for slip in table for name in slip.names]
        # The first match wins, so long names come before short ones, and commands before slips.
        for name, slip in sorted(named, key=lambda one: (-len(one[0].split()), not isinstance(one[1], Command))):
            pattern = _compile(name, slip.pattern, slip.capitals)
            self._forms[_first_word(name)].append((name, slip, pattern))

    def own_lines(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Return the lines of a letter, with the text after each message marked as the sender's own.

        Otherwise an older email in a message would seem to continue after the message.
        """
        ends = ends_below_signature(lines, self.press)
        return tuple(ended_at(lines, ends) if ends else lines)

    def names_in(self, lines: Sequence[Line]) -> set[str]:
        """Return possible names of games on lines like sign-ons, to look them up before the letter is read."""
        names = set()
        for number, line in enumerate(lines):
            for text in pieces(whole_signon(lines, number) or line.text):
                said = signon_words(text)
                names |= possible_games(said)
                if said and len(names) < _MOST_NAMES:
                    names |= names_begun(said[0])
        return names

    def signs_on_to(self, text: str, games: Collection[str]) -> bool:
        """Return whether a line in a message is SIGNON, or a sign-on in other words to one of `games`.

        A sign-on in other words needs an existing game, because LOGIN, OBSERVE and similar words also begin sentences.
        """
        call = self.meant(one_line(text), (Place.OPENING,), None)
        if call is None:
            return False
        found = signon_line(call.line)
        is_whole = call.is_command and call.line.upper().startswith(("SIGNON", "CREATE"))
        return is_whole or found is not None and found.names(games)

    def said(self, line: Line, games: Collection[str]) -> Said:
        """Return the meaning of a line among prose, such as the lines before a sign-on and after SIGNOFF.

        On such a line a command must be in capitals, or have arguments.
        """
        text = without_comment(line.text)
        call = self.meant(text, _IN_ANY)
        if call and _is_deliberate(call, games):
            return Said(line, What.COMMAND, surely=True, call=call)
        signon = signon_line(line.text)
        if signon and _is_sure(signon, games):
            return Said(line, What.SIGNON, surely=True)
        if secret_in(fold(line.text), frozenset(games)):
            # A line that sets a new password is never prose. WATCH and similar words also occur in prose.
            return Said(line, What.SIGNON, surely=signon is None)
        if any(one and not one.command.is_said for one in (call, self.meant(text, (Place.OPENING,)))):
            return Said(line, What.COMMAND)
        words = without_bullets(text).split()
        is_order = begins_with_unit(words) or begins_with_move(words)
        return Said(line, What.ORDER if is_order else What.PROSE)

    def setting_list(self, line: str, heard: Sequence[Place]) -> list[Call]:
        """Return the commands of a line with several settings, such as `SET GREY, GRACE 24, NMR`.

        A comma may also be within one setting, as in SET DRAW France, Italy. Other lines give an empty list.
        """
        if not may_be_list(line):
            return []
        said: list[tuple[str, Call | None]] = []
        for piece in _settings_in(line):
            text, call = piece, self.command(f"SET {piece.strip()}", heard)
            if said and not (call and call.is_command):
                longer = f"{said[-1][0]},{piece}"
                whole = self.command(f"SET {longer.strip()}", heard)
                if whole and whole.is_command:
                    text, call = longer, whole
                    said.pop()
            said.append((text, call))
        found = [call for _, call in said if call]
        return found if 1 < len(found) == len(said) and any(call.is_command for call in found) else []

    def command(self, line: str, heard: Sequence[Place]) -> Call | None:
        """Return the command on `line` if it is recognized in the places `heard`, else None.

        A setting can be written with NO before it, or with ON or OFF after it. So HELP does not list these forms.
        """
        if len(line) > LONGEST_LINE:
            return None
        found = self._matching(line, heard)
        if found and found.is_command:
            return found
        for other in _otherwise(line):
            call = self._matching(other, heard)
            if call and call.is_command and call.given.keys() <= _SWITCHED:
                return replace(call, line=line)
        return found

    def _matching(self, line: str, heard: Sequence[Place]) -> Call | None:
        """Return the command of the first pattern that fits the line, or None. Misspelled settings are tried last."""
        word, slip = _first_word(line), None
        is_setting = word.startswith("SET ")
        # Slips for misspelled settings are filed under SET.
        for name, command, pattern in [*self._forms.get(word, []), *self._forms.get("SET", []) * is_setting]:
            match = pattern.fullmatch(line) if _is_heard(command, name, heard) else None
            if not match:
                continue
            arguments = match.groupdict()
            secret = match.span("password") if arguments.get("password") else None
            call = Call(command, arguments, line, name, secret=secret)
            if call.is_command or not is_setting:
                return call
            slip = slip or call
        return slip

    def settings_named(self, asked: str) -> list[Command]:
        """Return the commands with the name `asked`, such as `SET NMR`, and their opposites.

        If no command has this name, `asked` is read as a line, and the command on it is returned. If the line has no
        command, the commands whose names begin with `asked` are returned.
        """
        names = {f"SET {form}" for form in negated(asked.removeprefix("SET "))}
        named = [command for command in self.commands if names & set(command.names)]
        if named:
            return named
        as_line = self.command(asked, (Place.GAME,))
        if as_line and isinstance(as_line.command, Command):
            return [as_line.command]
        begun = f"{asked} "
        return [one for one in self.commands if any(name.startswith(begun) for name in one.names)]

    def begun_by(self, line: str) -> list[Command]:
        """Return the commands whose name is at the beginning of the line, or the longest of several names.

        The settings of SET are not included.
        """
        said = one_line(line)
        names = {name for name in self.names if _begins(said, name)}
        longest = max(names - {"SET"}, key=len, default="")
        return [command for command in self.commands if longest in command.names]

    def signs_on(self, line: str) -> bool:
        """Return whether the line is a sign-on in any form."""
        call = self.meant(one_line(line), (Place.OPENING,))
        return call is not None and "SIGNON" in call.command.names

    def press(self, line: Line) -> Call | None:
        """Return the command or slip on the line after which a message begins, or None for other lines."""
        call = self.command(one_line(line.text), (Place.GAME,)) if line.kind == "text" else None
        return call if call and call.command.body is Body.PRESS else None

    def meant(self, line: str, heard: Sequence[Place], games: Collection[str] | None = ()) -> Call | None:
        """Return the command on a line, in any form.

        `games` has the existing games named on lines. `games` is None in a message, where only SIGNON itself is a
        sign-on.
        """
        if Place.OPENING not in heard:
            return self._in_any_form(line, heard)
        before, signoff = _before_signoff(line)
        call = self.meant(before, (Place.OPENING,), games) if before else None
        if call and not call.orders:
            return replace(call, orders=signoff)
        whole = self._in_any_form(line, heard)
        if whole and whole.is_command or not signon_line(line):
            return whole
        return self._signon(line, games) or whole

    def _signon(self, line: str, games: Collection[str] | None) -> Call | None:
        """Return the sign-on on a line with a greeting, orders, or other words than SIGNON, or None."""
        signon = without_greeting(line)
        if signon == line and games is not None:
            signon = as_signon(line, games)
        for form in forms(signon):
            parts = run_on(form)
            call = self.command(parts[0], (Place.OPENING,)) if parts else None
            if parts and call:
                return replace(call, orders=parts[1])
        return None if signon == line else self._in_any_form(signon, (Place.OPENING,))

    def _in_any_form(self, line: str, heard: Sequence[Place]) -> Call | None:
        """Return the command on a line, in the first form that is a command, or else the first slip."""
        if len(line) > LONGEST_LINE:
            return None
        calls = (call for form in forms(line) if (call := self.command(form, heard)))
        first = next(calls, None)
        if first is None or first.is_command:
            return first
        return next((call for call in calls if call.is_command), first)


def one_line(text: str) -> str:
    """Return the text with single blanks, as it is compared with commands."""
    return " ".join(text.split())


def _before_signoff(line: str) -> tuple[str, str]:
    """Return the text before SIGNOFF at the end of a line, and the word SIGNOFF, or two empty texts."""
    for words in (1, 2) if "OFF" in line.upper() else ():
        before, *end = line.rsplit(" ", words)
        if bare_word(" ".join(end)) == "SIGNOFF":
            return before, " ".join(end)
    return "", ""


def _begins(line: str, name: str) -> bool:
    """Return whether the line begins with `name` as a command, since in lowercase a name may begin a sentence."""
    behind = line[len(name) :]
    alone = line.upper().startswith(name) and (not behind or behind[0] == " ")
    return alone and (line.startswith(name) or len(behind.split()) <= 1)


def without_comment(text: str) -> str:
    """Return the line with single blanks, without its comment."""
    return _COMMENT.sub("", one_line(text)).rstrip()


def may_be_list(line: str) -> bool:
    """Return whether the line may have several settings."""
    return line[: len("SET ")].upper() == "SET " and "," in line and len(line) <= LONGEST_LINE


def _settings_in(line: str) -> Iterator[str]:
    """Yield the items between the commas of a line with settings, with the text of SET COMMENT as one item."""
    pieces = line[len("SET ") :].split(",", _MOST_SETTINGS)
    for number, piece in enumerate(pieces):
        if piece.strip().upper().startswith("COMMENT "):
            yield ",".join(pieces[number:])
            return
        yield piece


def _otherwise(line: str) -> Sequence[str]:
    """Return other ways to write an on/off setting, such as `SET NO X` for `SET X = OFF`."""
    setting = _ON_OR_OFF.fullmatch(line)
    # A double negation (SET NO X OFF) may mean on or off.
    if not setting or setting["no"] and setting["off"]:
        return ()
    words = setting["words"]
    if setting["no"] or setting["off"]:
        return tuple(f"SET {one}" for one in (f"NO {words}", f"NO{words}", *(f"{words} {off}" for off in _OFF)))
    return f"SET {words}", f"SET {words} ON"


def _first_word(line: str) -> str:
    found = _FIRST_WORD.match(line)
    return found[0].upper() if found else ""


@cache
def _compile(name: str, arguments: str, capitals: bool) -> re.Pattern[str]:
    """Compile the pattern of a name and its arguments, where groups without the flag `u` match only ASCII letters.

    With Unicode matching, a few other letters (the long s, the Kelvin sign) would match an ASCII letter here. The
    tables of names and words have no such letters.
    """
    words = r"\s+".join(map(re.escape, name.split()))
    if capitals:
        words = rf"(?:(?-i:{words})|{words}(?=\s*[.;]?$))"
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE | re.ASCII)
