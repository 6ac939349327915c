"""Pictures for mails: drawn once, kept, and never a reason for a mail to wait or to be lost."""

import logging
import os
import time
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from sqlalchemy import Engine

from judge.mails import gallery as galleries
from judge.mails.compose import Letterhead, compose
from judge.mails.gallery import Gallery
from judge.mails.pump import Pulse, Pump
from judge.maps.png import PictureFailed
from judge.rules import load_variant, position_to_json, start_position
from judge.store import outbox, pictures
from judge.store.engine import transaction
from judge.store.tables import Picture
from tests.mails.conftest import JUDGE, settings_for
from tests.servers.smtpsink import SmtpSink

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def scene(name: str = "heron") -> dict:
    variant = load_variant("standard")
    position = position_to_json(variant, start_position(variant))
    return {"variant": "standard", "name": name, "occasion": "start", "position": position, "outcome": None}


def put(engine: Engine, *people: str, form: str = "png", name: str = "heron") -> None:
    """A mail to each of them, all with the same picture."""
    with transaction(engine) as session:
        for who in people:
            mail = compose(Letterhead("JUDG", JUDGE), to=f"{who}@example.org", subject="start", body="text", now=NOON)
            number = pictures.keep(session, scene(name), form, NOON)
            outbox.put(session, mail, kind="start", now=NOON, picture_id=number)


def types(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in message_from_bytes(raw, policy=policy.default).walk()]


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The widths of the PNGs that are drawn from now on; they are quickly done."""
    widths: list[int] = []

    def quick(svg: str, width: int) -> bytes:
        assert svg.startswith("<svg")
        widths.append(width)
        return b"\x89PNG quick"

    monkeypatch.setattr(galleries, "png", quick)
    return widths


def pump_with(engine: Engine, sink: SmtpSink, folder: Path) -> Pump:
    return Pump(engine, settings_for(sink), JUDGE, Gallery(folder))


def test_a_real_picture_goes_with_a_mail(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    put(engine, "jo")
    assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(1, 0, 0)
    message = message_from_bytes(smtp_sink.mails[0].raw, policy=policy.default)
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert image.get_content().startswith(b"\x89PNG")
    assert 50_000 < len(image.get_content()) <= 150 * 1024
    assert image.get_filename() == "heron-S1901M-start.png"


def test_it_is_drawn_once_for_all_readers(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]):
    put(engine, "al", "bo", "cy")
    put(engine, "di", form="small")
    assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(4, 0, 0)
    assert drawings == [1400, 910]
    # Nor does another start of the judge draw it again.
    put(engine, "ed")
    assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(1, 0, 0)
    assert drawings == [1400, 910]
    assert all("image/png" in types(mail.raw) for mail in smtp_sink.mails)


def test_an_svg_is_text_and_needs_no_renderer(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo", form="svg")
    pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON)
    assert drawings == []
    assert types(smtp_sink.mails[0].raw) == ["multipart/mixed", "text/plain", "image/svg+xml"]


def test_when_drawing_fails_the_text_goes_and_the_log_says_why(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog
):
    tried = []

    def broken(svg: str, width: int) -> bytes:
        tried.append(width)
        raise PictureFailed("out of paint")

    monkeypatch.setattr(galleries, "png", broken)
    put(engine, "al", "bo", "cy")
    with caplog.at_level(logging.ERROR):
        assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(3, 0, 0)
    assert [types(mail.raw) for mail in smtp_sink.mails] == [["text/plain"]] * 3
    assert len(tried) == 1  # one bad picture does not hold up every mail that shows it
    assert "no picture: heron-S1901M-start.png (PictureFailed): out of paint" in caplog.text


def test_a_scene_that_cannot_be_read_costs_no_mail(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    with transaction(engine) as session:
        mail = compose(Letterhead("JUDG", JUDGE), to="jo@example.org", subject="start", body="text", now=NOON)
        number = pictures.keep(session, {**scene(), "variant": "no such variant"}, "png", NOON)
        outbox.put(session, mail, kind="start", now=NOON, picture_id=number)
    assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(1, 0, 0)
    assert types(smtp_sink.mails[0].raw) == ["text/plain"]


def test_a_folder_that_takes_no_files_costs_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    (tmp_path / "maps").write_text("in the way")
    put(engine, "jo")
    assert pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON) == Pulse(1, 0, 0)
    assert "image/png" in types(smtp_sink.mails[0].raw)


def test_a_draft_that_a_crash_left_is_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo")
    with transaction(engine) as session:
        digest = pictures.picture(session, 1).digest
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / f"{digest}.new").write_bytes(b"half a pic")
    pump_with(engine, smtp_sink, tmp_path / "maps").pulse(NOON)
    assert drawings == [1400]


def test_a_mail_that_goes_twice_is_the_same_with_its_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo")
    with transaction(engine) as session:
        (mail,) = outbox.due(session, NOON, 1)
        picture = pictures.picture(session, mail.picture_id or 0)
    first, second = (Gallery(tmp_path / "maps").illustrate(mail.raw, picture) for _ in range(2))
    assert first == second != mail.raw


def test_what_nobody_has_asked_for_in_a_month_is_thrown_away(tmp_path: Path, drawings: list[int]):
    gallery = Gallery(tmp_path)
    old, new = (tmp_path / f"{age}.png" for age in ("old", "new"))
    for file, days in ((old, 31), (new, 29)):
        file.write_bytes(b"\x89PNG")
        os.utime(file, (time.time() - days * 86400,) * 2)
    picture = Picture(digest="d", form="png", scene=scene(), created_at=NOON)
    raw = compose(Letterhead("JUDG", JUDGE), to="jo@example.org", subject="start", body="text", now=NOON).raw
    gallery.illustrate(raw, picture)
    assert not old.exists()
    assert new.exists()


def test_the_same_scene_is_one_picture_and_another_is_not(engine: Engine):
    with transaction(engine) as session:
        first = pictures.keep(session, scene(), "png", NOON)
        assert pictures.keep(session, scene(), "png", NOON) == first
        others = {pictures.keep(session, scene(), "small", NOON), pictures.keep(session, scene("crow"), "png", NOON)}
    assert first not in others
    assert len(others) == 2
