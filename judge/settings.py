"""Settings from judge.ini and the environment, read into one frozen object before anything starts.

Each setting is defined once in this module, with its type, its default, and the sentences that explain it. `sample`
makes judge.ini from these. A value comes from the environment (`JUDGE_<SECTION>_<KEY>`), else from the file, else from
the default. A password may be in a separate file (`password_file`). Errors are reported together where possible.
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

# {key or section: its value}, before the check.
Values = dict[str, Any]
# The minimum similarity at which an unknown name is taken for a misspelled setting.
LIKE = 0.8
# Keys whose value may be in a separate file. The key <key>_file names that file.
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


# The types of values. The title of a type says what such a value must be.
Code = Annotated[
    str,
    Field(pattern="^[A-Za-z]{4}$", title="four letters, the name that starts every subject"),
    AfterValidator(str.upper),
]
Address = Annotated[str, AfterValidator(_address), Field(title="a bare email address like judge@example.org")]
Zone = Annotated[str, AfterValidator(_zone), Field(title="a time zone's name like Europe/Berlin or UTC")]
Switch = Annotated[bool, Field(title="one of: yes, no")]
_OR_NONE = BeforeValidator(lambda value: value or None)
OptionalPath = Annotated[Path | None, _OR_NONE]
Port = Annotated[int, Field(ge=1, le=65535, title="a port number from 1 to 65535")]
TimeOfDay = Annotated[time | None, _OR_NONE, Field(title="a time like 07:30, or empty")]
WebAddress = Annotated[str, Field(pattern=r"^(https?://[^\s/]\S*)?$", title="an address like https://example.org/hook")]
Networks = Annotated[
    tuple[IPv4Network | IPv6Network, ...],
    BeforeValidator(lambda value: value.replace(",", " ").split() if isinstance(value, str) else value),
    Field(title="addresses or networks like 127.0.0.1 or 10.0.0.0/24"),
]
# A file or folder is named relative to judge.ini.
_PATHS = (Path, Path | None)
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
    """A section of judge.ini, whose fields are its keys.

    The text after each field explains the key in judge.ini.
    """

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class OAuthSettings(_Section):
    """How the judge gets tokens to log in with (judge/oauth.py)."""

    client_id: str = ""
    """For providers that require OAuth 2 instead of a password (auth = oauth in [mailbox] and [smtp]; one account for
    both). Register the judge as an application with the provider, enter here what you are given, and run judge oauth
    login once. It shows a page and a code to enter there. After that the judge renews its token by itself. If the
    authorization has expired, the log and judge status say so. For Microsoft 365 (a public client that allows device
    codes; no secret):
      device_endpoint = https://login.microsoftonline.com/<tenant>/oauth2/v2.0/devicecode
      token_endpoint = https://login.microsoftonline.com/<tenant>/oauth2/v2.0/token
      scope = offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send
    Google has no device codes for mail. Use an app password there, or get a refresh token in another way and pass it to
    judge oauth login --refresh-token (on standard input), with token_endpoint = https://oauth2.googleapis.com/token."""
    client_secret: str = Field(default="", repr=False)
    """The secret, if the provider gives you one: here, or better in a file of its own (mode 0600)."""
    client_secret_file: OptionalPath = None
    device_endpoint: str = ""
    token_endpoint: str = ""
    scope: str = ""
    token_file: Path = Path("oauth.json")
    """Where the tokens are kept (mode 0600), in home. Each machine that sends emails must be authorized separately."""
    ca_file: OptionalPath = None


class JudgeSection(_Section):
    """The judge's name and addresses, the folders of its files, and the keeper's own files."""

    code: Code = "JUDG"
    """Four letters that start every subject, so that players can sort their emails."""
    address: Address = Field(default="", examples=["judge@example.org"])
    """The judge's own address, to which players write."""
    keeper: Address = Field(default="", examples=["keeper@example.org"])
    """The address of the keeper, who runs this judge. The judge reports there: emails that could not be handled, phases
    that could not be processed, and once a day emails that could not be delivered (judge mails list, judge mails
    retry)."""
    zone: Zone = "UTC"
    """The time zone of people who have not set theirs. Times are also shown in UTC."""
    home: Path = Path(HOME)
    """The folder for the judge's files, such as the database and the secret key. It is created if it does not exist."""
    least_space: Annotated[float, _at_least(1, "megabytes")] = 100
    """The megabytes that must be free on the disks of home and of SQLite's file. Below that, judge status reports
    it."""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], _LOWER] = "info"
    """How much is logged: debug, info, warning or error."""
    log_form: Annotated[Literal["text", "json"], _LOWER] = "text"
    """The form of the log: text, for people, or json, one object per line, for programs."""
    templates: OptionalPath = None
    """A folder with custom texts of emails. A template there (results.txt.j2, help/rules.txt.j2) replaces the one of
    the same name in templates/, where variables.toml lists the variables of each. The text of an email and its HTML
    version are made of it. Changes take effect at once. If a template cannot be used, the log and judge status name it
    with its line, and the judge uses its own text."""
    variants: OptionalPath = None
    """A folder with your own variants, each in a folder of its own (docs/variants.md). New games can use a new or
    changed variant at once. A game that has started keeps its variant to the end, as a copy in home. A variant with a
    mistake is reported like a template, and cannot be played until it is fixed."""
    html: Switch = True
    """Whether emails have an HTML version as well as the text: yes or no. With no, maps are attached. Readers who want
    only text can send SET HTML OFF."""


