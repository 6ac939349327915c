"""Divide the lines of a letter into blocks, each a sign-on with the lines after it.

The first block has the lines before all sign-ons (the lobby). What a line can mean depends on its position in the
letter. In the lobby and after SIGNOFF, unknown lines are usually greetings and signatures. If such a line seems to be
an order or a command, the reply says that it was not read. After a sign-on, every line that is not a command may be an
order. In a message, nothing is a command. After SIGNOFF, only another sign-on is recognized.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from judge.commands.core.command import Body, Call, Doubt, Place
from judge.commands.core.line_forms import (
    MessageEnd,
    MessageEnds,
    bare_word,
    ends_sandbox,
    is_greeting,
    is_like_sandbox,
    is_ornament,
    is_sandbox_end,
    whole_signon,
)
from judge.commands.core.reading import IN_GAME, IN_LOBBY, SENTENCE, Reader, Said, What, may_be_list, without_comment
from judge.commands.core.secrets import secret_of
from judge.letters import Line
from judge.letters.mail_programs import is_forward
from judge.letters.quotes import Kind, carried, is_judge_worded

# No sender needs more commands in one letter. The judge stops reading at the first command beyond this limit.
MOST_COMMANDS = 100


@dataclass
class Block:
    """A sign-on with the commands and other lines after it, or the lines before all sign-ons."""

    # The sign-on, or None for the lines before all sign-ons.
    opening: Call | None
    # The lines that are carried out, in order.
    items: list[Said] = field(default_factory=list)
    # True if the letter has no sign-on, and answers an email that the judge sent to the seat.
    by_reply: bool = False
    # The lines before the sign-on or after SIGNOFF, which are not carried out.
    outside: list[Said] = field(default_factory=list)
    # True if the letter has more than MOST_COMMANDS commands, and this is the last block that is read.
    is_cut: bool = False

    @property
    def calls(self) -> list[Call]:
        """The commands after the sign-on."""
        return [item.call for item in self.items if item.call]


def calls_in(blocks: Iterable[Block]) -> list[Call]:
    """Return the commands of these blocks, including the sign-ons that open them."""
    return [call for block in blocks for call in (block.opening, *block.calls) if call]


def read_blocks(reader: Reader, lines: Sequence[Line], games: Collection[str] = ()) -> list[Block]:
    """Return the blocks of a letter, of which the first has the lines before all sign-ons, and is often empty.

    Quotes and signatures are not read. Reading stops after MOST_COMMANDS commands. `games` has the existing games among
    `reader.names_in(lines)`.
    """
    return _Letter(reader, lines, games).blocks()


class _Lines:
    """Iterates over the lines of a letter, with single blanks and without comments.

    A sign-on that is written on two lines is yielded as one line. `at` is the number of the next line.
    """

    def __init__(self, lines: Sequence[Line]):
        self.all, self.at = lines, 0
        self._rest: list[Line] = []

    def __iter__(self) -> Iterator[Line]:
        while self._rest or self.at < len(self.all):
            pair = [*self._rest, *self.all[self.at : self.at + 2]][:2]
            signon = whole_signon(pair, 0)
            read = pair if signon else pair[:1]
            self.at += len(read) - len(self._rest)
            self._rest = []
            text = signon or without_comment(pair[0].text)
            # Yield unchanged lines as they are, to avoid a second copy of a long letter.
            is_as_written = text == pair[0].text and not pair[0].written
            yield pair[0] if is_as_written else Line(text, pair[0].kind, doubtful=read[-1].doubtful)

    def take(self, end: int) -> Sequence[Line]:
        """Return the lines up to number `end`, and skip them in the iteration."""
        begin, self.at = self.at, end
        return self.all[begin:end]

    def leave(self, rest: str) -> None:
        """Make `rest`, which is the end of the last line, the next line of the iteration."""
        self._rest = [Line(rest)] if rest else []


class _Letter:
    """A state machine that divides a letter into blocks. Each state is a method that reads one line.

    The states are `_lobby` (before all sign-ons), `_seat` (after a sign-on) and `_beyond` (after SIGNOFF). The body of
    a command, such as a message, is read together with the command.
    """

    def __init__(self, reader: Reader, lines: Sequence[Line], games: Collection[str]):
        self._reader, self._games = reader, games
        self._lines = _Lines(lines)
        self._ends = MessageEnds(lines, reader.press, lambda line: reader.signs_on_to(line.text, games))
        self._state: Callable[[_Letter, Line], None] = _Letter._lobby
        self._blocks = [Block(None)]
        # The line directly above the current one, if it is neither blank nor a command.
        self._above = ""
        # True if a blank line is above the current line.
        self._is_apart = False
        self._commands, self._lists = 0, 0
        self._is_over = False

    def blocks(self) -> list[Block]:
        for line in self._lines:
            if line.text and line.kind == "text":
                self._state(self, line)
            else:
                self._pass(line)
            if self._is_over or self._commands > MOST_COMMANDS:
                break
        self._block.is_cut = self._commands > MOST_COMMANDS
        return self._blocks

    @property
    def _block(self) -> Block:
        return self._blocks[-1]

    def _pass(self, line: Line) -> None:
        """Skip a blank or quoted line. After a sign-on, record struck-out text and the wrapped end of a quoted line.

        The report on the block mentions such a line if it may be an order.
        """
        self._above = line.text
        self._is_apart = self._is_apart or not line.text
        if line.text and line.kind in ("rest", "struck") and self._state is _Letter._seat:
            self._block.items.append(Said(line, What.ORDER))

    def _lobby(self, line: Line) -> None:
        self._read_outside(line, IN_LOBBY)

    def _beyond(self, line: Line) -> None:
        self._read_outside(line, (Place.OPENING,))

    def _read_outside(self, line: Line, heard: Sequence[Place]) -> None:
        if is_greeting(self._above):
            self._above = ""
        if call := self._reader.meant(line.text, heard, self._games):
            self._take(line, call)
            return
        self._block.outside.append(self._reader.said(line, self._games))
        self._above = "" if is_ornament(line.text) else line.text

    def _seat(self, line: Line) -> None:
        if settings := self._settings(line):
            room = MOST_COMMANDS - self._commands
            for setting in settings[:room]:
                self._add(line, replace(setting, above=self._above))
            self._commands += len(settings)
            self._above = ""
            return
        call = self._reader.meant(line.text, IN_GAME, self._games)
        body = call.command.body if call else None
        if is_like_sandbox(line.text) and body is not Body.SANDBOX:
            self._stop(line)
        elif call and (body is not Body.CONDITION or self._is_condition(line.text)):
            self._take(line, call)
        else:
            self._keep(line)

    def _settings(self, line: Line) -> list[Call]:
        """Return the settings on a line with several settings.

        The test is slow, so only the first MOST_COMMANDS possible lines of a letter are tested.
        """
        self._lists += may_be_list(line.text)
        return self._reader.setting_list(line.text, IN_GAME) if self._lists <= MOST_COMMANDS else []

    def _stop(self, line: Line) -> None:
        """Stop reading at a misspelled WHATIF, or at an ENDWHATIF without a WHATIF.

        The orders above such an ENDWHATIF are dropped, because the sender may only have wanted to try them.
        """
        block = self._block
        if ends_sandbox(line.text):
            called = [(item, item.call.command) for item in block.items if item.call]
            block.items = [one for one, what in called if not what.is_order and what.body is not Body.CONDITION]
        self._add(line, Call(self._reader.sandbox, {}, line.text, ended=False))
        self._is_over = True

    def _is_condition(self, line: str) -> bool:
        """Return whether a line that begins with IF is a condition and not prose.

        A condition begins in capitals, ends with THEN or a colon, or is followed by an ENDIF or an order. An order is
        not enough for a line that ends with a full stop, "!" or "?".
        """
        if line.startswith("IF ") or line.rstrip(" ,").upper().endswith((" THEN", ":")):
            return True
        if self._last_endif >= self._lines.at:
            return True
        if line.endswith((".", "!", "?")):
            return False
        texts = (self._lines.all[number] for number in range(self._lines.at, len(self._lines.all)))
        below = next((other for other in texts if other.kind == "text" and other.text.strip()), None)
        return below is not None and self._reader.said(below, self._games).what is What.ORDER

    @cached_property
    def _last_endif(self) -> int:
        """The number of the last line with ENDIF, or -1 if there is none."""
        ends = (number for number, line in enumerate(self._lines.all) if bare_word(line.text) == "ENDIF")
        return max(ends, default=-1)

    def _keep(self, line: Line) -> None:
        """Keep a line that is not a command, because it may be an order."""
        self._above = ""
        if is_ornament(line.text):
            self._is_apart = True
            return
        is_doubtful = line.doubtful and is_judge_worded(line.text)
        self._block.items.append(Said(replace(line, doubtful=is_doubtful), What.ORDER, is_apart=self._is_apart))
        self._above, self._is_apart = line.text, False

    def _add(self, line: Line, call: Call) -> None:
        self._block.items.append(Said(line, What.COMMAND, surely=True, call=call, is_apart=self._is_apart))
        self._is_apart = False

    def _take(self, line: Line, call: Call) -> None:
        """Record a command with its body, which opens a block, ends one (SIGNOFF), or belongs to the current one."""
        place, body = call.command.place, call.command.body
        self._lines.leave(call.orders)
        self._commands += place is not Place.END
        if self._commands > MOST_COMMANDS:
            return
        call = replace(call, above=self._above, secret=secret_of(call, self._games))
        if Doubt.SENTENCE in call.doubt and place in (Place.OPENING, Place.END):
            self._add(line, replace(call, command=SENTENCE, arguments={}))
            self._above = line.text
            return
        self._above = ""
        if body:
            call = self._message(call) if body is Body.PRESS else self._body(call, body)
            self._is_over = body is Body.SANDBOX and not call.ended
        if place is Place.OPENING:
            above_all = []
            if len(self._blocks) == 1:
                above_all, self._block.outside = self._block.outside, above_all
            self._blocks.append(Block(call, outside=above_all))
            self._state = _Letter._seat
        elif place is Place.END:
            self._state = _Letter._beyond
        else:
            self._add(line, call)

    def _message(self, call: Call) -> Call:
        """Return the command with the message after it as its body."""
        end = self._ends.of(self._lines.at)
        text, older = carried(self._lines.take(end.at), ended=end.ended)
        self._lines.take(end.at + end.ended)
        self._lines.leave(end.rest)
        older = (*older, *_below_message(self._lines.all, end))
        return replace(call, body=text, older=older, ended=end.ended)

    def _body(self, call: Call, body: Body) -> Call:
        """Return the command with the lines after it as its body, up to the end word.

        If the end word is missing, LINES and a CONDITION end at a signature, SIGNOFF or a sign-on. LINES also end at an
        older email. A FORM ends at the first line that is not `Key: value`. An older email may contain last year's
        form.
        """
        begin = self._lines.at
        last = len(self._lines.all) if body in (Body.FORM, Body.SANDBOX) else self._ends.rest(begin)
        texts = []
        depth, end = 1, last
        for number in range(begin, last):
            line = self._lines.all[number]
            if line.kind == "struck":
                continue
            text = without_comment(line.text)
            step = _STEPS[body](text, line.kind)
            if step is None:
                end = number
                break
            depth += step
            if not depth:
                end = number + 1
                break
            if text and line.kind == "text":
                texts.append(text)
        taken = self._lines.take(end)
        self._block.items += [Said(line, What.ORDER) for line in taken if line.kind == "struck"]
        return replace(call, body=tuple(texts), ended=not depth)


def _in_form(text: str, kind: Kind) -> int | None:
    if text.upper() == "END":
        return -1
    return 0 if kind == "text" and (not text or ":" in text) else None


def _in_lines(text: str, kind: Kind) -> int | None:
    if text.upper() == "END":
        return -1
    return None if kind == "history" else 0


def _in_condition(text: str, kind: Kind) -> int | None:
    """Return the change in the depth of nested conditions: 1 at IF, -1 at ENDIF, and 0 at other lines."""
    if bare_word(text) == "ENDIF":
        return -1
    return int(kind == "text" and text.upper().startswith("IF "))


def _in_sandbox(text: str, kind: Kind) -> int | None:
    """Return -1 at ENDWHATIF, 0 at other lines, and None at a misspelled ENDWHATIF or another WHATIF.

    After None nothing more of the letter is used, because the end of the body is uncertain.
    """
    if kind != "text" or not is_like_sandbox(text):
        return 0
    return -1 if is_sandbox_end(text) else None


# The function that reads a line in each kind of body. It returns 1 if the line opens a nested body, -1 if it ends a
# body, and 0 otherwise. It returns None if the line does not belong to the body.
_STEPS: Mapping[Body, Callable[[str, Kind], int | None]] = {
    Body.FORM: _in_form,
    Body.LINES: _in_lines,
    Body.CONDITION: _in_condition,
    Body.SANDBOX: _in_sandbox,
}


def _below_message(lines: Sequence[Line], end: MessageEnd) -> Sequence[Line]:
    """Return the signature and the older email after a message that has no end word.

    If SIGNOFF ends the message, only a forwarded email after SIGNOFF is returned.
    """
    is_signed_off = end.at < len(lines) and bare_word(lines[end.at].text) == "SIGNOFF"
    tail = lines[end.at + 1 :] if is_signed_off else lines[end.at : end.below]
    below = list(takewhile(lambda line: line.kind != "text" or not line.text.strip(), tail))
    is_forwarded = any(is_forward(line.text) for line in below)
    return below if is_forwarded or not is_signed_off else ()
