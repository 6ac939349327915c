"""Pictures for mails: drawn once, kept, and never a reason for a mail to wait or to be lost."""

import logging
import os
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from judge.mails import delivery as deliveries
from judge.mails import gallery as galleries
from judge.mails.compose import Draft, Letterhead, compose
from judge.mails.delivery import Pump
from judge.mails.gallery import MOST_BYTES, PATIENCE, Gallery
from judge.mails.loans import Loans
from judge.maps import load_geometry
from judge.maps import png as pngs
from judge.maps.document import Drawing as Laid
from judge.maps.pages import page_names as sheet_names
from judge.maps.png import Renderer
from judge.maps.render import PictureFailed
from judge.rules import load_variant, position_to_json, start_position
from judge.store import outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.rows import id_of
from judge.store.states import PictureForm
from judge.store.tables import Game, LetterRow, Phase, Picture
from tests.mails.conftest import JUDGE, settings_for
from tests.servers.smtpsink import SmtpSink

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


# Those of other games are of the standard board.
BOARDS = {"atlas": "intercontinental"}
START = outbox.Entry("start")


def scene(name: str = "heron") -> dict:
    """How that game starts."""
    variant = BOARDS.get(name, "standard")
    board = load_variant(variant)
    position = position_to_json(board, start_position(board))
    return {"variant": variant, "name": name, "occasion": "start", "position": position, "outcome": None}


def put(
    engine: Engine,
    *people: str,
    form: PictureForm | None = "png",
    name: str = "heron",
    body: str = "text",
    entry: outbox.Entry = START,
) -> None:
    """A mail to each of them, all with the same picture; with none where there is no form."""
    subject = entry.kind if form or entry.kind != "start" else "news"
    with transaction(engine) as session:
        for who in people:
            mail = compose(Letterhead("JUDG", JUDGE), Draft(f"{who}@example.org", subject, body), NOON)
            number = pictures.keep(session, scene(name), form, NOON) if form else None
            outbox.put(session, mail, replace(entry, picture_id=number), NOON)


