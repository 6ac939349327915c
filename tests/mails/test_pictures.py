"""Pictures for mails: drawn once, kept, and never a reason for a mail to wait or to be lost."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from judge.mails import drawing, drawing_process
from judge.mails.drawing import Drawing
from judge.mails.pictures import MOST_BYTES, PictureCache
from judge.mails.sender import NOTICES_WAIT
from judge.maps.geometry import load_geometry
from judge.maps.render import PictureFailed
from judge.rules import load_variant, position_to_json, start_position
from judge.settings import read_settings
from judge.store import outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.states import MailKind, PictureForm
from judge.store.tables import Game, LetterRow, Phase
from tests.acceptance import hangs
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.senders import Sender, Sent, composed
from tests.processes import descendants
from tests.servers.smtpsink import SmtpSink
from tests.texts import table

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
SAMPLE = Path(__file__).parents[2] / "judge.ini"


# Those of other games are of the standard board.
BOARDS = {"atlas": "intercontinental"}


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
    parts: list[str] | None = None,
    body: str = "text",
    kind: MailKind = "start",
    **about: Any,
) -> None:
    """A mail to each of them, all with the same picture; with none where there is no form."""
    subject = kind if form or kind != "start" else "news"
    shown = {**scene(name), "occasion": about.pop("occasion", "start")} | ({} if parts is None else {"parts": parts})
    with transaction(engine) as session:
        for who in people:
            mail = composed(f"{who}@example.org", NOON, subject, body)
            number = pictures.keep(session, shown, form, NOON) if form else None
            outbox.put(session, mail, kind, NOON, picture_id=number, **about)


class Judge:
    """Sends and draws, one after the other; the pictures are kept in `folder`."""

    def __init__(self, engine: Engine, sink: SmtpSink, folder: Path, at_a_time: int = 1):
        settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(folder)})
        self.drawn = settings.drawn
        self.sender = Sender(engine, settings_for(sink), JUDGE, PictureCache(self.drawn))
        self._ready = threading.Event()
        self._drawing = Drawing(engine, settings, at_a_time, self._ready.set)

    def looks(self, now: datetime = NOON) -> int:
        """Send what can be sent, and begin to draw; how many mails have gone."""
        done = self.sender.run(now)
        assert done == Sent(done["sent"])
        self.draws(now)
        return done["sent"]

    def draws(self, now: datetime) -> None:
        self._drawing.run_once(now)

    def close(self) -> None:
        self._drawing.close()

    def sends(self, number: int, now: datetime = NOON) -> None:
        """Until so many mails have gone, as the worker does."""
        sent, deadline = 0, time.monotonic() + 120
        while sent < number and time.monotonic() < deadline:
            sent += self.looks(now)
            time.sleep(0.01)
        assert sent == number


class InThreads:
    """In the place of processes: what tests put in the place of `draw` is called."""

    def __init__(self, max_workers: int, **_: object):
        self._threads = ThreadPoolExecutor(max_workers)

    def schedule(self, _: object, args: tuple[object, ...], timeout: float) -> Future[dict[str, bytes]]:
        return self._threads.submit(drawing_process.draw, *args)  # type: ignore[arg-type]


Draw = Callable[..., dict[str, bytes]]
Draws = Callable[[Draw], None]
# The games, forms and parts of pictures.
Drawings = list[tuple[str, str, str]]


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> Draws:
    """A function that puts another one in the place of what draws."""

    def put_in_place(draw: Draw) -> None:
        monkeypatch.setattr(drawing, "ProcessPool", InThreads)
        monkeypatch.setattr(drawing_process, "draw", draw)

    return put_in_place


@pytest.fixture
def drawings(draws: Draws) -> Drawings:
    """Those that are drawn from now on; they are quickly done."""
    parts_drawn: Drawings = []

    def quick(scene: dict, form: str, parts: list[str]) -> dict[str, bytes]:
        parts_drawn.extend((scene["name"], form, part) for part in parts)
        return dict.fromkeys(parts, b"<svg/>" if form == "svg" else b"\x89PNG quick")

    draws(quick)
    return parts_drawn


@pytest.fixture
def hanging(draws: Draws) -> Iterator[Callable[[], None]]:
    """A function after which nothing is ever drawn in the time of a test."""
    go_on = threading.Event()

    def wait(*_: object) -> dict[str, bytes]:
        go_on.wait(60)
        raise PictureFailed("the test is over")

    yield lambda: draws(wait)
    go_on.set()


def types(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in message_from_bytes(raw, policy=policy.default).walk()]


def page_of(sink: SmtpSink, who: str) -> str:
    page = message_from_bytes(sink.to(f"{who}@example.org")[0].raw, policy=policy.default).get_body(("html",))
    assert page
    return " ".join(str(page.get_content()).split())


def test_a_real_picture_goes_with_a_mail(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    put(engine, "jo")
    Judge(engine, smtp_sink, tmp_path).sends(1)
    message = message_from_bytes(smtp_sink.mails[0].raw, policy=policy.default)
    image, *parts = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert 1 <= len(parts) <= len(load_geometry("standard").parts)
    assert len(smtp_sink.mails[0].raw) <= MOST_BYTES
    assert image.get_content().startswith(b"\x89PNG")
    assert 50_000 < len(image.get_content()) <= 150 * 1024
    assert image.get_filename() == "heron-S1901M-start.png"


def test_a_film_goes_with_the_answer_that_has_waited_for_it(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):
    frames = [{"position": scene()["position"], "outcome": None, "occasion": occasion} for occasion in ("start", "")]
    shown = {**scene(), "occasion": "film", "frames": frames}
    with transaction(engine) as session:
        number = pictures.keep(session, shown, "film", NOON)
        outbox.put(session, composed("jo@example.org", NOON, "Re: film", "text"), "reply", NOON, picture_id=number)
    Judge(engine, smtp_sink, tmp_path).sends(1)
    message = message_from_bytes(smtp_sink.mails[0].raw, policy=policy.default)
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert b"acTL" in image.get_content() and image.get_filename() == "heron-S1901M-film.png"
    assert "The course of the game" in page_of(smtp_sink, "jo")


def test_it_is_drawn_once_for_all_readers(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings):
    put(engine, "al", "bo", "cy")
    put(engine, "di", form="small")
    Judge(engine, smtp_sink, tmp_path).sends(4)
    once = [("heron", "png", ""), ("heron", "png", "East"), ("heron", "png", "West"), ("heron", "small", "")]
    assert sorted(drawings) == once
    # Nor does another start of the judge draw it again.
    put(engine, "ed")
    Judge(engine, smtp_sink, tmp_path).sends(1)
    assert sorted(drawings) == once
    assert all("image/png" in types(mail.raw) for mail in smtp_sink.mails)


def test_when_drawing_fails_the_text_goes_and_the_log_says_why(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws, caplog
):
    tried = []

    def broken(*_: object) -> dict[str, bytes]:
        tried.append(1)
        raise PictureFailed("out of paint")

    draws(broken)
    put(engine, "al", "bo", "cy")
    with caplog.at_level(logging.ERROR):
        Judge(engine, smtp_sink, tmp_path).sends(3)
    assert [types(mail.raw) for mail in smtp_sink.mails] == [["text/plain"]] * 3
    assert len(tried) == 1  # one bad picture does not hold up every mail that shows it
    assert "no picture: heron-S1901M-start.png (PictureFailed): out of paint" in caplog.text


@pytest.mark.parametrize("is_waiting", [False, True], ids=["before it is looked at", "while it is waited for"])
@pytest.mark.parametrize(
    "broken",
    [*table("""
        scene => {
        scene => no JSON
        scene => "words"
        scene => []
        scene => null
        scene => {}
        scene => {"variant": "standard"}
        created_at => never
        drawn_at => never
        failed_at => never"""), ("scene", b"\xff"), ("form", "oil")],
)  # fmt: skip
def test_a_picture_whose_row_cannot_be_read_is_set_aside(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws, broken: tuple[str, str], is_waiting: bool
):
    """Its mails go without it, and others with theirs."""
    draws(lambda shown, form, parts: {part: shown["variant"].encode() for part in parts})
    judge = Judge(engine, smtp_sink, tmp_path)
    put(engine, "al", "bo")
    put(engine, "cy", name="gull")
    if is_waiting:
        judge.sender.run(NOON)
    with transaction(engine) as session:
        session.execute(text(f"UPDATE picture SET {broken[0]} = :value WHERE id = 1"), {"value": broken[1]})
    until = time.monotonic() + 60
    while not smtp_sink.to("cy@example.org") and time.monotonic() < until:
        judge.looks()
    judge.looks(NOON + NOTICES_WAIT)
    has_map = {mail.recipients[0][:2]: bool(mail.pictures) for mail in smtp_sink.mails}
    assert has_map == {"al": False, "bo": False, "cy": True}
    assert all(
        "could not be drawn because of a fault in the judge." in mail.text
        for mail in smtp_sink.mails
        if not mail.pictures
    )


def test_a_folder_that_takes_no_files_costs_no_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    (tmp_path / "maps").write_text("in the way")
    put(engine, "jo")
    Judge(engine, smtp_sink, tmp_path).sends(1)
    assert "image/png" in types(smtp_sink.mails[0].raw)


@pytest.mark.parametrize("left", [b"", None], ids=["empty", "gone"])
def test_what_is_lost_is_drawn_again(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings, left: bytes | None
):
    """After a power cut a file may be empty though it has its name; a backup is restored without these files."""
    judge = Judge(engine, smtp_sink, tmp_path)
    put(engine, "al")
    judge.sends(1)
    for file in judge.drawn.iterdir():
        file.unlink() if left is None else file.write_bytes(left)
    put(engine, "bo")
    judge.sends(1)
    assert all(data for mail in smtp_sink.mails for data in mail.pictures.values())
    assert [len(mail.pictures) for mail in smtp_sink.mails] == [3, 3]
    assert all(file.stat().st_size for file in judge.drawn.iterdir())


def test_a_mail_that_goes_twice_is_the_same_with_its_picture(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    put(engine, "jo")
    judge = Judge(engine, smtp_sink, tmp_path)
    smtp_sink.drop_next(1, taken=True)
    for moment in (NOON, NOON + 60 * SECOND):
        until = time.monotonic() + 60
        while judge.sender.run(moment) == Sent() and time.monotonic() < until:
            judge.draws(moment)
    first, second = smtp_sink.mails
    assert first.raw == second.raw and first.pictures


def test_a_large_board_comes_as_a_whole_and_in_parts_and_small_as_a_whole(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    put(engine, "al", name="atlas")
    put(engine, "bo", name="atlas", form="small")
    Judge(engine, smtp_sink, tmp_path).sends(2)
    parts = [part.name for part in load_geometry("intercontinental").parts]
    assert sorted(drawings) == sorted([("atlas", "small", ""), *(("atlas", "png", part) for part in ["", *parts])])
    al, bo = (smtp_sink.to(f"{who}@example.org")[0].pictures for who in ("al", "bo"))
    assert list(al)[:2] == ["atlas-S1865M-start.png", "atlas-S1865M-start-western-europe.png"]
    assert len(al) == 1 + len(parts)
    assert list(bo) == ["atlas-S1865M-start.png"]


def test_above_a_board_is_what_it_shows_and_how_to_get_its_parts(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    """Its parts are shown on wide screens too: nothing else has their names. A standard board is read as a whole."""
    seen = ["", "Western Europe", "South America"]
    put(engine, "al", name="atlas", parts=seen)
    put(engine, "bo", name="atlas", form="small")
    put(engine, "cy", parts=["", "West", "East"])
    put(engine, "di", form="small")
    Judge(engine, smtp_sink, tmp_path).sends(4)
    al, bo, cy, di = (page_of(smtp_sink, who) for who in ("al", "bo", "cy", "di"))
    parts = [part.name for part in load_geometry("intercontinental").parts]
    named = f"{', '.join(parts[:-1])} or {parts[-1]}"
    for page, how in ((al, f"MAP atlas and its name: {named}"), (cy, "MAP heron and its name: West or East")):
        assert f">The board: the whole board. For one part of the board, send {how}.<" in page
    assert ">The board: South America.<" in al and ">The board: West.<" in cy
    assert ("MAP atlas and its name" in bo, "MAP heron and its name" in di) == (True, True)
    assert 'alt="Map of heron, Movement for Spring of 1901. The board: East. The email says the same' in cy
    assert [page.count("display:none") for page in (al, bo, cy, di)] == [0, 0, 2, 0]


def test_a_mail_with_its_pictures_is_quickly_loaded(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws):
    """What it has no room for, the first caption says how to get."""
    draws(lambda _scene, _form, parts: {part: b"\x89PNG" + bytes(70_000 if part else 68_000) for part in parts})
    put(engine, "al", body="text\n" * 600)
    put(engine, "bo", body="text\n" * 5000)
    Judge(engine, smtp_sink, tmp_path).sends(2)
    al, bo = (smtp_sink.to(f"{who}@example.org")[0] for who in ("al", "bo"))
    assert [len(mail.pictures) for mail in (al, bo)] == [3, 2]
    assert max(len(mail.raw) for mail in (al, bo)) <= MOST_BYTES
    assert b"send MAP heron and its name: West or East." in bo.raw.replace(b"=\r\n", b"")


def test_what_failed_is_tried_again_after_a_while(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws):
    broken = [PictureFailed("out of paint")]

    def at_first_broken(scene: dict, form: str, parts: list[str]) -> dict[str, bytes]:
        if broken:
            raise broken.pop()
        return dict.fromkeys(parts, b"\x89PNG at last")

    draws(at_first_broken)
    judge = Judge(engine, smtp_sink, tmp_path)
    for after in (0 * SECOND, 60 * SECOND, 1000 * SECOND):
        put(engine, "jo")
        judge.sends(1, NOON + after)
    assert ["image/png" in types(mail.raw) for mail in smtp_sink.mails] == [False, False, True]


# --- a drawing that hangs ---------------------------------------------------------------------------------------


def test_mails_that_need_no_picture_or_have_theirs_do_not_wait(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings, hanging: Callable[[], None]
):
    judge = Judge(engine, smtp_sink, tmp_path)
    put(engine, "cy", name="crow")
    judge.sends(1)
    hanging()
    put(engine, "al", "bo")
    put(engine, "ed", name="dove")
    put(engine, "di", form=None)
    put(engine, "cy", name="crow")
    assert judge.looks() == 2
    assert [mail.recipients[0][:2] for mail in smtp_sink.mails] == ["cy", "di", "cy"]
    with reading(engine) as session:
        assert outbox.reasons(session) == {"picture": 3}


def test_a_drawing_that_hangs_is_ended_and_the_next_picture_is_drawn(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog
):
    """In real processes."""
    monkeypatch.setattr(drawing, "PATIENCE", 8.0)
    put(engine, "al")
    judge = Judge(engine, smtp_sink, tmp_path)
    draw = drawing_process.draw
    monkeypatch.setattr(drawing_process, "draw", hangs.draw)
    judge.looks()
    monkeypatch.setattr(drawing_process, "draw", draw)
    put(engine, "bo", form="svg")
    judge.looks()
    with caplog.at_level(logging.ERROR):
        judge.sends(2)
    judge.close()
    assert {mail.recipients[0]: types(mail.raw)[-1] for mail in smtp_sink.mails} == {
        "al@example.org": "text/plain",
        "bo@example.org": "image/svg+xml",
    }
    assert "no picture: heron-S1901M-start.png (TimeoutError): " in caplog.text


# Which of the processes below this one, by a word of its command and its age, and by which signal.
ENDS = {
    "what forks": ("forkserver", 0, signal.SIGKILL),
    "one that draws": ("forkserver", 1, signal.SIGKILL),
    "the semaphores'": ("resource_tracker", 0, signal.SIGKILL),
    "one is frozen": ("forkserver", -1, signal.SIGSTOP),
}


@pytest.mark.parametrize("is_busy", [False, True], ids=["idle", "busy"])
@pytest.mark.parametrize("end", ENDS)
def test_a_process_that_ends_is_replaced_and_its_picture_drawn(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, is_busy: bool
):
    """The system kills any process when it lacks memory."""
    monkeypatch.setattr(drawing_process, "draw", hangs.draw_slowly)
    monkeypatch.setattr(drawing, "PATIENCE", 5.0)
    monkeypatch.setattr(drawing, "SILENT", 6.0)
    judge = Judge(engine, smtp_sink, tmp_path, 2)
    put(engine, "al", form="small")
    judge.sends(1)
    if is_busy:
        put(engine, "bo", name="crow", form="small")
        put(engine, "cy", name="dove", form="small")
        judge.looks()
        time.sleep(0.5)
    word, which, how = ENDS[end]
    os.kill(descendants(os.getpid(), word)[which], how)
    time.sleep(0.5)
    put(engine, "di", name="eagle", form="small")
    judge.sends(3 if is_busy else 1)
    judge.close()
    undrawn = [mail for mail in smtp_sink.mails if "image/png" not in types(mail.raw)]
    assert not undrawn or how == signal.SIGSTOP and is_busy, "what a frozen process draws is given up in time"
    assert smtp_sink.to("di@example.org")[0].pictures


def test_a_drawing_has_no_more_memory_than_its_limit(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    judge = Judge(engine, smtp_sink, tmp_path)
    with monkeypatch.context() as greedy:
        greedy.setattr(drawing_process, "draw", hangs.draw_greedily)
        put(engine, "al", form="small")
        judge.sends(1)
    put(engine, "bo", name="crow", form="small")
    judge.sends(1)
    judge.close()
    assert ["image/png" in types(mail.raw) for mail in smtp_sink.mails] == [False, True]


def test_what_a_game_tells_stays_in_its_order_for_each_reader(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    put(engine, "al")
    put(engine, "al", "bo", form=None)
    put(engine, "al", form=None, kind="reply")
    judge = Judge(engine, smtp_sink, tmp_path)
    assert judge.sender.run(NOON)["sent"] == 2
    with reading(engine) as session:
        assert outbox.reasons(session) == {"earlier mail": 1, "picture": 1}
    judge.sends(2)
    assert [mail.recipients[0][:2] for mail in smtp_sink.mails] == ["al", "bo", "al", "al"]
    assert [mail.message["Subject"] for mail in smtp_sink.mails] == ["reply", "news", "start", "news"]


LATE = "The map of heron, Movement for Spring of 1901, could not be drawn in time.\nTo get it, send MAP heron."


def letter_and_phase(engine: Engine, deadline: timedelta) -> tuple[int, int]:
    """A letter, and an open phase with that deadline."""
    with transaction(engine) as session:
        letter = LetterRow(fingerprint="1", received_at=NOON, kept_at=NOON, raw=b"")
        game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOON)
        session.add_all([letter, game])
        session.flush()
        phase = Phase(game_id=game.key, number=1, name="S1901M", position={}, opened_at=NOON,
                      earliest_at=NOON, deadline_at=NOON + deadline, grace_ends_at=NOON + deadline)  # fmt: skip
        session.add(phase)
        session.flush()
        return letter.key, phase.key


def gone_after(judge: Judge, sink: SmtpSink, *seconds: int) -> list[int]:
    """How many mails have gone when the judge has looked at each of these times."""
    counts = []
    for after in seconds:
        judge.looks(NOON + after * SECOND)
        counts.append(len(sink.mails))
    return counts


def test_an_answer_waits_a_few_seconds(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: Callable[[], None], caplog
):
    hanging()
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    put(engine, "al", kind="reply", letter_id=letter_id)
    assert gone_after(Judge(engine, smtp_sink, tmp_path), smtp_sink, 0, 3, 5) == [0, 0, 1]
    assert LATE in smtp_sink.mails[0].text
    assert "no picture: heron-S1901M-start.png: it was not drawn in time" in caplog.text


def test_the_picture_of_an_answer_is_drawn_before_those_of_results(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, drawings: Drawings
):
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    for number in range(6):
        put(engine, f"reader{number}", name=f"game{number}", form="small")
    put(engine, "jo", name="asked", form="small", kind="reply", letter_id=letter_id)
    Judge(engine, smtp_sink, tmp_path).sends(7)
    assert drawings[0][0] == "asked"


@pytest.mark.parametrize(("deadline", "wait"), [(timedelta(days=7), 1200), (timedelta(minutes=50), 300)])
def test_results_wait_twenty_minutes_or_a_tenth_of_the_time_to_the_deadline(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: Callable[[], None], deadline: timedelta, wait: int
):
    hanging()
    _, phase_id = letter_and_phase(engine, deadline)
    put(engine, "al", "bo", phase_id=phase_id, body="Results.\n\nFrance holds.")
    assert gone_after(Judge(engine, smtp_sink, tmp_path), smtp_sink, 0, wait - 1, wait + 1) == [0, 0, 2]
    told = f"Results.\n\n{LATE}\n\nFrance holds."
    assert [mail.text.strip() for mail in smtp_sink.mails] == [told] * 2


def test_a_mail_in_another_script_says_so_as_well(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws):
    def broken(*_: object) -> dict[str, bytes]:
        raise PictureFailed("out of paint")

    draws(broken)
    put(engine, "al", body="Grüße.\n\nBis bald.", name="aquitelongnameofagame")
    put(engine, "bo", body="One paragraph.", form="svg")
    Judge(engine, smtp_sink, tmp_path).sends(2)
    excuse = (
        "The map of {}, Movement for Spring of 1901, could not be drawn because of a fault in the judge. "
        "To ask for it again, send MAP {}."
    )
    assert {" ".join(mail.text.split()) for mail in smtp_sink.mails} == {
        f"Grüße. {excuse.format(*['aquitelongnameofagame'] * 2)} Bis bald.",
        f"One paragraph. {excuse.format('heron', 'heron SVG')}",
    }


def test_a_map_of_own_orders_that_is_late_comes_alone(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws
):
    go_on = threading.Event()

    def slow(_scene: dict, _form: str, parts: list[str]) -> dict[str, bytes]:
        go_on.wait(60)
        return dict.fromkeys(parts, b"\x89PNG late")

    draws(slow)
    letter_id, phase_id = letter_and_phase(engine, timedelta(days=7))
    put(engine, "al", kind="reply", letter_id=letter_id, phase_id=phase_id, parts=[""], occasion="orders")
    put(engine, "al", form=None, kind="results")
    judge = Judge(engine, smtp_sink, tmp_path)
    assert gone_after(judge, smtp_sink, 0, 3, 5, 900) == [1, 1, 2, 2]
    go_on.set()
    judge.sends(1, NOON + 901 * SECOND)
    _, reply, alone = smtp_sink.mails
    assert (
        reply.text.strip() == "text\n\nThe map of your orders was not drawn in time. It will come in a separate email."
    )
    assert not reply.pictures and list(alone.pictures) == ["heron-S1901M-orders.png"]
    assert (alone.message["Subject"], alone.recipients) == (reply.message["Subject"], reply.recipients)
    assert " ".join(alone.text.split()) == (
        "This is the map of your orders, Movement for Spring of 1901, as they were on Mon May 4 2026 12:00:00 +0000. "
        "The email about them has no map."
    )
    assert gone_after(judge, smtp_sink, 2000) == [3]


def test_a_map_of_own_orders_that_never_comes_is_given_up_once(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, hanging: Callable[[], None]
):
    hanging()
    letter_id, phase_id = letter_and_phase(engine, timedelta(days=7))
    put(engine, "al", kind="reply", letter_id=letter_id, phase_id=phase_id, parts=[""], occasion="orders")
    assert gone_after(Judge(engine, smtp_sink, tmp_path), smtp_sink, 0, 5, 1204, 1206, 9000) == [0, 1, 1, 2, 2]
    assert "The map of your orders could not be drawn in time." in smtp_sink.mails[1].text


def test_of_a_picture_the_parts_that_are_drawn_go_and_the_others_are_named(
    engine: Engine, smtp_sink: SmtpSink, tmp_path: Path, draws: Draws
):
    go_on = threading.Event()

    def slow(_scene: dict, _form: str, parts: list[str]) -> dict[str, bytes]:
        if "Arctic" in parts:
            go_on.wait(60)
        return dict.fromkeys(parts, b"\x89PNG")

    draws(slow)
    letter_id, _ = letter_and_phase(engine, timedelta(days=7))
    judge = Judge(engine, smtp_sink, tmp_path)
    put(engine, "bo", name="atlas", parts=["", "Russia"])
    judge.sends(1)
    put(engine, "al", name="atlas", kind="reply", letter_id=letter_id, parts=["", "Russia", "Arctic"])
    assert gone_after(judge, smtp_sink, 0, 5) == [1, 2]
    assert list(smtp_sink.mails[1].pictures) == ["atlas-S1865M-start.png", "atlas-S1865M-start-russia.png"]
    assert "Not in this email: Arctic." in page_of(smtp_sink, "al")
    go_on.set()
