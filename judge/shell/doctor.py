"""Test what the judge needs in order to run, and say how to fix what fails (`judge doctor`).

`judge status` shows some of the same findings (judge/shell/status.py).

The command may run before the first start, and while the daemon runs. It sends one mail to the judge itself, which the
judge never answers, and removes this mail where it arrives.
"""

import importlib.util
import os
import re
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.parser import BytesHeaderParser
from json import dumps
from pathlib import Path
from smtplib import SMTPAuthenticationError

import dns.exception
import dns.resolver
from sqlalchemy.exc import DBAPIError

from judge.games.core.work import KEY_FILE
from judge.letters.imap import WRONG_PASSWORD, IdleClient
from judge.letters.mailbox import Mailbox, MailboxError
from judge.letters.parsed import referred_to
from judge.mails.mail_writer import Draft, Letterhead, compose
from judge.mails.smtp import Deferred, Refused, Unavailable, open_server
from judge.mails.templates import when
from judge.oauth import OAuthError, access_token
from judge.rules import open_catalogue
from judge.rules.board.names import by_number
from judge.rules.variant.registry import built_in_names, own_variants
from judge.service.health import disks, faults, what_may_go
from judge.service.troubles import TO_DO, file_of, read_troubles
from judge.settings import SECRETS, IntakeSettings, MailboxSettings, Settings, unfilled
from judge.store.engine import (
    BadInstallation,
    StoreError,
    check_tables,
    in_words,
    is_not_made_yet,
    newest_step,
    open_engine,
    shown,
)

# The maximum difference allowed between the mail server's clock and ours. Its clock decides whether a letter is in
# time, and ours when a phase is due.
MOST_APART = timedelta(seconds=5)
# Seconds between two searches for the test mail. The server may not announce the mail, since the daemon may have moved
# it.
_LOOK = 2.0
# The number of bytes to write in order to test a disk.
TRIAL = 65_536
_WIDTH = 11
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)")


@dataclass(frozen=True)
class Look:
    """A finding about one part of the judge.

    `what` is the part ("mailbox"), and `says` is its state. `well` is true if the keeper has nothing to do about it.
    `to_do` says how to fix it, unless `says` does.
    """

    what: str
    says: str
    well: bool = True
    to_do: str = ""

    @property
    def line(self) -> str:
        """The finding for a terminal, with what to do on a second line."""
        told = f"{self.what:<{_WIDTH}} {self.says}"
        return f"{told}\n{'':<{_WIDTH}}   -> {self.to_do}" if self.to_do else told


Looks = Iterator[Look]


def show(looks: Sequence[Look], *, json: bool, **more: object) -> int:
    """Print the findings, one on each line, or as one JSON object that includes `more`.

    Returns 0 if all is well, otherwise 1.
    """
    well = all(look.well for look in looks)
    if json:
        told = {**more, "well": well, "looks": [*map(asdict, looks)]}
        print(dumps(told, indent=1, default=lambda at: at.isoformat(timespec="seconds")))
    else:
        print("\n".join(look.line for look in looks))
    return int(not well)


@dataclass(frozen=True)
class Found:
    """The test mail, and the folder where it was found.

    `received_at` is by the mail server's clock. `announced` is true if the server announced the mail (IDLE). `is_junk`
    is true if its folder is neither where letters arrive nor where they are filed away.
    """

    folder: str
    uid: int
    received_at: datetime
    header: Message
    announced: bool
    is_junk: bool


