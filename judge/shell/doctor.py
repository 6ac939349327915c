"""`judge doctor`: whether a judge can work with what its settings name, part by part, and what to do where it cannot.

It may be asked before the first start, and while the daemon runs. It sends one mail to the judge itself, which is never
answered, and removes it where it arrives.
"""

import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from judge.games.core.office import KEY_FILE
from judge.letters.mailbox import MailboxError
from judge.letters.mailbox_probe import Found, MailboxProbe
from judge.mails.compose import Draft, Letterhead, compose
from judge.mails.smtp import Deferred, Refused, Unavailable, open_server
from judge.oauth import OAuthError, access_token
from judge.rules import open_catalogue
from judge.rules.variant.catalogue import built_in_names, own_variants
from judge.service.keeper_folders import faults
from judge.settings import Settings, secret_files
from judge.shell.database import is_not_made_yet
from judge.shell.looks import Look, all_well, as_json, lines
from judge.shell.names import Names, look_up
from judge.shell.status import disks, letterbox, troubles_told
from judge.store.engine import StoreError, open_engine, shown
from judge.store.schema import check_tables, newest_step

# How much the clock of the mail server may differ: a letter is on time by that one, a phase is due by ours.
MOST_APART = timedelta(seconds=5)
_OTHERS, _WORLD = stat.S_IRWXG | stat.S_IRWXO, stat.S_IRWXO


@dataclass(frozen=True)
class Trial:
    """The settings and the file they are from; for how many seconds the test mail is waited for, None: none is sent;
    whom to ask about names, None: nobody.
    """

    settings: Settings
    config: Path
    seconds: float | None
    names: Names | None


def examine(trial: Trial, *, as_object: bool = False) -> int:
    """Print what was found, part by part; returns 0 if the keeper need not do anything."""
    looks = list(_looks(trial))
    well = all_well(looks)
    if as_object:
        print(json.dumps({"well": well, "looks": as_json(looks)}, indent=1))
        return int(not well)
    print(lines(looks))
    print(f"\n{_verdict(len([look for look in looks if not look.well]))}")
    return int(not well)


def _verdict(wrong: int) -> str:
    if not wrong:
        return "All is well."
    return f"{'1 thing needs' if wrong == 1 else f'{wrong} things need'} you: what to do is below each."


def _looks(trial: Trial) -> Iterator[Look]:
    settings = trial.settings
    open_catalogue(settings.variants, settings.editions)
    yield Look("judge", f"{settings.code} <{settings.address}>, settings from {trial.config}")
    yield from _permissions(trial)
    yield from disks(settings)
    yield from troubles_told(settings)
    yield _database(settings)
    yield from _folders(settings)
    yield from _post(trial)


def _permissions(trial: Trial) -> Iterator[Look]:
    """Who may read what is secret, and whether we may write where we must."""
    home = trial.settings.home.resolve()
    if not home.exists():
        yield Look("home", f"{home} is not there yet: judge run makes it")
    elif not os.access(home, os.W_OK | os.X_OK):
        to_do = "run this as the judge's user (sudo -u judge judge doctor), or give the folder to it (chown)"
        yield Look("home", f"{home} cannot be written by the user who asks", False, to_do)
    else:
        secret = [home, *filter(Path.exists, (home / KEY_FILE, home / "judge.db", trial.settings.oauth.token_file))]
        readable = [path for path in secret if path.stat().st_mode & _OTHERS]
        yield from (_readable(path, "go-rwx") for path in readable)
        if not readable:
            yield Look("home", f"{home}, for its owner alone")
    there = filter(Path.exists, secret_files(trial.config))
    yield from (_readable(path, "o-rwx") for path in there if path.stat().st_mode & _WORLD)


def _readable(path: Path, change: str) -> Look:
    said = f"{path} can be read by others (mode {stat.S_IMODE(path.stat().st_mode):04o})"
    return Look("permissions", said, False, f"chmod {change} {path}")


def _database(settings: Settings) -> Look:
    if is_not_made_yet(settings):
        return Look("database", "not made yet: judge run makes it")
    try:
        engine = open_engine(settings.store_url)
        try:
            return _version(engine)
        finally:
            engine.dispose()
    except (StoreError, DBAPIError) as error:
        told = str(error) if isinstance(error, StoreError) else " ".join(str(error.orig).split())
        to_do = "[store] url says where it is; docs/keeper.md tells how to restore a backup"
        return Look("database", told, False, to_do)


def _version(engine: Engine) -> Look:
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            sound = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
            if sound != "ok":
                return Look("database", f"damaged: {sound}", False, "restore a backup (docs/keeper.md)")
        taken = check_tables(connection)
    known, step = shown(engine.url), ", ".join(taken)
    if not taken:
        return Look("database", f"{known}, empty; judge run makes the tables")
    if taken != [newest_step()]:
        said = f"{known}, tables at step {step}; judge run brings them to {newest_step()}: make a backup first"
        return Look("database", said)
    return Look("database", f"{known}, tables at step {step}, as they must be")


def _folders(settings: Settings) -> Iterator[Look]:
    found = faults(settings)
    yield from (Look("mend", fault, False, "correct the file; it counts at once") for fault in found)
    if not any(fault.startswith("template") for fault in found):
        own = f"your own from {settings.templates}, else the judge's" if settings.templates else "the judge's own"
        yield Look("templates", own)
    own_ones = [variant for variant in own_variants() if variant.variant]
    more = f", {len(own_ones)} of your own" if own_ones else ""
    yield Look("variants", f"{len(list(built_in_names()))} come with the judge{more}")