class MailboxSettings(_Section):
    """The mailbox from which the judge reads letters.

    `host` is "" if letters come only through `[intake]`. `oauth` says how to log in without a password.
    """

    host: str = Field(default="", examples=["imap.example.org"])
    """The IMAP server of the judge's mailbox. Leave it empty if emails come only through [intake]."""
    port: Port = 993
    security: Security = "tls"
    """tls (port 993), starttls (port 143), or plain (only on the same machine)."""
    ca_file: OptionalPath = None
    """A PEM file of the authority that signed the server's certificate. Empty: the system's authorities."""
    user: str = Field(default="", examples=["judge@example.org"])
    auth: Auth = "password"
    """password, or oauth for a provider that accepts no passwords ([oauth])."""
    password: str = Field(default="", repr=False)
    """The password here, or better in a file of its own (mode 0600)."""
    password_file: OptionalPath = None
    folder: str = "INBOX"
    """The folder in which emails arrive, and the one to which they are moved once they are stored. They are moved as
    they came, with passwords. Keep them at least until the next backup, because judge recover reads them."""
    processed: str = "Processed"
    junk: str = "auto"
    """Junk folders to search for emails of people the judge knows: auto (those of the provider), no, or names separated
    by commas. Emails from strangers, and any older than a week, are left alone."""
    poll: Seconds = 300
    """Seconds between two checks of the mailbox. With IDLE, the server also announces new emails at once."""
    timeout: Seconds = 30
    """Seconds after which a silent server is considered unreachable."""
    max_size: Annotated[int, _at_least(10_000, "bytes")] = 1_000_000
    """Only the beginning of a larger email (in bytes) is read, and its sender is notified. Lines after max_lines are
    not read."""
    max_lines: Annotated[int, _at_least(100, "lines")] = 5000
    authserv_id: str = ""
    """The name under which your own mail server writes Authentication-Results. Empty: such headers are ignored. If the
    server reports an email as forged, its address proves nothing, and even with the right password only what can be
    undone is done. Requests that need no password (another name or time zone, no more emails) are carried out at once
    if the server has verified them; otherwise the sender must first reply to a confirmation email. Players whose emails
    it verifies can choose to play without passwords ([games] passwordless). The server must remove incoming headers of
    this name (RFC 8601, 5)."""
    oauth: OAuthSettings | None = None


class IntakeSettings(_Section):
    """The port to which a mail server delivers letters directly."""

    protocol: Annotated[Literal["none", "lmtp", "smtp"], _LOWER] = "none"
    """For a keeper whose own mail server can deliver to the judge directly: none, lmtp or smtp. The judge then listens
    for emails to its address (with any +tag), as well as or instead of reading the mailbox. It accepts an email (250)
    once it is stored. Until then, the mail server keeps it and tries again. Emails larger than [mailbox] max_size are
    refused. judge recover finds only what is in the mailbox, so have the server put a copy there, or back up often."""
    host: str = "127.0.0.1"
    """The address on which the judge listens. The default is reachable from this machine only."""
    port: Port = 2424
    clients: Networks = (ip_network("127.0.0.0/8"), ip_network("::1"))
    """The mail servers that may deliver emails, as addresses or networks. Their word is trusted for the time of arrival
    and the sender (authserv_id)."""
    security: Security = "plain"
    """plain, starttls or tls. The last two need a certificate and its key, as PEM files. The files are read again when
    they are renewed."""
    cert_file: Path = Path()
    key_file: Path = Path()
    catch_up: Delay = 600
    """Seconds. While the judge is down, your mail server keeps emails and tries again later. After a start (or a full
    disk) deadlines wait this long, so emails sent in time are accepted. The server should try again within this time
    (Postfix: minimal_backoff_time, queue_run_delay), or be told to (postqueue -f)."""


