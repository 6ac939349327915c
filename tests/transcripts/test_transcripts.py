"""Letters in, mails out, word for word: each `*.txt` here is one conversation with the desk. Those in `replies/` are
about what is said of many lines, each file about those of the modules that it names.

    # what it shows
    % with JUDGE_GAMES_EARLY_DELAY=60     a setting of this judge; stands at the beginning
    % game swan 1648             a game of that name and variant begins, as with "seven"
    % game swan 1648 SET GUNBOAT what its master sets before anybody joins stands behind it
    % seven heron                a game of that name with a master and seven players begins (mails not shown)
    % lay W1901A heron {"units": {"France": ["A BUR"]}}     the open phase is this one, with these parts of its position
    % observes jo@example.org OBSERVE heron     that letter, and the mail back that asks whether it was them
    % deadlines 10               so many deadlines pass one after another (mails not shown)
    @ 2026-05-06 21:00           time passes; phases that are due are processed
    >>> Jo <jo@example.org> | subject [| answering N] [| verified] [| tried]     a letter; N counts the mails so far;
                               verified: by our mail server, mx.example.org; tried: then all is as it was before
    …its text
    <<< jo@example.org | subject [| heron S1901M png]     and the map that goes with a reply
    …the text of a mail that it makes
    <<< 8 mails | subject        so many mails under that subject, not shown
    ??? jo@example.org | SIGNON Fheron pw     each row below is a letter that begins with that line and is only tried:
    A PAR / H                  its other lines; " / " begins a new one
        what its reply says that the reply to the first line alone does not say ("> 2": of its second line), or
        "the same" as the row before
        to italy@example.org: subject        what else it makes
    !!! jo@example.org | SIGNON Fheron pw     the same, and what the rows do remains
    ~~~ jo@example.org         the same, and what is said of its rows is not shown
    % anew                     what follows happens at a desk of its own

Run with JUDGE_TRANSCRIPTS=write to put what the judge says now into the files; then read the difference.
"""

import json
import os
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import parseaddr
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from judge.store.tables import Phase
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.mails.same_facts import differences
from tests.statewords import strange_words
from tests.transcripts.suggestions import VERIFIED, not_taken, refused

FOLDER = Path(__file__).parent
SHOWN_BY_COUNT = (
    "Game Starting",
    "Results",
    "Deadline Adjustment",
    "New Player Signon",
    "Press",
    "Broadcast",
    "Resignation",
    "Draw Declared",
    "Parameter Change",
    "Promotion",
    "Game Terminated",
    "Late Notice",
    "Abandoned",
    "Waiting for Replacements",
    "Returning Player Signon",
    "Absence Notice",
    "Game Paused",
    "Rollback",
    "Corrected",
    "Unstart",
    "Civil Disorder",
    "Waiting for",
)

_EARLIEST = select(func.min(col(Phase.deadline_at))).where(col(Phase.processed_at).is_(None))

TRANSCRIPTS = pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.txt")), ids=lambda path: path.stem)
# So many readers of a mail are counted.
MANY = 4
ROWS = ("???", "!!!", "~~~")
ANEW = "\n% anew\n\n"
SETTINGS = {"JUDGE_GAMES_EARLY_DELAY": "600"}


@TRANSCRIPTS
def test_transcript(path: Path, tmp_path: Path):
    written = path.read_text()
    said: list[str] = []
    wrong: list[str] = []
    for number, part in enumerate(written.split(ANEW)):
        folder = tmp_path / str(number)
        folder.mkdir()
        desk = DeskAtWork(folder, "", settings_of(part), at_once=path.parent != FOLDER)
        said.append(replay(part, desk, wrong))
        check(desk)
    now = ANEW.join(said)
    if os.environ.get("JUDGE_TRANSCRIPTS") == "write":
        path.write_text(now)
    assert now == written
    assert wrong == []


def check(desk: DeskAtWork) -> None:
    """Whatever the desk has written is well formed; the text of results and their page say the same."""
    assert strange_words(desk.engine) == []
    mails = desk.all_mails()
    for mail in {mail.subject: mail for mail in mails}.values():
        assert defects(mail.raw) == [], mail.subject
        assert faults_of_headings(mail.page) == [], mail.subject
    for mail in {mail.text: mail for mail in mails if mail.page}.values():
        assert differences(mail.text, mail.page) == [], f"{mail.subject} to {mail.to}"


