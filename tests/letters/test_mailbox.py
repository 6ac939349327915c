"""The mailbox against real IMAP servers: nothing lost, nothing twice, whatever the servers can and do."""

import io
import logging
import random
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from judge.letters.imap import Fetched, Withheld, find_folder
from judge.letters.mailbox import BATCH, Mailbox, MailboxError
from tests.letters.interpreter import Interpreter
from tests.letters.mailboxes import Server, box_of, open_mailbox
from tests.letters.reading import read_letter
from tests.letters.withholding import withholding
from tests.letters.writing import letter
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem
from tests.servers.meddler import Meddler, garbling, unchanged

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)


def sweep(mailbox: Mailbox) -> list[Fetched]:
    return [fetched for batch in mailbox.new_letters() for fetched in batch]


def bodies(letters: list[Fetched]) -> list[bytes]:
    return [fetched.raw.rpartition(b"\r\n\r\n")[2].strip() for fetched in letters]


@pytest.fixture
def bell() -> Iterator[tuple[socket.socket, socket.socket]]:
    ear, hammer = socket.socketpair()
    with ear, hammer:
        yield ear, hammer


def later(seconds: float, do: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()
    return timer


def took(action: Callable[[], object]) -> float:
    started = time.monotonic()
    action()
    return time.monotonic() - started


def test_letters_come_in_order_and_once(mail_server: Server):
    """Letters come in the order in which they arrived; filed away they do not come again, but are still there."""
    for text in ("one", "two", "three"):
        mail_server.deliver(letter(text), "judge@example.net")
    with open_mailbox(mail_server) as mailbox:
        assert bodies(sweep(mailbox)) == [b"one", b"two", b"three"]
        letters = sweep(mailbox)
        assert [fetched.uid for fetched in letters] == sorted(fetched.uid for fetched in letters)
        mailbox.file_away(letters[:2])
        assert bodies(sweep(mailbox)) == [b"three"]
        mail_server.deliver(letter("four"), "judge@example.net")
        assert bodies(sweep(mailbox)) == [b"three", b"four"]
    with open_mailbox(mail_server) as mailbox:
        assert bodies(sweep(mailbox)) == [b"three", b"four"]


def test_time_and_bytes_are_the_servers(dovecot: Dovecot):
    """INTERNALDATE in UTC, the letter byte for byte."""
    raw = letter("A PAR – BUR\n")
    dovecot.append(raw, NOON)
    with open_mailbox(dovecot) as mailbox:
        [fetched] = sweep(mailbox)
    assert fetched.received_at == NOON and fetched.received_at.tzinfo is UTC
    assert fetched.raw == raw and not fetched.cut


def test_big_letter_is_cut(mail_server: Server):
    """Of a letter that is too big the beginning is fetched, and it can be read."""
    mail_server.deliver(letter("A PAR - BUR\n" + "x" * 79 + "\n" + "rubbish\n" * 30_000), "judge@example.net")
    mail_server.deliver(letter("A MAR H"), "judge@example.net")
    with open_mailbox(mail_server, max_size=100_000) as mailbox:
        big, small = sweep(mailbox)
    assert big.cut and len(big.raw) < 140_000 and not small.cut
    read = read_letter(big.raw, cut=True)
    assert (read.sender, read.lines[0].text) == ("anna@example.org", "A PAR - BUR")


@pytest.mark.parametrize(("over", "is_cut"), [(0, False), (1, True)])
@pytest.mark.parametrize("is_partial", [True, False])
def test_a_letter_of_the_largest_size_is_whole(dovecot: Dovecot, over: int, is_cut: bool, is_partial: bool):
    """Also if the server gives all bytes, whatever it was asked for."""
    raw = letter("A PAR - BUR\n" + "x" * 60 + "\n")
    raw += b"x" * (10_000 + over - len(raw) - 2) + b"\r\n"
    dovecot.append(raw, NOON)
    with open_mailbox(dovecot, max_size=10_000) as mailbox:
        if not is_partial:
            client = mailbox._connected()
            fetch = client.fetch
            client.fetch = lambda uids, what: fetch(uids, [what[0], "BODY.PEEK[]"])
        [fetched] = sweep(mailbox)
    assert (fetched.raw, fetched.cut) == (raw[:10_000], is_cut)


def test_fewer_letters_are_fetched_at_a_time_if_they_may_be_big(dovecot: Dovecot):
    for number in range(3):
        dovecot.append(letter(f"letter {number}"), NOON)
    with open_mailbox(dovecot, max_size=16_000_000) as mailbox:
        assert [len(batch) for batch in mailbox.new_letters()] == [2, 1]
    with open_mailbox(dovecot, max_size=40_000_000) as mailbox:
        assert [len(batch) for batch in mailbox.new_letters()] == [1, 1, 1]


def test_huge_header_is_cut(dovecot: Dovecot):
    """Also when the header is what is too big."""
    dovecot.append(letter("A PAR - BUR", *[f"X-Padding-{number}: {'x' * 900}" for number in range(200)]), NOON)
    with open_mailbox(dovecot, max_size=100_000) as mailbox:
        [fetched] = sweep(mailbox)
    assert fetched.cut and read_letter(fetched.raw).sender == "anna@example.org"


@pytest.mark.parametrize("security", ["tls", "starttls", "plain"])
def test_every_kind_of_connection(dovecot: Dovecot, security: str):
    """TLS from the first byte, STARTTLS and none, trusting the keeper's own authority."""
    dovecot.append(letter("hello"), NOON)
    port = dovecot.imaps_port if security == "tls" else dovecot.imap_port
    with open_mailbox(dovecot, security=security, port=port, ca_file=dovecot.ca_file) as mailbox:
        assert bodies(sweep(mailbox)) == [b"hello"]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_untrusted_certificate(dovecot: Dovecot, security: str):
    """A server that cannot prove its name is not talked to."""
    port = dovecot.imaps_port if security == "tls" else dovecot.imap_port
    with pytest.raises(MailboxError, match="certificate that cannot be trusted"):
        open_mailbox(dovecot, security=security, port=port).connect()


def test_what_can_be_wrong_is_said_in_a_sentence(dovecot: Dovecot, mail_system: MailSystem, tmp_path):
    """Each failure to connect names the server and the reason."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        cases = [
            ("gave no answer for 0.3 seconds", {"port": silent.getsockname()[1], "timeout": 0.3}),
            ('refuses the login of "judge"', {"password": "wrong"}),
            ("refuses: select failed", {"folder": "No such folder"}),
            ("cannot be found", {"host": "no-such-host.invalid"}),
            ("does not speak TLS", {"security": "tls", "port": dovecot.imap_port}),
            ("cannot be read", {"security": "tls", "ca_file": tmp_path / "missing.pem"}),
        ]
        for sentence, changes in cases:
            with pytest.raises(MailboxError, match=sentence):
                open_mailbox(dovecot, **changes).connect()
    with pytest.raises(MailboxError, match="refuses the connection"):
        open_mailbox(dovecot, port=silent_port()).connect()
    with pytest.raises(MailboxError, match="STARTTLS"):
        open_mailbox(mail_system, security="starttls").connect()
    with pytest.raises(MailboxError, match="is not connected"):
        sweep(open_mailbox(dovecot))


def silent_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def test_passwords_stay_secret(dovecot: Dovecot, caplog: pytest.LogCaptureFixture):
    """Neither the mailbox's password nor letters (which hold players' passwords) reach a log or a traceback."""
    dovecot.append(letter("SIGNON Fheron hush-hush"), NOON)
    wrong = "".join(reversed("yzzyx"))
    with caplog.at_level(logging.DEBUG):
        with open_mailbox(dovecot) as mailbox:
            mailbox.file_away(sweep(mailbox))
        with pytest.raises(MailboxError) as refusal:
            open_mailbox(dovecot, password=wrong).connect()
    told = io.StringIO()
    traceback.print_exception(refusal.value, file=told)
    assert "refuses the login" in told.getvalue() and "UID SEARCH" in caplog.text
    for password in (dovecot.password, wrong, "hush"):
        assert password not in caplog.text
    assert wrong not in told.getvalue()


@pytest.mark.parametrize(
    ("hidden", "in_inbox", "in_processed"),
    [((), 0, 2), ((b" MOVE",), 0, 2), ((b" MOVE", b" UIDPLUS"), 2, 0), ((b" MOVE", b" UIDPLUS", b"\\*"), 2, 0)],
    ids=["move", "copy", "keyword", "read"],
)
def test_every_way_to_file_away(dovecot: Dovecot, hidden: tuple[bytes, ...], in_inbox: int, in_processed: int):
    """Servers that cannot move, expunge single letters or keep keywords: no letter comes twice and none is lost."""
    for text in ("one", "two"):
        dovecot.append(letter(text), NOON)
    with Interpreter(dovecot.imap_port, hidden) as between:
        with open_mailbox(dovecot, port=between.port) as mailbox:
            mailbox.file_away(sweep(mailbox))
            dovecot.append(letter("three"), NOON)
            assert bodies(sweep(mailbox)) == [b"three"]
        with open_mailbox(dovecot, port=between.port) as mailbox:
            assert bodies(sweep(mailbox)) == [b"three"]
    assert len(dovecot.mails()) == in_inbox + 1
    assert len(dovecot.mails("Processed")) == in_processed


@pytest.mark.parametrize(
    ("hidden", "refused", "marked"),
    [
        ((), (b"UID MOVE",), [b"$Judged"]),
        ((b" MOVE",), (b"UID COPY",), [b"$Judged"]),
        ((b"\\*",), (b"UID MOVE",), [rb"\Seen"]),
        ((), (b"UID MOVE", b"UID STORE"), []),
        ((b" MOVE", b" UIDPLUS"), (b"UID STORE",), []),
    ],
    ids=["move", "copy", "read", "nothing", "not even marks"],
)
def test_a_way_that_is_refused_is_replaced_by_the_next(
    dovecot: Dovecot, hidden: tuple[bytes, ...], refused: tuple[bytes, ...], marked: list[bytes]
):
    """Letters are handed out once for each connection, and a connection stays open."""
    dovecot.append(letter("one"), NOON)
    with Interpreter(dovecot.imap_port, hidden, refused) as between:
        with open_mailbox(dovecot, port=between.port) as mailbox:
            client = mailbox._connected()
            refusal = mailbox.file_away(sweep(mailbox))
            assert refusal.startswith("emails cannot be ") and "b'" not in refusal
            for text in (b"two", b"three"):
                dovecot.append(letter(text.decode()), NOON)
                letters = sweep(mailbox)
                assert bodies(letters) == [text]
                assert mailbox.file_away(letters) == refusal
            assert sweep(mailbox) == [] and mailbox._connected() is client
            assert mailbox.count() == (0 if marked else 3)
        with dovecot.client() as looks:
            looks.select_folder("INBOX", readonly=True)
            flags = looks.get_flags(looks.search()).values()
        assert len(flags) == 3 and all(set(marked) <= {*has} for has in flags)
        with open_mailbox(dovecot, port=dovecot.imap_port) as mailbox:
            assert mailbox.file_away(sweep(mailbox)) == "" and sweep(mailbox) == []


def test_marks_are_asked_for_by_no_folder(mail_server: Server):
    """Without a folder for what is done, letters stay and are marked, with a keyword or, at worst, as read."""
    mail_server.deliver(letter("one"), "judge@example.net")
    with open_mailbox(mail_server, processed="") as mailbox:
        mailbox.file_away(sweep(mailbox))
        mail_server.deliver(letter("two"), "judge@example.net")
        assert bodies(sweep(mailbox)) == [b"two"]
    with open_mailbox(mail_server, processed="") as mailbox:
        assert bodies(sweep(mailbox)) == [b"two"]
    with open_mailbox(mail_server, processed="Elsewhere") as mailbox:
        assert b"two" in bodies(sweep(mailbox))


def test_only_our_letters_are_expunged(dovecot: Dovecot):
    """A letter that somebody else marked as deleted is neither handed out nor expunged by us."""
    dovecot.append(letter("keep"), NOON)
    with dovecot.client() as client:
        client.select_folder("INBOX")
        client.add_flags([1], [rb"\Deleted"])
    dovecot.append(letter("ours"), NOON)
    with Interpreter(dovecot.imap_port, (b" MOVE",)) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        letters = sweep(mailbox)
        mailbox.file_away(letters)
    assert bodies(letters) == [b"ours"]
    assert [b"keep" in raw for raw in dovecot.mails()] == [True]


def test_letters_that_vanish_before_they_are_fetched(dovecot: Dovecot):
    """Another client deletes between SEARCH and FETCH: the others come all the same."""
    with dovecot.client() as client:
        for number in range(BATCH + 10):
            client.append("INBOX", letter(f"letter {number}"))
    with open_mailbox(dovecot) as mailbox:
        batches = mailbox.new_letters()
        first = next(batches)
        with dovecot.client() as other:
            other.select_folder("INBOX")
            other.delete_messages([BATCH + 2, BATCH + 5])
            other.expunge()
        rest = [fetched.uid - BATCH for batch in batches for fetched in batch]
    assert len(first) == BATCH
    assert rest == [1, 3, 4, 6, 7, 8, 9, 10]


@pytest.mark.parametrize("hidden", [(), (b" MOVE",)], ids=["move", "copy"])
def test_letters_that_vanish_before_they_are_filed(dovecot: Dovecot, hidden: tuple[bytes, ...]):
    """The others are filed away; what is gone is gone."""
    for text in ("one", "two", "three"):
        dovecot.append(letter(text), NOON)
    with Interpreter(dovecot.imap_port, hidden) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        letters = sweep(mailbox)
        with dovecot.client() as other:
            other.select_folder("INBOX")
            other.delete_messages([2])
            other.expunge()
        mailbox.file_away(letters)
        assert sweep(mailbox) == []
    assert len(dovecot.mails("Processed")) == 2 and dovecot.mails() == []


def test_folder_removed_underneath(dovecot: Dovecot):
    """The keeper deletes the folder of done letters while the judge runs: it is made anew."""
    with open_mailbox(dovecot) as mailbox:
        with dovecot.client() as client:
            client.delete_folder("Processed")
        dovecot.append(letter("one"), NOON)
        mailbox.file_away(sweep(mailbox))
    assert len(dovecot.mails("Processed")) == 1


def test_new_uidvalidity(dovecot: Dovecot):
    """After a restore from backup the old numbers mean nothing: no letter is filed away by an old number."""
    dovecot.append(letter("before"), NOON)
    with open_mailbox(dovecot) as mailbox:
        [old] = sweep(mailbox)
    dovecot.begin_anew()
    dovecot.append(letter("after"), NOON)
    with open_mailbox(dovecot) as mailbox:
        mailbox.file_away([old])
        [new] = sweep(mailbox)
    assert (new.uid, bodies([new])) == (old.uid, [b"after"])
    assert new.uidvalidity != old.uidvalidity


@pytest.fixture
def unstarted_dovecot(dovecot: Dovecot) -> Iterator[Dovecot]:
    """A Dovecot of one's own, to be configured before it starts; `dovecot` is asked for where it is not installed."""
    server = Dovecot()
    yield server
    server.remove()


