"""Pictures that one process draws and another one sends, on both databases; with PostgreSQL on two machines."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from judge.mails import gallery as galleries
from judge.mails.delivery import Pump
from judge.mails.gallery import Gallery
from judge.mails.loans import Loans
from judge.maps.render import PictureFailed
from judge.service.painter import Painter
from judge.settings import Settings, read_settings
from judge.store import outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.tables import Picture, Sheet
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.test_gallery import letter_and_phase, put
from tests.servers.smtpsink import SmtpSink
from tests.store.conftest import engine, url  # noqa: F401

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SAMPLE = Path(__file__).parents[2] / "judge.ini"


def home(engine: Engine, folder: Path, name: str) -> Settings:  # noqa: F811
    """Of one process; with SQLite all have the same."""
    return read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(folder / (name if is_postgresql(engine) else "home"))})


def is_postgresql(engine: Engine) -> bool:  # noqa: F811
    return engine.dialect.name == "postgresql"


def send(pump: Pump, number: int) -> None:
    """Pulse until so many mails have gone."""
    sent, deadline = 0, time.monotonic() + 30
    while sent < number and time.monotonic() < deadline:
        sent += pump.pulse(NOON).sent
        time.sleep(0.05)
    assert sent == number


@pytest.fixture
def pump(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path) -> Pump:  # noqa: F811
    """Of a process that draws nothing itself."""
    gallery = Gallery(home(engine, tmp_path, "courier").drawn, drawers=0, loans=Loans(engine, lambda: NOON))
    return Pump(engine, settings_for(smtp_sink), JUDGE, gallery)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the games whose pictures were drawn."""
    names: list[str] = []

    def quick(picture: Picture, _: object) -> dict[str, bytes]:
        names.append(picture.scene["name"])
        return dict.fromkeys(galleries._parts(picture), b"\x89PNG quick")

    monkeypatch.setattr(galleries, "_draw", quick)
    return names


def test_what_a_painter_has_drawn_is_sent_by_another_process(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, tmp_path: Path, drawn: list[str]  # noqa: F811
):
    put(engine, "al", "bo")
    assert pump.pulse(NOON).sent == 0
    painter = Painter(engine, home(engine, tmp_path, "painter"), lambda: NOON, 1)
    painter.start()
    send(pump, 2)
    assert drawn == ["heron"]
    assert all(mail.pictures for mail in smtp_sink.mails)
    put(engine, "cy")
    send(pump, 1)
    assert drawn == ["heron"]
    painter.stop()
    with transaction(engine) as session:
        assert bool(list(session.exec(select(Sheet)))) == is_postgresql(engine)
        pictures.forget_sheets(session, NOON + timedelta(days=1, seconds=1))
        assert not list(session.exec(select(Sheet)))


def test_that_a_picture_could_not_be_drawn_is_told_to_those_who_send(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
):
    def broken(picture: Picture, _: object) -> dict[str, bytes]:
        raise PictureFailed("out of paint")

    monkeypatch.setattr(galleries, "_draw", broken)
    put(engine, "al")
    painter = Painter(engine, home(engine, tmp_path, "painter"), lambda: NOON, 1)
    painter.start()
    send(pump, 1)
    painter.stop()
    assert "The map could not be drawn: MAP heron asks for it again." in smtp_sink.mails[0].text
    with reading(engine) as session:
        put(engine, "bo")
        assert pictures.wanted(session, NOON) == []
        assert len(pictures.wanted(session, NOON + pictures.GIVEN_UP)) == 1


def test_pictures_of_answers_are_wanted_first_then_what_is_wanted_for_the_longest(engine: Engine):  # noqa: F811
    put(engine, "al", name="gull")
    put(engine, "al", "bo", name="heron")
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    put(engine, "cy", name="stork", entry=outbox.Entry("reply", letter_id=letter_id))
    with reading(engine) as session:
        names = [pictures.picture(session, number).scene["name"] for number, _ in pictures.wanted(session, NOON)]
    assert names == ["stork", "gull", "heron"]