class MailboxProbe(Mailbox):
    """The judge's mailbox, opened for a test that changes only the test mail."""

    @property
    def idles(self) -> bool:
        """Whether the server can announce new mail (RFC 2177)."""
        with self._connection() as client:
            return bool(client.has_capability("IDLE"))

    @property
    def filing(self) -> str:
        """How letters are filed away, in words."""
        return str(self._filing)

    def await_letter(self, word: str, seconds: float) -> Found | None:
        """Wait for the mail with this word in its subject, in the folders of the judge and of junk.

        Returns None if it does not arrive in time.
        """
        until, announced = time.monotonic() + seconds, False
        while True:
            with self._connection() as client:
                for folder, uids in self._search(client, word):
                    data = client.fetch(uids[:1], ["INTERNALDATE", "BODY.PEEK[HEADER]"])[uids[0]]
                    header = BytesHeaderParser().parsebytes(data[b"BODY[HEADER]"])
                    is_junk = folder not in (self._box.folder, self._filing.folder)
                    return Found(folder, uids[0], data[b"INTERNALDATE"], header, announced, is_junk)
                client.select_folder(self._box.folder, readonly=True)
                client.forget_announcements()
            if (left := until - time.monotonic()) <= 0:
                return None
            self.wait(min(left, _LOOK))
            announced = announced or self._connected().has_announced_mail

    def files_away(self, found: Found) -> bool:
        """File the mail away as the judge would, and return whether that worked."""
        with self._connection() as client:
            client.select_folder(self._box.folder)
            refusal = self._refused(client, self._filing, [found.uid])
            return not refusal and found.uid not in client.search(self._filing.found_by())

    def removes(self, word: str) -> bool:
        """Remove the mail with this word in its subject.

        Returns False if the server cannot expunge a single mail.
        """
        with self._connection() as client:
            if not client.has_capability("UIDPLUS"):
                return False
            for _, uids in self._search(client, word):
                client.add_flags(uids, [rb"\Deleted"], silent=True)
                client.uid_expunge(uids)
            return True

    def _search(self, client: IdleClient, word: str) -> Iterator[tuple[str, list[int]]]:
        """Select each folder in turn, and yield its name and the mails with this word in their subjects.

        The folders are those where letters arrive, where they are filed away, and junk. They are searched in the order
        in which letters are moved, so that a moved mail is not missed.
        """
        junk = [name for flags, _, name in client.list_folders() if rb"\Junk" in flags]
        for folder in dict.fromkeys(filter(None, [self._box.folder, self._filing.folder, *junk])):
            client.select_folder(folder)
            if uids := client.search(["SUBJECT", word]):
                yield folder, uids


def doctor(settings: Settings, *, no_mail: bool, no_dns: bool, seconds: float, json: bool) -> int:
    """Test the judge and print the findings, and return 0 if the keeper has nothing to do.

    If `no_mail` is true, no test mail is sent. If `no_dns` is true, no names are looked up. `seconds` is the time to
    wait for the test mail.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [*_unfilled(settings)] or [
        Look("judge", f"{settings.code} <{settings.address}>, settings from {settings.file}"),
        *_permissions(settings),
        *writable(settings),
        *troubles_told(settings),
        _database(settings),
        *folders(settings),
        *post(settings, None if no_mail else seconds, no_dns=no_dns),
    ]
    status = show(looks, json=json)
    if not json:
        wrong = sum(not look.well for look in looks)
        found = by_number(wrong, "1 problem found: the fix is", f"{wrong} problems found: the fixes are")
        print(f"\n{found} above, after ->." if wrong else "\nAll is well.")
    return status


def _unfilled(settings: Settings) -> Looks:
    """Yield a finding if some settings are still those of the sample.

    Any other faults would only be consequences of this.
    """
    if left := unfilled(settings):
        says = f"{settings.file} is not filled in yet: {', '.join(left)}"
        yield Look("settings", says, False, "write your own values there, and the password; then run judge doctor")


def letterbox(intake: IntakeSettings) -> Look:
    """Test whether the judge's port for letters is open."""
    where = f"{intake.protocol}://{intake.host}:{intake.port}"
    try:
        with socket.create_connection((intake.host, intake.port), timeout=5):
            return Look("letterbox", f"open at {where}")
    except OSError as error:
        why = error.strerror or error
        said = f"NOT open at {where}: {why}. judge run opens it; if it could not, see its log"
        return Look("letterbox", said, False)


