"""judge.ini and the environment, read into one frozen Settings object before anything starts.

`KEYS` is the whole list: section, key, allowed values, default. A value is taken from the environment
(`JUDGE_<SECTION>_<KEY>`), else from the file, else from the default; a password may be in a file of its own
(`password_file`). Every wrong value is reported with section and key, and every key and variable that is none, all of
them at once.
"""

import configparser
import difflib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from judge.addresses import normal

# The folder in `home` with the copies of the variants that games play.
EDITIONS = "variants"
_PREFIX = "JUDGE_"
# How like a setting's name another must be to be a slip of it; all have some letters in common.
LIKE = 0.8


class SettingsError(ValueError):
    """A judge.ini that cannot be used; the message names every wrong value with section and key."""


def _text(value: str) -> str:
    return value


def _port(value: str) -> int:
    port = int(value) if value.isdigit() else 0
    if not 1 <= port <= 65535:
        raise ValueError("must be a port number from 1 to 65535")
    return port


def _port_or_none(value: str) -> int:
    return 0 if value == "0" else _port(value)


def _time_of_day(value: str) -> time | None:
    if not value:
        return None
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        raise ValueError("must be a time like 07:30, or empty")
    return time.fromisoformat(value)


def _at_least(least: float, unit: str) -> Callable[[str], float]:
    def read(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = least - 1
        if not least <= number < 1e9:
            raise ValueError(f"must be a number of {unit}, {least:g} or more")
        return number

    return read


def _choice(*words: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.lower() not in words:
            raise ValueError(f"must be one of: {', '.join(words)}")
        return value.lower()

    return read


def _switch(value: str) -> bool:
    return _choice("yes", "no")(value) == "yes"


def _address(value: str) -> str:
    address = normal(value)
    if not address:
        raise ValueError("must be a bare mail address like judge@example.org")
    return address


def _code(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{4}", value):
        raise ValueError("must be four letters, the name that starts every subject")
    return value.upper()


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ValueError("must be a time zone's name like Europe/Berlin or UTC") from None
    return value


Network = IPv4Network | IPv6Network


def _networks(value: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(word) for word in value.replace(",", " ").split())
    except ValueError:
        raise ValueError("must be addresses or networks like 127.0.0.1 or 10.0.0.0/24") from None


_SECURITY = _choice("tls", "starttls", "plain")
_AUTH = _choice("password", "oauth")
_REQUIRED = None

KEYS: dict[str, dict[str, tuple[Callable[[str], Any], str | None]]] = {
    "judge": {
        "code": (_code, "JUDG"),
        "address": (_address, _REQUIRED),
        "keeper": (_address, _REQUIRED),
        "zone": (_zone, "UTC"),
        "home": (_text, "run"),
        "least_space": (_at_least(1, "megabytes"), "100"),
        "log_level": (_choice("debug", "info", "warning", "error"), "info"),
        "log_form": (_choice("text", "json"), "text"),
        "templates": (_text, ""),
        "variants": (_text, ""),
        "html": (_switch, "yes"),
    },
    "mailbox": {
        "host": (_text, _REQUIRED),
        "port": (_port, "993"),
        "security": (_SECURITY, "tls"),
        "ca_file": (_text, ""),
        "user": (_text, _REQUIRED),
        "auth": (_AUTH, "password"),
        "password": (_text, ""),
        "password_file": (_text, ""),
        "folder": (_text, "INBOX"),
        "processed": (_text, "Processed"),
        "junk": (_text, "auto"),
        "poll": (_at_least(1, "seconds"), "300"),
        "timeout": (_at_least(1, "seconds"), "30"),
        "max_size": (_at_least(10_000, "bytes"), "1000000"),
        "max_lines": (_at_least(100, "lines"), "5000"),
        "authserv_id": (_text, ""),
    },
    "intake": {
        "protocol": (_choice("none", "lmtp", "smtp"), "none"),
        "host": (_text, "127.0.0.1"),
        "port": (_port, "2424"),
        "clients": (_networks, "127.0.0.0/8 ::1"),
        "security": (_SECURITY, "plain"),
        "cert_file": (_text, ""),
        "key_file": (_text, ""),
        "catch_up": (_at_least(0, "seconds"), "600"),
    },
    "smtp": {
        "host": (_text, _REQUIRED),
        "port": (_port, "587"),
        "security": (_SECURITY, "starttls"),
        "ca_file": (_text, ""),
        "user": (_text, ""),
        "auth": (_AUTH, "password"),
        "password": (_text, ""),
        "password_file": (_text, ""),
        "timeout": (_at_least(1, "seconds"), "30"),
        "connections": (_at_least(1, "connections"), "4"),
        "courier": (_switch, "yes"),
        "per_hour": (_at_least(0, "mails"), "0"),
        "per_day": (_at_least(0, "mails"), "0"),
        "plus_addresses": (_switch, "no"),
    },
    "oauth": {
        "client_id": (_text, ""),
        "client_secret": (_text, ""),
        "client_secret_file": (_text, ""),
        "device_endpoint": (_text, ""),
        "token_endpoint": (_text, ""),
        "scope": (_text, ""),
        "token_file": (_text, "oauth.json"),
        "ca_file": (_text, ""),
    },
    "maps": {
        "painters": (_at_least(0, "painters"), "2"),
    },
    "store": {
        "url": (_text, ""),
    },
    "games": {
        "creator_is_master": (_switch, "yes"),
        "confirm_registration": (_switch, "no"),
        "passwordless": (_switch, "yes"),
        "open_games": (_at_least(1, "games"), "20"),
        "early_delay": (_at_least(0, "seconds"), "1800"),
        "sweep": (_at_least(1, "seconds"), "30"),
        "outage_limit": (_at_least(0.1, "hours"), "6"),
        "idle_limit": (_at_least(1, "days"), "90"),
    },
    "watch": {
        "metrics_host": (_text, "127.0.0.1"),
        "metrics_port": (_port_or_none, "0"),
        "report": (_time_of_day, ""),
    },
    "keep": {
        "letters": (_at_least(30, "days"), "365"),
        "mails": (_at_least(30, "days"), "90"),
        "pictures": (_at_least(1, "days"), "30"),
    },
    "limits": {
        "strangers": (_at_least(1, "answers"), "10"),
        "registered": (_at_least(1, "answers"), "60"),
        "domain": (_at_least(1, "answers"), "100"),
        "press_of_observers": (_at_least(0, "messages"), "10"),
        "press_of_players": (_at_least(1, "messages"), "100"),
        "press_to_observers": (_at_least(1, "messages"), "20"),
        "press_size": (_at_least(1000, "bytes"), "50000"),
        "bounces": (_at_least(0, "mails"), "3"),
    },
}


@dataclass(frozen=True)
class OAuthSettings:
    """How the judge gets tokens to log in with (judge/oauth.py). `token_file`: where they are kept."""

    client_id: str
    client_secret: str = field(repr=False)
    device_endpoint: str
    token_endpoint: str
    scope: str
    token_file: Path
    ca_file: str


@dataclass(frozen=True)
class MailboxSettings:
    """Where letters come from; times in seconds. `host`: "" if there is no mailbox, only `[intake]`. `oauth`: how
    to log in without a password.

    `security`: tls, starttls or plain. `processed`: the folder for letters that are done, "" = they are only marked.
    `junk`: folders in which letters of known people are looked for too: auto, no, or their names between commas.
    `timeout`: how long to wait for any answer. `max_size`: in bytes; only the beginning of a bigger letter is fetched.
    """

    host: str
    port: int
    security: str
    ca_file: str
    user: str
    password: str = field(repr=False)
    folder: str
    processed: str
    poll: float
    timeout: float
    max_size: int
    max_lines: int
    authserv_id: str
    junk: str = "no"
    oauth: OAuthSettings | None = None


@dataclass(frozen=True)
class IntakeSettings:
    """Where a mail server hands letters in directly. `protocol`: none, lmtp or smtp; `clients`: who may do so.

    `catch_up`: for how many seconds after a time without intake deadlines wait for what the server has kept meanwhile.
    """

    protocol: str
    host: str
    port: int
    clients: tuple[Network, ...]
    security: str
    cert_file: Path
    key_file: Path
    catch_up: float


@dataclass(frozen=True)
class SmtpSettings:
    """Where mails go out; `timeout` in seconds, `connections`: the most at a time; `courier`: whether the daemon itself
    sends. `per_hour`, `per_day`: the most mails in any hour and any day, 0 = any number. `plus_addresses`: whether each
    mail is sent from an address of its own (judge/mails/return_path.py). `oauth`: how to log in without a password.
    """

    host: str
    port: int
    security: str
    ca_file: str
    user: str
    password: str = field(repr=False)
    timeout: float
    connections: int = 1
    courier: bool = True
    per_hour: int = 0
    per_day: int = 0
    plus_addresses: bool = False
    oauth: OAuthSettings | None = None


@dataclass(frozen=True)
class KeepSettings:
    """For how many days raw letters, sent mails and the files of drawn pictures are kept."""

    letters: float
    mails: float
    pictures: float


@dataclass(frozen=True)
class LimitSettings:
    """How much may be mailed within an hour. `strangers`, `registered`: answers to one mailbox, for letters that do not
    sign on; `domain`: such answers to all strangers of a domain. `press_of_observers`, `press_of_players`,
    `press_to_observers`: messages from one seat; `press_size`: the bytes of one message. `bounces`: so many mails that
    come back make an address dead.
    """

    strangers: int
    registered: int
    domain: int
    press_of_observers: int
    press_of_players: int
    press_to_observers: int
    press_size: int
    bounces: int


@dataclass(frozen=True)
class WatchSettings:
    """Where Prometheus may ask (port 0: nowhere), and at which time of the judge's zone the keeper gets a report (None:
    never).
    """

    metrics_host: str
    metrics_port: int
    report: time | None


@dataclass(frozen=True)
class Settings:
    """Everything that a keeper can set. `home` holds the database, the secret key and the lock file; `least_space` is
    in megabytes; `templates` and `variants` are the keeper's own folders, None if there are none; `html`: whether mails
    have pages beside their texts; `painters`:
    how many pictures a process that sends draws at a time.
    """

    code: str
    address: str
    keeper: str
    zone: str
    home: Path
    least_space: float
    log_level: str
    log_form: str
    templates: Path | None
    variants: Path | None
    html: bool
    store_url: str
    painters: int
    creator_is_master: bool
    confirm_registration: bool
    passwordless: bool
    open_games: int
    early_delay: float
    sweep: float
    outage_limit: float
    idle_limit: float
    watch: WatchSettings
    keep: KeepSettings
    limits: LimitSettings
    mailbox: MailboxSettings
    intake: IntakeSettings
    smtp: SmtpSettings
    oauth: OAuthSettings

    @property
    def editions(self) -> Path:
        """The folder of the copies of variants that games play (judge/rules/variant/catalogue.py)."""
        return self.home / EDITIONS

    @property
    def drawn(self) -> Path:
        """The folder of the pictures that were drawn (judge/mails/pictures.py)."""
        return self.home / "maps"

    @property
    def domain(self) -> str:
        """The part of the judge's address after the @; the judge's Message-IDs end with it."""
        return self.address.rpartition("@")[2]


def read_settings(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in `path` under `environment`; raises SettingsError that names every wrong value."""
    problems: list[str] = []
    values = _read_values(_read_file(path), environment, problems)
    problems += _unknown_variables(environment)
    here = path.resolve().parent
    for section in ("mailbox", "smtp"):
        _read_password(values[section], section, here, problems)
    _read_password(values["oauth"], "oauth", here, problems, "client_secret")
    problems += _missing_for_intake(values["intake"])
    problems += _missing_for_oauth(values)
    if problems:
        raise SettingsError(f"{path}: " + "; ".join(problems))
    home = here / values["judge"].pop("home")
    for folder in ("templates", "variants"):
        values["judge"][folder] = here / values["judge"][folder] if values["judge"][folder] else None
    for file in ("cert_file", "key_file"):
        values["intake"][file] = here / values["intake"][file]
    values["oauth"]["token_file"] = home / values["oauth"]["token_file"]
    oauth = OAuthSettings(**values["oauth"])
    for section in ("mailbox", "smtp"):
        values[section]["oauth"] = oauth if values[section].pop("auth") == "oauth" else None
    return Settings(
        **values["judge"],
        **_whole(values["games"], "open_games"),
        **_whole(values["maps"], "painters"),
        home=home,
        store_url=values["store"]["url"] or f"sqlite:///{home / 'judge.db'}",
        watch=WatchSettings(**values["watch"]),
        keep=KeepSettings(**values["keep"]),
        limits=LimitSettings(**_whole(values["limits"], *values["limits"])),
        mailbox=MailboxSettings(**_whole(values["mailbox"], "max_size", "max_lines")),
        intake=IntakeSettings(**values["intake"]),
        smtp=SmtpSettings(**_whole(values["smtp"], "connections", "per_hour", "per_day")),
        oauth=oauth,
    )


def read_folders(path: Path | None, environment: Mapping[str, str] = os.environ) -> tuple[Path | None, Path]:
    """The folders of the keeper's variants and of the copies that games play, for commands that need no other setting.

    Read from `path`, even if other settings there are wrong; without a file, from the environment. Raises
    SettingsError.
    """
    parser = _read_file(path) if path else configparser.ConfigParser(interpolation=None)
    here = path.resolve().parent if path else Path.cwd()
    own, home = ((_written(parser, environment, "judge", key) or "").strip() for key in ("variants", "home"))
    return here / own if own else None, here / home / EDITIONS


def own_files(path: Path) -> dict[str, Path]:
    """{"templates" or "variants": the keeper's folder}, of those that `path` names, even if other settings there are
    wrong. Raises SettingsError.
    """
    parser, here = _read_file(path), path.resolve().parent
    named = {key: parser.get("judge", key, fallback="").strip() for key in ("templates", "variants")}
    return {key: here / name for key, name in named.items() if name}


def secret_files(path: Path) -> list[Path]:
    """The files with passwords in them: those that `path` names (`password_file`), and itself if it has one."""
    parser = _read_file(path)
    secrets = [(section, key) for section in KEYS for key in ("password", "client_secret")]
    own = [parser.get(section, key, fallback="").strip() for section, key in secrets]
    others = [parser.get(section, f"{key}_file", fallback="").strip() for section, key in secrets]
    return [*([path] if any(own) else []), *(path.resolve().parent / name for name in others if name)]


def _read_file(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from None
    except (configparser.Error, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not a readable ini file: {error}") from None
    return parser


def _read_values(
    parser: configparser.ConfigParser, environment: Mapping[str, str], problems: list[str]
) -> dict[str, dict[str, Any]]:
    for section in parser.sections():
        if section not in KEYS:
            problems.append(f"[{section}] is not a section; there are: {', '.join(KEYS)}")
            continue
        for key in parser[section]:
            if key not in KEYS[section]:
                problems.append(f"[{section}] {key} is not a key; there are: {', '.join(KEYS[section])}")
    # Where a mail server hands letters in, there need be no mailbox.
    ways = [_written(parser, environment, *way) for way in (("intake", "protocol"), ("mailbox", "host"))]
    mailbox_needed = ways[0] == "none" or bool(ways[1])
    values: dict[str, dict[str, Any]] = {}
    for section, keys in KEYS.items():
        values[section] = {}
        for key, (read, default) in keys.items():
            text = _written(parser, environment, section, key)
            if section == "mailbox" and not mailbox_needed:
                text = text or default or ""
            elif text is None or (text == "" and default is _REQUIRED):
                problems.append(f"[{section}] {key} is missing")
                continue
            try:
                values[section][key] = read(text.strip())
            except ValueError as error:
                shown = "the value" if "password" in key or "secret" in key else repr(text)
                problems.append(f"[{section}] {key}: {shown} {error}")
    return values


def _written(
    parser: configparser.ConfigParser, environment: Mapping[str, str], section: str, key: str
) -> str | None:
    """A value as text: from the environment, else from the file, else the default."""
    _, default = KEYS[section][key]
    text = environment.get(_variable(section, key))
    return parser.get(section, key, fallback=default) if text is None else text


def _variable(section: str, key: str) -> str:
    return f"{_PREFIX}{section}_{key}".upper()


def _unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """What is wrong with variables that look like settings and are none; their values may be secrets."""
    known = [_variable(section, key) for section, keys in KEYS.items() for key in keys]
    unknown = sorted(name for name in environment if name.startswith(_PREFIX) and name not in known)
    return [f"{name} in the environment is not a setting{_almost(name, known)}" for name in unknown]


def _almost(name: str, known: Sequence[str]) -> str:
    """What was meant, as the end of a sentence."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=LIKE)
    return f"; did you mean {near[0]}?" if near else "; a setting is JUDGE_<SECTION>_<KEY>, like JUDGE_MAILBOX_HOST"


def _missing_for_intake(intake: dict[str, Any]) -> list[str]:
    """Which files are missing that encryption needs."""
    needed = () if intake.get("security") == "plain" else ("cert_file", "key_file")
    return [f"[intake] {key} is missing" for key in needed if not intake.get(key)]


def _missing_for_oauth(values: dict[str, dict[str, Any]]) -> list[str]:
    """What is missing for a login by OAuth 2."""
    if "oauth" not in (values["mailbox"].get("auth"), values["smtp"].get("auth")):
        return []
    return [f"[oauth] {key} is missing" for key in ("client_id", "token_endpoint") if not values["oauth"].get(key)]


def _read_password(
    values: dict[str, Any], section: str, here: Path, problems: list[str], key: str = "password"
) -> None:
    file = values.pop(f"{key}_file", "")
    if not file:
        return
    try:
        values[key] = (here / file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        problems.append(f"[{section}] {key}_file: cannot read {file!r}")


def _whole(values: dict[str, Any], *keys: str) -> dict[str, Any]:
    return values | {key: int(values[key]) for key in keys}
