"""Recognize the judge's email that a letter answers, where a mail program repeats that email after the letter's text.

If the repeated lines are from any other email, the sender has inserted them for the judge to read.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from sqlmodel import Session

from judge.addresses import normal
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import one_line
from judge.letters import Letter, Line, parse_letter, read_letter, signon_words
from judge.letters.mail_programs import is_forward
from judge.letters.quotes import has_quote_mark, holds_judge, of_judge, unquoted
from judge.letters.words import is_forwarded
from judge.rules import filled_in
from judge.store.people import person_at
from judge.store.sent_mails import mails_named
from judge.store.tables import Mail

_MOST_MAILS = 3
# A repetition begins with the first _SAME_LINES lines of the answered email. A letter with fewer lines than
# _LEAST_REPEATED repeats no email.
_SAME_LINES, _LEAST_REPEATED = 3, 6
_MESSAGES = ("PRESS", "BROADCAST", "OFFICIAL")
# The maximum number of non-blank lines above an older email. They are its title, and the fields or the sentence that
# name its writer.
_LONGEST_HEADING = 6
_ADDRESS = re.compile(r"[^\s<>@()\[\]:;,]{1,64}@[^\s<>@()\[\]:;,]{1,255}")
_RULE = re.compile(r"\s*[-_=*]{5,}\s*$")


def answered_lines(session: Session, letter: Letter) -> frozenset[str] | None:
    """Return the lines of the judge's email that the letter answers, or None if it is not kept any longer."""
    lines = _lines_answered(session, letter)
    return frozenset(lines) if lines else None


def _lines_answered(session: Session, letter: Letter) -> list[str]:
    mails = mails_named(session, letter.references[:_MOST_MAILS])
    raw = next((mail.raw for mail in mails if mail.raw), None)
    return [one_line(unquoted(line)) for line in read_letter(parse_letter(raw)).lines] if raw else []


def without_repeated(session: Session, letter: Letter) -> Letter:
    """Return the letter, where lines of the answered email that have no quote marks become older text.

    The repetition begins with the first lines of the answered email. Lines that the sender has written between them or
    filled in remain the sender's own. A letter is unchanged if no sign-on with a password is above the repeated lines.
    A letter is also unchanged if a message is above them, since its writer may want to send them.
    """
    own = [number for number, line in enumerate(letter.lines) if line.kind == "text" and line.text.strip()]
    if not letter.references or len(own) < _LEAST_REPEATED:
        return letter
    answered = _lines_answered(session, letter)
    said = [one_line(letter.lines[number].text) for number in own]
    begin = _repeated_from(said, answered)
    if begin is None or not _may_repeat_below(said[:begin]):
        return letter
    ours, lines = {*answered}, [*letter.lines]
    for number, text in zip(own[begin:], said[begin:], strict=True):
        if text in ours:
            lines[number] = replace(lines[number], kind="history")
    return replace(letter, lines=tuple(lines))


def _repeated_from(said: Sequence[str], answered: Sequence[str]) -> int | None:
    """Return where the first lines of the answered email are in a letter's own lines, or None."""
    first = [*filter(None, answered)][:_SAME_LINES]
    return next((at for at in range(len(said)) if first and said[at : at + len(first)] == first), None)


def _may_repeat_below(above: Sequence[str]) -> bool:
    """Return whether these lines of a letter have a sign-on with a password, and begin no message."""
    has_password = any(len(signon_words(text)) > 1 for text in above)
    return has_password and not any(text.upper().startswith(_MESSAGES) for text in above)


def mails_answered(context: CommandContext) -> list[Mail]:
    """Return the judge's email that the letter answers, or the emails of the thread if the answered one is unknown.

    The emails nearest to the letter come first. A mail provider may give the judge's emails other Message-IDs. Then
    only the References header shows the thread. Emails of the thread to other people are not returned.
    """
    named = mails_named(context.session, context.letter.parsed.references)
    if named and named[0].message_id == context.letter.parsed.references[0]:
        return named[:1]
    return [mail for mail in named if context.letter.person and was_to(context.session, mail, context.letter.person.id)]


def was_to(session: Session, mail: Mail, person_id: int | None) -> bool:
    """Return whether the email was sent to an address of this person."""
    reader = person_at(session, mail.recipient)
    return reader is not None and reader.id == person_id


