"""Settings: judge.ini and the environment, read into one frozen object before anything starts.

Each setting is defined once, below: its type, its default, and the sentences that explain it in judge.ini, which
`sample` makes of them. A value comes from the environment (`JUDGE_<SECTION>_<KEY>`), else from the file, else from the
default. A password may be in a file of its own (`password_file`). All errors are reported at once.
"""

import difflib
import os
from collections.abc import Collection, Iterator, Mapping
from configparser import ConfigParser
from datetime import time
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from judge.addresses import normal
from judge.ini_file import EDITIONS, HOME, PREFIX, SettingsError, line_of, read_ini, variable

# How similar a name must be to a setting's to be a misspelling of it.
LIKE = 0.8
# Keys whose value may be in a file of its own, which <key>_file names.
SECRETS = (("mailbox", "password"), ("smtp", "password"), ("oauth", "client_secret"))


def _address(value: str) -> str:
    if not (address := normal(value)):
        raise ValueError
    return address


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, OSError):
        raise ValueError from None
    return value


def _at_least(least: float, unit: str) -> Any:
    return Field(ge=least, lt=1e9, title=f"a number of {unit}, {least:g} or more")


# Types of values; a title says what such a value must be.
Code = Annotated[
    str,
    Field(pattern="^[A-Za-z]{4}$", title="four letters, the name that starts every subject"),
    AfterValidator(str.upper),
]
Address = Annotated[str, AfterValidator(_address), Field(title="a bare mail address like judge@example.org")]
Zone = Annotated[str, AfterValidator(_zone), Field(title="a time zone's name like Europe/Berlin or UTC")]
Switch = Annotated[bool, Field(title="one of: yes, no")]
Folder = Annotated[Path | None, BeforeValidator(lambda value: value or None)]
Port = Annotated[int, Field(ge=1, le=65535, title="a port number from 1 to 65535")]
TimeOfDay = Annotated[
    time | None,
    BeforeValidator(lambda value: value or None),
    Field(title="a time like 07:30, or empty"),
]
WebAddress = Annotated[str, Field(pattern=r"^(https?://[^\s/]\S*)?$", title="an address like https://example.org/hook")]
Networks = Annotated[
    tuple[IPv4Network | IPv6Network, ...],
    BeforeValidator(lambda value: value.replace(",", " ").split() if isinstance(value, str) else value),
    Field(title="addresses or networks like 127.0.0.1 or 10.0.0.0/24"),
]
_LOWER = BeforeValidator(str.lower)
Security = Annotated[Literal["tls", "starttls", "plain"], _LOWER]
Auth = Annotated[Literal["password", "oauth"], _LOWER]
Seconds = Annotated[float, _at_least(1, "seconds")]
Delay = Annotated[float, _at_least(0, "seconds")]
Days = Annotated[float, _at_least(30, "days")]
Mails = Annotated[int, _at_least(0, "mails")]
Answers = Annotated[int, _at_least(1, "answers")]
Messages = Annotated[int, _at_least(1, "messages")]


class _Section(BaseModel):
    """A section of judge.ini: its keys, each with the sentences that explain it there."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class OAuthSettings(_Section):
    """How the judge gets tokens to log in with (judge/oauth.py)."""

    client_id: str = ""
    """For providers that want OAuth 2 instead of a password (auth = oauth in [mailbox] and [smtp]; one account for
    both). You register the judge with the provider as an application of yours, enter here what it gives you, and run
    judge oauth login once: it shows a page and a code by which you consent. From then on the judge renews its token
    by itself. If your consent has ended, the log and judge status say so. For Microsoft 365 (a public client that
    allows device codes; no secret):
      device_endpoint = https://login.microsoftonline.com/<tenant>/oauth2/v2.0/devicecode
      token_endpoint = https://login.microsoftonline.com/<tenant>/oauth2/v2.0/token
      scope = offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send
    Google gives no device codes for mail: use an app password there, or hand a refresh token that you got by another
    way to judge oauth login --refresh-token (on standard input), with token_endpoint =
    https://oauth2.googleapis.com/token."""
    client_secret: str = Field(default="", repr=False)
    """Only if the provider gives one; here, or better in a file that holds nothing else (mode 0600)."""
    client_secret_file: str = ""
    device_endpoint: str = ""
    token_endpoint: str = ""
    scope: str = ""
    token_file: Path = Path("oauth.json")
    """Where the tokens are kept (mode 0600), in home. Each machine that sends needs a consent of its own."""
    ca_file: str = ""


