"""Folders for junk: letters of known people there are found like others, and nothing else is touched."""

import select
import socket
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest
from imapclient import IMAPClient

from judge.letters.imap import Fetched
from judge.letters.mailbox import JunkFolders, Mailbox
from tests.letters.mailboxes import Server, box_of
from tests.letters.withholding import withholding
from tests.letters.writing import letter
from tests.servers.meddler import Meddler, unchanged

FAY, STRANGER = b"From: Fay <fay@example.org>\r\n", b"From: Crown Prince <prince@example.net>\r\n"


def known(addresses: Collection[str]) -> Collection[str]:
    return set(addresses) & {"fay@example.org"}


def put(server: Server, folder: str, raw: bytes, at: datetime | None = None) -> None:
    with IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=10) as client:
        client.login("judge", server.password)
        if not client.folder_exists(folder):
            client.create_folder(folder)
        client.append(folder, raw, msg_time=at)


def texts(letters: list[Fetched]) -> list[str]:
    return [fetched.raw.rpartition(b"\r\n\r\n")[2].strip().decode() for fetched in letters]


def sweep(mailbox: Mailbox) -> list[str]:
    found = []
    for batch in mailbox.new_letters():
        mailbox.file_away(batch)
        found += texts(batch)
    return found


def written(head: bytes, text: str) -> bytes:
    return head + b"Subject: x\r\n\r\n" + text.encode() + b"\r\n"


def folders(server: Server) -> dict[str, int]:
    with IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=10) as client:
        client.login("judge", server.password)
        return {name: client.select_folder(name, readonly=True)[b"EXISTS"] for _, _, name in client.list_folders()}


def test_letters_of_known_people_are_found_in_junk_once_and_others_stay(mail_server: Server):
    put(mail_server, "Spam", written(FAY, "one"))
    put(mail_server, "Spam", written(STRANGER, "two"))
    put(mail_server, "Spam", written(FAY + STRANGER, "by two"))
    mail_server.deliver(letter("three"), "judge@example.net")
    with Mailbox(box_of(mail_server, junk="auto"), known=known) as mailbox:
        assert sweep(mailbox) == ["three", "one"]
        assert sweep(mailbox) == []
        put(mail_server, "Spam", written(FAY, "four"))
        mail_server.deliver(letter("five"), "judge@example.net")
        assert sweep(mailbox) == ["five", "four"]
        mail_server.deliver(letter("six"), "judge@example.net")
        assert sweep(mailbox) == ["six"] and mailbox.count() == 0
    with Mailbox(box_of(mail_server, junk="auto"), known=known) as mailbox:
        assert sweep(mailbox) == []
    assert folders(mail_server) == {"INBOX": 0, "Spam": 2, "Processed": 6 - 1}


def test_a_letter_in_junk_is_found_when_its_writer_has_become_known(dovecot: Server):
    put(dovecot, "Junk", written(FAY, "join"))
    put(dovecot, "Junk", written(STRANGER, "riches"))
    people: set[str] = set()
    with Mailbox(box_of(dovecot, junk="auto"), known=lambda addresses: people & set(addresses)) as mailbox:
        assert sweep(mailbox) == []
        people.add("fay@example.org")
        assert texts(next(mailbox.new_letters())) == ["join"]
        mailbox.connect()  # the connection broke before it was filed away
        assert sweep(mailbox) == ["join"] and sweep(mailbox) == []


@pytest.mark.parametrize(("wish", "found"), [("no", []), ("Other, Trash/Rubbish", ["other"]), ("auto", ["junk"])])
def test_which_folders_are_looked_through_is_the_keeper_s_wish(mail_system, wish, found):
    put(mail_system, "Junk", written(FAY, "junk"))
    put(mail_system, "Other", written(FAY, "other"))
    with Mailbox(box_of(mail_system, junk=wish), known=known) as mailbox:
        assert sweep(mailbox) == found


def test_a_letter_in_junk_that_is_not_handed_out_is_asked_for_again(dovecot):
    put(dovecot, "Junk", written(FAY, "one"))
    with Meddler(dovecot.imap_port) as between:
        between.answers = withholding(1)
        with Mailbox(box_of(dovecot, port=between.port, junk="auto"), known=known) as mailbox:
            assert sweep(mailbox) == [] and not mailbox.withheld.lasting
            assert sweep(mailbox) == [] and str(mailbox.withheld) == "1 (Junk: 1)"
            between.answers = unchanged
            assert sweep(mailbox) == ["one"] and not mailbox.withheld.lasting


def test_what_lay_in_junk_for_long_is_left_there(dovecot):
    put(dovecot, "Junk", written(FAY, "old"), datetime.now(UTC) - timedelta(days=9))
    with Mailbox(box_of(dovecot, junk="auto"), known=known) as mailbox:
        assert sweep(mailbox) == []
    assert folders(dovecot)["Junk"] == 1


def test_waiting_goes_on_in_our_own_folder_after_a_look_into_junk(dovecot):
    ear, hammer = socket.socketpair()
    with ear, hammer, Mailbox(box_of(dovecot, junk="auto"), known=known) as mailbox:
        put(dovecot, "Junk", written(FAY, "one"))
        assert sweep(mailbox) == ["one"]
        assert sweep(mailbox) == []
        mailbox.wait(0, ear)
        dovecot.deliver(letter("two"), "judge@example.net")
        mailbox.wait(30, ear)
        assert not select.select([ear], [], [], 0)[0]
        assert sweep(mailbox) == ["two"]


def test_a_folder_that_a_provider_marks_is_known_by_any_name():
    names = {"[Google Mail]/Werbung": [rb"\Junk"], "INBOX.Junk E-mail": [], "Junkers": []}
    client = Mock(spec=IMAPClient)
    client.list_folders.return_value = [(flags, b"/", name) for name, flags in names.items()]
    client.folder_status.return_value = {b"UIDVALIDITY": 1, b"UIDNEXT": 2}
    assert [*JunkFolders("auto", known).news(client)] == ["[Google Mail]/Werbung", "INBOX.Junk E-mail"]
    assert [*JunkFolders("Junkers", known).news(client)] == ["Junkers"]
    assert not JunkFolders("no", known).news(client)