def test_server_with_prefix_and_dots(unstarted_dovecot: Dovecot):
    """On a server whose folders all stand below INBOX the folder is created there, however it was written."""
    server = unstarted_dovecot
    configuration = server.folder / "dovecot.conf"
    text = configuration.read_text()
    configuration.write_text(text.replace("separator = /", "separator = .\n  prefix = INBOX."))
    server.start()
    for name in ("Judge/Done", "INBOX.Judge.Done"):
        server.append(letter(name), NOON)
        with open_mailbox(server, processed=name) as mailbox:
            mailbox.file_away(sweep(mailbox))
    assert len(server.mails("INBOX.Judge.Done")) == 2


def test_password_beyond_ascii(unstarted_dovecot: Dovecot):
    """Passwords may have umlauts."""
    server = unstarted_dovecot
    server.password = "grüße – 1"
    (server.folder / "passwd").write_text(f"judge:{{PLAIN}}{server.password}\n")
    server.start()
    with open_mailbox(server) as mailbox:
        assert sweep(mailbox) == []
    with pytest.raises(MailboxError, match="refuses the login"):
        open_mailbox(server, password="grüße – 2").connect()


def secured(server: Server, security: str) -> Mailbox:
    if isinstance(server, Dovecot) and security == "tls":
        return open_mailbox(server, security="tls", port=server.imaps_port, ca_file=server.ca_file)
    return open_mailbox(server)