class JudgeSection(_Section):
    """Who the judge is, where it keeps its files, and what is the keeper's own."""

    code: Code = "JUDG"
    """Four letters that start every subject, so that players can sort their mail."""
    address: Address = Field(default="", examples=["judge@example.org"])
    """The judge's own address: what players write to."""
    keeper: Address = Field(default="", examples=["keeper@example.org"])
    """The address of the keeper, who runs this judge. The judge writes there about letters that it could not handle,
    phases that it could not process, and once a day at most about mails that could not be delivered (judge mails
    list shows them, judge mails retry sends them again)."""
    zone: Zone = "UTC"
    """The time zone of people who have not set theirs. Times are always shown in UTC too."""
    home: Path = Path(HOME)
    """The folder for the database, the secret key and the lock file. It is made if it does not exist."""
    least_space: Annotated[float, _at_least(1, "megabytes")] = 100
    """Megabytes that must be free on the disks of home and of SQLite's file. With less, judge status reports it."""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], _LOWER] = "info"
    """How much is logged: debug, info, warning or error."""
    log_form: Annotated[Literal["text", "json"], _LOWER] = "text"
    """How the log is written: text, for people, or json, one object a line, for programs."""
    templates: Folder = None
    """A folder with your own texts of mails. A template there (results.txt.j2, help/rules.txt.j2) replaces the one
    of the same name in templates/; variables.toml there lists which variables each is given. A text of your own has
    a page beside it only if you write that too (html/results.html.j2). Changes count at once. If a template cannot
    be used, the log and judge status name it with its line, and mails go out with the judge's own text."""
    variants: Folder = None
    """A folder with your own variants, each in its own folder (docs/variants.md). A new or changed variant counts at
    once for new games. A game that has begun keeps its variant to the end, as a copy in home. A variant with a
    mistake is reported like a template and cannot be played until it is fixed; the others can."""
    html: Switch = True
    """Whether emails with orders, results, press or lists have an HTML version as well as the text: yes or no. With no,
    pictures are attached. A reader who wants only text can send SET HTML OFF."""


class MailboxSettings(_Section):
    """Where letters come from: `host` is "" if only by `[intake]`. `oauth`: how to log in without a password."""

    host: str = Field(default="", examples=["imap.example.org"])
    """The IMAP server with the judge's mailbox. Empty if letters come only through [intake]."""
    port: Port = 993
    security: Security = "tls"
    """tls (port 993), starttls (port 143), or plain (only on the same machine)."""
    ca_file: str = ""
    """A PEM file of the authority that signed the server's certificate. Empty: the authorities of the system."""
    user: str = Field(default="", examples=["judge@example.org"])
    auth: Auth = "password"
    """password, or oauth for a provider that takes none ([oauth])."""
    password: str = Field(default="", repr=False)
    """The password here, or better in a file that holds nothing else (mode 0600)."""
    password_file: str = ""
    folder: str = "INBOX"
    """Where letters arrive, and where they are moved once they are stored, as they came: passwords and all. Keep
    them at least until the next backup, since judge recover reads there what came after the last."""
    processed: str = "Processed"
    junk: str = "auto"
    """Folders for junk, in which letters of people whom the judge knows are looked for too: auto (those that the
    provider has), no, or their names between commas. Letters of anybody else there are left alone, and what came
    more than a week ago."""
    poll: Seconds = 300
    """Seconds between two looks into the mailbox. With IDLE the server also reports new mail at once."""
    timeout: Seconds = 30
    """Seconds after which a silent server counts as gone."""
    max_size: Annotated[int, _at_least(10_000, "bytes")] = 1_000_000
    """Of emails with more bytes only the beginning is read, and the sender is notified. Lines beyond max_lines are
    not read."""
    max_lines: Annotated[int, _at_least(100, "lines")] = 5000
    authserv_id: str = ""
    """The name that your own mail server writes in Authentication-Results. Empty: such headers are ignored. If it
    calls a letter forged, the address proves nothing, and even with the right password only what can be taken back
    is done. What people ask of their own by their address alone (another name or zone, no more mails) is done at
    once where it has verified them; else they have to send a mail back first. Players whose letters it verifies can
    choose to play without their passwords ([games] passwordless). The server must remove such headers of this name
    from the letters that it takes in (RFC 8601, 5)."""
    oauth: OAuthSettings | None = None