def types(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in message_from_bytes(raw, policy=policy.default).walk()]


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The widths of the PNGs that are drawn from now on; they are quickly done."""
    widths: list[int] = []

    def quick(_: Renderer, picture: Laid, width: int, *, limit: int) -> bytes:
        assert picture.svg.startswith("<svg")
        widths.append(width)
        return b"\x89PNG quick"

    monkeypatch.setattr(Renderer, "png", quick)
    return widths


def pump_with(engine: Engine, sink: SmtpSink, folder: Path, patience: float = PATIENCE) -> Pump:
    return Pump(engine, settings_for(sink), JUDGE, Gallery(folder, patience=patience))


def send(pump: Pump, number: int) -> None:
    """Pulse until so many mails have gone, as the courier does."""
    sent, deadline = 0, time.monotonic() + 120
    while sent < number and time.monotonic() < deadline:
        pulse = pump.pulse(NOON)
        assert pulse[1:] == (0, 0)
        sent += pulse.sent
        time.sleep(0.01)
    assert sent == number


def test_a_real_picture_goes_with_a_mail(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    put(engine, "jo")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    message = message_from_bytes(smtp_sink.mails[0].raw, policy=policy.default)
    image, *parts = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert len(parts) == len(load_geometry("standard").parts)
    assert image.get_content().startswith(b"\x89PNG")
    assert 50_000 < len(image.get_content()) <= 150 * 1024
    assert image.get_filename() == "heron-S1901M-start.png"


def test_it_is_drawn_once_for_all_readers(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]):
    put(engine, "al", "bo", "cy")
    put(engine, "di", form="small")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 4)
    assert sorted(drawings) == [845, 1000, 1000, 1300]
    # Nor does another start of the judge draw it again.
    put(engine, "ed")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    assert sorted(drawings) == [845, 1000, 1000, 1300]
    assert all("image/png" in types(mail.raw) for mail in smtp_sink.mails)


def test_an_svg_is_text_and_needs_no_renderer(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo", form="svg")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    assert drawings == []
    assert types(smtp_sink.mails[0].raw) == ["multipart/mixed", "text/plain", "image/svg+xml"]


def test_when_drawing_fails_the_text_goes_and_the_log_says_why(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog
):
    tried = []

    def broken(_: Renderer, picture: Laid, width: int, *, limit: int) -> bytes:
        tried.append(width)
        raise PictureFailed("out of paint")

    monkeypatch.setattr(Renderer, "png", broken)
    put(engine, "al", "bo", "cy")
    with caplog.at_level(logging.ERROR):
        send(pump_with(engine, smtp_sink, tmp_path / "maps"), 3)
    assert [types(mail.raw) for mail in smtp_sink.mails] == [["text/plain"]] * 3
    assert len(tried) == 1  # one bad picture does not hold up every mail that shows it
    assert "no picture: heron-S1901M-start.png (PictureFailed): out of paint" in caplog.text


def test_a_scene_that_cannot_be_read_costs_no_mail(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    with transaction(engine) as session:
        mail = compose(Letterhead("JUDG", JUDGE), Draft("jo@example.org", "start", "text"), NOON)
        number = pictures.keep(session, {**scene(), "variant": "no such variant"}, "png", NOON)
        outbox.put(session, mail, outbox.Entry("start", picture_id=number), NOON)
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    assert types(smtp_sink.mails[0].raw) == ["text/plain"]


def test_a_folder_that_takes_no_files_costs_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    (tmp_path / "maps").write_text("in the way")
    put(engine, "jo")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    assert "image/png" in types(smtp_sink.mails[0].raw)


def test_a_draft_that_a_crash_left_is_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo")
    with transaction(engine) as session:
        digest = pictures.picture(session, 1).digest
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / f"{digest}.new").write_bytes(b"half a pic")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    assert drawings == [1300, 1000, 1000]


def test_a_file_that_two_processes_write_at_a_time_is_whole_and_kept_by_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """It may be shown by two pictures, each of which is drawn by another process."""
    both_have_written, write = threading.Barrier(2), Path.write_bytes

    def written(file: Path, data: bytes) -> int:
        count = write(file, data)
        both_have_written.wait(30)
        return count

    monkeypatch.setattr(Path, "write_bytes", written)
    pictures = [Picture(digest=digest, form="svg", scene=scene(), created_at=NOON) for digest in ("one", "other")]
    writers = [
        threading.Thread(target=Gallery(tmp_path, drawers=0)._keep, args=(picture, {"": b"<svg/>"}))
        for picture in pictures
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"<svg/>"]
    assert "not kept" not in caplog.text


def test_after_trouble_that_nobody_thought_of_the_next_picture_is_drawn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """A thread that ends cannot be started again: no picture would ever be drawn."""

    class Troubled(Loans):
        def take(self, picture: Picture) -> bool:
            if picture.digest == "first":
                raise RuntimeError("nobody thought of this")
            return True

    done = threading.Semaphore(0)
    gallery = Gallery(tmp_path, done.release, drawers=1, loans=Troubled())
    for number, digest in enumerate(("first", "second")):
        gallery.draw(Picture(id=number, digest=digest, form="svg", scene=scene(digest), created_at=NOON), 60)
        assert done.acquire(timeout=30)
    assert "nobody thought of this" in caplog.text
    assert len(list(tmp_path.iterdir())) == 1


def test_a_mail_that_goes_twice_is_the_same_with_its_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "jo")
    with transaction(engine) as session:
        (mail,) = outbox.due(session, NOON, 1)
        picture = pictures.picture(session, mail.picture_id or 0)
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 1)
    first, second = (Gallery(tmp_path / "maps").illustrate(mail.raw, picture, 9) for _ in range(2))
    assert first == second != mail.raw


def test_a_large_board_comes_as_a_whole_and_in_parts_and_small_as_a_whole(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    put(engine, "al", name="atlas")
    put(engine, "bo", name="atlas", form="small")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 2)
    geometry = load_geometry("intercontinental")
    widths = [geometry.width, *(part.pixels for part in geometry.parts), round(geometry.width * 0.65)]
    assert sorted(drawings) == sorted(widths)
    al, bo = (smtp_sink.to(f"{who}@example.org")[0].pictures for who in ("al", "bo"))
    assert list(al)[:2] == ["atlas-S1865M-start.png", "atlas-S1865M-start-western-europe.png"]
    assert len(al) == 1 + len(geometry.parts)
    assert list(bo) == ["atlas-S1865M-start.png"]


def test_a_mail_with_its_pictures_is_quickly_loaded(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What it has no room for, it says how to get."""
    monkeypatch.setattr(Renderer, "png", lambda *_, limit: b"\x89PNG" + bytes(limit - 4))
    put(engine, "al", body="text\n" * 1000)
    put(engine, "bo", body="text\n" * 5000)
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 2)
    al, bo = (smtp_sink.to(f"{who}@example.org")[0] for who in ("al", "bo"))
    assert [len(mail.pictures) for mail in (al, bo)] == [3, 2]
    assert max(len(mail.raw) for mail in (al, bo)) <= MOST_BYTES
    assert b"no room for" not in al.raw
    assert b"West. This mail had no room for East: MAP heron East brings it." in bo.raw.replace(b"=\r\n", b"")