class SmtpSettings(_Section):
    """The server that sends the judge's mails.

    `oauth` says how to log in without a password.
    """

    host: str = Field(default="", examples=["smtp.example.org"])
    """The server that sends the judge's emails."""
    port: Port = 587
    security: Security = "starttls"
    """starttls (port 587), tls (port 465), or plain (only on the same machine)."""
    ca_file: OptionalPath = None
    user: str = ""
    """Leave this empty to send without a log-in."""
    auth: Auth = "password"
    """password or oauth, as in [mailbox]."""
    password: str = Field(default="", repr=False)
    password_file: OptionalPath = None
    timeout: Seconds = 30
    connections: Annotated[int, _at_least(1, "connections")] = 4
    """The most connections to open while many emails are waiting. They stay open as long as there is something to send.
    If the server allows fewer, the judge uses those it gets."""
    courier: Switch = True
    """Whether judge run sends emails itself: yes or no. With no, emails wait for judge worker (PostgreSQL only).
    Workers can also run with yes."""
    per_hour: Mails = 0
    """The most emails your provider lets you send per hour and per day (0: no limit). When the limit is reached,
    replies go first, then results and other notices, then press. The rest waits, and you get an email. All workers
    share the limit."""
    per_day: Mails = 0
    plus_addresses: Switch = False
    """Whether each email has a return address of its own (judge+b0a1b2c3d4e5f60718293@example.org), so that it is
    certain which email has bounced: yes or no. Say yes only if your provider delivers emails for such addresses to the
    judge, and lets it send from them. With no, bounces are matched by the Message-ID they quote."""
    oauth: OAuthSettings | None = None


class MapsSection(_Section):
    """How pictures are drawn."""

    painters: Annotated[int, _at_least(0, "painters")] = 2
    """The number of maps that judge run and each judge worker draw at the same time. judge run draws at most one per
    core. With 0, judge run draws none, and each judge worker uses all cores."""


class StoreSettings(_Section):
    """Where the database is."""

    url: str = ""
    """The database: empty for SQLite in home, or postgresql+psycopg://user@host/database. Only one daemon at a time can
    be active; with PostgreSQL a second one can wait to take over. Each process keeps a connection open, so name the
    server itself and not a pooler that lends connections per transaction."""


class GamesSection(_Section):
    """The settings for all games."""

    creator_is_master: Switch = True
    """yes: whoever CREATEs a game is its master (GM). no: whoever CREATEs it is its first player."""
    confirm_registration: Switch = False
    """Whether new players must confirm REGISTER from the address it names: yes or no. With yes they get an email to
    reply to, and the rest of their first email is carried out then. Emails that your mail server has verified
    (authserv_id) need no confirmation. The default is no, so one email is enough to join a game. Games are protected by
    passwords, and a forger never sees the replies. Choose yes if the judge is widely known and its mail server does not
    verify emails. Then no one can join in a stranger's name."""
    passwordless: Switch = True
    """Whether players may choose to play without their passwords (SET PASSWORDLESS ON): yes or no. This works only with
    authserv_id, and only for emails that your mail server has verified. Then no password is needed for press, or for
    anything that can be changed until the deadline. A master can forbid it for a game (SET STRICT PASSWORDS)."""
    open_games: Annotated[int, _at_least(1, "games")] = 20
    """The most unfinished games one person may have created. To create more, they must end one or write to you."""
    early_delay: Delay = 1800
    """Seconds from the last missing order until a phase is processed early, unless a player has set WAIT."""
    sweep: Seconds = 30
    """Seconds between two searches for deadlines that the scheduler has missed."""
    outage_limit: Annotated[float, _at_least(0.1, "hours")] = 6
    """In hours. If the judge was down for longer, deadlines in that time are extended, unless all orders were in. All
    players are notified."""
    idle_limit: Annotated[float, _at_least(1, "days")] = 90
    """In days. If no one sends an order in two movement phases, a game is paused. After this time without an order it
    ends. Its players and you are notified."""


