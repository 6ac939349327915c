"""The pages of mails: they say what the text says, and can be read on a phone and on a desk, by day and by night."""

import base64
import html
import random
import re
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from judge.games.core.board import board as board_of
from judge.mails.pictures import parts_of, with_album
from judge.maps.draw import Form
from judge.maps.render import render
from judge.rules import format_order
from judge.store.engine import transaction
from judge.store.games import game_named, open_phase
from judge.store.tables import Picture
from tests.commands.deskatwork import ALL_HOLD, START, DeskAtWork, Posted
from tests.mails.same_facts import differences
from tests.maps.boards import eager
from tests.servers.browser import looks
from tests.texts import listed
from tests.transcripts.test_transcripts import faults_of_headings

# {board: game}, as other tests here seat them: the best known, and the largest, where a player has several powers.
BOARDS = {"standard": "heron", "intercontinental": "globe"}
NASTY = '<script>alert(1)</script><img src=x onerror="alert(2)">"\'>&amp;'


def shown(page: str) -> str:
    """The text of a page as its reader sees it."""
    body = page[page.index("<body") :]
    return html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<!--.*?-->", "", body)))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Posted]:
    """{what it is: a mail to a player}, of a game in which France attacks and a player has a nasty name."""
    desk = DeskAtWork(tmp_path_factory.mktemp("desk"), "", {})
    desk.seat_seven()
    france = "france@example.org"
    found = {"start": next(mail for mail in desk.all_mails() if mail.to == france and "Start" in mail.subject)}
    letter = f"SIGNON Fheron pwfrance\nA PAR - BUR\nF BRE - XYZ\n{NASTY}\nBROADCAST\n{NASTY}\n{'w' * 400}"
    found["reply"] = desk.replies(france, letter)
    found["press"] = next(mail for mail in desk.all_mails() if "Broadcast" in mail.subject)
    found["status"] = desk.replies(france, "STATUS heron")
    found["list"] = desk.replies(france, "LIST")
    found["entry"] = desk.replies(france, "LIST heron")
    desk.writes("germany@example.org", "SIGNON Gheron pwgermany\nA MUN - BUR\nF KIE - DEN")
    mails = _next(desk, "S1901M Results")
    found["reminder"] = next(mail for mail in desk.all_mails() if "Reminder" in mail.subject)
    found["results"] = next(mail for mail in mails if mail.to == france)
    found["master's results"] = next(mail for mail in mails if mail.to == "kim@example.org")
    found["fall"] = next(mail for mail in _next(desk, "F1901M Results") if mail.to == "germany@example.org")
    return found


def _next(desk: DeskAtWork, subject: str) -> list[Posted]:
    for _ in range(20):
        desk.ring(desk.now + timedelta(hours=22))
        if found := [mail for mail in desk.all_mails() if subject in mail.subject]:
            return found
    raise AssertionError(f"no mail {subject}")


KINDS = listed("""
    start
    reply
    press
    status
    list
    entry
    reminder
    results
    master's results
    fall""")


@pytest.mark.parametrize("kind", KINDS)
def test_text_and_page_say_the_same(played: dict[str, Posted], kind: str) -> None:
    assert differences(played[kind].text, played[kind].page) == []


def test_what_others_wrote_is_text(played: dict[str, Posted]) -> None:
    for kind in ("reply", "press"):
        assert "<script" not in played[kind].page and "<img" not in played[kind].page
        assert NASTY in shown(played[kind].page)


def test_nothing_is_fetched_and_no_link_holds_a_password(played: dict[str, Posted]) -> None:
    for mail in played.values():
        assert not re.findall(r"https?:|url\(|@import|<(?:img|script|link|iframe|object|form)\b", mail.page)
        assert "pwfrance" not in mail.page
        assert all(link.startswith("mailto:judge@example.org") for link in re.findall(r'href="([^"]*)"', mail.page))
        for command in ("RESIGN", "VOTE", "PASSWORD%20", "ADDRESS", "PROCESS!"):
            assert f"%0A{command}" not in mail.page


def test_an_address_is_broken_only_after_its_sign(played: dict[str, Posted]) -> None:
    """In the master's LIST on a phone it broke into "<england@example.or" and "g>"."""
    whole = '<span style="display:inline-block">&lt;england@<wbr>example.org&gt;</span>'
    assert whole in played["start"].page and whole in played["entry"].page
    assert "england@example.org" not in played["start"].page


def test_the_reader_s_own_orders_come_first_and_are_marked(played: dict[str, Posted]) -> None:
    page = played["results"].page
    own = page.index("Your orders")
    assert page.index("Failed: ") < page.index("Movement results") < own
    assert own < page.index("Army Paris") < page.index("<!--pictures-->") < page.index("Austria:")
    assert page.index("Austria:") < page.index(":: Judge")
    assert page.index("Orders are due") < page.index('class="a"') < own and page.count('class="a"') == 1
    reply = played["reply"].page
    assert reply.index("<h1") < reply.index("Orders are due by") < reply.index('class="a"')
    assert reply.index('class="a"') < reply.index("XYZ") < reply.index("<!--pictures-->") < reply.index(":: Judge")
    assert "✗ bounce" in html.unescape(page)
    text = played["results"].text
    assert text.index("Failed: ") < text.index("\nFrance: ") < text.index("\nAustria: ")
    assert "Your orders" not in played["master's results"].page