def test_what_failed_is_tried_again_after_a_while(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    broken = [PictureFailed("out of paint")]
    monkeypatch.setattr(galleries, "_GIVEN_UP", 0.3)

    def at_first_broken(_: Renderer, picture: Laid, width: int, *, limit: int) -> bytes:
        if broken:
            raise broken.pop()
        return b"\x89PNG at last"

    monkeypatch.setattr(Renderer, "png", at_first_broken)
    pump = pump_with(engine, smtp_sink, tmp_path / "maps")
    for _ in range(2):
        put(engine, "jo")
        send(pump, 1)
        time.sleep(0.35)
    assert ["image/png" in types(mail.raw) for mail in smtp_sink.mails] == [False, True]


# --- a renderer that hangs --------------------------------------------------------------------------------------


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the renderer, a program that never ends by itself in the time of a test."""
    script = tmp_path / "hangs.py"
    script.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(pngs, "_RENDERER", script)
    png = Renderer.png
    monkeypatch.setattr(Renderer, "png", lambda *args, **limit: png(*args, **limit, patience=3))


def test_mails_that_need_no_picture_or_have_theirs_do_not_wait(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None
):
    put(engine, "al", "bo")
    put(engine, "ed", name="dove")
    put(engine, "cy", form="svg", name="crow")
    put(engine, "di", form=None)
    pump = pump_with(engine, smtp_sink, tmp_path / "maps")
    began = time.monotonic()
    pump.pulse(NOON)
    took = time.monotonic() - began
    assert [mail.recipients[0] for mail in smtp_sink.mails] == ["di@example.org"]
    assert took < 1
    # A picture that was drawn before is there at once, whatever hangs now.
    (ready,) = [row for row in all_pictures(engine) if row.form == "svg"]
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / f"{ready.digest}.svg").write_text("<svg/>")
    send(pump, 1)
    assert smtp_sink.mails[-1].recipients[0] == "cy@example.org"


def test_a_mail_whose_picture_is_not_there_soon_goes_without_and_the_log_says_why(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None, caplog
):
    put(engine, "al", "bo")
    pump = pump_with(engine, smtp_sink, tmp_path / "maps", patience=0.4)
    began = time.monotonic()
    with caplog.at_level(logging.ERROR):
        send(pump, 2)
    assert 0.4 <= time.monotonic() - began < 2
    assert [types(mail.raw) for mail in smtp_sink.mails] == [["text/plain"]] * 2
    assert caplog.text.count("no picture: heron-S1901M-start.png: it was not drawn in time") == 1


def test_a_renderer_that_hangs_is_ended_and_the_next_picture_is_drawn(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None, caplog
):
    put(engine, "al")
    put(engine, "bo", form="svg")
    with caplog.at_level(logging.ERROR):
        send(pump_with(engine, smtp_sink, tmp_path / "maps"), 2)
    assert {mail.recipients[0]: types(mail.raw)[-1] for mail in smtp_sink.mails} == {
        "al@example.org": "text/plain",
        "bo@example.org": "image/svg+xml",
    }
    assert "(PictureFailed): the renderer took longer than 3 s" in caplog.text


def test_what_a_game_tells_stays_in_its_order_for_each_reader(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None
):
    put(engine, "al")
    put(engine, "al", "bo", form=None)
    put(engine, "al", form=None, entry=outbox.Entry("reply"))
    send(pump_with(engine, smtp_sink, tmp_path / "maps", patience=0.4), 4)
    assert [mail.recipients[0][:2] for mail in smtp_sink.mails] == ["al", "bo", "al", "al"]
    assert [mail.message["Subject"] for mail in smtp_sink.mails] == ["reply", "news", "start", "news"]
    assert [types(mail.raw) for mail in smtp_sink.mails] == [["text/plain"]] * 4


def test_a_mail_that_a_broken_off_pulse_has_not_sent_stays_before_those_behind_it(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It had its picture and was next, behind another one on the only connection."""
    monkeypatch.setattr(deliveries, "LONGEST_DEAF", 0.0)
    put(engine, "bo", "al", form="svg")
    put(engine, "al", form=None)
    gallery = Gallery(tmp_path / "maps", drawers=0)
    pump = Pump(engine, settings_for(smtp_sink), JUDGE, gallery)
    assert pump.pulse(NOON).sent == 0
    (picture,) = all_pictures(engine)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / f"{picture.digest}.svg").write_text("<svg/>")
    assert pump.pulse(NOON, called=lambda: bool(smtp_sink.mails)).sent == 1
    assert pump.pulse(NOON).sent == 2
    assert [mail.recipients[0][:2] for mail in smtp_sink.mails] == ["bo", "al", "al"]
    assert [mail.message["Subject"] for mail in smtp_sink.mails] == ["start", "start", "news"]


