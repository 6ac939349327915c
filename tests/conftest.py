"""The servers that tests talk to, as fixtures; each worker of a parallel run has servers of its own.

    dovecot       a running Dovecot whose mailbox is empty
    mail_system    a running `MailSystem`, the embedded mail system, without any mail
    mail_server   either of the two in turn: `host`, `imap_port`, `password` of the user "judge", `deliver(raw, to)`
    smtp_sink     a running `SmtpSink` that has taken nothing and behaves well
    postfix       a running Postfix, which hands letters to nobody yet
    postgres_url  a new database on a running PostgreSQL
    chromium      nothing but that a browser is there, for tests that look at pages (tests/servers/browser.py)
    store         what `[store] url` says: once "", which is SQLite, and again a new database on PostgreSQL
    certificates  a throw-away authority and a certificate for localhost
    desk          a judge's desk on a fresh SQLite database (tests/commands/deskatwork.py)
    heron, swan   the same, where game heron of standard Diplomacy, or swan of 1648, has begun: `seat_all`

What needs Dovecot, Postfix, PostgreSQL or Chromium is skipped where they are not installed, and the run's summary says
so.
"""

import functools
import gc
import os
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

import pytest
from hypothesis import settings

from judge.mails.templates import Texts, variables_of
from tests import beginnings
from tests.commands.deskatwork import MADE, DeskAtWork
from tests.servers import browser, plainuser
from tests.servers import dovecot as dovecot_server
from tests.servers import postfix as postfix_server
from tests.servers import postgres as postgres_server
from tests.servers.certificates import Certificates, make_certificates
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem
from tests.servers.postfix import Postfix
from tests.servers.postgres import Postgres
from tests.servers.smtpsink import SmtpSink

# How long an example takes says more of the machine than of what is tested.
settings.register_profile("judge", deadline=None)
settings.load_profile("judge")

# So many new objects until the next collection of garbage: with Python's own 700 it would look through some million
# objects that stay, all the time.
gc.set_threshold(100_000, 50, 100)
beginnings.share_statements()

_render = Texts.render
# Texts are written by the thousand, and what stands in a file of ours stays the same meanwhile.
_listed = functools.cache(variables_of)


def _render_what_is_listed(texts: Texts, template: str, **context: object) -> str:
    """Every text that a test has written: what it is given stands in templates/variables.toml, where keepers look."""
    unlisted = context.keys() - _listed(f"{template}.txt.j2")
    assert not unlisted, f"templates/variables.toml: {template} is given {', '.join(sorted(unlisted))} too"
    return _render(texts, template, **context)


Texts.render = _render_what_is_listed  # type: ignore[assignment, method-assign]  # mypy sees no self


@pytest.fixture(autouse=True)
def no_password_remains() -> Iterator[None]:
    """Each desk of the test is searched at its end for the passwords of its letters (tests/no_password_remains.py)."""
    yield
    if MADE:
        made, MADE[:] = list(MADE), []
        found = [one for desk in made for one in desk.passwords_left()]
        assert not found, "\n".join(found)


MISSING = {
    name: f"{name} is not installed ({how})"
    for name, installed, how in [
        ("Dovecot", dovecot_server.PROGRAM, dovecot_server.INSTALL),
        ("Postfix", postfix_server.INSTALLED, postfix_server.INSTALL),
        ("PostgreSQL", postgres_server.INSTALLED, postgres_server.INSTALL),
        ("Chromium", browser.PROGRAM, browser.INSTALL),
    ]
    if not installed
}


# Whole files to one worker: these wait for servers and other processes more than they compute, or have a game that
# takes as long to play as a hundred tests.
_BY_FILE = (
    "tests/acceptance/", "tests/letters/test_mailbox.py", "tests/mails/", "tests/servers/", "tests/service/",
    "tests/shell/", "tests/store/", "tests/test_oauth.py", "tests/transcripts/",
    "tests/commands/core/test_permissions.py", "tests/commands/test_fuzzer.py",
    "tests/games/core/test_who_may_see_leaks.py",
)  # fmt: skip