def test_no_line_ends_between_a_unit_and_its_province(played: dict[str, Posted]) -> None:
    """A heading on a phone broke into "F" and "PIC"."""
    for kind, mail in played.items():
        told = re.sub(r"(?s)<pre.*?</pre>", "", mail.page)
        assert not re.search(r"\b[AF] [A-Z]{3}\b|[-→] [A-Z]{3}\b", html.unescape(told)), kind
    assert "Failed: A\xa0PAR\xa0-\u2060\xa0BUR (bounce)" in shown(played["results"].page)


def test_orders_are_other_orders_only_beside_the_readers_own(heron: DeskAtWork) -> None:
    heron.lay("W1901A", units={"France": ["A BUR"]}, centers={"France": ["PAR", "BRE"]})
    heron.new_mails()
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nBUILD A PAR")
    pages = {mail.to: mail.page for mail in _next(heron, "W1901A Results")}
    assert "Your orders" in pages["france@example.org"]
    assert "Builds an army in Paris" in pages["italy@example.org"]
    assert "Other orders" not in pages["italy@example.org"]


def test_the_map_is_below_the_only_orders_that_were_given(heron: DeskAtWork) -> None:
    """In a winter in which only the reader builds, it was above the deadline and the orders."""
    heron.lay("W1901A", units={"France": ["A BUR"]}, centers={"France": ["PAR", "BRE"]})
    heron.new_mails()
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nBUILD A PAR")
    (page,) = [mail.page for mail in _next(heron, "W1901A Results") if mail.to == "france@example.org"]
    order = ["<h1", "Orders are due by", 'class="a"', "Your orders", "an army in Paris", "<!--pictures-->", "Ownership"]
    places = [page.index(words) for words in order]
    assert places == sorted(places)


def test_a_page_begins_with_its_news_and_can_be_listened_to(played: dict[str, Posted]) -> None:
    """Mail programs show its first words below the subject; screen readers go from heading to heading."""
    first = {kind: " ".join(shown(mail.page).split())[:40] for kind, mail in played.items()}
    assert first["results"].startswith("No order for A MAR and F BRE")
    assert first["reminder"].startswith("Reminder: ")
    for kind, mail in played.items():
        assert "<h1" in mail.page and not first[kind].startswith("::"), kind
        assert f"<title>{html.escape(mail.subject)}</title>" in mail.page, kind
        assert not re.search(r"<th(?! scope=)", mail.page), kind
        assert all("<th" in table for table in re.findall(r"<table.*?</table>", mail.page, re.DOTALL)), kind
        assert not re.search(r"in \d+ (?:days|hours)", mail.page) or mail.answers, kind


def test_the_times_of_a_deadline_that_has_moved_are_on_lines_of_their_own(heron: DeskAtWork) -> None:
    letter = "SIGNON Mheron gm\nSET DEADLINE 2026-05-14 21:00\nSET GRACE 2026-05-15 21:00\nSET START 2026-05-14 20:00"
    (notice,) = [mail for mail in heron.writes("kim@example.org", letter) if mail.to == "france@example.org"]
    lines = [line.split(" May ")[0] for line in shown(notice.page).split("\n")]
    begins = [
        "Orders are due by",
        "(The deadline was",
        "Grace for late orders ends",
        "The phase won't be processed before",
    ]
    at = [next(number for number, line in enumerate(lines) if line.strip().startswith(words)) for words in begins]
    assert at == sorted(at)


def test_a_deadline_that_has_passed_is_not_told_above_the_late_orders(heron: DeskAtWork) -> None:
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NO NMR")
    letter = "SIGNON Fheron pwfrance\nA PAR - BUR"
    assert "Orders are due by" in heron.replies("france@example.org", letter).page
    _next(heron, "Abandoned")
    late = heron.replies("france@example.org", letter)
    assert "The deadline has passed." in late.page and "Orders are due by" not in late.page


def test_the_time_above_complete_orders_is_that_of_processing(heron: DeskAtWork) -> None:
    for power, orders in ALL_HOLD.items():
        page = heron.replies(f"{power}@example.org", f"SIGNON {power[0].upper()}heron pw{power}\n{orders}").page
        is_last = power == [*ALL_HOLD][-1]
        assert page.count("will be processed on") == 2 * is_last and ("Orders are due by" in page) != is_last