def troubles_told(settings: Settings) -> Looks:
    """Yield the troubles that the daemon has recorded about its own work."""
    of_database = 'see the log of judge run, and "Trouble with the database" in docs/keeper.md'
    for part, trouble in read_troubles(file_of(settings)).items():
        since = f", since {when(trouble.since, settings.zone)}" if trouble.since else ""
        yield Look("TROUBLE", f"{part}: {trouble.what}{since}", False, TO_DO.get(part, of_database))


def writable(settings: Settings) -> Looks:
    """Test whether the judge can write into its folders, and whether the disks have enough room."""
    for folder, free in disks(settings):
        room, least = f"{free:.0f} MB free in {folder}", settings.least_space
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(TRIAL))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            why = f"cannot write to {folder} ({error.strerror}). Make room, or make the judge's user its owner"
            yield Look("disk", f"NOT usable: {why}", False, what_may_go(settings))
        else:
            if free < least:
                yield Look("disk", f"NEARLY FULL: {room}, less than {least:.0f}", False, what_may_go(settings))
            else:
                yield Look("disk", room)


def _permissions(settings: Settings) -> Looks:
    """Test who may read the files with secrets, and whether the judge may write into its home."""
    home = settings.home.resolve()
    if not home.exists():
        yield Look("home", f"{home} does not exist yet; judge run creates it")
    elif not os.access(home, os.W_OK | os.X_OK):
        to_do = "run this as the judge's user (sudo -u judge judge doctor), or make that user its owner (chown)"
        yield Look("home", f"you cannot write to {home}", False, to_do)
    else:
        ours = (home, home / KEY_FILE, home / "judge.db", settings.oauth.token_file)
        readable = [*_readable(ours, 0o077, "go-rwx")]
        yield from readable or [Look("home", f"{home}, readable only by its owner")]
    secret_files = []
    for section, key in SECRETS:
        part = getattr(settings, section)
        if file := getattr(part, f"{key}_file"):
            secret_files.append(file)
        elif (secret := getattr(part, key)) and secret in settings.file.read_text(encoding="utf-8"):
            secret_files.append(settings.file)
    yield from _readable(secret_files, 0o007, "o-rwx")


def _readable(paths: Iterable[Path], by: int, change: str) -> Looks:
    """Yield a finding for each file that these users can read.

    `by` has the bits of the file mode for these users. `change` is the argument of chmod that removes them.
    """
    for path in filter(Path.exists, paths):
        if (mode := path.stat().st_mode & 0o7777) & by:
            said = f"{path} can be read by others (mode {mode:04o})"
            yield Look("permissions", said, False, f"chmod {change} {path}")


def _database(settings: Settings) -> Look:
    try:
        newest = newest_step()
        if is_not_made_yet(settings):
            return Look("database", "none yet: judge run creates it")
        engine = open_engine(settings.store_url)
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                sound = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
                if sound != "ok":
                    return Look("database", f"damaged: {sound}", False, "restore a backup (docs/keeper.md)")
            taken = check_tables(connection)
    except BadInstallation as error:
        return Look("database", str(error), False)
    except (StoreError, DBAPIError) as error:
        to_do = "check [store] url in judge.ini; to restore a backup, see docs/keeper.md"
        return Look("database", in_words(error), False, to_do)
    known = f"{shown(engine.url)}, {f'tables at step {taken}' if taken else 'empty'}"
    if not taken:
        return Look("database", f"{known}; judge run creates the tables")
    if taken != newest:
        return Look("database", f"{known}; judge run upgrades them to {newest}, so make a backup first")
    return Look("database", f"{known}, up to date")