def test_looking_through_mails_that_wait_ends_when_the_pump_is_called(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Thousands may wait for their pictures: an answer that comes meanwhile does not wait until all were looked at."""
    monkeypatch.setattr(deliveries, "LONGEST_DEAF", 0.0)
    monkeypatch.setattr(deliveries, "BATCH", 2)
    monkeypatch.setattr(galleries, "_LOOK_EVERY", 0.0)
    put(engine, "al", "bo", "cy", "di", "ed", "flo", form="svg")
    pump = Pump(engine, settings_for(smtp_sink), JUDGE, Gallery(tmp_path / "maps", drawers=0))
    asked = count(1)
    assert pump.pulse(NOON, called=lambda: next(asked) > 2).sent == 0
    assert pump.was_broken_off
    put(engine, "al", form=None, entry=outbox.Entry("reply"))
    assert pump.pulse(NOON).sent == 1
    assert not pump.was_broken_off
    (picture,) = all_pictures(engine)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / f"{picture.digest}.svg").write_text("<svg/>")
    assert pump.pulse(NOON).sent == 6
    assert [mail.recipients[0][:2] for mail in smtp_sink.mails] == ["al", "al", "bo", "cy", "di", "ed", "fl"]


# --- many pictures ----------------------------------------------------------------------------------------------


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose pictures are drawn from now on, in order; each takes a while."""
    names: list[str] = []

    def slow(picture: Picture, _: Renderer) -> dict[str, bytes]:
        names.append(picture.scene["name"])
        time.sleep(0.3)
        return dict.fromkeys(sheet_names(load_geometry("standard"), "png"), b"\x89PNG slow")

    monkeypatch.setattr(galleries, "_draw", slow)
    return names


def test_patience_is_for_the_drawing_not_for_the_pictures_before_it(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawn: list[str]
):
    for number in range(8):
        put(engine, "al", "bo", name=f"game{number}")
    send(pump_with(engine, smtp_sink, tmp_path / "maps", patience=0.8), 16)
    assert sorted(drawn) == [f"game{number}" for number in range(8)]
    assert all(mail.pictures for mail in smtp_sink.mails)


def test_what_was_shown_a_while_ago_is_shown_again_beside_what_is_new(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The last pictures that went are remembered; reading a new one must not make that of its neighbour forgotten."""
    monkeypatch.setattr(deliveries, "BATCH", 2)
    pump = Pump(engine, settings_for(smtp_sink), JUDGE, Gallery(tmp_path / "maps", drawers=1))
    for games in (("heron", "gull"), ("heron", "stork")):
        for game in games:
            put(engine, "al", form="svg", name=game)
        send(pump, 2)
    assert [len(mail.pictures) for mail in smtp_sink.mails] == [1, 1, 1, 1]


def test_as_many_are_drawn_at_a_time_as_there_are_cores_but_no_more_than_two(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    at_work, most = [], []

    def slow(picture: Picture, _: Renderer) -> dict[str, bytes]:
        at_work.append(picture)
        most.append(len(at_work))
        time.sleep(0.2)
        at_work.pop()
        return dict.fromkeys(sheet_names(load_geometry("standard"), "png"), b"\x89PNG slow")

    monkeypatch.setattr(galleries, "_draw", slow)
    for number in range(6):
        put(engine, "al", name=f"game{number}")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 6)
    assert max(most) == min(2, os.cpu_count() or 1)


def test_what_a_picture_is_kept_as_is_reckoned_once_however_many_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A thousand games at one deadline: whenever one picture is ready, all that wait ask for theirs again."""
    reckoned = list[str]()
    drawing = galleries._drawing

    def counted(picture: Picture) -> str:
        reckoned.append(picture.digest)
        return drawing(picture)

    album = dict.fromkeys(sheet_names(load_geometry("standard"), "png"), b"\x89PNG")
    monkeypatch.setattr(galleries, "_drawing", counted)
    monkeypatch.setattr(galleries, "_draw", lambda *_: album)
    ready = threading.Semaphore(0)
    gallery = Gallery(tmp_path, ready.release, drawers=1)
    waiting = [Picture(id=number, digest=f"{number}", form="png", scene=scene(f"game{number}"), created_at=NOON)
               for number in range(1, 20)]  # fmt: skip
    for picture in waiting:
        assert gallery.draw(picture, 60)
    for _ in waiting:
        assert ready.acquire(timeout=60)
        for picture in waiting:
            gallery.is_drawing(picture, 60)
    assert sorted(reckoned) == sorted(picture.digest for picture in waiting)


def test_an_empty_file_is_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: list[int]
):
    """So a file may look after a power cut, though it had its name."""
    folder = tmp_path / "maps"
    put(engine, "al")
    send(pump_with(engine, smtp_sink, folder), 1)
    for file in folder.iterdir():
        file.write_bytes(b"")
    put(engine, "bo")
    send(pump_with(engine, smtp_sink, folder), 1)
    assert all(data for mail in smtp_sink.mails for data in mail.pictures.values())
    assert all(file.stat().st_size for file in folder.iterdir())


def test_what_others_draw_leaves_nothing_behind_where_nothing_is_drawn(tmp_path: Path):
    """Not even if nobody has drawn it, or another courier has sent its mails."""
    gallery = Gallery(tmp_path, drawers=0)
    waiting = [Picture(id=number, digest=f"{number}", form="svg", scene=scene(f"game{number}"), created_at=NOON)
               for number in range(1, 9)]  # fmt: skip
    for picture in waiting:
        assert gallery.illustrate(b"", picture, 0.001) is None
        time.sleep(0.002)
    assert len(gallery._wishes) + len(gallery._queue) <= 1


def test_of_those_that_failed_or_were_late_it_is_remembered_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A judge whose renderer is broken runs for months."""
    monkeypatch.setattr(galleries, "_MOST_REMEMBERED", 3)
    gallery = Gallery(tmp_path, drawers=0)
    raw = b"Subject: Results\r\n\r\nThe results.\r\n"
    for number in range(9):
        late = Picture(id=number, digest=f"late {number}", form="svg", scene=scene(), created_at=NOON)
        assert b"could not be drawn in time" in (gallery.illustrate(raw, late, 0) or b"")
        strange = Picture(id=number, digest=f"strange {number}", form="svg", created_at=NOON,
                          scene={**scene(), "variant": "no such variant"})  # fmt: skip
        assert gallery.illustrate(raw, strange, 0) == raw
    assert len(gallery._late) == len(gallery._failed) == 3


def test_what_another_process_may_have_drawn_is_looked_for_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whenever one picture is ready, thousands of mails ask for theirs."""
    looked = list[Path]()

    def counted(path: Path) -> bool:
        looked.append(path)
        return path.is_file()

    monkeypatch.setattr(os.path, "exists", counted)
    gallery = Gallery(tmp_path, drawers=0)
    picture = Picture(id=1, digest="1", form="svg", scene=scene(), created_at=NOON)
    assert gallery.draw(picture, 60)
    asked, began = 0, time.monotonic()
    while time.monotonic() < began + 1.2:
        assert gallery.is_drawing(picture, 60)
        asked += 1
        time.sleep(0.001)
    assert len(looked) <= 3 < asked
    looked[0].write_text("<svg/>")
    while gallery.is_drawing(picture, 60):
        assert time.monotonic() < began + 60
        time.sleep(0.001)
    assert len(looked) <= 4 + int(2 * (time.monotonic() - began))


def letter_and_phase(engine: Engine, deadline: timedelta) -> tuple[int, int]:
    """A letter, and an open phase with that deadline."""
    with transaction(engine) as session:
        letter = LetterRow(fingerprint="1", uidvalidity=1, uid=1, received_at=NOON, kept_at=NOON, raw=b"")
        game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOON)
        session.add_all([letter, game])
        session.flush()
        phase = Phase(game_id=id_of(game), number=1, name="S1901M", position={}, opened_at=NOON,
                      earliest_at=NOON, deadline_at=NOON + deadline, grace_ends_at=NOON + deadline)  # fmt: skip
        session.add(phase)
        session.flush()
        return id_of(letter), id_of(phase)