def pytest_configure() -> None:
    """`tmp_path` lies where nothing waits for a disk; pytest itself asks for this variable."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(plainuser.quick_place()))


@pytest.fixture(scope="session", autouse=True)
def _beginnings_are_shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Between the workers of a run, whose folders lie in one."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        beginnings.shared = tmp_path_factory.getbasetemp().parent / "beginnings"
        beginnings.shared.mkdir(exist_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Marks what needs which server, so that `-m dovecot` and `-m "not postgres"` do what they say; deals the rest."""
    for item in items:
        needed = set(getattr(item, "fixturenames", ()))
        for marker, fixture in (("dovecot", "dovecot"), ("postgres", "postgres_url")):
            if fixture in needed:
                item.add_marker(marker)
    yield
    items[:] = _dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """`--dist worksteal` cuts the tests into as many equal parts as there are workers, who take from each other's ends.

    As many workers as there are cores only compute. The others begin with the tests that take long, one by one, and
    with those that go by file and mostly wait: so the cores are busy all the time, and nobody waits for one worker in
    the end.
    """
    long = [[item] for item in items if item.get_closest_marker("long")]
    rest = [item for item in items if not item.get_closest_marker("long")]
    files = [list(file) for _, file in groupby(rest, lambda item: item.path)]  # together: they share what is set up
    whole = [file for file in files if file[0].nodeid.startswith(_BY_FILE)]
    computing = iter([item for item in rest if not item.nodeid.startswith(_BY_FILE)])
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for tests in [*long, *whole]:
        min(parts[os.cpu_count() :] or parts, key=len).extend(tests)
    dealt: list[pytest.Item] = []
    for number, part in enumerate(parts):
        size = (len(items) - len(dealt)) // (workers - number)
        dealt += [*part, *islice(computing, max(0, size - len(part)))]
    return [*dealt, *computing]


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # what has been imported stays


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reason in MISSING.values():
        terminalreporter.write_line(f"NOT TESTED: {reason}", yellow=True)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def _running_dovecot() -> Iterator[Dovecot]:
    if "Dovecot" in MISSING:
        pytest.skip(MISSING["Dovecot"])
    server = Dovecot().start()
    yield server
    server.remove()


@pytest.fixture
def dovecot(_running_dovecot: Dovecot) -> Dovecot:
    if not _running_dovecot.running:  # the test before left it dead
        _running_dovecot.start()
    _running_dovecot.thaw()
    _running_dovecot.wipe()
    return _running_dovecot


@pytest.fixture
def mail_system() -> Iterator[MailSystem]:
    with MailSystem() as office:
        yield office


@pytest.fixture(params=["dovecot", "mail_system"])
def mail_server(request: pytest.FixtureRequest) -> Dovecot | MailSystem:
    server: Dovecot | MailSystem = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    with SmtpSink() as sink:
        yield sink


@pytest.fixture(scope="module")
def postfix() -> Iterator[Postfix]:
    if "Postfix" in MISSING:
        pytest.skip(MISSING["Postfix"])
    server = Postfix()
    try:
        yield server.start()
    finally:
        server.remove()


@pytest.fixture(scope="session")
def _running_postgres() -> Iterator[Postgres]:
    if "PostgreSQL" in MISSING:
        pytest.skip(MISSING["PostgreSQL"])
    server = Postgres().start()
    yield server
    server.remove()


@pytest.fixture
def postgres_url(_running_postgres: Postgres) -> Iterator[str]:
    with _running_postgres.database() as url:
        yield url


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    return DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    return desk


@pytest.fixture
def swan(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_all("swan", "1648")
    return desk


@pytest.fixture
def chromium() -> None:
    if "Chromium" in MISSING:
        pytest.skip(MISSING["Chromium"])


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else ""