def folders(settings: Settings) -> Looks:
    """Yield the faults in the folders of the keeper's own templates and variants."""
    found = [*faults(settings)]
    yield from (Look("mend", fault, False, "correct the file; there is no need to restart") for fault in found)
    if not any(fault.startswith("template") for fault in found):
        own = f"yours from {settings.templates}, otherwise the judge's" if settings.templates else "the judge's own"
        yield Look("templates", own)
    own_ones = [variant for variant in own_variants() if variant.variant]
    more = f", {len(own_ones)} of your own" if own_ones else ""
    if not importlib.util.find_spec("networkx"):
        more += "; to import and draw others: pip install 'diplomacy-judge[variants]'"
    yield Look("variants", f"{len(list(built_in_names()))} come with the judge{more}")


def post(settings: Settings, seconds: float | None = None, *, no_dns: bool = True) -> Looks:
    """Test the mailbox and the mail server, and also send a mail from the server to the mailbox.

    If `seconds` is None, no mail is sent.
    """
    box = settings.mailbox
    if box.oauth or settings.smtp.oauth:
        yield _consent(settings)
    if settings.intake.protocol != "none":
        yield letterbox(settings.intake)
    word, before = secrets.token_hex(8), datetime.now(UTC)
    outgoing = _mail_server(settings, "" if seconds is None or not box.host else word)
    yield outgoing
    if not box.host:
        yield Look("mailbox", "none: emails come only through [intake]")
        return
    signature = yield from _in_mailbox(settings, word, before, seconds if outgoing.well else None)
    if not no_dns:
        yield from look_up(settings.domain, signature)


def _in_mailbox(settings: Settings, word: str, before: datetime, seconds: float | None) -> Generator[Look, None, str]:
    """Test the mailbox and the mail that arrives there, and return its DKIM signature.

    The mail has `word` in its subject. If `seconds` is None, no mail was sent.
    """
    box, signature = settings.mailbox, ""
    try:
        with MailboxProbe(box) as mailbox:
            where = f"{box.user} at {box.host}:{box.port}, folder {box.folder}"
            read = f"emails that were read are {mailbox.filing}"
            yield Look("mailbox", f"reachable ({where}), {mailbox.count()} emails not fetched yet; {read}")
            can = "can announce new mail"
            if not mailbox.idles:
                can = f"cannot announce new mail, so the judge looks every {min(box.poll, 60):g} seconds"
            yield Look("IDLE", f"the server {can}")
            if seconds is not None:
                found = mailbox.await_letter(word, seconds)
                if not found:
                    to_do = (
                        f"check that mail to {settings.address} is delivered to {box.user}; look in other folders "
                        "and the provider's log; try again, because some servers delay a first email for minutes"
                    )
                    yield Look("test mail", f"did not arrive within {seconds:g} seconds", False, to_do)
                else:
                    yield from _came_back(mailbox, found, box, before)
                    signature = str(found.header.get("DKIM-Signature", ""))
                    yield from _vouching(found.header, box.authserv_id)
                    yield from _naming(found.header, settings)
                    gone = mailbox.removes(word)
                    left = f'the server cannot delete a single email, so the one with "doctor {word}" remains'
                    yield Look("clean-up", "the test email was removed" if gone else left)
    except MailboxError as error:
        yield Look("mailbox", f"NOT reachable: {error}", False, error.to_do)
    return signature


def _consent(settings: Settings) -> Look:
    try:
        access_token(settings.oauth)
    except OAuthError as error:
        return Look("OAuth", str(error), False, "run judge oauth login; [oauth] in judge.ini names the provider")
    return Look("OAuth", f"{settings.oauth.token_endpoint} issues tokens to the judge")


