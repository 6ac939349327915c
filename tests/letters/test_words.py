"""The words and phrases of judge/letters/*.toml: every row is read, and every table by someone."""

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from judge.commands.core.line_forms import is_greeting
from judge.commands.play.stray_lines import is_courtesy
from judge.letters import parse_letter
from judge.letters.machine_mail import bulk_mark, is_automatic, report_of
from judge.letters.signon_lines import new_password, signon_line
from judge.letters.words import PREFIXES, WORDS, is_forwarded, tables, without_prefixes
from tests.letters.reading import redaction

OURS = "Re: JUDG:heron - S1901M Press from G to F"
SAID = tables("machine_mail.toml")
TABLES = [*WORDS.items(), *SAID.items()]
JUDGE = Path(__file__).parents[2] / "judge"


def written(row: str) -> list[str]:
    """What the pattern of a row matches: a text for each choice that it leaves, repetitions as short as they may be."""
    return list(dict.fromkeys(_texts(parser.parse(row))))


def _texts(parsed: parser.SubPattern) -> Iterator[str]:
    yield from map("".join, product(*(_choices(code, value) for code, value in parsed)))


def _choices(code: object, value: Any) -> list[str]:
    match code, value:
        case codes.LITERAL, int():
            return [chr(value)]
        case codes.ANY, _:
            return ["x"]
        case codes.IN, list():
            return ["x" if of is codes.CATEGORY else chr(one) for of, one in value]
        case codes.SUBPATTERN, (*_, inner):
            return list(_texts(inner))
        case codes.BRANCH, (_, branches):
            return [text for branch in branches for text in _texts(branch)]
        case codes.MAX_REPEAT, (least, most, inner):
            return [text * times for times in {least, min(most, least + 1)} for text in _texts(inner)]
    raise ValueError(f"a row cannot have {code}")


def rows(table: str) -> list[str]:
    """Every text of a table of machine_mail.toml."""
    return [text for row in SAID[table] for text in written(row)]


def pairs(table: str) -> list[str]:
    """Every pair of texts in one sentence."""
    return [
        f"{who} {what}"
        for pair in SAID[table]
        for who in [text for row in pair["who"] for text in written(row)]
        for what in [text for row in pair["what"] for text in written(row)]
    ]


def test_no_row_is_written_twice() -> None:
    lists = [(name, one) for name, one in TABLES if isinstance(one[0], str)]
    assert not [(name, row) for name, one in lists for row in one if one.count(row) > 1]


def test_every_table_is_read_by_a_module() -> None:
    texts = [node.value for path in JUDGE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Constant)]  # fmt: skip
    assert not [name for name, _ in TABLES if name not in texts]


@pytest.mark.parametrize("table", ["replies", "subjects", "program_subjects"])
def test_a_subject_that_begins_so_is_automatic(table: str) -> None:
    subjects = [f"{text}: heron" for text in rows(table)]
    assert not [subject for subject in subjects if not is_automatic(subject, ["A PAR H"])]


NOTES = {
    "notes": "Hello, {} Fay",
    "notes_without_blanks": "現{}中",
    "of_programs": "Hello, {} Fay",
    "on_holiday": "{} urgent",
    "more": "en vacances {} Fay",
    "reactions": "Jo Roe {} Fay",
    "tapbacks": "{} “A PAR H”",
}


@pytest.mark.parametrize("table", NOTES)
def test_a_text_that_says_so_is_automatic(table: str) -> None:
    texts = [NOTES[table].format(text) for text in rows(table)]
    assert not [text for text in texts if not is_automatic(OURS, [text])]


@pytest.mark.parametrize(("table", "more"), [("of_oneself", ""), ("pairs_of_programs", ""), ("away", " urgent")])
def test_two_parts_in_one_sentence_are_automatic(table: str, more: str) -> None:
    assert not [text for text in pairs(table) if not is_automatic(OURS, [f"{text}{more}"])]
    assert not any(is_automatic(OURS, [text.replace(" ", ". ")]) for text in ("bin abwesend", "sono assente"))


def test_a_line_that_begins_with_a_person_is_written_by_one() -> None:
    assert is_automatic(OURS, ["Jo reacted to your message "])
    assert not [who for who in rows("people") if is_automatic(OURS, [f"{who} reacted to your message "])]