class IntakeSettings(_Section):
    """Where a mail server hands letters in directly."""

    protocol: Annotated[Literal["none", "lmtp", "smtp"], _LOWER] = "none"
    """For a keeper whose own mail server can deliver to the judge directly: none, lmtp or smtp. The judge then
    listens, beside the mailbox or instead of it, for letters to its address (with any +tag). It takes a letter (250)
    when it is stored, and not before; else the mail server keeps it and tries again. Letters over [mailbox] max_size
    are refused. judge recover finds only what the mail server keeps in the mailbox, so let it file a copy there, or
    back up often."""
    host: str = "127.0.0.1"
    """Where the judge listens: this machine alone, unless you name another address of its own."""
    port: Port = 2424
    clients: Networks = (ip_network("127.0.0.0/8"), ip_network("::1"))
    """The mail servers that may hand letters in, as addresses or networks. What they say about a letter is believed:
    when it came, and who wrote it (authserv_id)."""
    security: Security = "plain"
    """plain, starttls or tls; the latter two need a certificate and its key, as PEM files. The files are read again
    when they are renewed."""
    cert_file: Path = Path()
    key_file: Path = Path()
    catch_up: Delay = 600
    """Seconds. While the judge is down, your mail server keeps what comes, and later tries again; deadlines wait
    that long after the start (and after the disk was full, and the like), so that letters that came in time count.
    It should try again within that time (Postfix: minimal_backoff_time, queue_run_delay), or be told to (postqueue
    -f)."""


class SmtpSettings(_Section):
    """Where mails go out. `oauth`: how to log in without a password."""

    host: str = Field(default="", examples=["smtp.example.org"])
    """The server that takes the judge's mails."""
    port: Port = 587
    security: Security = "starttls"
    """starttls (port 587), tls (port 465), or plain (only on the same machine)."""
    ca_file: str = ""
    user: str = ""
    """Leave the user empty to send without a log-in."""
    auth: Auth = "password"
    """password or oauth, as in [mailbox]."""
    password: str = Field(default="", repr=False)
    password_file: str = ""
    timeout: Seconds = 30
    connections: Annotated[int, _at_least(1, "connections")] = 4
    """How many connections to it are open at most while many mails wait. They are kept open as long as there is
    something to send. If the server allows fewer, the judge does with those that it gets."""
    courier: Switch = True
    """Whether judge run sends mails itself: yes or no. With no it only decides, and mails wait for a process of
    judge worker (PostgreSQL only); there may be such processes with yes, too."""
    per_hour: Mails = 0
    """How many mails your provider lets you send in any hour and in any day; 0: no limit. If there is more to send,
    answers go first, then results and other notices, then press; the rest waits, and you get a mail. Processes of
    judge worker share the limit."""
    per_day: Mails = 0
    plus_addresses: Switch = False
    """Whether each mail is sent from an address of its own (judge+b17-0a1b2c3d4e5f@example.org), so that a report
    that it did not arrive is surely about it: yes or no. Say yes only if your provider delivers mail to such
    addresses to the judge, and lets it send from them. With no, reports are known by the Message-ID that they cite."""
    oauth: OAuthSettings | None = None


class MapsSection(_Section):
    """How pictures are drawn."""

    painters: Annotated[int, _at_least(0, "painters")] = 2
    """How many pictures judge run and each judge worker draw at a time; no more than there are cores. With 0 judge
    run draws none, and each judge worker as many as it has cores."""


class StoreSettings(_Section):
    """Where the database is."""

    url: str = ""
    """Only one daemon at a time decides, whatever its home; on PostgreSQL a second one stands by. Each process keeps
    a connection of its own to PostgreSQL, so name the server itself, not a pooler that lends connections for single
    transactions. The database: empty for SQLite in home, or postgresql+psycopg://user@host/database."""