def _mail_server(settings: Settings, word: str) -> Look:
    """Send the judge a mail with this word in its subject.

    Without a word, only test the log-in.
    """
    smtp = settings.smtp
    where = f"{smtp.host}:{smtp.port}"
    text = f"judge doctor sent this email to test whether mail arrives. You can delete it. {word}"
    draft = Draft(to=settings.address, kind="news", subject=f"{settings.code}: doctor {word}", body=text)
    try:
        with open_server(smtp, settings.address) as server:
            if not word:
                return Look("mail server", f"reachable ({where})")
            mail = compose(Letterhead(settings.code, settings.address), draft, datetime.now(UTC))
            server.deliver(settings.address, mail.raw)
    except Unavailable as error:
        to_do = "emails wait; if host, port or security of [smtp] in judge.ini is wrong, correct it and restart"
        if isinstance(error.__cause__, SMTPAuthenticationError):
            to_do = WRONG_PASSWORD.format(section="smtp")
        return Look("mail server", f"NOT usable: {error}", False, to_do)
    except (Deferred, Refused) as error:
        to_do = f"ask the provider of [smtp] why it refuses mail from {settings.address} to {settings.address}"
        return Look("mail server", f"{where} refused the test email: {error}", False, to_do)
    return Look("mail server", f"{where} accepted a test email")


def _came_back(mailbox: MailboxProbe, found: Found, box: MailboxSettings, before: datetime) -> Looks:
    """Report where the test mail arrived, whether it can be filed away, and how the clocks differ."""
    after = datetime.now(UTC)
    if found.is_junk:
        to_do = f"make your provider deliver the judge's mail to {box.folder}, by a filter or its list of safe senders"
        yield Look("test mail", f"arrived in {found.folder}, which is for junk", False, to_do)
    else:
        how = ", announced by the server" if found.announced else ""
        yield Look("test mail", f"arrived within {(after - before).total_seconds():.0f} s{how}")
        if found.folder != box.folder:
            yield Look("filing", f"the daemon has moved the test email to {found.folder}")
        elif mailbox.files_away(found):
            yield Look("filing", f"the test email was {mailbox.filing}")
        else:
            to_do = "set [mailbox] processed to a folder that the judge may move emails to; for details, see the log"
            yield Look("filing", "the test email could not be filed", False, to_do)
    # If both clocks agree, the server received the mail between `before` and `after`. The server's times are whole
    # seconds.
    before -= timedelta(seconds=1)
    apart = max(before - found.received_at, found.received_at - after, timedelta(0))
    which = "behind" if found.received_at < before else "ahead of"
    said = f"the mail server's is {apart.total_seconds():.0f} s {which} ours; it decides whether orders are on time"
    to_do = "set this machine's clock (timedatectl set-ntp true); if it is right, report this to your mail provider"
    agrees = Look("clock", "agrees with the mail server's")
    yield agrees if apart <= MOST_APART else Look("clock", said, False, to_do)


def _vouching(header: Message, authserv_id: str) -> Looks:
    """Report which name the server writes into the Authentication-Results of the test mail."""
    said = [str(value).partition(";")[0].split() for value in header.get_all("Authentication-Results", [])]
    names = list(dict.fromkeys(words[0] for words in said if words))
    if authserv_id and authserv_id.lower() not in map(str.lower, names):
        there = f"it had one of {', '.join(names)}" if names else "many servers write none for their own mail"
        yield Look("authserv_id", f"the test email had no Authentication-Results of {authserv_id}; {there}")
    elif names and not authserv_id:
        said_so = f"the mail server writes Authentication-Results as {names[0]}: a value for [mailbox] authserv_id"
        yield Look("authserv_id", said_so)
    elif authserv_id:
        yield Look("authserv_id", f"{authserv_id} vouches for senders")