def test_mail_ends_a_wait(mail_server: Server, bell: tuple[socket.socket, socket.socket]):
    """A letter that arrives during a wait ends it soon, and can be fetched at once."""
    with open_mailbox(mail_server) as mailbox:
        assert sweep(mailbox) == []
        later(0.3, lambda: mail_server.deliver(letter("one"), "judge@example.net"))
        assert 0.1 < took(lambda: mailbox.wait(20, bell[0])) < 5
        assert bodies(sweep(mailbox)) == [b"one"]


@pytest.mark.parametrize("security", ["plain", "tls"])
def test_wake_ends_a_wait(dovecot: Dovecot, security: str, bell: tuple[socket.socket, socket.socket]):
    """A byte at the wake socket ends a wait, before or during it; time does, too; commands work afterwards."""
    ear, hammer = bell
    with secured(dovecot, security) as mailbox:
        assert sweep(mailbox) == []
        later(0.3, lambda: hammer.send(b"!"))
        assert 0.2 < took(lambda: mailbox.wait(20, ear)) < 2
        assert took(lambda: mailbox.wait(20, ear.fileno())) < 1
        ear.recv(10)
        assert 0.4 < took(lambda: mailbox.wait(0.5, ear)) < 2
        dovecot.append(letter("one"), NOON)
        mailbox.file_away(sweep(mailbox))
        assert took(lambda: mailbox.wait(0.5, ear)) < 2
        assert sweep(mailbox) == []


