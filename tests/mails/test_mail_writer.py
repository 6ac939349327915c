"""A composed mail says what it was given, and nothing in it can become a header."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.letters import Letter, parse_letter, read_letter
from judge.letters.parsed import referred_to
from judge.mails.mail_writer import Draft, Letterhead, compose, deliverable
from judge.store.outbox import Composed
from judge.store.tables import Game, Phase
from tests.mails.senders import game_of

HEAD = Letterhead("NEWJ", "judge@example.org")
NOW = datetime(2026, 5, 15, 19, 0, tzinfo=UTC)
HERON = game_of("heron", datetime(2026, 5, 1, 8, 30, tzinfo=UTC))
ROOT = "<heron.20260501083000.game@example.org>"

HEADERS = [
    "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "X-Judge",
    "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
]  # fmt: skip

any_text = st.text(st.characters(exclude_categories=[]), max_size=300)


def _compose(
    subject: str = "NEWJ:heron - S1902M Results",
    body: str = "Hello.\n",
    to: str = "kim@example.org",
    game: Game | None = None,
    phase: str = "",
    letter: Letter | None = None,
) -> Composed:
    row: dict[str, Any] = {"name": phase}
    named = Phase(**row) if phase else None
    draft = Draft(to=to, kind="news", subject=subject, body=body, game=game, phase=named, letter=letter)
    return compose(HEAD, draft, NOW)


def _letter(message_id: str, references: tuple[str, ...] = ()) -> Letter:
    """A letter with this Message-ID and these references, oldest first."""
    return replace(read_letter(parse_letter(b"")), message_id=message_id, references=references[::-1])


def _read(mail: Composed) -> EmailMessage:
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return message


def _body(mail: Composed) -> str:
    return str(_read(mail).get_content()).replace("\r\n", "\n")


def _thread(mail: Composed) -> list[str]:
    """What the mail refers to before itself."""
    *before, itself = _read(mail)["References"].split()
    assert referred_to(itself) == [mail.message_id]
    return before


def test_a_notice_word_for_word() -> None:
    mail = _compose(body="Hello,\nKim.\n", game=HERON, phase="S1902M")
    assert mail.raw.decode() == (
        'From: "heron (NEWJ)" <judge@example.org>\r\n'
        "To: kim@example.org\r\n"
        "Subject: NEWJ:heron - S1902M Results\r\n"
        "Date: Fri, 15 May 2026 19:00:00 +0000\r\n"
        f"Message-ID: {mail.message_id}\r\n"
        f"In-Reply-To: {ROOT}\r\n"
        f"References: {ROOT}\r\n {mail.message_id.replace('@', '.itself@')}\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "X-Auto-Response-Suppress: All\r\n"
        "List-Id: <heron.judge.example.org>\r\n"
        "X-Judge: NEWJ\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: 7bit\r\n"
        "\r\n"
        "Hello,\r\n"
        "Kim.\r\n"
    )


def test_message_ids_are_our_own_and_name_game_and_phase() -> None:
    ids = {_compose(game=HERON, phase="S1902M").message_id for _ in range(100)}
    assert len(ids) == 100
    assert all(re.fullmatch(r"<heron\.S1902M\.[0-9a-f]{20}@example\.org>", message_id) for message_id in ids)
    assert re.fullmatch(r"<[0-9a-f]{20}@example\.org>", _compose().message_id)


def test_all_notices_of_a_game_hang_on_one_root_and_other_games_on_another() -> None:
    again = game_of("heron", datetime(2027, 1, 1, tzinfo=UTC))
    assert [_thread(_compose(game=HERON, phase=phase)) for phase in ("S1901M", "F1901M")] == [[ROOT], [ROOT]]
    assert _thread(_compose(game=again)) != [ROOT]


def test_a_reply_refers_to_the_letter_and_what_that_referred_to() -> None:
    mail = _compose(letter=_letter("<c@kim>", ("<a@x>", "<b@x>")), game=HERON)
    message = _read(mail)
    assert message["In-Reply-To"] == "<c@kim>"
    assert _thread(mail) == [ROOT, "<a@x>", "<b@x>", "<c@kim>"]
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["List-Id"] == "<heron.judge.example.org>"


def test_an_answer_to_a_notice_is_in_the_thread_of_the_game_once() -> None:
    assert _thread(_compose(letter=_letter("<c@kim>", (ROOT, "<b@x>")), game=HERON)) == [ROOT, "<b@x>", "<c@kim>"]


def test_the_sender_is_the_game() -> None:
    assert _read(_compose())["From"] == "NEWJ <judge@example.org>"
    assert _read(_compose(game=HERON))["From"].addresses[0].display_name == "heron (NEWJ)"
    sender = _read(_compose(game=game_of('he"r\\on', HERON.created_at)))["From"].addresses[0]
    assert (sender.display_name, sender.addr_spec) == ('he"r\\on (NEWJ)', "judge@example.org")
    # Python's parser of addresses puts blanks between encoded words (RFC 2047, 6.2: there are none).
    name = "Reiher am Fluß, dem großen, " * 3
    field = message_from_bytes(_compose(game=game_of(name, HERON.created_at)).raw)["From"]
    assert str(make_header(decode_header(field))) == f"{name.strip()} (NEWJ) <judge@example.org>"


def test_a_reply_to_a_letter_without_message_id_refers_to_nothing() -> None:
    mail = _compose(letter=_letter(""))
    assert _read(mail)["In-Reply-To"] is None and not _thread(mail)


def test_only_what_is_a_message_id_is_referred_to() -> None:
    bad = ("<a b@x>", "a@x", "<a@x>\r\nBcc: all@example.org", "<ü@x>", f"<{'a' * 2000}@x>", "<ok@x>", "")
    assert _thread(_compose(letter=_letter("<c@kim>", bad))) == ["<ok@x>", "<c@kim>"]


def test_references_keep_the_root_and_the_latest() -> None:
    """In-Reply-To may come first and again where it belongs; a thread of a year does not grow the header."""
    ids = tuple(f"<{number}@x>" for number in range(100))
    kept = _thread(_compose(letter=_letter("<c@kim>", ids[:1] + ids)))
    assert kept == ["<0@x>", *(f"<{number}@x>" for number in range(91, 100)), "<c@kim>"]


def test_a_long_plain_subject_is_folded_and_stays_readable() -> None:
    subject = "NEWJ:heron - S1902M " + "fall moves of France and friends " * 5
    mail = _compose(subject=subject)
    assert b"=?" not in mail.raw
    assert max(map(len, mail.raw.split(b"\r\n"))) <= 78
    assert _read(mail)["Subject"] == subject.strip()


def test_an_encoded_word_written_by_a_user_is_shown_as_written() -> None:
    assert _read(_compose(subject="=?utf-8?q?Bcc=3A?= hello"))["Subject"] == "=?utf-8?q?Bcc=3A?= hello"


def test_subjects_are_cut_at_200_characters() -> None:
    assert len(_compose(subject="x" * 5000).subject) == 200


@given(any_text, any_text, any_text, any_text)
def test_no_text_whatsoever_adds_a_header(subject: str, body: str, name: str, references: str) -> None:
    letter = _letter(references, (references,))
    mail = _compose(subject, body, game=game_of(name, NOW), phase=name, letter=letter)
    message = _read(mail)
    allowed = [*HEADERS, "List-Id", "In-Reply-To", "References"]
    assert set(HEADERS) <= set(message.keys()) <= set(allowed)
    assert len(message.keys()) == len(set(message.keys()))
    assert str(message["Subject"]) == mail.subject
    assert mail.raw.isascii()
    assert max(map(len, mail.raw.split(b"\r\n"))) <= 998
    assert b"\r" not in mail.raw.replace(b"\r\n", b"") and b"\n" not in mail.raw.replace(b"\r\n", b"")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n") | st.just("\t"), max_size=400))
@example("trailing spaces   \n.\n..\n\nFrom here\n=3D=\n\t")
@example("é" + " " * 80 + "\n")
def test_a_body_arrives_as_written(body: str) -> None:
    assert _body(_compose(body=body)) == body.rstrip("\n") + "\n"


def test_a_line_too_long_for_smtp_arrives_whole() -> None:
    assert _body(_compose(body="x" * 5000)) == "x" * 5000 + "\n"


def test_newlines_of_other_systems_become_newlines() -> None:
    assert _body(_compose(body="a\r\nb\rc\nd")) == "a\nb\nc\nd\n"


def test_what_cannot_be_written_in_a_mail_is_shown_as_missing() -> None:
    assert _body(_compose(body="a\0b\x1bc")) == "a\ufffdb\ufffdc\n"


@pytest.mark.parametrize(
    "address",
    ["", "kim", "kim@", "@x", "a b@x", "a@x\r\nBcc: b@x", "a@x>", "<a@x>", "a@x,b@x", '"a"@x', "a@b@c", "a@x\0"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        _compose(to=address)


def test_an_international_domain_is_written_in_ascii() -> None:
    assert _compose(to="kim@zürich.example").recipient == "kim@xn--zrich-kva.example"
    assert _read(_compose(to="kim@zürich.example"))["To"] == "kim@xn--zrich-kva.example"


def test_an_international_name_before_the_at_sign_stays() -> None:
    assert deliverable("jörg@zürich.example") == "jörg@xn--zrich-kva.example"
    assert "To: jörg@xn--zrich-kva.example\r\n".encode() in _compose(to="jörg@zürich.example").raw