class WatchSettings(_Section):
    """How the keeper watches the judge."""

    metrics_host: str = "127.0.0.1"
    """Where Prometheus can read the numbers of judge run, at /metrics: games, emails, the last check of the mailbox.
    They contain no names. Port 0: nowhere. There is no password, so keep the port private."""
    metrics_port: Annotated[int, Field(ge=0, le=65535, title="a port number from 1 to 65535, or 0")] = 0
    report: TimeOfDay = None
    """The time of a daily report to the keeper, such as 07:30, in the judge's time zone: games, late players, emails
    set aside, undeliverable or bounced, free disk space. Empty: none. Urgent problems are always reported at once: an
    email set aside, a phase that cannot be processed, a nearly full disk, an unreachable mailbox, an [intake] port that
    cannot be opened, a template that cannot be used."""
    webhook: WebAddress = Field(default="", repr=False)
    """A web address (https://...) to which each of these alerts is also posted as JSON: judge, address, kind, at, and
    text, which is the subject of the email. The judge tries up to three times. The email is sent either way. Empty:
    none. The daily report is not posted."""
    results_webhook: WebAddress = Field(default="", repr=False)
    """A web address (https://...) to which the results of listed games are posted, for the room of a club: JSON with
    the same text as content (Discord) and text (Slack, Matrix). With [public] address, the text ends with the addresses
    of the page and of the map. Names and press are never in it. A hook that fails is tried again for three days.
    Redirects are not followed. Empty: none."""
    results_webhook_inside: Switch = False
    """Whether results_webhook may be in your own network, at a private or local address: yes or no."""


class PublicSettings(_Section):
    """The public pages of games."""

    folder: OptionalPath = None
    """A folder for static pages of the listed games, for a web server of yours: an index, a page for each game with
    results, maps and broadcasts of each processed phase, and an Atom feed (feed.xml). They show nothing of the current
    phase and no other press. They name only people who have sent SET PUBLIC NAME ON, and none in a gunboat or quiet
    game until it ends. A game's start email says that it is published. Pages of games that are no longer listed are
    deleted. Empty: no pages. To write all of them again: judge games publish."""
    address: WebAddress = ""
    """The web address of that folder, for the feed and for the start emails."""
    search_engines: Switch = False
    """Whether search engines may list the pages: yes or no."""


class KeepSettings(_Section):
    """How long old data is kept."""

    letters: Days = 365
    """Days to keep the headers and text of emails received (with passwords masked), so you can look up what someone
    wrote. After that, only time, sender, subject and a fingerprint are kept. Copies are recognized by the fingerprint.
    The record of games is always kept: phases, orders, results, press, events."""
    mails: Days = 90
    """Days to keep emails sent. While a game is running, the Message-IDs of its emails are kept, so replies are
    recognized. Undeliverable emails are kept until you dismiss them (judge mails dismiss)."""
    pictures: Annotated[float, _at_least(1, "days")] = 30
    """Days to keep the files of maps, counted from the last email that showed them. If a map is needed again, it is
    drawn again."""


class LimitSettings(_Section):
    """How much may be mailed within an hour."""

    strangers: Answers = 10
    """Anyone can write in another person's name, and some programs answer every email. So replies to emails that do not
    sign on are limited: up to this many per hour to one mailbox, for strangers and for registered people. Beyond that,
    emails are still carried out. The sender is notified once, and the replies come together in one email: an hour
    later, or later still if the flood continues. Replies to emails that signed on are not limited. Two kinds have
    separate limits, so a flood cannot silence them: up to 6 per hour of what a player must know (a rejected sign-on,
    orders not recorded), then one email per hour with the rest; and up to 6 per hour to REGISTER and CREATE. Every
    player gets their replies at least an hour before their next deadline."""
    registered: Answers = 60
    domain: Answers = 100
    """Up to this many replies per hour to all strangers of one domain, unless your mail server has verified them
    (authserv_id). An address that has not written within the hour still gets its reply."""
    press_of_observers: Annotated[int, _at_least(0, "messages")] = 10
    """The most press messages per hour from one observer or one player in a game, and from anyone to its observers.
    Observers must be registered to write. Masters are limited only in what they send to observers."""
    press_of_players: Messages = 100
    press_to_observers: Messages = 20
    press_size: Annotated[int, _at_least(1000, "bytes")] = 50_000
    """The most bytes in one message, which may be sent to all players of a game."""
    bounces: Mails = 3
    """After this many bounces with no email from the address in between, the judge stops writing to it (0: never). Only
    bounces that blame the address are counted (status 5.1.x, 5.2.1, 5.4.1, or refused at RCPT TO), and none of press.
    Results and start emails still go out: to another address of the same person, or to this one, once a phase and up to
    ten times. The masters of its games are notified (or you, if there are none). When its owner writes, the rest is
    sent."""


