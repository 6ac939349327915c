"""Recognize which command a line is, in any form.

A line is matched with single blanks, and only up to a length that no command reaches, so the time to read a letter
never grows faster than its size.
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

# A comment: `//` and the rest, at the beginning of a line or after a blank, so that a web address is not one.
_COMMENT = re.compile(r"(^|\s)//.*")
# The first word of a line (two for settings, since there are many), which limits the commands that the line can be.
_FIRST_WORD = re.compile(r"(?:SET\s+)?[^\W\d_]*", re.IGNORECASE)
# A setting that is switched on or off.
_ON_OR_OFF = re.compile(
    rf"SET (?P<no>NO ?|NOT )?(?P<words>.+?)(?:(?: ?[:=] ?| )(?:{'|'.join(ON)}|(?P<off>{'|'.join(OFF)})))?[.;]?",
    re.IGNORECASE,
)
# The arguments of settings that can be on or off, or 0.
_SWITCHED = {"flag", "how", "hours", "number", "kinds"}
# The words for on and off after such a setting.
_OFF = ("OFF", "0", "DEFAULT")
# A line with more items than there are settings is not a list of settings.
_MOST_SETTINGS = 50
# The words of a sign-on that may be meant for another judge.
_GAME_AND_PASSWORD = 2
# The most words, and beginnings of words, that the judge looks up among the names of games for one letter.
_MOST_NAMES = 2000


def _sentence(context: object) -> None:
    raise MaybeSentence


# A line that would open a block or end the letter, if it were not part of the sentence above it.
SENTENCE = Slip(names=("",), place=Place.ANYWHERE, handler=_sentence)
# The commands that are recognized before all sign-ons, and after one.
IN_LOBBY = (Place.OPENING, Place.LOBBY, Place.ANYWHERE)
IN_GAME = (Place.OPENING, Place.GAME, Place.ANYWHERE)
# What may be a command between two blocks, where none is carried out.
_IN_ANY = (Place.LOBBY, Place.GAME, Place.ANYWHERE)


class What(Enum):
    """What a line among prose means. While no board is known, a line that begins like an order is taken for one."""

    COMMAND = auto()
    SIGNON = auto()
    ORDER = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """A line, its writer, and its meaning; after a sign-on, any line that is not a command may be an order.

    `surely`: people hardly ever write that to each other. `call`: the command that it surely is, or nearly is.
    """

    line: Line
    what: What
    surely: bool = False
    call: Call | None = None

    @property
    def text(self) -> str:
        """The text of the command; for one of several settings on a line, only that setting."""
        return self.call.line if self.call else self.line.text

    @property
    def may_order(self) -> bool:
        """Return whether it is filed with the orders around it, unless it is the heading of a phase."""
        return self.call.command.is_order if self.call else self.line.is_sure


def _is_deliberate(call: Call, games: Collection[str]) -> bool:
    """Return whether a command among prose is meant as one."""
    if not call.is_command:
        return call.is_in_capitals and not (call.command.body or call.command.is_said)
    if call.command.body is Body.CONDITION:
        return call.is_in_capitals
    if call.given.keys() == {"game"}:
        return call.is_in_capitals or call.given["game"].lower() in games
    return Doubt.WORD not in call.doubt


def _is_sure(signon: SignonLine, games: Collection[str]) -> bool:
    """Return whether a line among prose is surely a sign-on: to one of the games, or to one of another judge."""
    is_elsewhere = signon.certain and signon.is_whole and len(signon.words) == _GAME_AND_PASSWORD
    return is_elsewhere or signon.is_apart and signon.names(games)


def _is_heard(command: Pattern, name: str, heard: Sequence[Place]) -> bool:
    """Return whether a command of that name is recognized in these places."""
    if name in command.prose and Place.GAME in heard:
        return False
    return command.place in heard or command.place is Place.END


class Reader:
    """Recognizes the commands of `table` in lines, and slips if a line is not a command.

    A line is the command with the longest matching name: BECOME MASTER is not BECOME with a power. No line can match
    two commands of the same name, so the order of the table does not matter.
    """

    def __init__(self, table: Iterable[Pattern]):
        table = tuple(table)
        self.commands = [slip for slip in table if isinstance(slip, Command)]
        self.names = tuple(name for command in self.commands for name in command.names)
        self.sandbox = next((slip for slip in table if slip.body is Body.SANDBOX), SENTENCE)
        # By first word, since most lines are orders and do not begin with a word of a command.
        self._forms: dict[str, list[tuple[str, Pattern, re.Pattern[str]]]] = defaultdict(list)
        named = [(name, slip) for slip in table for name in slip.names]
        # The first match wins: long names come before short ones, commands before slips.
        for name, slip in sorted(named, key=lambda one: (-len(one[0].split()), not isinstance(one[1], Command))):
            pattern = _compile(name, slip.pattern, slip.capitals)
            self._forms[_first_word(name)].append((name, slip, pattern))

    def own_lines(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Return the lines, treating lines after a message as text even if the message has an older mail in it."""
        ends = ends_below_signature(lines, self.press)
        return tuple(ended_at(lines, ends) if ends else lines)

    def names_in(self, lines: Sequence[Line]) -> set[str]:
        """Return possible names of games on lines like sign-ons; reading a letter requires knowing which exist."""
        names: set[str] = set()
        for number, line in enumerate(lines):
            for text in pieces(whole_signon(lines, number) or line.text):
                said = signon_words(text)
                names |= possible_games(said)
                if said and len(names) < _MOST_NAMES:
                    names |= names_begun(said[0])
        return names

    def signs_on_to(self, text: str, games: Collection[str]) -> bool:
        """Return whether a line in the text of a message is a sign-on: in the form of a command, or naming a real game.

        This is needed because LOGIN, OBSERVE and the like also begin sentences.
        """
        call = self.meant(one_line(text), (Place.OPENING,), None)
        if call is None:
            return False
        found = signon_line(call.line)
        is_whole = call.is_command and call.line.upper().startswith(("SIGNON", "CREATE"))
        return is_whole or found is not None and found.names(games)

    def said(self, line: Line, games: Collection[str]) -> Said:
        """Return the meaning of a line that is among prose, or outside all blocks.

        There a command must be in capitals, or have arguments.
        """
        text = without_comment(line.text)
        call = self.meant(text, _IN_ANY)
        if call and _is_deliberate(call, games):
            return Said(line, What.COMMAND, surely=True, call=call)
        signon = signon_line(line.text)
        if signon and _is_sure(signon, games):
            return Said(line, What.SIGNON, surely=True)
        if secret_in(fold(line.text), frozenset(games)):
            # No one sets a new password among prose; WATCH and the like begin sentences.
            return Said(line, What.SIGNON, surely=signon is None)
        if any(one and not one.command.is_said for one in (call, self.meant(text, (Place.OPENING,)))):
            return Said(line, What.COMMAND)
        words = without_bullets(text).split()
        is_order = begins_with_unit(words) or begins_with_move(words)
        return Said(line, What.ORDER if is_order else What.PROSE)

    def setting_list(self, line: str, heard: Sequence[Place]) -> list[Call]:
        """Return the commands of a line with several settings, `SET GREY, GRACE 24, NMR`.

        A comma may also stand inside one setting: SET DRAW France, Italy.
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
        """Return the command that `line` is in these places, or None; a line that is too long is not a command.

        A setting can be written with NO before it, or with ON or OFF after it, even if it has no such form.
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
        """Return the first form that the line matches; for a setting, a command before a slip."""
        word, slip = _first_word(line), None
        is_setting = word.startswith("SET ")
        # A misspelled setting is listed under SET.
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
        """Return the commands with the name that is `asked` for, `SET NMR`, and their opposites.

        If there are none, return the command that the name matches as a line, or the commands that begin with it.
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
        """Return the commands with whose name the line begins, of the longest name.

        The settings of SET are not included.
        """
        said = one_line(line)
        names = {name for name in self.names if _begins(said, name)}
        longest = max(names - {"SET"}, key=len, default="")
        return [command for command in self.commands if longest in command.names]

    def signs_on(self, line: str) -> bool:
        """Return whether the line is a sign-on, in any form."""
        call = self.meant(one_line(line), (Place.OPENING,))
        return call is not None and "SIGNON" in call.command.names

    def press(self, line: Line) -> Call | None:
        """Return the command, or slip, if a message begins after the line, in any form."""
        call = self.command(one_line(line.text), (Place.GAME,)) if line.kind == "text" else None
        return call if call and call.command.body is Body.PRESS else None

    def meant(self, line: str, heard: Sequence[Place], games: Collection[str] | None = ()) -> Call | None:
        """Return the command that a line is meant as, in any form.

        `games`: the existing games named on lines; None in the text of a message, where sign-ons in other words than
        SIGNON are text.
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
        """Return the sign-on that stands behind a greeting, in other words, or before orders on its line."""
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
        """Return the command for the first form in which the line is one; a slip only if no form is a command."""
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
    """Return the text before SIGNOFF at the end of a line, and that word; two empty texts for other lines."""
    for words in (1, 2) if "OFF" in line.upper() else ():
        before, *end = line.rsplit(" ", words)
        if bare_word(" ".join(end)) == "SIGNOFF":
            return before, " ".join(end)
    return "", ""