@pytest.mark.parametrize("security", ["plain", "tls"])
def test_mail_between_sweep_and_wait(mail_server: Server, security: str, bell: tuple[socket.socket, socket.socket]):
    """Whatever arrives after a sweep ends the next wait at once, however narrow the gap."""
    with secured(mail_server, security) as mailbox:
        sweep(mailbox)
        for number in range(10):
            pause = number * 0.001
            later(pause, lambda: mail_server.deliver(letter("now"), "judge@example.net"))
            time.sleep(0.004)
            assert took(lambda: mailbox.wait(20, bell[0])) < 1.5
            deadline = time.monotonic() + 5
            while not (found := sweep(mailbox)) and time.monotonic() < deadline:
                pass
            mailbox.file_away(found)
            assert bodies(found) == [b"now"]


@pytest.mark.parametrize("hidden", [(), (b" IDLE",)], ids=["idle", "no idle"])
def test_mail_announced_while_filing(
    dovecot: Dovecot, hidden: tuple[bytes, ...], bell: tuple[socket.socket, socket.socket]
):
    """A server speaks of new mail once: what it said in answer to another command ends the next wait, too."""
    dovecot.append(letter("one"), NOON)
    with Interpreter(dovecot.imap_port, hidden) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        letters = sweep(mailbox)
        dovecot.append(letter("two"), NOON)
        mailbox.file_away(letters)
        assert took(lambda: mailbox.wait(20, bell[0])) < 1.5
        assert bodies(sweep(mailbox)) == [b"two"]