def _post(trial: Trial) -> Iterator[Look]:
    """The mailbox, the mail server, and a mail from the one to the other."""
    settings, box = trial.settings, trial.settings.mailbox
    if consent := _consent(settings):
        yield consent
    if settings.intake.protocol != "none":
        yield letterbox(settings.intake)
    word, signature = secrets.token_hex(8), ""
    before = datetime.now(UTC)
    outgoing = _greeted(settings) if trial.seconds is None or not box.host else _send(settings, word)
    yield outgoing
    if not box.host:
        yield Look("mailbox", "none: letters come through [intake] alone, so no test mail was sent")
        return
    try:
        with MailboxProbe(box) as mailbox:
            filing = f"{box.user} at {box.host}:{box.port}, folder {box.folder}; letters are {mailbox.filing}"
            yield Look("mailbox", filing)
            yield _idle(mailbox, box.poll)
            if outgoing.well and trial.seconds is not None:
                found = mailbox.await_letter(word, trial.seconds)
                yield from _came_back(mailbox, found, trial, before)
                if found:
                    signature = str(found.header.get("DKIM-Signature", ""))
                    yield from _vouching(found.header, box.authserv_id)
                    yield _removed(mailbox, word)
    except MailboxError as error:
        yield Look("mailbox", str(error), False, "[mailbox] in judge.ini: host, port, security, user, password, folder")
    if trial.names:
        yield from look_up(settings.domain, signature, trial.names)


def _consent(settings: Settings) -> Look | None:
    """Whether the provider gives a token, where the judge logs in by OAuth 2."""
    if not (settings.mailbox.oauth or settings.smtp.oauth):
        return None
    try:
        access_token(settings.oauth)
    except OAuthError as error:
        return Look("OAuth", str(error), False, "run judge oauth login; [oauth] in judge.ini names the provider")
    return Look("OAuth", f"{settings.oauth.token_endpoint} gives the judge tokens")


def _send(settings: Settings, word: str) -> Look:
    """A mail to the judge itself; as the judge's own it is never answered."""
    smtp = settings.smtp
    text = f"A mail of judge doctor to itself, to see whether mail arrives. It may be deleted. {word}"
    head = Letterhead(settings.code, settings.address)
    mail = compose(head, Draft(settings.address, f"{settings.code}: doctor {word}", text), datetime.now(UTC))
    try:
        with closing(open_server(smtp, settings.address)) as server:
            server.deliver(settings.address, mail.raw)
    except Unavailable as error:
        return Look("mail server", str(error), False, "[smtp] in judge.ini: host, port, security, user, password")
    except (Deferred, Refused) as error:
        to_do = f"ask the provider of [smtp] why it takes no mail from {settings.address} to {settings.address}"
        return Look("mail server", f"{smtp.host}:{smtp.port} does not take a mail: {error}", False, to_do)
    return Look("mail server", f"{smtp.host}:{smtp.port} has taken a test mail")


def _greeted(settings: Settings) -> Look:
    smtp = settings.smtp
    try:
        with closing(open_server(smtp, settings.address)):
            return Look("mail server", f"{smtp.host}:{smtp.port} lets us in; no test mail was sent")
    except Unavailable as error:
        return Look("mail server", str(error), False, "[smtp] in judge.ini: host, port, security, user, password")


def _idle(mailbox: MailboxProbe, poll: float) -> Look:
    if mailbox.idles:
        return Look("IDLE", "the server can announce new mail")
    return Look("IDLE", f"the server cannot announce new mail; the judge looks every {min(poll, 60):g} seconds")


def _came_back(mailbox: MailboxProbe, found: Found | None, trial: Trial, before: datetime) -> Iterator[Look]:
    box = trial.settings.mailbox
    if found is None:
        to_do = (
            f"see whether mail to {trial.settings.address} is delivered to {box.user}, whether it lies in another "
            "folder, and the provider's log; some servers keep a first mail back for minutes: try once more"
        )
        yield Look("test mail", f"did not come back within {trial.seconds:g} seconds", False, to_do)
        return
    after = datetime.now(UTC)
    took = (after - before).total_seconds()
    if found.folder not in (box.folder, mailbox.filed_into):
        to_do = f"have your provider deliver mails to the judge into {box.folder}: a rule, or its list of safe senders"
        yield Look("test mail", f"came back into {found.folder}, among the junk", False, to_do)
    else:
        how = ", announced by the server" if found.announced else ""
        yield Look("test mail", f"came back within {took:.0f} s{how}")
        yield _filed(mailbox, found, box.folder)
    yield _clock(found.received_at, before - timedelta(seconds=1), after)


def _filed(mailbox: MailboxProbe, found: Found, arrives_in: str) -> Look:
    if found.folder != arrives_in:
        return Look("filing", f"the daemon has moved the test mail to {found.folder}")
    if mailbox.files_away(found):
        return Look("filing", f"the test mail was {mailbox.filing}")
    to_do = "[mailbox] processed names a folder that the server lets us move letters to; the log of judge run says more"
    return Look("filing", "the test mail could not be filed away", False, to_do)


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


def _removed(mailbox: MailboxProbe, word: str) -> Look:
    if mailbox.removes(word):
        return Look("clean-up", "the test mail is removed")
    return Look("clean-up", f"the server lets no single letter be removed: one about doctor {word} stays")