def defects(raw: bytes) -> list[object]:
    """What is wrong with a mail, or with a field of its header, by the letter of the standards."""
    found: list[object] = []
    # Parsed plainly: each look at a Content-Type would read it again by the standards.
    for part in message_from_bytes(raw).walk():
        fields = (policy.strict.header_fetch_parse(name, value) for name, value in part.items())
        found += [*part.defects, *(defect for field in fields for defect in field.defects)]
    return found


def faults_of_headings(page: str) -> list[str]:
    """What a screen reader finds wrong: no h1, a level skipped, a heading or a colon that nothing belongs to."""
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    faults = [f"h{level} below h{before}" for before, level in pairwise([0, *levels]) if level > before + 1]
    empty = re.findall(r"<h([2-6])[^>]*>([^<]*)</h\1>\s*<h([1-6])", page)
    faults += [f"nothing below {title}" for level, title, following in empty if following <= level]
    faults += re.findall(r'[^>]*:</(?:h1|p)>\s*<p[^>]*><a class="a"', page)
    return faults if levels or not page else ["no heading"]


def settings_of(transcript: str) -> dict[str, str]:
    """The settings of the judge that a transcript is about."""
    lines = [line.removeprefix("% with ") for line in transcript.splitlines() if line.startswith("% with ")]
    return SETTINGS | dict(line.split("=", 1) for line in lines)


def replay(transcript: str, desk: DeskAtWork, wrong: list[str] | None = None) -> str:
    """The transcript with what the judge really says in place of its `<<<` parts.

    `wrong`: gets the lines that a reply suggests and that the judge would not take.
    """
    out: list[str] = []
    told: list[Posted] = []
    seen: set[str] = set()
    signons: dict[str, list[str]] = {}
    for part in _parts(transcript):
        head = part[0]
        if head.startswith((">>>", *ROWS)):
            own = signons.setdefault(parseaddr(head[3:].split("|")[0])[1], [])
            own[:0] = re.findall(r"\bSIGNON \S+ [^|\n]+", "\n".join(part))
        if head.startswith("<<<"):
            continue
        out.append("\n".join(part).rstrip() + "\n")
        mails: list[Posted] = []
        if head.startswith("% seven "):
            desk.seat_seven(head.split()[2])
            desk.new_mails()
        elif head.startswith("% game "):
            desk.seat_all(*head.split(maxsplit=4)[2:])
            desk.new_mails()
        elif head.startswith("% observes "):
            desk.observes(*head.split(maxsplit=3)[2:])
        elif head.startswith("% lay "):
            phase, game, tables = head.split(maxsplit=4)[2:]
            desk.lay(phase, game, **json.loads(tables))
        elif head.startswith("% deadlines "):
            for _ in range(int(head.split()[2])):
                desk.ring(next_deadline(desk))
        elif head.startswith("@"):
            mails = desk.ring(datetime.fromisoformat(head[1:].strip()).replace(tzinfo=UTC))
        elif head.startswith(">>>"):
            mails = _post(desk, part, told)
            if wrong is not None:
                sender, headers = head[3:].split("|")[0].strip(), VERIFIED if "| verified" in head else {}
                wrong += refused(desk, sender, "\n".join(part[1:]), mails, headers)
        elif head.startswith(ROWS):
            out[-1] = "\n".join(_rows(desk, part, wrong)) + "\n"
        if wrong is not None:
            for mail in mails:
                wrong += not_taken(desk, mail, signons.get(mail.to, ()), seen)
        out += _shown(mails, told)
    return "\n".join(out)


def next_deadline(desk: DeskAtWork) -> datetime:
    with desk.engine.connect() as connection:
        earliest: datetime = connection.execute(_EARLIEST).scalar_one()
    return earliest


def _parts(transcript: str) -> list[list[str]]:
    parts: list[list[str]] = []
    for line in transcript.splitlines():
        if line.startswith(("#", "%", "@", ">>>", "<<<", *ROWS)) and not (
            line[0] == "#" and parts and parts[-1][0][0] == "#"
        ):
            parts.append([line])
        else:
            parts[-1].append(line)
    return parts