def _begins(line: str, name: str) -> bool:
    """Return whether the line begins with that name as a command; in small letters it may begin a sentence."""
    behind = line[len(name) :]
    alone = line.upper().startswith(name) and (not behind or behind[0] == " ")
    return alone and (line.startswith(name) or len(behind.split()) <= 1)


def without_comment(text: str) -> str:
    """Return the line with single blanks, without its comment."""
    return _COMMENT.sub("", one_line(text)).rstrip()


def may_be_list(line: str) -> bool:
    """Return whether the line could be several settings."""
    return line[: len("SET ")].upper() == "SET " and "," in line and len(line) <= LONGEST_LINE


def _settings_in(line: str) -> Iterator[str]:
    """Yield what stands between the commas of a line with settings; a comment reaches to the end of the line."""
    pieces = line[len("SET ") :].split(",", _MOST_SETTINGS)
    for number, piece in enumerate(pieces):
        if piece.strip().upper().startswith("COMMENT "):
            yield ",".join(pieces[number:])
            return
        yield piece


def _otherwise(line: str) -> Sequence[str]:
    """Return other ways to write a setting that is switched on or off: `SET NO X` for `SET X = OFF`."""
    setting = _ON_OR_OFF.fullmatch(line)
    # A double negation may mean either.
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
    """Compile the pattern of a name and its arguments; it matches only ASCII unless it says otherwise.

    Otherwise letters whose other case is an ASCII letter (the long s, the Kelvin sign) would match that letter here,
    but not where names and words are looked up.
    """
    words = r"\s+".join(map(re.escape, name.split()))
    if capitals:
        words = rf"(?:(?-i:{words})|{words}(?=\s*[.;]?$))"
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE | re.ASCII)