def gone_after(engine: Engine, sink: SmtpSink, folder: Path, times: list[timedelta]) -> list[int]:
    """How many mails have gone when the courier has looked at each of these times, the first of them for nothing."""
    pump, counts = pump_with(engine, sink, folder), []
    for after in times:
        pump.pulse(NOON + after)
        counts.append(len(sink.mails))
    return counts


def test_an_answer_waits_five_seconds(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None
):
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    put(engine, "al", entry=outbox.Entry("reply", letter_id=letter_id))
    assert gone_after(engine, smtp_sink, tmp_path / "maps", [0 * SECOND, 3 * SECOND, 5 * SECOND]) == [0, 0, 1]
    assert "The map could not be drawn in time: MAP heron brings it." in smtp_sink.mails[0].text


def test_the_picture_of_an_answer_is_drawn_before_those_of_results(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawn: list[str]
):
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    for number in range(6):
        put(engine, "al", name=f"game{number}")
    put(engine, "jo", name="asked", entry=outbox.Entry("reply", letter_id=letter_id))
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 7)
    assert "asked" in drawn[:3]


@pytest.mark.parametrize(("deadline", "wait"), [(timedelta(days=7), 600), (timedelta(minutes=50), 300)])
def test_results_wait_ten_minutes_or_a_tenth_of_the_time_to_the_deadline(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: None, deadline: timedelta, wait: int
):
    _, phase_id = letter_and_phase(engine, deadline)
    put(engine, "al", "bo", entry=replace(START, phase_id=phase_id), body="Results.\n\nFrance holds.")
    times = [0 * SECOND, (wait - 1) * SECOND, (wait + 1) * SECOND]
    assert gone_after(engine, smtp_sink, tmp_path / "maps", times) == [0, 0, 2]
    told = "Results.\n\nThe map could not be drawn in time: MAP heron brings it.\n\nFrance holds."
    assert [mail.text.strip() for mail in smtp_sink.mails] == [told] * 2