def is_answered(context: CommandContext, letter: Letter, older: Sequence[Line]) -> bool:
    """Return whether lines at the end of a letter are the email that the letter answers.

    If the letter has no reference to the answered email, any email of the judge is accepted.
    """
    heading = _heading(older)
    if is_forwarded(letter.subject) or any(map(is_forward, heading[:2])):
        return False
    settings, headed = context.work.settings, " ".join(heading)
    is_of_judge = bool(of_judge(line.text for line in older))
    writer = _writer(headed, reader=letter.sender if is_of_judge else "")
    if writer == settings.address:
        return True
    if writer:
        return bool(letter.references) and not mails_named(context.session, letter.references[:1])
    if f"({settings.code})" in headed or f"{settings.code}:" in headed:
        return True
    lines = answered_lines(context.session, letter)
    if lines is not None:
        return _is_mostly(lines, older, heading)
    if letter.references or is_of_judge:
        return True
    is_titled = ":" not in "".join(heading[:1])
    return is_titled and holds_judge(older)


def _writer(heading: str, reader: str) -> str:
    """Return the address of the writer of an older email, or "" if its heading does not have this address.

    Some web mailers lose the writer's address. Then the first address in the heading is that of the `reader`.
    """
    named = _ADDRESS.search(heading)
    writer = normal(named[0]) if named else ""
    return "" if writer == reader else writer


def _is_mostly(answered: Collection[str], older: Iterable[Line], heading: Collection[str]) -> bool:
    """Return whether at least half of the lines after the heading are lines of the answered email."""
    said = [one_line(unquoted(line)) for line in older if line.text.strip() and line.text not in heading]
    return 2 * sum(line in answered for line in said) >= len(said)


def _heading(older: Sequence[Line]) -> list[str]:
    """Return the lines above an older email that name its writer, and the title above these lines."""
    heading: list[str] = []
    for line in older:
        is_named = any(":" in text or "@" in text for text in heading)
        is_over = is_named and not line.text.strip()
        if is_over or has_quote_mark(line) or len(heading) == _LONGEST_HEADING:
            break
        heading += [line.text] if line.text.strip() else []
    return heading


def own_lines_below(older: Sequence[Line]) -> list[Line]:
    """Return the writer's own lines after or between quoted lines.

    All text after a dividing line is a footer, and is not returned.
    """
    first = next((at for at, line in enumerate(older) if has_quote_mark(line)), len(older))
    below = takewhile(lambda line: not _RULE.match(line.text), older[first:])
    said = (line for line in below if line.kind == "text" and line.text.strip())
    # Leave out lines of the judge's email, because a mail program may have lost their quote marks.
    return [line for line in said if not has_quote_mark(line) and not holds_judge([line])]


@dataclass(frozen=True)
class FilledForm:
    """A form that the sender has filled in within the quote.

    `signs_on` is true if the sender has written a password into the sign-on. `own` has the lines that differ from the
    judge's email.
    """

    signon: str
    signs_on: bool
    orders: Sequence[str]
    own: Sequence[str]


def filled_forms(context: CommandContext) -> Iterator[FilledForm]:
    """Yield the forms in the quotes of the letter that differ from those in the answered email."""
    forms = [*_forms_in(quoted_texts(context.letter.parsed))]
    ours = answered_lines(context.session, context.letter.parsed) if forms else None
    if ours is None:
        return
    for signon, inside in forms:
        lines = [text for text in inside if filled_in(text) and not text.upper().startswith("PHASE ")]
        own = [text for text in lines if one_line(text) not in ours]
        if own:
            yield FilledForm(signon, one_line(signon) not in ours, lines, own)


def quoted_texts(letter: Letter) -> list[str]:
    """Return the quoted lines of a letter, without quote marks."""
    return [unquoted(line).strip() for line in letter.lines if line.kind in ("quote", "history")]


def _forms_in(texts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each sign-on among the texts, with the texts up to SIGNOFF, the next sign-on or the end."""
    signon, inside = "", list[str]()
    for text in (*texts, "SIGNOFF"):
        begins = signon_words(text)
        if signon and (begins or text.upper() == "SIGNOFF"):
            yield signon, inside
            signon = ""
        signon, inside = (text, []) if begins else (signon, [*inside, text])
