"""Decide whether a letter that returns a code agrees to the request in the email with the code.

There are two classes of requests. For a request of people for themselves (`agrees`), the sender can send the email
back. The sender's only words may be YES, OK, I AGREE or CONFIRM. CONFIRM and the code as the first own line is also
enough. For rights of another address or a new password (`grants`), the sender must write CONFIRM and the code. After
these words, the letter may not repeat an email of the judge without quote marks. People answer "No, that is not me!"
above an email whose code their program repeats. So an answer that is not clearly a yes is taken for a no.

Greetings, thanks, the sender's name, signatures, and texts that mail programs and companies add are not the sender's
own words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import takewhile

from judge.commands.core.context import CommandContext
from judge.letters import Line, parse_letter, read_letter
from judge.letters.mail_programs import is_boilerplate
from judge.letters.quotes import has_quote_mark, own_text
from judge.letters.words import PREFIX, WORDS, YES, any_of, without_courtesy
from judge.store.sent_mails import mails_with_codes
from judge.store.tables import Token

# If the sender has written more lines than this, the letter agrees only if it begins with CONFIRM and the code.
_MOST_LINES = 200
# The number of lines of a letter that are examined.
_MOST_READ = 1000
# The number of words of an email that are compared with the letter.
_MOST_WORDS = 4000
# A line with fewer words may be equal to a part of the judge's email by chance.
_TELLING = 4
# A sender may repeat one sentence of the judge's email on purpose. This many lines are more than one sentence.
_LEAST_LINES = 3
# The first words of the judge's emails that ask for a confirmation, in this version and in older ones.
_BEGINS = {"someone", "somebody"}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PIECE = re.compile(r"[.,;!–—]")
_OK = re.compile(r"\bo\.\s?k\b", re.IGNORECASE)
# A line that has only these characters separates other lines.
_RULES = set("-_=*~#.|+>·•–— \t")
_AROUND = " \t.,;:!*_`\"'()[]<>{}–—-"
_CODE = re.compile(r"CONFIRM\s{1,9}([a-z0-9]{1,40})", re.IGNORECASE | re.ASCII)
# Prefixes that mail programs and mail servers add to the subject of an answered email.
_PREFIXES = re.compile(
    rf"(?:\s|\[[^\]\[]{{0,40}}\]|\{{[^{{}}]{{0,40}}\}}|\*{{2,5}}[^*]{{0,40}}\*{{2,5}}|{PREFIX})*", re.IGNORECASE
)
_TAG = re.compile(r"\s{0,9}\(?CONFIRM \S{1,40}\)?", re.IGNORECASE)

# Words after the code with which people say that the request was not intended.
_DENIAL = re.compile(rf"\b{any_of(WORDS['denials'])}\b", re.IGNORECASE)
# Words of the disclaimers that companies add to their letters.
_DISCLAIMER = re.compile(rf"\b{any_of(WORDS['disclaimers'])}\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(rf"\b{any_of(WORDS['first_person'])}\b")
_LEAST_DISCLAIMER = 12
_ENVIRONMENT = re.compile(any_of(WORDS["environment"]), re.IGNORECASE)


class Reading:
    """Decides whether the letter agrees to the request of `token`.

    `word` is the token's code. Words in `names` (the sender's names) are skipped when the answer is read.
    """

    def __init__(self, context: CommandContext, token: Token, word: str, names: Iterable[str]):
        self._context, self._token, self._word = context, token, word
        self._letter = context.letter.parsed
        named = [*names, self._letter.sender_name, self._letter.sender.partition("@")[0]]
        self._names = {part for name in named for part in _words(name)}

    @property
    def agrees(self) -> bool:
        """Return whether the letter agrees to a request of its sender for themselves."""
        if self._begins_with_code:
            return not self._takes_back
        if self._letter.damaged or not self._letter.lines and self._letter.unread:
            return False
        own = self._own
        if len(own) > _MOST_LINES:
            return False
        said = [piece for line in own for piece in _pieces(line) if not self._is_courtesy(piece)]
        return _are_yes(said) and (bool(said) or self._subject_agrees)

    @property
    def _subject_agrees(self) -> bool:
        """Return whether the subject is empty, only a yes, or the subject of one of the judge's emails with codes."""
        subjects = [self._letter.subject, *(subject for subject, _ in self._mails)]
        subject, *sent = (_without_prefixes(_TAG.sub("", one)) for one in subjects)
        return not subject or not sent or subject in sent or _are_yes(_pieces(subject))

    @property
    def grants(self) -> bool:
        """Return whether the letter agrees to a request for rights of another address, or for a new password."""
        if not self._begins_with_code or self._takes_back:
            return False
        said = (_words(line) for line in self._said)
        return not any(len(words) >= _TELLING and f" {' '.join(words)} " in self._sent for words in said)

    @cached_property
    def _begins_with_code(self) -> bool:
        """Return whether the first own line, or the subject of a letter without text, is CONFIRM and the code."""
        if not any(line.text.strip() for line in self._letter.lines):
            return not _TAG.sub("", self._letter.subject).strip()
        for line in self._said:
            found = _CODE.fullmatch(line.strip(_AROUND))
            if found and found[1].lower() == self._word.lower():
                return True
            if not found and not all(map(self._is_courtesy, _pieces(line))):
                return False
        return False

    @property
    def _takes_back(self) -> bool:
        """Return whether a line after the code, before the next command, denies the request."""
        codes = [number for number, line in enumerate(self._said) if _CODE.fullmatch(line.strip(_AROUND))]
        for line in self._said[codes[0] + 1 :] if codes else ():
            if line.startswith(self._context.letter.reader.names) and not _CODE.fullmatch(line.strip(_AROUND)):
                return False
            if _DENIAL.search(line):
                return True
        return False

    @cached_property
    def _said(self) -> list[str]:
        """The lines certainly written by the sender, without text added by programs and companies."""
        return _without_boilerplate([line.text for line in own_text(self._letter.lines).lines if line.kind == "text"])

    @cached_property
    def _own(self) -> list[str]:
        """The lines that the sender has or may have written, without repetitions of the judge's email.

        A repetition is all or a part of the email, which a mail program may have wrapped or put after a heading.
        """
        lines = self._letter.lines[:_MOST_READ]
        ours = self._ours([line.text for line in lines])
        sure = set(map(id, own_text(lines).lines))
        certain = {number for number, line in enumerate(lines) if id(line) in sure}
        texts = [number for number, line in enumerate(lines) if _may_be_own(line)]
        repeated = ours & certain & set(texts)
        begins = any(_words(lines[number].text)[0] in _BEGINS for number in repeated)
        left_out = ours - certain
        if begins and len(repeated) >= _LEAST_LINES:
            left_out |= repeated
        own = [lines[number].text for number in texts if number not in left_out]
        return _without_boilerplate([*own, *_below(lines, ours)])

    def _ours(self, texts: Sequence[str]) -> set[int]:
        """Return the indexes of lines that repeat the judge's email in the same order.

        A line repeats the email if it has the next words of the email. A line of several words also repeats the email
        if these words come later in the email.
        """
        found, place = set(), 0
        for number, text in enumerate(texts):
            words = _words(text)
            if not words:
                continue
            if _CODE.fullmatch(text.strip(_AROUND)) and words[-1] == self._word.casefold():
                found.add(number)
                continue
            said = f" {' '.join(words)} "
            at = place if self._sent.startswith(said, place) else self._sent.find(said, place)
            if at == place or at > place and len(words) >= _TELLING:
                found.add(number)
                place = at + len(said) - 1
        return found

    @cached_property
    def _mails(self) -> Sequence[tuple[str, bytes]]:
        """The emails with codes sent to the sender's address since the token was made, as (subject, bytes)."""
        return mails_with_codes(self._context.session, self._letter.sender, self._token.created_at)

    @cached_property
    def _sent(self) -> str:
        """The words of the sender's emails with codes that ask for a confirmation, joined with blanks."""
        texts = []
        for _, raw in self._mails:
            lines = read_letter(parse_letter(raw)).lines
            words = [word for line in lines for word in _words(line.text)][:_MOST_WORDS]
            texts += [*words, "\n"] if "confirm" in words else []
        return f" {' '.join(texts)} "

    def _is_courtesy(self, piece: str) -> bool:
        """Return whether the piece is a greeting, thanks, or the sender's name."""
        return not without_courtesy(_plain(piece).split(), self._names)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _are_yes(pieces: Iterable[str]) -> bool:
    return all(_plain(piece) in YES for piece in pieces)