class GamesSection(_Section):
    """What holds for all games."""

    creator_is_master: Switch = True
    """yes: the person who CREATEs a game is its master (GM). no: that person is its first player."""
    confirm_registration: Switch = False
    """Whether new players must confirm REGISTER from the address it names: yes or no. With yes they get a mail that
    they only have to send back, and the rest of their letter is done then. Letters that your own mail server has
    verified (authserv_id) need no confirmation. The default is no, so that one letter is enough to join a game:
    passwords guard the seats, and a sender who forges an address gets none of the mails. Choose yes when the judge
    is known to the world and its mail server verifies nobody: then nobody can take a seat in a stranger's name."""
    passwordless: Switch = True
    """Whether players may choose to play without their passwords (SET PASSWORDLESS ON): yes or no. It counts only
    where authserv_id is set, and only for letters that your own mail server has verified. They need no password then
    for what can be changed until the deadline, and for press. A master can forbid it for a game (SET STRICT
    PASSWORDS)."""
    open_games: Annotated[int, _at_least(1, "games")] = 20
    """The most games that have not ended that one person may have created. For more, they are asked to end one or
    write to you."""
    early_delay: Delay = 1800
    """Seconds from the last missing order until a phase is processed early, if no player has set WAIT."""
    sweep: Seconds = 30
    """Seconds between two sweeps, which look for deadlines that the alarm clock missed."""
    outage_limit: Annotated[float, _at_least(0.1, "hours")] = 6
    """Hours: if the judge was down for longer, deadlines in that time are extended, and all players are notified."""
    idle_limit: Annotated[float, _at_least(1, "days")] = 90
    """Days: a game in which nobody orders anything in two movement phases is paused, and ends after so long, unless
    a player sends an order. Everybody in it is told, and you."""


class WatchSettings(_Section):
    """How the keeper watches the judge."""

    metrics_host: str = "127.0.0.1"
    """Where Prometheus may ask judge run for its numbers, at /metrics: games, letters, mails, the last look into the
    mailbox; no name of anybody is among them. Port 0: nowhere. There is no password, so let nobody reach it whom it
    does not concern."""
    metrics_port: Annotated[int, Field(ge=0, le=65535, title="a port number from 1 to 65535, or 0")] = 0
    report: TimeOfDay = None
    """A time like 07:30, in the judge's zone, at which the keeper gets a report by mail, every day: games, late
    players, letters put aside, mails given up or come back, the disk. Empty: none. What needs a hand at once is
    mailed at once in any case: a letter put aside, a phase that cannot be processed, a disk nearly full, a mailbox
    out of reach, a port of [intake] that cannot be had, a template that cannot be used."""
    webhook: WebAddress = Field(default="", repr=False)
    """A web address (https://...) to which each of these alerts is also sent, as a POST of JSON: judge, address, kind,
    at, and text, which is the subject of the mail. Three tries of ten seconds each; the mail is sent in any case.
    Empty: none. The daily report is not sent there."""


class PublicSettings(_Section):
    """The pages for those who only look."""

    folder: Folder = None
    """A folder for static pages of the listed games, which a web server of yours shows: an index, a page for each
    game with the results, the map and the broadcast press of each phase that was processed, and an Atom feed
    (feed.xml). They show nothing of the open phase, no other press, and names only of people who have sent SET PUBLIC
    NAME ON, never in gunboat or quiet games that are played. The mail with which a game starts says that it is
    published. Pages of games that are no longer listed are deleted. Empty: no pages. judge games publish writes all
    of them again."""
    address: WebAddress = ""
    """The web address at which the folder is shown: for the feed, and for players, who read it at the start."""
    search_engines: Switch = False
    """Whether search engines may list the pages: yes or no."""


class KeepSettings(_Section):
    """For how long what nobody needs is kept."""

    letters: Days = 365
    """How many days things are kept that no one needs for long, so the database and the disk do not grow forever.
    The record of games stays: phases, orders, results, press, events. Headers and text of letters (with passwords
    masked), to look up what somebody has written. After that only their time, sender and subject stay, and the
    fingerprint by which a letter is known that comes a second time."""
    mails: Days = 90
    """Mails that were sent. Of mails about games that are still played the Message-IDs stay, for letters that answer
    them. Mails that could not be delivered stay until you dismiss them (judge mails dismiss)."""
    pictures: Annotated[float, _at_least(1, "days")] = 30
    """The files of pictures, counted from the last mail that showed them. A picture that is needed again is drawn
    again."""


