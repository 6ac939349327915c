"""Which command a line is, however it is written.

A line is matched with single blanks, and only up to a length that no command reaches: so the time that a letter takes
never grows faster than its size.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
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
from judge.letters.signon_lines import names_begun, pieces, possible_games, signon_line, signon_words
from judge.letters.text import fold
from judge.rules.parsing.decoration import LONGEST_LINE, without_bullets

# `//` and what follows, at the beginning of a line or after a blank, so that a web address is not a comment.
_COMMENT = re.compile(r"(^|\s)//.*")
# The first word of a line (two for settings, since there are many): it limits the commands that the line can be.
_FIRST_WORD = re.compile(r"(?:SET\s+)?[^\W\d_]*", re.IGNORECASE)
# A setting that is switched on or off.
_ON_OR_OFF = re.compile(
    rf"SET (?P<no>NO ?|NOT )?(?P<words>.+?)(?:(?: ?[:=] ?| )(?:{'|'.join(ON)}|(?P<off>{'|'.join(OFF)})))?[.;]?",
    re.IGNORECASE,
)
# The arguments of settings that can be on or off, or 0.
_SWITCHED = {"flag", "how", "hours", "number", "kinds"}
# The words for that behind such a setting.
_OFF = ("OFF", "0", "DEFAULT")
# A line with more settings than exist is no list of settings.
_MOST_SETTINGS = 50
# The words of a sign-on that may be meant for another judge.
_GAME_AND_PASSWORD = 2
# Of so many names a letter may ask whether a game is called so, with each beginning of a word that may hold more.
_MOST_NAMES = 2000


def _sentence(context: object) -> None:
    raise MaybeSentence


# A line that would open a block or end the letter, if it were not part of the sentence above it.
SENTENCE = Slip(names=("",), place=Place.ANYWHERE, handler=_sentence)
# The commands that are recognised above all sign-ons, and below one.
IN_LOBBY = (Place.OPENING, Place.LOBBY, Place.ANYWHERE)
IN_GAME = (Place.OPENING, Place.GAME, Place.ANYWHERE)
# What may be a command between two blocks, where none is recognized.
_IN_ANY = (Place.LOBBY, Place.GAME, Place.ANYWHERE)


class What(Enum):
    """What a line is meant as that stands among prose; as long as no board is known, an order begins like one."""

    COMMAND = auto()
    SIGNON = auto()
    ORDER = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """A line with who wrote it and what it is meant as; below a sign-on, whatever is no command may be an order.

    `surely`: people do not write that to each other, or hardly ever. `call`: the command that it surely is, or is
    nearly.
    """

    line: Line
    what: What
    surely: bool = False
    call: Call | None = None

    @property
    def text(self) -> str:
        """What is written on it: of one of several settings on a line that one."""
        return self.call.line if self.call else self.line.text


def _is_deliberate(call: Call, games: Collection[str]) -> bool:
    """Return whether a command among prose is meant as one."""
    if not call.is_command:
        return call.is_in_capitals and not (call.command.body or call.command.is_said)
    given = {name: word for name, word in call.arguments.items() if word}
    if set(given) == {"game"}:
        return call.is_in_capitals or str(given["game"]).lower() in games
    return Doubt.WORD not in call.doubt


class Reader:
    """Recognises the commands of `table` in lines, and slips where a line is no command.

    A line is the command with the longest matching name: BECOME MASTER is not BECOME with a power. No line can match
    two commands of the same name, so the order of the table does not matter.
    """

    def __init__(self, table: Iterable[Pattern]):
        table = tuple(table)
        self.commands = [slip for slip in table if isinstance(slip, Command)]
        self.sandbox = next((slip for slip in table if slip.body is Body.SANDBOX), SENTENCE)
        # By first word: most lines are orders, and begin with no word of a command.
        self._forms: dict[str, list[tuple[str, Pattern, re.Pattern[str]]]] = defaultdict(list)
        named = [(name, slip) for slip in table for name in slip.names]
        # The first match wins: long names before short ones, commands before slips.
        for name, slip in sorted(named, key=lambda one: (-len(one[0].split()), not isinstance(one[1], Command))):
            pattern = _compile(name, slip.pattern, slip.capitals)
            self._forms[_first_word(name)].append((name, slip, pattern))

    def own_lines(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Return the lines, with what stands below a message as text, even if the message holds an older mail."""
        ends = ends_below_signature(lines, self.press)
        return tuple(ended_at(lines, ends) if ends else lines)

    def names_in(self, lines: Sequence[Line]) -> set[str]:
        """What may be names of games, on lines like sign-ons: to read a letter one must know them."""
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

        LOGIN, OBSERVE and the like begin sentences as well.
        """
        call = self.meant(one_line(text), (Place.OPENING,), None)
        if call is None:
            return False
        found = signon_line(call.line)
        is_whole = call.is_command and call.line.upper().startswith(("SIGNON", "CREATE"))
        return is_whole or found is not None and found.names(games)

    def said(self, line: Line, games: Collection[str]) -> Said:
        """Return what a line is meant as that stands among prose, or outside all blocks.

        A command is in capitals there, or has arguments.
        """
        text = without_comment(line.text)
        call = self.meant(text, _IN_ANY) if text else None
        if call and _is_deliberate(call, games):
            return Said(line, What.COMMAND, surely=True, call=call)
        signon = signon_line(line.text)
        # The game may be on another judge.
        is_elsewhere = signon and signon.certain and signon.is_whole and len(signon.words) == _GAME_AND_PASSWORD
        if is_elsewhere or signon and signon.is_apart and not possible_games(signon.words).isdisjoint(games):
            return Said(line, What.SIGNON, surely=True)
        if secret_in(fold(line.text), frozenset(games)):
            # No one sets a new password among prose; WATCH and the like begin sentences.
            return Said(line, What.SIGNON, surely=signon is None)
        calls = [self.meant(text, heard) for heard in (IN_LOBBY, IN_GAME)] if text else []
        if any(call and not call.command.is_said for call in calls):
            return Said(line, What.COMMAND)
        words = without_bullets(text).split()
        is_order = bool(words) and (begins_with_unit(words) or begins_with_move(words))
        return Said(line, What.ORDER if is_order else What.PROSE)

    def setting_list(self, line: str, heard: Sequence[Place]) -> list[Call]:
        """The commands of a line with several settings, `SET GREY, GRACE 24, NMR`; none if it is not such a line.

        A comma may also stand inside one setting: SET DRAW France, Italy. A comment reaches to the end of the line.
        """
        if not may_be_list(line):
            return []

        texts: list[str] = []
        calls: list[Call | None] = []
        pieces = line[len("SET ") :].split(",", _MOST_SETTINGS)
        for number, piece in enumerate(pieces):
            is_comment = piece.strip().upper().startswith("COMMENT ")
            text = ",".join(pieces[number:]) if is_comment else piece
            call = self.command(f"SET {text.strip()}", heard)
            longer = f"{texts[-1]},{piece}" if texts and not (call and call.is_command) else ""
            whole = self.command(f"SET {longer.strip()}", heard) if longer else None
            if whole and whole.is_command:
                texts[-1], calls[-1] = longer, whole
            else:
                texts.append(text)
                calls.append(call)
            if is_comment:
                break
        found = [call for call in calls if call]
        return found if 1 < len(found) == len(calls) and any(call.is_command for call in found) else []

    def command(self, line: str, heard: Sequence[Place]) -> Call | None:
        """The command that `line` is in these places, or None; a line that is too long is no command.

        A setting can be written with NO before it, or with ON or OFF after it, even where it has no such form.
        """
        if len(line) > LONGEST_LINE:
            return None
        found = self._matching(line, heard)
        if found is None or not found.is_command:
            for other in _otherwise(line):
                call = self._matching(other, heard)
                given = {name for name, word in call.arguments.items() if word} if call else set()
                if call and call.is_command and given <= _SWITCHED:
                    return replace(call, line=line)
        return found

    def _matching(self, line: str, heard: Sequence[Place]) -> Call | None:
        """The first form that the line has; of a setting a command before what is almost one."""
        word = _first_word(line)
        # A setting that is only miswritten is found under SET.
        own, slip = self._forms.get(word, []), None
        for name, command, pattern in [*own, *self._forms.get("SET", [])] if word.startswith("SET ") else own:
            # After a sign-on, a word of prose is none of a command.
            is_heard = command.place in heard and not (name in command.prose and Place.GAME in heard)
            if (is_heard or command.place is Place.END) and (match := pattern.fullmatch(line)):
                arguments = match.groupdict()
                secret = match.span("password") if arguments.get("password") else None
                call = Call(command, arguments, line, name, secret=secret)
                if call.is_command or not word.startswith("SET "):
                    return call
                slip = slip or call
        return slip

    def settings_named(self, asked: str) -> list[Command]:
        """Return the commands of the name that is `asked` for, `SET NMR`, and their opposites.

        If there are none: the command that matches it as a line, or those that begin with it.
        """
        key = asked.removeprefix("SET ")
        names = {f"SET {form}" for form in negated(key)}
        named = [command for command in self.commands if names & set(command.names)]
        as_line = None if named else self.command(asked, (Place.GAME,))
        if as_line and isinstance(as_line.command, Command):
            return [as_line.command]
        begun = f"{asked} "
        return named or [one for one in self.commands if any(name.startswith(begun) for name in one.names)]

    def begun_by(self, line: str) -> list[Command]:
        """Return the commands with whose name the line begins, those of the longest name; what SET sets is apart."""
        said = one_line(line)
        names = {name for command in self.commands for name in command.names if _begins(said, name)}
        longest = max(names - {"SET"}, key=len, default="")
        return [command for command in self.commands if longest in command.names]

    def signs_on(self, line: str) -> bool:
        """Return whether the line is a sign-on, in any form."""
        call = self.meant(one_line(line), (Place.OPENING,))
        return call is not None and "SIGNON" in call.command.names

    def press(self, line: Line) -> Call | None:
        """Return the command, or what is nearly one, if a message begins below the line, however it is written."""
        call = self.command(one_line(line.text), (Place.GAME,)) if line.kind == "text" else None
        return call if call and call.command.body is Body.PRESS else None

    def meant(self, line: str, heard: Sequence[Place], games: Collection[str] | None = ()) -> Call | None:
        """Return the command that a line is meant for, however it is written.

        `games`: those that lines name, of the games that exist; None in the text of a message, where sign-ons in other
        words than SIGNON are text.
        """
        signon, signoff = _before_signoff(line) if Place.OPENING in heard else ("", "")
        call = self.meant(signon, (Place.OPENING,), games) if signon else None
        if call and not call.orders:
            return replace(call, orders=signoff)
        whole = self._in_any_form(line, heard)
        if Place.OPENING in heard and not (whole and whole.is_command) and signon_line(line):
            signon = without_greeting(line)
            signon = as_signon(line, games) if signon == line and games is not None else signon
            for form in forms(signon):
                if (parts := run_on(form)) and (call := self.command(parts[0], (Place.OPENING,))):
                    return replace(call, orders=parts[1])
            if signon != line and (call := self._in_any_form(signon, (Place.OPENING,))):
                return call
        return whole

    def _in_any_form(self, line: str, heard: Sequence[Place]) -> Call | None:
        """The command that the line is in the first form in which it is one; a slip counts if it is none in any."""
        if len(line) > LONGEST_LINE:
            return None
        calls = (call for form in forms(line) if (call := self.command(form, heard)))
        first = next(calls, None)
        if first is None or first.is_command:
            return first
        return next((call for call in calls if call.is_command), first)


def one_line(text: str) -> str:
    """The text with single blanks, as commands are matched."""
    return " ".join(text.split())


def _before_signoff(line: str) -> tuple[str, str]:
    """Return what stands before SIGNOFF at the end of a line, and that word; two empty texts for other lines."""
    for words in (1, 2) if "OFF" in line.upper() else ():
        before, *end = line.rsplit(" ", words)
        if bare_word(" ".join(end)) == "SIGNOFF":
            return before, " ".join(end)
    return "", ""


def _begins(line: str, name: str) -> bool:
    """Whether a command begins the line with that name; in small letters such a word may begin a sentence."""
    behind = line[len(name) :]
    alone = line.upper().startswith(name) and (not behind or behind[0] == " ")
    return alone and (line.startswith(name) or len(behind.split()) <= 1)


def without_comment(text: str) -> str:
    """The line with single blanks, without its comment."""
    return _COMMENT.sub("", one_line(text)).rstrip()


def may_be_list(line: str) -> bool:
    """Return whether the line could be several settings."""
    return line[: len("SET ")].upper() == "SET " and "," in line and len(line) <= LONGEST_LINE


def _otherwise(line: str) -> Sequence[str]:
    """Return other ways to write a setting that is switched on or off: `SET NO X` for `SET X = OFF`."""
    setting = _ON_OR_OFF.fullmatch(line)
    # Twice no may mean either.
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

    Letters whose other case is an ASCII letter (the long s, the Kelvin sign) would match that letter here, but
    would be other letters where names and words are looked up.
    """
    words = r"\s+".join(map(re.escape, name.split()))
    if capitals:
        words = rf"(?:(?-i:{words})|{words}(?=\s*[.;]?$))"
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE | re.ASCII)