def _may_be_own(line: Line) -> bool:
    """Return whether the sender may have written the line, which may also be the wrapped end of a quoted line."""
    return line.kind in ("text", "rest") or line.kind == "quote" and not has_quote_mark(line)


def _below(lines: Sequence[Line], ours: Set[int]) -> Iterator[str]:
    """Yield the lines of an older email from the end of the repeated lines to a signature.

    The repeated lines are those of the judge's email.
    """
    older = [number for number, line in enumerate(lines) if line.kind == "history"]
    last = max(ours & set(older), default=len(lines))
    below = (lines[number].text for number in older if number > last)
    return takewhile(lambda text: text.strip() != "--", below)


def _plain(piece: str) -> str:
    """Return the words in lowercase. A question mark is kept, so that a question never equals a known phrase."""
    return "?" * ("?" in piece or "？" in piece) + " ".join(_words(piece.replace("’", "'"))) or piece


def _pieces(line: str) -> list[str]:
    """Return the parts of a line between its commas and full stops, or no parts if it only separates lines."""
    if not _words(line):
        return [] if set(line) <= _RULES else [line]
    return [piece for piece in _PIECE.split(_OK.sub("ok", line)) if _words(piece) or "?" in piece]


def _without_prefixes(subject: str) -> str:
    prefix = _PREFIXES.match(subject.strip())
    return " ".join(subject.strip()[prefix.end() if prefix else 0 :].casefold().split())


def _without_boilerplate(lines: Sequence[str]) -> list[str]:
    kept = []
    paragraph = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
            continue
        whole = " ".join(paragraph)
        long = len(whole.split()) >= _LEAST_DISCLAIMER
        if not (long and _DISCLAIMER.search(whole) and not _FIRST_PERSON.search(whole)):
            kept += [one for one in paragraph if not is_boilerplate(one) and not _ENVIRONMENT.search(one)]
        paragraph = []
    return kept