def test_results_wait_on_while_others_get_their_pictures_for_an_hour_at_most(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    go_on = threading.Event()

    def the_first_only(picture: Picture, _: Renderer) -> dict[str, bytes]:
        if picture.scene["name"] != "game0":
            go_on.wait(30)
        return dict.fromkeys(sheet_names(load_geometry("standard"), "png"), b"\x89PNG")

    monkeypatch.setattr(galleries, "_draw", the_first_only)
    for number in range(5):
        put(engine, f"reader{number}", name=f"game{number}")
    pump = pump_with(engine, smtp_sink, tmp_path / "maps", patience=60)
    while not pump.pulse(NOON).sent:
        time.sleep(0.01)
    assert pump.pulse(NOON + timedelta(minutes=11)).sent == 0
    assert pump.pulse(NOON + timedelta(minutes=59)).sent == 0
    assert pump.pulse(NOON + timedelta(minutes=61)).sent == 4
    go_on.set()
    assert [bool(mail.pictures) for mail in smtp_sink.mails] == [True] + [False] * 4


def test_what_waited_while_the_server_was_down_gets_its_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawn: list[str]
):
    put(engine, "al", "bo")
    pump, late = pump_with(engine, smtp_sink, tmp_path / "maps"), NOON + timedelta(hours=9)
    pump.pulse(late)
    time.sleep(0.5)
    assert pump.pulse(late).sent == 2
    assert all(mail.pictures for mail in smtp_sink.mails)


