"""`judge doctor`: whether a judge can work with what its settings name, part by part, and what to do where it cannot.

It may be asked before the first start, and while the daemon runs. It sends one mail to the judge itself, which is never
answered, and removes it where it arrives.
"""

import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from judge.games.core.work import KEY_FILE
from judge.letters.mailbox import MailboxError
from judge.letters.mailbox_probe import Found, MailboxProbe
from judge.mails.compose import Draft, Letterhead, compose
from judge.mails.smtp import Deferred, Refused, Unavailable, open_server
from judge.oauth import OAuthError, access_token
from judge.rules import open_catalogue
from judge.rules.variant.registry import built_in_names, own_variants
from judge.service.health import faults
from judge.settings import SECRETS, MailboxSettings, Settings
from judge.shell.database import is_not_made_yet
from judge.shell.names import Names, look_up
from judge.shell.status import Look, letterbox, show, troubles_told, writable
from judge.store.engine import StoreError, in_words, open_engine, shown
from judge.store.schema import check_tables, newest_step

# How much the clock of the mail server may differ: a letter is on time by that one, a phase is due by ours.
MOST_APART = timedelta(seconds=5)
_OTHERS, _WORLD = stat.S_IRWXG | stat.S_IRWXO, stat.S_IRWXO


def doctor(settings: Settings, *, no_mail: bool, no_dns: bool, seconds: int, json: bool) -> int:
    """Try all that the settings name; see `examine`."""
    return examine(settings, None if no_mail else seconds, None if no_dns else Names(), json=json)