def test_a_bounce_in_free_text_has_such_a_subject() -> None:
    for text in rows("failures"):
        raw = f"From: mailer-daemon@example.net\nSubject: {text}\n\n5.1.1 <kim@example.org>: no such user\n"
        assert report_of(parse_letter(raw.encode()), "bounce"), text
    assert not report_of(parse_letter(raw.replace(text, "hello").encode()), "bounce")


def test_what_mail_programs_put_before_a_subject_is_cut() -> None:
    marks = (":", " :", "[2]:", "(3):", "^2 :", "：", ": Re: ", "[2]: Fwd:")
    subjects = [
        f"{case(prefix)}{mark} heron" for case in (str, str.upper, str.title) for prefix in PREFIXES for mark in marks
    ]
    assert not [subject for subject in subjects if without_prefixes(subject) != "heron"]
    for written in ("Rép : heron", "Ответ: heron", "Atb: Továbbítás: heron", "転送：heron"):
        assert without_prefixes(written) == "heron"
    for subject in (
        "heron",
        "Order: A PAR H",
        "Regard: x",
        "R A: x",
        "Re heron",
        "A RE: x",
        "Re[a]: x",
        "[2]: x",
        "A/R: x",
    ):
        assert without_prefixes(subject) == subject
    assert all(is_forwarded(f"{prefix.upper()}: Re: heron") for prefix in WORDS["forwarding"])
    assert not any(is_forwarded(f"{prefix}: Fwd: heron") for prefix in WORDS["answering"])


def test_words_of_greetings_stand_before_a_signon() -> None:
    words = [*WORDS["greetings"], *WORDS["with_greetings"], *(f"{prefix}:" for prefix in PREFIXES)]
    found = {word: signon_line(f"{word} SIGNON Fheron hush") for word in words}
    assert not [word for word, line in found.items() if not (line and line.is_whole)]
    assert all(map(is_greeting, [*WORDS["greetings"], *WORDS["with_greetings"]]))


def test_greetings_thanks_and_ends_of_letters_are_courtesies() -> None:
    lines = [f"{word} Kim" for word in (*WORDS["greetings"], *WORDS["closings"])]
    lines += [f"thanks {word} judge" for word in (*WORDS["with_greetings"], *WORDS["in_courtesies"])]
    assert not [line for line in lines if not is_courtesy(line, ())]
    assert not [
        line for line in WORDS["courtesies"] if "'" not in line and not is_courtesy(f"{line}, Roe!", ("Jo Roe",))
    ]
    assert not any(is_courtesy(line, ()) for line in ("all", "with you", "dear waive", "hello hold everything"))


def test_thanks_may_stand_next_to_a_password() -> None:
    letters = {word: f"SIGNON Fheron\nhush7 {word}\nA PAR H" for word in WORDS["thanks"]}
    head = "From: fay@example.org\nSubject: x\n\n"
    assert not [word for word, text in letters.items() if "hush7" in redaction((head + text).encode())(text)]


def test_before_a_word_of_a_sentence_a_signon_is_none() -> None:
    found = {word: signon_line(f"SIGNON {word} hush") for word in (*WORDS["in_sentences"], "heron")}
    assert [word for word, line in found.items() if line and line.certain] == ["heron"]


def test_words_for_signing_on_open_a_seat() -> None:
    said = [*WORDS["sign_ons"], *WORDS["sign_ons_of_two_words"], *WORDS["other_openings"], *WORDS["nearly_sign_ons"]]
    said += [f"signing {word}" for word in WORDS["within_sign_ons"]]
    found = {word: signon_line(f"{word} ?heron hush7") for word in said}
    assert not [word for word, line in found.items() if not line or line.words != ("?heron", "hush7")]


def test_a_new_password_follows_its_words() -> None:
    lines = [f"SET {word} hush7" for word in (*WORDS["passwords"], *WORDS["passwords_in_short"])]
    lines += [line for word in WORDS["passwords"] for line in (f"my {word}: hush7", f"{word.upper()} hush7")]
    found = {line: new_password(line) for line in lines}
    assert not [line for line, at in found.items() if at is None or line[at:] != "hush7"]


def test_a_field_of_a_list_is_a_mark_of_bulk_mail() -> None:
    letters = {
        field: parse_letter(f"From: kim@example.org\n{field}: x\n\nA PAR H\n".encode()) for field in SAID["list_fields"]
    }
    assert {bulk_mark(letter) for letter in letters.values()} == {"mailing list"}