def test_a_reader_who_wants_text_alone_gets_no_page(heron: DeskAtWork) -> None:
    note = heron.replies("italy@example.org", "SIGNON Iheron pwitaly\nSET HTML OFF")
    assert "HTML off: your emails will be plain text" in note.flat
    mail = heron.replies("italy@example.org", "SIGNON Iheron pwitaly\nA VEN H")
    assert not note.page and not mail.page
    assert mail.message["X-Judge-Parts"] == "text"
    press = heron.writes("france@example.org", "SIGNON Fheron pwfrance\nBROADCAST\nHello.")
    assert {one.to: bool(one.page) for one in press if "Broadcast" in one.subject}["italy@example.org"] is False
    heron.writes("italy@example.org", "SIGNON Iheron pwitaly\nSET HTML ON")
    assert heron.replies("italy@example.org", "SIGNON Iheron pwitaly\nA VEN H").page


def test_a_judge_can_send_no_pages(tmp_path: Path) -> None:
    desk = DeskAtWork(tmp_path, "", {"JUDGE_JUDGE_HTML": "no"})
    assert not desk.replies("jo@example.org", "LIST").page


def _sizes(mails: Iterable[Posted]) -> list[int]:
    return [len(mail.page.encode()) for mail in mails]


def test_the_largest_board_stays_below_what_mail_programs_cut(tmp_path: Path, played: dict[str, Posted]) -> None:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("globe", "intercontinental")
    results = _next(desk, "Results")
    sizes = _sizes(desk.all_mails())
    assert max(sizes) < 100_000
    own = next(mail.page for mail in results if "Your orders" in mail.page)
    assert not [fault for mail in results for fault in faults_of_headings(mail.page)]
    assert own.count("<tr>") < own.count("No Order") or "No orders" in own


def _longest(board: str, folder: Path) -> dict[str, str]:
    """The pages, with their pictures, of the player with most units: a reply that refuses three lines, and results."""
    home = folder / board
    home.mkdir()
    desk = DeskAtWork(home, "", {})
    game_name = BOARDS[board]
    desk.seat_all(game_name, board)
    with transaction(desk.engine) as session:
        game = game_named(session, game_name)
        phase = open_phase(session, game) if game else None
        assert game and phase
        variant, position = board_of(game, phase)
    orders = eager(variant, position, random.Random(2))
    seat = max(variant.seats, key=lambda seat: (len(seat.powers), sum(len(orders[power]) for power in seat.powers)))
    name = re.split(r"\W", seat.name.lower())[0]
    lines = [format_order(order) for power in seat.powers for order in orders[power]]
    signon = f"SIGNON {seat.letter}{game_name} pw{name}"
    letter = "\n".join([signon, "A QQQ H", "F XYZ - ABC", f"{lines[0]} X", *lines])
    found = {"reply": desk.replies(f"{name}@example.org", letter)}
    mails = desk.writes("kim@example.org", f"SIGNON M{game_name} gm\nPROCESS!")
    found["results"] = next(mail for mail in mails if mail.to == f"{name}@example.org")
    return {what: _with_pictures(mail) for what, mail in found.items()}


def _with_pictures(mail: Posted) -> str:
    """The page as a mail program shows it."""
    assert mail.picture
    form, scene = mail.picture
    picture = Picture(digest="", drawing="", created_at=START, form=cast(Form, form), scene=scene)
    album = {part: render(scene, picture.form, part) for part in parts_of(picture)}
    raw = with_album(mail.raw, picture, album)
    whole = Posted(mail.to, raw)
    page = whole.page
    for part in whole.message.walk():
        if part.get_content_maintype() == "image":
            data = base64.b64encode(part.get_content()).decode()
            page = page.replace(f"cid:{part['Content-ID'][1:-1]}", f"data:image/png;base64,{data}")
    return page


@pytest.mark.usefixtures("chromium")
def test_pages_fit_a_phone_and_can_be_read_light_and_dark(played: dict[str, Posted], tmp_path: Path) -> None:
    longest = {f"{board} {what}": page for board in BOARDS for what, page in _longest(board, tmp_path).items()}
    seen = looks({kind: mail.page for kind, mail in played.items()}, tmp_path, longest)
    assert len(seen) == len(played) * 4 + len(BOARDS) * 4
    for look in seen[len(played) * 4 :]:
        own, *_ = (top for tag, top in look.tops if tag == "H2")
        pictures = [top for tag, top in look.tops if tag == "IMG" and top > 0]  # others are hidden
        refused = [top for tag, top in look.tops if tag == "B"][:3] if "reply" in look.name else []
        assert own < 600 and max(refused, default=0) < 600, (look.name, look.width, own, refused)
        assert pictures and own < min(pictures), look.name
    for look in seen:
        assert look.wide <= look.width, look
        assert look.contrast >= 4.5, look
        assert look.scripts == 0
    grounds = {(look.scheme, look.ground) for look in seen}
    assert grounds == {("light", "rgb(255, 255, 255)"), ("dark", "rgb(21, 23, 27)")}