def examine(settings: Settings, seconds: float | None, names: Names | None, *, json: bool = False) -> int:
    """Print what was found, part by part; returns 0 if the keeper need not do anything. `seconds`: how long the test
    mail is waited for, None: none is sent. `names`: whom to ask about names, None: nobody.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [
        Look("judge", f"{settings.code} <{settings.address}>, settings from {settings.file}"),
        *_permissions(settings),
        *writable(settings),
        *troubles_told(settings),
        _database(settings),
        *_folders(settings),
        *_post(settings, seconds, names),
    ]
    status = show(looks, json=json)
    if not json:
        wrong = len([look for look in looks if not look.well])
        need = "1 thing needs" if wrong == 1 else f"{wrong} things need"
        print(f"\n{need} you: what to do is below each." if wrong else "\nAll is well.")
    return status


def _permissions(settings: Settings) -> Iterator[Look]:
    """Who may read what is secret, and whether we may write where we must."""
    home = settings.home.resolve()
    if not home.exists():
        yield Look("home", f"{home} is not there yet: judge run makes it")
    elif not os.access(home, os.W_OK | os.X_OK):
        to_do = "run this as the judge's user (sudo -u judge judge doctor), or give the folder to it (chown)"
        yield Look("home", f"{home} cannot be written by the user who asks", False, to_do)
    else:
        ours = (home, home / KEY_FILE, home / "judge.db", settings.oauth.token_file)
        readable = [*_readable(ours, _OTHERS, "go-rwx")]
        yield from readable or [Look("home", f"{home}, for its owner alone")]
    yield from _readable(_secret_files(settings), _WORLD, "o-rwx")


def _secret_files(settings: Settings) -> Iterator[Path]:
    """The files with passwords in them; judge.ini itself if it has one."""
    for section, key in SECRETS:
        part = getattr(settings, section)
        if file := getattr(part, f"{key}_file"):
            yield settings.file.resolve().parent / file
        elif (secret := getattr(part, key)) and secret in settings.file.read_text(encoding="utf-8"):
            yield settings.file


def _readable(paths: Iterable[Path], by: int, change: str) -> Iterator[Look]:
    """What must be done about those that can be read by such users."""
    for path in filter(Path.exists, paths):
        if (mode := stat.S_IMODE(path.stat().st_mode)) & by:
            said = f"{path} can be read by others (mode {mode:04o})"
            yield Look("permissions", said, False, f"chmod {change} {path}")


def _database(settings: Settings) -> Look:
    if is_not_made_yet(settings):
        return Look("database", "not made yet: judge run makes it")
    try:
        engine = open_engine(settings.store_url)
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                sound = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
                if sound != "ok":
                    return Look("database", f"damaged: {sound}", False, "restore a backup (docs/keeper.md)")
            taken = check_tables(connection)
    except (StoreError, DBAPIError) as error:
        told = in_words(error) if isinstance(error, DBAPIError) else str(error)
        to_do = "[store] url says where it is; docs/keeper.md tells how to restore a backup"
        return Look("database", told, False, to_do)
    known = f"{shown(engine.url)}, {'tables at step ' + ', '.join(taken) if taken else 'empty'}"
    if not taken:
        return Look("database", f"{known}; judge run makes the tables")
    if taken != [newest_step()]:
        return Look("database", f"{known}; judge run brings them to {newest_step()}: make a backup first")
    return Look("database", f"{known}, as they must be")


def _folders(settings: Settings) -> Iterator[Look]:
    found = [*faults(settings)]
    yield from (Look("mend", fault, False, "correct the file; it counts at once") for fault in found)
    if not any(fault.startswith("template") for fault in found):
        own = f"your own from {settings.templates}, else the judge's" if settings.templates else "the judge's own"
        yield Look("templates", own)
    own_ones = [variant for variant in own_variants() if variant.variant]
    more = f", {len(own_ones)} of your own" if own_ones else ""
    yield Look("variants", f"{len(list(built_in_names()))} come with the judge{more}")


def _post(settings: Settings, seconds: float | None, names: Names | None) -> Iterator[Look]:
    """The mailbox, the mail server, and a mail from the one to the other."""
    box = settings.mailbox
    yield from _consent(settings)
    if settings.intake.protocol != "none":
        yield letterbox(settings.intake)
    word, signature = secrets.token_hex(8), ""
    before = datetime.now(UTC)
    outgoing = _mail_server(settings, "" if seconds is None or not box.host else word)
    yield outgoing
    if not box.host:
        yield Look("mailbox", "none: letters come through [intake] alone, so no test mail was sent")
        return
    try:
        with MailboxProbe(box) as mailbox:
            where = f"{box.user} at {box.host}:{box.port}, folder {box.folder}"
            yield Look("mailbox", f"{where}; letters are {mailbox.filing}")
            can = "can announce new mail"
            if not mailbox.idles:
                can = f"cannot announce new mail; the judge looks every {min(box.poll, 60):g} seconds"
            yield Look("IDLE", f"the server {can}")
            if outgoing.well and seconds is not None:
                found = mailbox.await_letter(word, seconds)
                if not found:
                    to_do = (
                        f"see whether mail to {settings.address} is delivered to {box.user}, whether it lies in "
                        "another folder, and the provider's log; some servers keep a first mail back for minutes: try "
                        "once more"
                    )
                    yield Look("test mail", f"did not come back within {seconds:g} seconds", False, to_do)
                else:
                    yield from _came_back(mailbox, found, box, before)
                    signature = str(found.header.get("DKIM-Signature", ""))
                    yield from _vouching(found.header, box.authserv_id)
                    gone = mailbox.removes(word)
                    left = f"the server lets no single letter be removed: one about doctor {word} stays"
                    yield Look("clean-up", "the test mail is removed" if gone else left)
    except MailboxError as error:
        yield Look("mailbox", str(error), False, "[mailbox] in judge.ini: host, port, security, user, password, folder")
    if names:
        yield from look_up(settings.domain, signature, names)


def _consent(settings: Settings) -> Iterator[Look]:
    """Whether the provider gives a token, where the judge logs in by OAuth 2."""
    if not (settings.mailbox.oauth or settings.smtp.oauth):
        return
    try:
        access_token(settings.oauth)
        yield Look("OAuth", f"{settings.oauth.token_endpoint} gives the judge tokens")
    except OAuthError as error:
        yield Look("OAuth", str(error), False, "run judge oauth login; [oauth] in judge.ini names the provider")


def _mail_server(settings: Settings, word: str) -> Look:
    """Whether it takes a mail to the judge itself with this word, or, without one, whether we may log in. The mail is
    never answered, as the judge's own.
    """
    smtp = settings.smtp
    where = f"{smtp.host}:{smtp.port}"
    text = f"A mail of judge doctor to itself, to see whether mail arrives. It may be deleted. {word}"
    draft = Draft(settings.address, f"{settings.code}: doctor {word}", text)
    try:
        with closing(open_server(smtp, settings.address)) as server:
            if not word:
                return Look("mail server", f"{where} lets us in; no test mail was sent")
            mail = compose(Letterhead(settings.code, settings.address), draft, datetime.now(UTC))
            server.deliver(settings.address, mail.raw)
    except Unavailable as error:
        return Look("mail server", str(error), False, "[smtp] in judge.ini: host, port, security, user, password")
    except (Deferred, Refused) as error:
        to_do = f"ask the provider of [smtp] why it takes no mail from {settings.address} to {settings.address}"
        return Look("mail server", f"{where} does not take a mail: {error}", False, to_do)
    return Look("mail server", f"{where} has taken a test mail")


def _came_back(mailbox: MailboxProbe, found: Found, box: MailboxSettings, before: datetime) -> Iterator[Look]:
    after = datetime.now(UTC)
    if found.folder not in (box.folder, mailbox.filed_into):
        to_do = f"have your provider deliver mails to the judge into {box.folder}: a rule, or its list of safe senders"
        yield Look("test mail", f"came back into {found.folder}, among the junk", False, to_do)
    else:
        how = ", announced by the server" if found.announced else ""
        yield Look("test mail", f"came back within {(after - before).total_seconds():.0f} s{how}")
        if found.folder != box.folder:
            yield Look("filing", f"the daemon has moved the test mail to {found.folder}")
        elif mailbox.files_away(found):
            yield Look("filing", f"the test mail was {mailbox.filing}")
        else:
            to_do = "[mailbox] processed names a folder that the server lets us move letters to"
            yield Look("filing", "the test mail could not be filed away", False, f"{to_do}; the log says more")
    yield _clock(found.received_at, before - timedelta(seconds=1), after)


def _clock(received_at: datetime, before: datetime, after: datetime) -> Look:
    """The server has noted the mail's arrival between these two moments of our clock, if both clocks agree."""
    apart = max(before - received_at, received_at - after, timedelta(0))
    if apart <= MOST_APART:
        return Look("clock", "agrees with the mail server's")
    which = "behind" if received_at < before else "ahead of"
    said = f"the mail server's is {apart.total_seconds():.0f} s {which} ours; a letter is on time by that one"
    to_do = "set this machine's clock (timedatectl set-ntp true); if it is right, tell your mail provider"
    return Look("clock", said, False, to_do)


def _vouching(header: Message, authserv_id: str) -> Iterator[Look]:
    """What the mail server writes about senders, and under which name."""
    said = [str(value).partition(";")[0].split() for value in header.get_all("Authentication-Results", [])]
    names = list(dict.fromkeys(words[0] for words in said if words))
    if authserv_id and authserv_id.lower() not in map(str.lower, names):
        there = f"it bore {', '.join(names)}" if names else "many servers write none for a mail of their own"
        yield Look("authserv_id", f"the test mail bore no Authentication-Results of {authserv_id}; {there}")
    elif names and not authserv_id:
        said_so = f"the mail server writes Authentication-Results as {names[0]}; [mailbox] authserv_id may name it"
        yield Look("authserv_id", said_so)
    elif authserv_id:
        yield Look("authserv_id", f"{authserv_id} vouches for senders")