def test_server_without_idle(dovecot: Dovecot, bell: tuple[socket.socket, socket.socket]):
    """Without IDLE only the wake socket and the time end a wait."""
    with Interpreter(dovecot.imap_port, (b" IDLE",)) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        assert sweep(mailbox) == []
        assert 0.4 < took(lambda: mailbox.wait(0.5, bell[0])) < 2
        bell[1].send(b"!")
        assert took(lambda: mailbox.wait(20, bell[0])) < 1
        assert sweep(mailbox) == []


def test_server_dies_during_a_wait(dovecot: Dovecot, bell: tuple[socket.socket, socket.socket]):
    """The wait raises at once instead of spinning; after a restart all is there."""
    dovecot.append(letter("one"), NOON)
    with open_mailbox(dovecot) as mailbox:
        sweep(mailbox)
        killing = later(0.3, dovecot.kill)
        started = time.monotonic()
        with pytest.raises(MailboxError, match="broke the connection"):
            mailbox.wait(20, bell[0])
        assert time.monotonic() - started < 15
        killing.join()
        with pytest.raises(MailboxError, match="refuses the connection"):
            mailbox.connect()
        dovecot.start()
        mailbox.connect()
        assert bodies(sweep(mailbox)) == [b"one"]


def test_silent_server(dovecot: Dovecot, bell: tuple[socket.socket, socket.socket]):
    """A server that says nothing any more is given up after the timeout."""
    with open_mailbox(dovecot, timeout=0.5) as mailbox:
        sweep(mailbox)
        dovecot.freeze()
        try:
            with pytest.raises(MailboxError, match="no answer for 0.5 seconds"):
                mailbox.wait(0.1, bell[0])
        finally:
            dovecot.thaw()


