"""The letters of the guides, sent to a desk as they stand there: each is understood, and does what is said of it."""

import re

import pytest

from judge.games.orders.line_kinds import kind_of
from judge.mails.mail_writer import Letterhead
from judge.mails.templates import Texts
from judge.rules import Build, Retreat, load_variant, parse_order
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork

FAY, KIM = "france@example.org", "kim@example.org"
_BAD = re.compile(r"not understood|refused|not an order or a command|not done", re.IGNORECASE)
_LETTER = re.compile(r"(?:^    .*\n)+", re.MULTILINE)


def letters(topic: str) -> list[str]:
    """The indented blocks of a guide, with a name where its reader is to write their own."""
    text: str = Texts(None).render(f"help/{topic}", judge=Letterhead("JUDG", "judge@example.org"), zone="UTC")
    text = text.replace("Your Name", "Robin Roe")
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in _LETTER.findall(text)]


def orders_of(letter: str) -> list[str]:
    """The lines after its SIGNON."""
    return letter.strip().split("\n")[1:]


@pytest.fixture
def desk(tmp_path) -> DeskAtWork:
    return DeskAtWork(tmp_path, "", {})


def well(desk: DeskAtWork, sender: str, letter: str) -> str:
    """The reply to a letter that all of is understood."""
    text = desk.replies(sender, letter).text
    assert not _BAD.search(text), f"{letter}\n---\n{text}"
    return text


def test_the_guide_for_players(desk: DeskAtWork):
    join, *others = letters("guide")
    (retreat,), builds, (bid,) = (orders_of(others.pop(number)) for number in (2, 2, -1))
    standard = load_variant("standard")
    assert isinstance(parse_order(standard, "R", retreat), Retreat)
    assert [type(parse_order(standard, "A", line)) for line in builds] == [Build, Build]
    assert kind_of(load_variant("1648"), bid) == "bid"
    assert len(others) == 6
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard")
    assert "heron" in well(desk, "new@example.net", join)
    desk = DeskAtWork(desk.settings.home / "second", "", {})
    desk.seat_seven()
    told = [well(desk, FAY, letter.replace("secret", "pwfrance")) for letter in others]
    assert "Army Paris -> Burgundy" in told[0] and "Army Paris -> Picardy" in told[1]
    assert "press" in told[2].lower() and "HISTORY" not in told[3].splitlines()[0]
    assert "2026" in told[4]
    assert "draw" in told[5].lower()


def test_the_guide_for_masters(desk: DeskAtWork):
    create, settle, invite, *others, alone, orders = letters("hosting")
    assert "heron" in well(desk, KIM, create)
    assert "owl" in well(desk, KIM, alone) and "S1901M of owl has been processed" in well(desk, KIM, orders)
    well(desk, KIM, settle)
    well(desk, "new@example.net", invite)
    desk = DeskAtWork(desk.settings.home / "second", "", {})
    desk.seat_seven()
    for name, orders in ALL_HOLD.items():
        desk.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
    told = [well(desk, KIM, letter.replace("secret", "gm")) for letter in others]
    assert len(told) == 5 and "F1901M" in told[2]


@pytest.mark.parametrize("word", ["GET GUIDE", "HELP guide", "GET GUIDE.PLAYER"])
def test_the_guide_by_mail(desk: DeskAtWork, word: str):
    assert "Your first game, step by step." in desk.replies("new@example.net", word).text
    assert "GET HOSTING explains how to run a game" in desk.replies("new@example.net", word).text


def test_the_guide_of_masters_by_mail(desk: DeskAtWork):
    assert desk.replies(KIM, "GET HOSTING").text.count("SIGNON Mheron secret") == 6