class LimitSettings(_Section):
    """How much may be mailed within an hour."""

    strangers: Answers = 10
    """Anyone can write in another person's name, and some programs answer every email. So replies to letters that do
    not sign on are limited: up to this many an hour to one mailbox, for strangers and for registered people. Beyond
    that, letters are still carried out. Their sender is told once, and the replies come together in one email: an
    hour later, and later still if it goes on. Replies to letters that signed on are not limited. Two kinds of
    replies have a limit of their own, so that a flood of other letters cannot silence them: up to 6 an hour of what
    a player must hear (a sign-on that was refused, orders that were not filed), then one email an hour with all of
    them; and up to 6 an hour to REGISTER and CREATE. No player waits past the hour before their next deadline."""
    registered: Answers = 60
    domain: Answers = 100
    """Up to this many replies an hour to all strangers of a domain, unless your mail server has verified them
    (authserv_id). An address that has not written within the hour gets its reply even so."""
    press_of_observers: Annotated[int, _at_least(0, "messages")] = 10
    """How many messages of press an hour an observer or a player may send in one game; observers must be registered
    for that. Masters are not counted, but for what goes to observers, too."""
    press_of_players: Messages = 100
    press_to_observers: Messages = 20
    press_size: Annotated[int, _at_least(1000, "bytes")] = 50_000
    """Bytes of one message, which may be mailed to all players of a game."""
    bounces: Mails = 3
    """After this many bounced emails an address is dead, if no letter came from there in between (0: never). Only
    bounces that blame the address are counted (status 5.1.x, 5.2.1, 5.4.1, or refused at RCPT TO), and no messages
    of press. A dead address gets only results and game starts: at another address of the same person, or there, once
    a phase, up to ten times. The masters of its games are notified (you, if there are none). When its owner writes,
    the rest is sent."""


class Settings(JudgeSection, MapsSection, GamesSection, BaseSettings):
    """All settings: the keys of [judge], [maps] and [games], and the other sections by name; `file` is judge.ini."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="_", env_nested_max_split=1, enable_decoding=False
    )

    file: Path
    mailbox: MailboxSettings
    intake: IntakeSettings
    smtp: SmtpSettings
    oauth: OAuthSettings
    store: StoreSettings
    watch: WatchSettings
    public: PublicSettings
    keep: KeepSettings
    limits: LimitSettings

    @classmethod
    def settings_customise_sources(cls, settings_cls: type[BaseSettings], *_: Any, **sources: Any) -> tuple[Any, ...]:
        """Let the environment, which is given with the values of the file, take precedence."""
        file, environment = sources["init_settings"], sources["env_settings"]
        environment.env_vars = file.init_kwargs.pop("environment")
        return environment, file

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, texts: dict[str, Any]) -> dict[str, Any]:
        """Make paths absolute, read passwords from their files, and set missing keys to None, which is invalid."""
        mailbox, intake, smtp, oauth = (texts[name] for name in ("mailbox", "intake", "smtp", "oauth"))
        needed = [(texts, "address"), (texts, "keeper"), (smtp, "host")]
        # A judge to which a mail server hands letters needs no mailbox.
        if mailbox.get("host") or intake.get("protocol", "none") == "none":
            needed += [(mailbox, "host"), (mailbox, "user")]
        if intake.get("security", "plain") != "plain":
            needed += [(intake, "cert_file"), (intake, "key_file")]
        if "oauth" in (mailbox.get("auth"), smtp.get("auth")):
            needed += [(oauth, "client_id"), (oauth, "token_endpoint")]
        for part, key in needed:
            part[key] = part.get(key) or None
        here = texts["file"].resolve().parent
        texts["home"] = here / texts.get("home", HOME)
        oauth["token_file"] = texts["home"] / oauth.get("token_file", "oauth.json")
        folders = ((texts, "templates"), (texts, "variants"), (texts["public"], "folder"))
        for part, key in (*folders, (intake, "cert_file"), (intake, "key_file")):
            if part.get(key):
                part[key] = here / part[key]
        for section, key in SECRETS:
            if file := texts[section].get(f"{key}_file"):
                try:
                    texts[section][key] = (here / file).read_text(encoding="utf-8").strip()
                except (OSError, UnicodeDecodeError):
                    raise ValueError(f"[{section}] {key}_file: cannot read {file!r}") from None
        for part in (mailbox, smtp):
            part["oauth"] = oauth if part.get("auth") == "oauth" else None
        return texts

    @property
    def store_url(self) -> str:
        """The address of the database."""
        return self.store.url or f"sqlite:///{self.home / 'judge.db'}"

    @property
    def editions(self) -> Path:
        """The folder with the copies of variants that games play (judge/rules/variant/registry.py)."""
        return self.home / EDITIONS

    @property
    def drawn(self) -> Path:
        """The folder with the pictures that were drawn (judge/mails/pictures.py)."""
        return self.home / "maps"

    @property
    def domain(self) -> str:
        """The part of the judge's address after the @; the judge's Message-IDs end with it."""
        return self.address.rpartition("@")[2]


_SECTIONS: dict[str, type[BaseModel]] = {
    "judge": JudgeSection,
    "mailbox": MailboxSettings,
    "intake": IntakeSettings,
    "smtp": SmtpSettings,
    "oauth": OAuthSettings,
    "maps": MapsSection,
    "store": StoreSettings,
    "games": GamesSection,
    "watch": WatchSettings,
    "public": PublicSettings,
    "keep": KeepSettings,
    "limits": LimitSettings,
}
# Section → key → its type, its default and its explanation.
KEYS = {
    name: {key: one for key, one in section.model_fields.items() if key != "oauth"}
    for name, section in _SECTIONS.items()
}
# The sections whose keys are fields of Settings itself.
_FLAT = ("judge", "maps", "games")
# The place of a field in Settings → section and key.
_PLACES: dict[tuple[int | str, ...], tuple[str, str]] = {
    (key,) if section in _FLAT else (section, key): (section, key) for section, keys in KEYS.items() for key in keys
}
_VARIABLES = [variable(*setting) for setting in _PLACES.values()]
_HEAD = """\
; judge.ini: the settings of one judge, with their defaults.
;
; Every value can also come from the environment, which wins: [mailbox] host is JUDGE_MAILBOX_HOST. A key or a variable
; JUDGE_... that is none of these is refused by name.
; Paths are relative to this file. Lines that start with ; are comments.
"""


def sample() -> str:
    """Return judge.ini with every setting, its explanation and its default."""
    text = _HEAD
    for section, keys in KEYS.items():
        text += f"\n[{section}]\n"
        for key, one in keys.items():
            text += "".join(f"; {line}\n" for line in (one.description or "").splitlines())
            value = one.examples[0] if one.examples else one.default
            value = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            value = {"True": "yes", "False": "no", "None": "", ".": ""}.get(value, value)
            text += f"{key} = {value}".rstrip() + "\n"
    return text


def read_settings(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings in a file and the environment; raise SettingsError, which names all that is wrong."""
    ini = read_ini(path)
    given: dict[str, str] = {}
    written: dict[str, Any] = {"file": path, "environment": given}
    written |= {section: {} for section in KEYS if section not in _FLAT}
    for place, (section, key) in _PLACES.items():
        if ini.has_option(section, key):
            written.get(section, written)[key] = ini[section][key]
        if (text := environment.get(variable(section, key))) is not None:
            given[f"{PREFIX}{'_'.join(map(str, place))}".lower()] = text.strip()
    problems = [*_unknown(ini, environment)]
    try:
        found = Settings(**written)
    except ValidationError as error:
        # An error in [oauth] is reported once, and not again in the sections that log in by it.
        wrong = [one for one in error.errors() if "oauth" not in one["loc"][1:]]
        problems += dict.fromkeys(_fault(one, path, environment) for one in wrong)
    if problems:
        raise SettingsError(f"{path}: {'; '.join(problems)}")
    return found