class Settings(JudgeSection, MapsSection, GamesSection, BaseSettings):
    """All settings, with the keys of [judge], [maps] and [games] as fields.

    The other sections are fields of their own. `file` is judge.ini.
    """

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
    def _complete(cls, texts: Values) -> Values:
        """Make paths absolute and read passwords from their files.

        Missing keys that are needed are set to None, so that they are reported.
        """
        mailbox, smtp, oauth = texts["mailbox"], texts["smtp"], texts["oauth"]
        for part, key in _required(texts):
            part[key] = part.get(key) or None
        here = texts["file"].resolve().parent
        texts["home"] = here / texts.get("home", HOME)
        oauth["token_file"] = texts["home"] / oauth.get("token_file", "oauth.json")
        _read_secret_files(texts, here)
        for section, keys in KEYS.items():
            part = texts.get(section, texts)
            for key, one in keys.items():
                if one.annotation in _PATHS and part.get(key):
                    part[key] = here / part[key]
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
        """The folder with drawn pictures (judge/mails/pictures.py)."""
        return self.home / "maps"

    @property
    def domain(self) -> str:
        """The part of the judge's address after the @. Its Message-IDs end with it."""
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
# The type, the default and the explanation of each setting, by section and key.
KEYS = {
    name: {key: one for key, one in section.model_fields.items() if key != "oauth"}
    for name, section in _SECTIONS.items()
}
# The sections whose keys are fields of Settings itself.
_FLAT = ("judge", "maps", "games")
# The section and the key of each setting, by the path to its field in Settings.
_PLACES: dict[tuple[int | str, ...], tuple[str, str]] = {
    (key,) if section in _FLAT else (section, key): (section, key) for section, keys in KEYS.items() for key in keys
}
_VARIABLES = [variable(*setting) for setting in _PLACES.values()]
_HEAD = """\
; judge.ini: the settings of one judge, with their defaults.
;
; Every value can also be set in the environment, which has precedence: [mailbox] host is JUDGE_MAILBOX_HOST. Unknown
; keys and JUDGE_... variables are rejected with an error that names them.
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
    """Read the settings in a file and the environment.

    Raises SettingsError, which names all that is wrong.
    """
    ini = read_ini(path)
    given: dict[str, str] = {}
    written: Values = {"file": path, "environment": given}
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
        # Report an error in [oauth] once, and not again in the sections that use it to log in.
        wrong = [one for one in error.errors() if "oauth" not in one["loc"][1:]]
        problems += dict.fromkeys(_fault(one, path, environment) for one in wrong)
    if problems:
        raise SettingsError(f"{path}: {'; '.join(problems)}")
    return found


def unfilled(settings: Settings) -> list[str]:
    """List the settings that still have the values of the sample, if the judge cannot run with them."""
    left = []
    for section, key in _PLACES.values():
        part = settings if section in _FLAT else getattr(settings, section)
        if getattr(part, key) in (KEYS[section][key].examples or ()):
            left.append(f"[{section}] {key}")
    # An address that is still the sample's may work, so a host must also be unfilled.
    return left if any(name.endswith("host") for name in left) else []


def _required(texts: Values) -> Iterator[tuple[Values, str]]:
    """Yield the settings that must be given, each as the values of its section and its key."""
    mailbox, intake, smtp, oauth = (texts[name] for name in ("mailbox", "intake", "smtp", "oauth"))
    yield from [(texts, "address"), (texts, "keeper"), (smtp, "host")]
    # A judge to which a mail server delivers letters needs no mailbox.
    if mailbox.get("host") or intake.get("protocol", "none") == "none":
        yield from [(mailbox, "host"), (mailbox, "user")]
    if intake.get("security", "plain") != "plain":
        yield from [(intake, "cert_file"), (intake, "key_file")]
    if "oauth" in (mailbox.get("auth"), smtp.get("auth")):
        yield from [(oauth, "client_id"), (oauth, "token_endpoint")]


def _read_secret_files(texts: Values, here: Path) -> None:
    for section, key in SECRETS:
        if file := texts[section].get(f"{key}_file"):
            try:
                texts[section][key] = (here / file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError):
                raise ValueError(f"[{section}] {key}_file: cannot read {file!r}") from None


def _fault(error: ErrorDetails, path: Path, environment: Mapping[str, str]) -> str:
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
    """Yield a sentence for each section, key or variable that is not a setting.

    The sentence has no values, since these may be secrets.
    """
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
    """Return the end of a sentence that suggests the intended setting."""
    if near := difflib.get_close_matches(name, known, n=1, cutoff=LIKE):
        return f"did you mean {near[0]}?"
    if name.startswith(PREFIX):
        return "a setting is JUDGE_<SECTION>_<KEY>, like JUDGE_MAILBOX_HOST"
    return f"there are: {', '.join(known)}"