def test_connection_cut_while_fetching(dovecot: Dovecot, bell: tuple[socket.socket, socket.socket]):
    """A connection that breaks in the middle of a sweep is made anew; when that fails it is an error."""
    with dovecot.client() as client:
        for number in range(BATCH + 5):
            client.append("INBOX", letter(f"letter {number}"))
    with Interpreter(dovecot.imap_port) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        batches = mailbox.new_letters()
        assert len(next(batches)) == BATCH
        between.hang_up()
        assert len(next(batches)) == 5
        assert took(lambda: mailbox.wait(20, bell[0])) < 1
        batches = mailbox.new_letters()
        next(batches)
        dovecot.kill()
        with pytest.raises(MailboxError):
            next(batches)
        dovecot.start()
        mailbox.connect()
        assert len(sweep(mailbox)) == BATCH + 5


def test_letter_that_the_server_cannot_read(dovecot: Dovecot, caplog: pytest.LogCaptureFixture):
    """Dovecot hangs up on who wants such a letter; all the others are handed out, time and again."""
    for text in ("one", "two", "three"):
        dovecot.append(letter(text), NOON)
    broken = next(file for file in dovecot.folder.glob("mail/judge/*/*") if b"two" in file.read_bytes())
    broken.chmod(0)
    with open_mailbox(dovecot) as mailbox:
        letters = sweep(mailbox)
        assert bodies(letters) == [b"one", b"three"]
        assert "letter uid=2 cannot be fetched" in caplog.text
        mailbox.file_away(letters)
        assert sweep(mailbox) == [] and str(mailbox.withheld) == "1 (INBOX: 2)"
        next(dovecot.folder.glob("mail/judge/*/*" + broken.name.partition(":")[0] + "*")).chmod(0o600)
        assert bodies(sweep(mailbox)) == [b"two"]


