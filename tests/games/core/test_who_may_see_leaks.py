"""Nobody is told what they may not know: a whole gunboat game with bids, searched mail by mail for all its secrets.

Who may know what stands in tests/commands/who_may_know.py, the game in tests/commands/secretgame.py.
"""

import struct
import zlib
from base64 import b64encode
from email import policy
from email.message import EmailMessage
from hashlib import sha256

import pytest
from sqlmodel import select

from judge.store.engine import transaction
from judge.store.retention import close_up
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork
from tests.commands.secretgame import ALL, PLAYERS, SecretGame, mark
from tests.commands.who_may_know import Found, Sent

pytestmark = pytest.mark.slow

SETTINGS = {"JUDGE_GAMES_EARLY_DELAY": "600", "JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> SecretGame:
    """The whole game, played once."""
    game = SecretGame(DeskAtWork(tmp_path_factory.mktemp("leaks"), "", SETTINGS))
    game.course()
    return game


@pytest.fixture(scope="module")
def found(game: SecretGame) -> list[Found]:
    """Every mark in every mail of it."""
    return game.search.read(game.mails())


def test_no_mail_tells_its_reader_what_they_may_not_know(game, found):
    leaks = game.search.leaks(found)
    assert not leaks, "\n\n".join(leaks[:3])


def test_every_secret_is_found_in_a_mail_to_somebody_who_may_know_it(game, found):
    untold = game.search.untold(found)
    assert not untold, untold
    assert len({secret.kind for one in found for secret in one.about}) >= 16


PLAYED = (
    "Game Starting", "Results", "Resignation", "New Player", "Returning Player", "Seat Open", "Abandoned",
    "Is this you", "Parameter Change", "Deadline Adjustment", "Orders Corrected", "Position Corrected",
    "Border Corrected", "Rollback",
    "Game Paused", "Done for You", "You are a master", "Asks to Join", "Civil Disorder", "Absence Notice",
    "Draw Declared",
)  # fmt: skip


def test_all_of_it_was_played(game):
    subjects = " ".join(mail.subject for mail in game.desk.all_mails())
    assert [what for what in PLAYED if what not in subjects] == []


def test_the_search_finds_what_is_hidden(game):
    """In each of these mails to an observer stands the name of a player."""
    secret = mark("surname", "rosa")
    packed = b"note\0\0" + zlib.compress(secret.encode())
    picture = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4s", len(packed), b"zTXt") + packed + bytes(4)
    scene = next(mail.scene for mail in game.mails() if mail.scene)
    for hides in (
        lambda mail: mail.add_header("X-Reader", secret),
        lambda mail: mail.add_header("List-Unsubscribe", f"<mailto:x?subject={b64encode(secret.encode()).decode()}>"),
        lambda mail: mail.set_content(f"Dear {secret.title()}!", cte="base64"),
        lambda mail: mail.set_content(f"Hello.\n{b64encode(b'-' + secret.encode()).decode()}\n", cte="base64"),
        lambda mail: mail.set_content(f"Dear {secret[:9]}\xad", cte="quoted-printable"),
        lambda mail: mail.add_alternative(f"<p>&#{ord(secret[0])};<b>{secret[1:]}</b></p>", subtype="html"),
        lambda mail: mail.add_attachment(picture, maintype="image", subtype="png"),
        lambda mail: mail.add_attachment(f"ORGANIZER:{secret}\n".encode(), maintype="text", subtype="calendar"),
        lambda mail: mail.add_attachment(b"", maintype="application", subtype="x", filename=f"{secret}.txt"),
        lambda mail: mail.add_header("Message-ID", f"<{sha256(PLAYERS['Russia'].address.encode()).hexdigest()}@x>"),
    ):
        mail = EmailMessage(policy=policy.SMTP)
        mail.set_content("Nothing.")
        hides(mail)
        assert game.search.leaks(game.search.read([Sent("obed", game.began_until, mail.as_bytes())])), mail.as_string()
    drawn = Sent("obed", game.began_until, b"Subject: x\r\n\r\n", {**scene, "name": secret})
    assert game.search.leaks(game.search.read([drawn]))


def test_who_may_not_know_gets_the_same_mails_whatever_the_secret_is(game, tmp_path):
    """Sweden is another person, who orders, bids, votes and wishes otherwise, and comes to the same results."""
    other = SecretGame(DeskAtWork(tmp_path, "", SETTINGS), spy="moravia")
    other.beginning()
    for reader in ALL - {"sven", "mira"} | {"obed", "sten", "nils"}:
        assert game.to(reader) == other.to(reader), reader
    assert game.to("sven") != other.to("sven")


def test_a_password_is_never_kept_in_clear(game):
    """In no letter and no mail, in no byte of the database."""
    passwords = game.search.marks("a password", "a made password")
    assert [raw for raw in game.raw if not game.search.found_in(raw) & passwords] == [], "each letter came with one"
    with transaction(game.desk.engine) as session:
        kept = {row.id: row.raw for row in session.exec(select(LetterRow))}
    in_letters = {number: found for number, raw in kept.items() if (found := game.search.found_in(raw) & passwords)}
    assert not in_letters
    # What SQLite has moved may stay between the rows of a page until the file is written anew.
    close_up(game.desk.engine)
    database = (game.desk.settings.home / "judge.db").read_bytes().lower()
    assert not [password for password in game.search.marks("a password") if password.encode() in database]