def test_what_no_mail_waits_for_any_more_is_not_drawn(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawn: list[str]
):
    _, phase_id = letter_and_phase(engine, 5 * SECOND)  # half a second's wait
    for number in range(8):
        put(engine, "al", name=f"game{number}", entry=replace(START, phase_id=phase_id))
    pump = pump_with(engine, smtp_sink, tmp_path / "maps")
    pump.pulse(NOON)
    time.sleep(1.2)
    assert len(drawn) < 8
    pump.pulse(NOON + SECOND)
    pictured = {name for mail in smtp_sink.mails for name in mail.pictures}
    assert len(smtp_sink.mails) == 8
    assert {name.partition("-")[0] for name in pictured} == set(drawn)


def test_a_mail_in_another_script_says_so_as_well(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch):
    def broken(picture: Picture) -> dict[str, bytes]:
        raise PictureFailed("out of paint")

    monkeypatch.setattr(galleries, "_draw", broken)
    put(engine, "al", body="Grüße.\n\nBis bald.", name="aquitelongnameofagame")
    put(engine, "bo", body="One paragraph.", form="svg")
    send(pump_with(engine, smtp_sink, tmp_path / "maps"), 2)
    excuse = "The map could not be drawn: MAP aquitelongnameofagame asks for it again."
    assert {mail.text.strip() for mail in smtp_sink.mails} == {
        f"Grüße.\n\n{excuse}\n\nBis bald.",
        "One paragraph.\n\nThe map could not be drawn: MAP heron SVG asks for it again.",
    }


def all_pictures(engine: Engine) -> list[Picture]:
    with reading(engine) as session:
        return list(session.exec(select(Picture)))


def test_the_same_scene_is_one_picture_and_another_is_not(engine: Engine):
    with transaction(engine) as session:
        first = pictures.keep(session, scene(), "png", NOON)
        assert pictures.keep(session, scene(), "png", NOON) == first
        others = {pictures.keep(session, scene(), "small", NOON), pictures.keep(session, scene("crow"), "png", NOON)}
    assert first not in others
    assert len(others) == 2