@pytest.mark.parametrize("answers", [True, False], ids=["NIL", "no data"])
def test_a_letter_that_is_listed_and_not_handed_out(dovecot: Dovecot, caplog: pytest.LogCaptureFixture, answers: bool):
    """Once may be chance, since letters are deleted meanwhile; from the second look on it is logged and counted."""
    for text in ("one", "two", "three"):
        dovecot.append(letter(text), NOON)
    withheld = Withheld()
    with Meddler(dovecot.imap_port) as between:
        between.answers = withholding(2, answers=answers)
        with Mailbox(box_of(dovecot, port=between.port), withheld=withheld) as mailbox:
            letters = sweep(mailbox)
            assert bodies(letters) == [b"one", b"three"] and not withheld.lasting
            assert "does not deliver" not in caplog.text
            mailbox.file_away(letters)
            assert sweep(mailbox) == [] and str(withheld) == "1 (INBOX: 2)"
            assert "emails that the mail server lists but does not deliver: 1 (INBOX: 2)" in caplog.text
            dovecot.append(letter("four"), NOON)
            assert bodies(sweep(mailbox)) == [b"four"] and str(withheld) == "1 (INBOX: 2)"
            assert caplog.text.count("does not deliver") == 1
        with Mailbox(box_of(dovecot, port=between.port), withheld=withheld) as mailbox:
            sweep(mailbox)
            assert str(withheld) == "1 (INBOX: 2)", "a new connection changes nothing"
            between.answers = unchanged
            assert bodies(sweep(mailbox)) == [b"two", b"four"] and not withheld.lasting


def test_a_letter_that_is_deleted_is_no_longer_withheld(dovecot: Dovecot):
    for text in ("one", "two"):
        dovecot.append(letter(text), NOON)
    with Meddler(dovecot.imap_port) as between, open_mailbox(dovecot, port=between.port) as mailbox:
        between.answers = withholding(2)
        sweep(mailbox), sweep(mailbox)
        assert str(mailbox.withheld) == "1 (INBOX: 2)"
        with dovecot.client() as other:
            other.select_folder("INBOX")
            other.delete_messages([2])
            other.expunge()
        sweep(mailbox)
        assert not mailbox.withheld.lasting


@pytest.mark.parametrize("share", [0.002, 0.01, 0.1])
def test_a_server_that_garbles(dovecot: Dovecot, bell: tuple[socket.socket, socket.socket], share: float):
    """Whatever comes in its answers, it is a sentence about the server and no mistake of ours; letters stay there."""
    for number in range(3):
        dovecot.append(letter(f"letter {number}"), NOON)
    understood = 0
    with Meddler(dovecot.imap_port) as between:
        for seed in range(12):
            between.answers = garbling(random.Random(seed), share)
            try:
                with open_mailbox(dovecot, port=between.port, timeout=0.3) as mailbox:
                    for batch in mailbox.new_letters():
                        understood += len(batch)
                    mailbox.wait(0.05, bell[0])
            except MailboxError as error:
                assert str(error).startswith("the mail server localhost:")
    assert understood < 12 * 3
    with open_mailbox(dovecot) as mailbox:
        assert bodies(sweep(mailbox)) == [b"letter 0", b"letter 1", b"letter 2"]


def test_time_of_a_server_without_internaldate(dovecot: Dovecot):
    """A server that gives no time gets ours."""
    dovecot.append(letter("one"), NOON)
    one_o_clock = NOON.replace(hour=13)
    with (
        Interpreter(dovecot.imap_port, (b"INTERNALDATE",)) as between,
        Mailbox(box_of(dovecot, port=between.port), clock=lambda: one_o_clock) as mailbox,
    ):
        [fetched] = sweep(mailbox)
    assert fetched.received_at == one_o_clock


def test_a_folder_that_another_connection_creates_meanwhile_is_there(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch):
    """As `judge doctor` does beside the daemon."""
    with dovecot.client() as client, dovecot.client() as other:
        create = client.create_folder

        def late(name: str) -> object:
            other.create_folder(name)
            return create(name)

        monkeypatch.setattr(client, "create_folder", late)
        assert find_folder(client, "Done") == "Done"