def _post(desk: DeskAtWork, part: list[str], told: list[Posted]) -> list[Posted]:
    sender, subject, *rest = (piece.strip() for piece in part[0][3:].split("|"))
    headers = VERIFIED if "verified" in rest else {}
    numbers = [int(word.removeprefix("answering ")) for word in rest if word.startswith("answering ")]
    answering = str(told[numbers[0] - 1].message["Message-ID"]) if numbers else ""
    text = "\n".join(part[1:]).strip() + "\n"
    writes = desk.would_write if "tried" in rest else desk.writes
    return writes(sender, text, subject=subject, answering=answering, headers=headers)


def _rows(desk: DeskAtWork, part: list[str], wrong: list[str] | None = None) -> list[str]:
    """The part of a transcript with what is really said of its rows; `wrong` as in `replay`."""
    mark, (sender, *first) = part[0][:3], (piece.strip() for piece in part[0][3:].split("|"))
    writes = desk.would_write if mark == "???" else desk.writes
    known = _said(desk.would_write(sender, first[0])) if first and mark != "~~~" else []
    out, before = part[:1], [""]
    for row in part[1:]:
        if not row.strip() or row.startswith(" "):
            continue
        lines = row.split(" / ")
        numbers = {f"> {line}": f"> {number}" for number, line in reversed([*enumerate(lines, 1)])}
        text = "\n".join([*first, *lines])
        mails = writes(sender, text)
        if wrong is not None:
            wrong += refused(desk, sender, text, mails, {})
        said = [numbers.get(line, line) for line in _said(mails)]
        new = [line for line in said if line not in known] or ["nothing new"]
        shown = ["the same"] if new == before else new
        out += [row, *(f"    {line}" for line in shown if mark != "~~~")]
        before = new
    return out


def _said(mails: list[Posted]) -> list[str]:
    """The lines of the answers, and who gets another mail with which subject."""
    lines = [line for mail in mails if mail.answers for line in mail.text.splitlines()]
    readers: dict[str, list[str]] = {}
    for mail in mails:
        if not mail.answers:
            readers.setdefault(mail.subject, []).append(mail.to)
    told = [f"to {', '.join(to) if len(to) < MANY else len(to)}: {subject}" for subject, to in readers.items()]
    return [line.strip() for line in lines if line.strip()] + told


def _is_for_many(mail: Posted) -> bool:
    return any(what in mail.subject for what in SHOWN_BY_COUNT)


def _shown(mails: list[Posted], told: list[Posted]) -> list[str]:
    """The mails in full; those that everybody gets are shown once and then counted."""
    shown: list[str] = []
    counted: dict[str, int] = {}
    for mail in mails:
        told.append(mail)
        if _is_for_many(mail) and mail.subject in counted:
            counted[mail.subject] += 1
            continue
        counted.setdefault(mail.subject, 0)
        shown.append(f"<<< {mail.to} | {mail.subject}{_map(mail)}\n{mail.text.rstrip()}\n")
    shown += [f"<<< {count} more mails | {subject}\n" for subject, count in counted.items() if count]
    return shown


def _map(mail: Posted) -> str:
    """Every result has one; it is told of replies."""
    if not mail.picture or mail.message["Auto-Submitted"] != "auto-replied":
        return ""
    form, scene = mail.picture
    return f" | {scene['name']} {scene['position']['phase']} {scene['occasion']}".rstrip() + f" {form}"


_MAILS = re.compile(r"^<<< .*\n((?:(?!>>>|<<<|[%@?!~] ?|# ).*\n)*)", re.MULTILINE)
_SIGN = re.compile(r"(?<!SET )(?<![-\w])(?:(?:No)?(?:NMR|DIAS)|-MTWTF-)(?![-\w])")
_IN_WORDS = re.compile(r"\(\w+\)|, \w+,|(?:\w+|-MTWTF-)(?:,| GRACE 24)?[ \n ]+\([^)]{15,}\)|\w+: [a-z]")


@TRANSCRIPTS
def test_signs_of_the_hobby_are_said_in_words_where_a_mail_has_them_first(path: Path):
    for mail in _MAILS.findall(path.read_text()):
        own = "\n".join(line for line in mail.split("\n") if not line.startswith((">", "  |")))
        for sign in dict.fromkeys(_SIGN.findall(own)):
            first = own.index(sign)
            assert _IN_WORDS.search(own[max(first - 1, 0) :][:90]), own[max(first - 200, 0) :][:400]