def _naming(header: Message, settings: Settings) -> Looks:
    """Report whether the provider keeps the Message-ID and the References of a mail.

    Bounces quote the Message-ID, and answers also the References.
    """
    name = str(header.get("Message-ID", ""))
    if name.endswith(f"@{settings.domain}>"):
        yield Look("Message-ID", "stays as the judge writes it, so replies and bounces are recognized")
        return
    changed = f"the provider changes it ({name})"
    if settings.smtp.plus_addresses:
        yield Look("Message-ID", f"{changed}; bounces are recognized by their addresses")
    else:
        to_do = "set [smtp] plus_addresses = yes, if an email to such an address arrives (judge.ini shows one)"
        yield Look("Message-ID", f"{changed}, so bounces are not recognized", False, to_do)
    ours = [one for one in referred_to(str(header.get("References", ""))) if one.endswith(f"@{settings.domain}>")]
    if ours:
        yield Look("References", "stay as the judge writes them, so replies are recognized by them")
    else:
        to_do = "use another provider for [smtp], or players must write SIGNON in their replies"
        yield Look("References", "the provider changes them, so replies without SIGNON are refused", False, to_do)


def look_up(domain: str, signature: str) -> list[Look]:
    """Report what other mail servers find about `domain` in the DNS.

    The records are MX (RFC 5321, 5.1), SPF (RFC 7208), DKIM and DMARC. `signature` is the DKIM-Signature field of the
    test mail, or "" if there was none.
    """

    def records(name: str, kind: str, version: str = "") -> list[str]:
        """Return the DNS records of a name and kind, as text.

        If `version` is given, only records that begin with it are returned.
        """
        try:
            answer = dns.resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        texts = [b"".join(getattr(one, "strings", ())).decode("utf-8", "replace") or str(one) for one in answer]
        return [text for text in texts if not version or text.lower().replace(";", " ").split()[:1] == [version]]

    server = f"add an MX record to {domain} that names the server of your mailbox; its provider says which"
    spf = f'add a TXT record to {domain} with what the provider of your [smtp] server says, such as "v=spf1 mx -all"'
    dmarc = f'add a TXT record to _dmarc.{domain}, such as "v=DMARC1; p=none"; large providers require one'
    try:
        hosts = [record.split()[-1].rstrip(".") for record in records(domain, "MX")]
        goes_to = f"mail to {domain} goes to {', '.join(sorted(hosts))}" if any(hosts) else ""
        return [
            _found("MX", goes_to, f"{domain} has none, so emails cannot reach the judge", server),
            _policy("SPF", domain, records(domain, "TXT", "v=spf1"), spf),
            _dkim(signature, records),
            _policy("DMARC", domain, records(f"_dmarc.{domain}", "TXT", "v=dmarc1"), dmarc),
        ]
    except (dns.exception.DNSException, OSError) as error:
        # If no resolver answers, that is not a fault of the domain.
        is_none = isinstance(error, dns.resolver.NoResolverConfiguration)
        why = "this machine has no resolver" if is_none else f"the resolver does not answer ({type(error).__name__})"
        ask = f"On a machine that has one: dig MX {domain}; dig TXT {domain}; dig TXT _dmarc.{domain}"
        return [Look("DNS", f"MX, SPF, DKIM and DMARC were not checked: {why}. {ask}")]


def _found(what: str, said: str, lacks: str, to_do: str) -> Look:
    return Look(what, said) if said else Look(what, lacks, False, to_do)


def _policy(what: str, domain: str, records: list[str], to_do: str) -> Look:
    if len(records) > 1:
        return Look(what, f"{domain} has {len(records)} records", False, "combine them: several are treated as none")
    return _found(what, "".join(records), f"{domain} has none, so emails may go to junk", to_do)


def _dkim(signature: str, records: Callable[[str, str], list[str]]) -> Look:
    tags = {name: "".join(value.split()) for name, value in _TAG.findall(signature)}
    if not tags.get("d") or not tags.get("s"):
        elsewhere = "many servers sign only outgoing mail, so check an email received elsewhere"
        return Look("DKIM", f"no signed test email has arrived; {elsewhere}")
    name = f"{tags['s']}._domainkey.{tags['d']}"
    signed = f"signed by {tags['d']}, with the key of {name}" if records(name, "TXT") else ""
    to_do = "publish it there, as the provider of your [smtp] server says"
    return _found("DKIM", signed, f"signed by {tags['d']}, but {name} has no key", to_do)