def _fault(error: ErrorDetails, path: Path, environment: Mapping[str, str]) -> str:
    """Say where a faulty setting is, and what it must be."""
    if not error["loc"]:
        return str(error["ctx"]["error"])
    section, key = _PLACES[error["loc"][:2]]
    if error["input"] is None:
        return f"[{section}] {key} is missing"
    setting = KEYS[section][key]
    where = "" if variable(section, key) in environment else line_of(path, section, key)
    must_be = setting.title or f"one of: {', '.join(get_args(setting.annotation))}"
    return f"{where}[{section}] {key}: {error['input']!r} must be {must_be}"


def _unknown(ini: ConfigParser, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each section, key or variable that is not a setting; values may be secrets."""
    for section in ini.sections():
        if section not in KEYS:
            yield f"[{section}] is not a section; {_meant(section, KEYS)}"
            continue
        for key in ini[section]:
            if key not in KEYS[section]:
                yield f"[{section}] {key} is not a key; {_meant(key, KEYS[section])}"
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in _VARIABLES:
            yield f"{name} in the environment is not a setting; {_meant(name, _VARIABLES)}"


def _meant(name: str, known: Collection[str]) -> str:
    """Say what was meant, as the end of a sentence."""
    if near := difflib.get_close_matches(name, known, n=1, cutoff=LIKE):
        return f"did you mean {near[0]}?"
    if name.startswith(PREFIX):
        return "a setting is JUDGE_<SECTION>_<KEY>, like JUDGE_MAILBOX_HOST"
    return f"there are: {', '.join(known)}"
