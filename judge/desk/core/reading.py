"""The lines of a letter cut into blocks: commands and other lines, each block opened by a sign-on or by none.

Before the first sign-on and between blocks unknown lines are skipped in silence (greetings, signatures); inside
a block every line that is no command may be an order. After SIGNOFF only another sign-on is recognised.

A line is matched with single blanks, and only up to a length that no command reaches: so the time that a letter takes
never grows faster than its size.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from judge.desk.core.command import Body, Call, Command, Place, Slip
from judge.desk.core.line_forms import forms, is_meant, is_ornament, is_plain, run_on, without_greeting
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.letters import Line
from judge.letters.quotes import Carried, Doubtful, carried, is_judge_worded
from judge.rules.order_texts.notation import LONGEST_LINE

# `//` and what follows, at the beginning of a line or behind a blank, so that a web address is no comment.
_COMMENT = re.compile(r"(^|\s)//.*")
# The first word of a line (two for settings, since there are many): it limits the commands that the line can be.
_FIRST_WORD = re.compile(r"(?:SET\s+)?[^\W\d_]*", re.IGNORECASE)
# A line with more settings than exist is no list of settings.
_MOST_SETTINGS = 50

_END_PRESS = ("ENDPRESS", "ENDBROADCAST")
_BOLD = "*_`"
_LONGEST_WORD = 40
# More than any sender needs in one letter; reading stops after the first command beyond.
MOST_COMMANDS = 100
# So far from its beginning a line may sign on.
_MOST_DECORATION = 80
# What most lines lack that do so, however they are written.
_SIGNS_ON = re.compile(r"sign ?on|log ?in|create", re.IGNORECASE)
# No mail program wraps lines that are shorter.
_WRAPPED = 60


def _prose(visit: Visit, call: Call) -> None:
    raise CommandError(
        "This looks like the end of the sentence above it, so nothing was done. If you mean the command, write it in "
        "capital letters."
    )


_PROSE = Slip(names=("",), place=Place.GAME, handler=_prose)
# The commands that are recognised above all sign-ons, and below one.
_IN_LOBBY = (Place.OPENING, Place.LOBBY, Place.ANYWHERE)
_IN_GAME = (Place.OPENING, Place.GAME, Place.ANYWHERE)


@dataclass
class Block:
    """A sign-on (None: the lobby) and the commands and plain lines below it, in order.

    `by_reply`: nobody wrote the sign-on; the letter answers a mail of the judge to that seat.
    """

    opening: Call | None
    items: list[Call | str] = field(default_factory=list)
    by_reply: bool = False


class Reader:
    """Recognises the commands of `table` in lines, and slips where a line is no command.

    A line is the command with the longest matching name: BECOME MASTER is not BECOME with a power. No line can match
    two commands of the same name, so the order of the table does not matter.
    """

    def __init__(self, table: Iterable[Slip]):
        # By first word: most lines are orders, and begin with no word of a command.
        self._forms: dict[str, list[_Form]] = {}
        forms = [_Form(name, command) for command in table for name in command.names]
        for form in sorted(forms, key=lambda form: form.rank):
            self._forms.setdefault(_first_word(form.name), []).append(form)

    def blocks(self, lines: Sequence[Line]) -> list[Block]:
        """The blocks of a letter; the first is the lobby, often empty. Quotes and signatures are not read.

        Reading stops after MOST_COMMANDS + 1 commands.
        """
        lines = list(lines)
        blocks = [Block(None)]
        heard: tuple[Place, ...] = _IN_LOBBY
        position, ends, commands, lists = 0, _Ends(self, lines), 0, 0
        while position < len(lines) and commands <= MOST_COMMANDS:
            line, kind = _without_comment(lines[position].text), lines[position].kind
            position += 1
            if kind == "rest" and line and Place.GAME in heard:
                blocks[-1].items.append(Doubtful(line, is_rest=True))
            if kind != "text" or not line:
                continue
            lists += _may_be_list(line)
            if Place.GAME in heard and lists <= MOST_COMMANDS and (settings := self._settings(line, heard)):
                blocks[-1].items += settings
                commands += len(settings)
                continue
            call, orders = self._meant(line, heard)
            if orders:
                # They are the next line.
                position -= 1
                lines[position] = Line(orders)
            if call and call.command.body is Body.CONDITION and not ends.is_condition(line, position):
                call = None
            if call and not orders and _goes_on(call, lines, position - 1):
                call = replace(call, command=_PROSE, arguments={}) if Place.GAME in heard else None
            if call is None:
                if Place.GAME in heard and not is_ornament(line):
                    doubtful = lines[position - 1].doubtful and is_judge_worded(line)
                    blocks[-1].items.append(Doubtful(line, is_rest=False) if doubtful else line)
                continue
            commands += call.command.place is not Place.END
            if call.command.body is Body.PRESS:
                text, ended, position = self._press(lines, position, ends)
                call = replace(call, body=text.lines, left_out=text.left_out, ended=ended)
            elif call.command.body is Body.CONDITION:
                end = ends.condition(position)
                ended = end > position and _word(lines[end - 1]) == "ENDIF"
                body = tuple(filter(None, map(_without_comment, _texts(lines[position : end - ended]))))
                call, position = replace(call, body=body, ended=ended), end
            elif call.command.body:
                take = self._lines if call.command.body is Body.LINES else _form
                body, position = take(lines, position)
                call = replace(call, body=body)
            if call.command.place is Place.OPENING:
                blocks.append(Block(call))
                heard = _IN_GAME
            elif call.command.place is Place.END:
                heard = (Place.OPENING,)
            else:
                blocks[-1].items.append(call)
        return blocks

    def _settings(self, line: str, heard: Sequence[Place]) -> list[Call]:
        """The commands of a line with several settings, `SET GREY, GRACE 24, NMR`; none if it is not such a line.

        A comma may also stand inside one setting: SET DRAW France, Italy. A comment reaches to the end of the line.
        """
        if not _may_be_list(line):
            return []

        @cache
        def command(setting: str) -> Call | None:
            return self.command(f"SET {setting.strip()}", heard)

        def known(setting: str) -> bool:
            """Whether it is a valid setting by itself, not only a miswritten one."""
            call = command(setting)
            return call is not None and isinstance(call.command, Command)

        first, *others = line[len("SET ") :].split(",", _MOST_SETTINGS)
        parts = [first]
        for number, piece in enumerate(others):
            if _is_comment(parts[-1]):
                parts[-1] = ",".join([parts[-1], *others[number:]])
                break
            longer = f"{parts[-1]},{piece}"
            if not known(piece) and known(longer):
                parts[-1] = longer
            else:
                parts.append(piece)
        calls = [command(part) for part in parts]
        whole = len(parts) > 1 and any(map(known, parts))
        return [call for call in calls if call] if whole and all(calls) else []

    def command(self, line: str, heard: Sequence[Place]) -> Call | None:
        """The command that `line` is in these places, or None; a line that is too long is no command."""
        if len(line) > LONGEST_LINE:
            return None
        word = _first_word(line)
        # A setting that is only miswritten is found under SET.
        own = self._forms.get(word, [])
        for form in [*own, *self._forms.get("SET", [])] if word.startswith("SET ") else own:
            if form.is_heard(heard) and (match := form.pattern.fullmatch(line)):
                return Call(form.command, match.groupdict(), line)
        return None

    def is_decorated_opening(self, line: str) -> bool:
        """Whether the line signs on or creates a game, for which a password stands in it, but not as it was written."""
        return bool(_SIGNS_ON.search(line[:_MOST_DECORATION])) and self._opens_with(line, "SIGNON", "CREATE")

    def signs_on(self, line: str) -> bool:
        """Whether the line is a sign-on, in any form."""
        return self._opens_with(line, "SIGNON")

    def _opens_with(self, line: str, *names: str) -> bool:
        call, _ = self._meant(one_line(line), (Place.OPENING,))
        return call is not None and not set(names).isdisjoint(call.command.names)

    def opens(self, line: str) -> Slip | None:
        """The sign-on that the line is, as it was written, below another sign-on."""
        call = self.command(line, _IN_GAME)
        return call.command if call and call.command.place is Place.OPENING else None

    def _ends_text(self, line: str) -> bool:
        call = self.command(line, _IN_GAME)
        return call is not None and call.command.place in (Place.OPENING, Place.END)

    def begins_press(self, line: Line) -> bool:
        """Whether a message begins below the line."""
        call = self.command(one_line(line.text), (Place.GAME,)) if line.kind == "text" else None
        return call is not None and call.command.body is Body.PRESS

    def is_command(self, line: str) -> bool:
        """Whether the line is a command of any place, or almost one, in any form."""
        whole = _without_comment(line)
        return bool(whole) and any(self._meant(whole, heard)[0] for heard in (_IN_LOBBY, _IN_GAME))

    def _meant(self, line: str, heard: Sequence[Place]) -> tuple[Call | None, str]:
        """The command that a line is meant for, however it is written, and the orders that stand behind it."""
        if is_plain(line):
            return self.command(line, heard), ""
        whole = self._in_any_form(line, heard)
        if Place.OPENING in heard and not (whole and isinstance(whole.command, Command)):
            greeted = without_greeting(line)
            for form in forms(greeted):
                if (parts := run_on(form)) and (call := self.command(parts[0], (Place.OPENING,))):
                    return call, parts[1]
            if greeted != line and (call := self._in_any_form(greeted, (Place.OPENING,))):
                return call, ""
        return whole, ""

    def _in_any_form(self, line: str, heard: Sequence[Place]) -> Call | None:
        """The command that the line is in the first form in which it is one; a slip counts if it is none in any."""
        if len(line) > LONGEST_LINE:
            return None
        calls = (call for form in forms(line) if is_meant(line, form) if (call := self.command(form, heard)))
        first = next(calls, None)
        if first is None or isinstance(first.command, Command):
            return first
        return next((call for call in calls if isinstance(call.command, Command)), first)

    def _press(self, lines: Sequence[Line], position: int, ends: "_Ends") -> tuple[Carried, bool, int]:
        """The part of the press text from `position` that is carried, whether its end is written, and the line where
        reading goes on.

        The text ends at ENDPRESS or ENDBROADCAST (swallowed), at SIGNOFF, at another sign-on, at a signature, or with
        the letter; without ENDPRESS also at an older mail.
        """
        end, ended = ends.press(position)
        if not ended:
            end = next((number for number in range(position, end) if lines[number].kind == "history"), end)
        return carried(lines[position:end], ended=ended), ended, end + ended

    def _lines(self, lines: Sequence[Line], position: int) -> tuple[tuple[str, ...], int]:
        """All lines from `position` to END, and the line where reading goes on (END is swallowed).

        They also end at SIGNOFF, at another sign-on, at a signature or an old mail, or with the letter.
        """
        taken: list[str] = []
        while position < len(lines):
            line, text = lines[position], _without_comment(lines[position].text)
            if text.upper() == "END":
                position += 1
                break
            if line.kind in ("signature", "history") or self._ends_text(text):
                break
            if line.kind == "text" and text:
                taken.append(text)
            position += 1
        return tuple(taken), position


class _Form:
    """One of the names of a command, and the pattern of its lines."""

    def __init__(self, name: str, command: Slip):
        self.name, self.command = name, command
        self.pattern = _compile(name, command.pattern)
        self._is_prose = name in command.prose

    @property
    def rank(self) -> tuple[int, bool]:
        """The sort key of forms; the first form that a line matches wins: long names before short ones, commands before
        slips.
        """
        return -len(self.name.split()), not isinstance(self.command, Command)

    def is_heard(self, heard: Sequence[Place]) -> bool:
        """Whether it is recognised in these places."""
        place = self.command.place
        return (place in heard or place is Place.END) and not (self._is_prose and Place.GAME in heard)


def one_line(text: str) -> str:
    """The text with single blanks, as commands are matched."""
    return " ".join(text.split())


def _without_comment(text: str) -> str:
    return _COMMENT.sub("", one_line(text)).rstrip()


def _may_be_list(line: str) -> bool:
    """Whether the line could be several settings."""
    return line[: len("SET ")].upper() == "SET " and "," in line and len(line) <= LONGEST_LINE


def _first_word(line: str) -> str:
    found = _FIRST_WORD.match(line)
    return found[0].upper() if found else ""


class _Ends:
    """Where the texts of a letter end, by the line in which they begin; computed once for all of them."""

    def __init__(self, reader: Reader, lines: Sequence[Line]):
        self._reader, self._lines = reader, lines

    @cached_property
    def _ends(self) -> list[tuple[int, str]]:
        """(the line at which a text ends, the end word that stands there or "" for anything else), from the top."""
        found: list[tuple[int, str]] = []
        decorated = []
        for number, line in enumerate(self._lines):
            word = _word(line)
            if word in (*_END_PRESS, "ENDIF") and line.kind == "text":
                found.append((number, word))
            elif word == "SIGNOFF" or line.kind == "signature":
                found.append((number, ""))
            elif opening := self._opening(line):
                if opening.loose:
                    decorated.append(number)
                else:
                    found.append((number, ""))
            elif line.kind == "text" and self._reader.is_decorated_opening(line.text):
                decorated.append(number)
        return self._with_decorated(found, decorated) if decorated else found

    def _with_decorated(self, ends: list[tuple[int, str]], decorated: list[int]) -> list[tuple[int, str]]:
        """The ends, and those sign-ons in bold, with orders behind them or in words of other judges that are none of
        the text of a message: one with its ENDPRESS below it is, unless another message begins between them.
        """
        begins = [number for number, line in enumerate(self._lines) if self._reader.begins_press(line)]
        kept = []
        for number in decorated:
            end, word = self._after([one for one in ends if one[1] != "ENDIF"], number)
            if word == "" or any(number < begin < end for begin in begins):
                kept.append((number, ""))
        return sorted([*ends, *kept])

    @cached_property
    def _press(self) -> list[tuple[int, str]]:
        return [end for end in self._ends if end[1] != "ENDIF"]

    @cached_property
    def _rest(self) -> list[tuple[int, str]]:
        return [end for end in self._ends if not end[1]]

    def _opening(self, line: Line) -> Slip | None:
        return self._reader.opens(one_line(line.text)) if line.kind == "text" else None

    @cached_property
    def _last_condition(self) -> int:
        return max((number for number, word in self._ends if word == "ENDIF"), default=-1)

    def _after(self, ends: list[tuple[int, str]], position: int) -> tuple[int, str]:
        following = bisect_left(ends, (position, ""))
        return ends[following] if following < len(ends) else (len(self._lines), "")

    def press(self, position: int) -> tuple[int, bool]:
        """The end of the message that begins in line `position`, and whether that is ENDPRESS."""
        end, word = self._after(self._press, position)
        return end, word != ""

    def rest(self, position: int) -> int:
        """The end of a text that has no end word."""
        return self._after(self._rest, position)[0]

    def is_condition(self, line: str, position: int) -> bool:
        """Whether a line that begins with IF, above line `position`, is a condition and not prose: an ENDIF stands
        below it, or it ends with THEN, or begins in capitals.
        """
        return self._last_condition >= position or line.startswith("IF ") or line.upper().endswith(" THEN")

    def condition(self, position: int) -> int:
        """The line after the ENDIF of the condition that begins above line `position`; it may contain other
        conditions.
        """
        depth, last = 1, self.rest(position)
        for number in range(position, last):
            text = self._lines[number].text.strip().upper()
            depth += text.startswith("IF ") and self._lines[number].kind == "text"
            depth -= _word(self._lines[number]) == "ENDIF"
            if depth == 0:
                return number + 1
        return last


def _texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines if line.kind == "text"]


def _word(line: Line) -> str:
    """The line as an end word, if it is one: ENDPRESS for "End press."."""
    if len(line.text) >= _LONGEST_WORD:
        return ""
    return "".join(line.text.split()).upper().strip(_BOLD).rstrip(f".;:!{_BOLD}")


def _goes_on(call: Call, lines: Sequence[Line], number: int) -> bool:
    """Whether a word that could be a command is only the end of a sentence that a mail program has wrapped.

    It is in lower case, stands alone, and would not have fitted into the line above.
    """
    word, above = lines[number].text.strip(), lines[number - 1] if number else Line("")
    if call.command.place not in (Place.GAME, Place.END) or not word[:1].islower() or word.startswith("signoff"):
        return False
    return " " not in word and above.kind == "text" and len(above.text) + len(word) >= _WRAPPED


@cache
def _compile(name: str, arguments: str) -> re.Pattern[str]:
    """Patterns match only ASCII unless they say otherwise: letters whose other case is an ASCII letter (the long s, the
    Kelvin sign) would match that letter here, but would be other letters where names and words are looked up.
    """
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE | re.ASCII)


def _is_comment(setting: str) -> bool:
    return setting.strip().upper().startswith("COMMENT ")


def _form(lines: Sequence[Line], position: int) -> tuple[tuple[str, ...], int]:
    """The `Key: value` lines from `position`, and where reading goes on (END is swallowed).

    If END was forgotten, an old mail below is not part of the form: it may hold the form of last year.
    """
    taken: list[str] = []
    while position < len(lines):
        line = lines[position].text.strip()
        if line.upper() == "END":
            return tuple(taken), position + 1
        if lines[position].kind != "text" or line and ":" not in line:
            break
        if line:
            taken.append(line)
        position += 1
    return tuple(taken), position
