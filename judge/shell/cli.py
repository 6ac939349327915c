"""The `judge` command: one function per subcommand, each importing only what it needs."""

import argparse
import gc
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from judge import __version__

if TYPE_CHECKING:
    from judge.settings import Settings

# A subcommand: takes its options and returns the exit status.
Run = Callable[[argparse.Namespace], int]

_CONFIG = Path("judge.ini")


class Commands(Protocol):
    """The argparse object to which subcommands are added."""

    choices: dict[str, argparse.ArgumentParser]

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser: ...


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except BrokenPipeError:  # the program that reads our output has ended, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="judge", description="The referee for Diplomacy games played by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    _takes_config(parser, "the settings (judge.ini); also behind the command", None)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _daemon_commands(commands)
    _doctor_command(commands)
    _letter_commands(commands)
    copied = _keeper_command(commands, "copy", _copy, "copy the database into another, as from SQLite to PostgreSQL")
    copied.add_argument("--to", required=True, metavar="URL", help="an empty one: postgresql+psycopg://user@host/name")
    _games_command(commands)
    _mails_command(commands)
    _oauth_command(commands)
    _people_command(commands)
    _rules_commands(commands)
    _demo_commands(commands)
    return parser


def _daemon_commands(commands: Commands) -> None:
    """The daemon, the processes beside it, and how they are."""
    run = _keeper_command(commands, "run", _run, "poll the mailbox, adjudicate at deadlines, mail the results")
    run.description = (
        "The daemon. Stops cleanly on SIGTERM and SIGINT. While another one works with the same PostgreSQL, it stands "
        "by, and takes over when that one has ended."
    )
    worker = _keeper_command(commands, "worker", _worker, "send mails and draw pictures for judge run, beside it")
    worker.description = (
        "Sends mails of the outbox and draws the pictures that they wait for, as judge run does itself unless [smtp] "
        "courier = no and [maps] painters = 0. Any number of workers may be at work, on any machine, where the "
        "database is PostgreSQL; each mail is sent by one of them."
    )
    for name in ("courier", "painter"):
        _keeper_command(commands, name, partial(_gone, name), "is judge worker now")
    what = "what the keeper should know; exit status 1 if something needs care"
    status = _keeper_command(commands, "status", _status, what)
    status.add_argument("--json", action="store_true", help="as one JSON object, for programs")


def _doctor_command(commands: Commands) -> None:
    doctor = _keeper_command(commands, "doctor", _doctor, "try all that the settings name; what to do where it fails")
    doctor.description = (
        "Before the first start, and whenever something is wrong: mailbox, mail server, clock, names, permissions, "
        "disk, templates, variants, database. Sends the judge a mail, and removes it where it arrives."
    )
    doctor.add_argument("--no-mail", action="store_true", help="send no mail")
    doctor.add_argument("--no-dns", action="store_true", help="do not ask the DNS about the judge's domain")
    within = "how long the mail may take to come back (60)"
    doctor.add_argument("--seconds", type=_number, metavar="N", default=60, help=within)
    doctor.add_argument("--json", action="store_true", help="as one JSON object, for programs")


def _letter_commands(commands: Commands) -> None:
    """Letters that are handled again."""
    replay = _keeper_command(commands, "replay", _replay, "try a letter that was put aside again")
    replay.add_argument("letter", type=int, help="the number of the letter, as in the log and in judge status")
    recover = _keeper_command(commands, "recover", _recover, "read letters again that came after a backup")
    recover.description = (
        "After a backup was restored, before the daemon is started: letters that were filed away since, and that the "
        "database does not know, wait for their turn again."
    )
    when = "when the backup was made, or earlier: 2026-11-20, 20261120T040000Z"
    recover.add_argument("--since", required=True, metavar="DATE", help=when)


def _rules_commands(commands: Commands) -> None:
    """Boards, orders and pictures, mostly for programs."""
    adjudicate = commands.add_parser("adjudicate", help="JSON Lines in, outcomes out: the rules from the shell")
    adjudicate.add_argument("files", nargs="*", type=Path, help="files to read instead of standard input")
    _own_variants_count(adjudicate)
    adjudicate.set_defaults(run=_adjudicate)
    _variants_command(commands)

    selfplay = commands.add_parser("selfplay", help="play random legal orders; the game as lines for judge adjudicate")
    selfplay.add_argument("variant")
    selfplay.add_argument("--years", type=int, default=10)
    selfplay.add_argument("--seed", type=int, default=0)
    _own_variants_count(selfplay)
    selfplay.set_defaults(run=_selfplay)

    _map_command(commands)


def _demo_commands(commands: Commands) -> None:
    """Judges with a mail system of their own."""
    demo = commands.add_parser("demo", help="play a game by mail on this machine, in a minute")
    demo.add_argument("--out", type=Path, default=Path("demo-out"), help="where the mails are left (demo-out)")
    _takes_config(demo, "settings with templates and variants of your own, which the demo's judge uses too")
    demo.set_defaults(run=_demo)

    serve = commands.add_parser("serve", help="a judge with its own mail system, for a mail program on this machine")
    serve.add_argument("--home", type=Path, default=Path("run"), help="where its database is kept (run)")
    serve.set_defaults(run=_serve)


def _keeper_command(commands: Commands, name: str, run: Run, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text)
    _takes_config(command)
    command.set_defaults(run=partial(_run_plainly, run))
    return command


def _run_plainly(run: Run, options: argparse.Namespace) -> int:
    from judge.shell.plainly import printing_plainly

    with printing_plainly():
        return run(options)


def _takes_config(
    parser: argparse.ArgumentParser, text: str = "the settings (judge.ini)", default: object = argparse.SUPPRESS
) -> None:
    """Let `--config FILE` stand here. It means the same before a command, behind it and behind its action: what is not
    written there does not hide what stands before (SUPPRESS).
    """
    parser.add_argument("--config", type=Path, metavar="FILE", default=default, help=text)


def _take_config(actions: Commands) -> None:
    """Let it stand behind each of the actions."""
    for action in actions.choices.values():
        _takes_config(action)


def _own_variants_count(command: argparse.ArgumentParser) -> None:
    """Mark a command that also uses the keeper's own variants."""
    _takes_config(command, "the settings that name your own variants (judge.ini, if there is one)")


def _oauth_command(commands: Commands) -> None:
    oauth = _keeper_command(commands, "oauth", _oauth, "consent that the judge logs in without a password")
    actions = oauth.add_subparsers(dest="action", required=True, metavar="ACTION")
    login = actions.add_parser("login", help="consent at the provider that [oauth] in judge.ini names")
    instead = "read a refresh token from standard input, where the provider gives no device codes"
    login.add_argument("--refresh-token", action="store_true", help=instead)
    _take_config(actions)


def _games_command(commands: Commands) -> None:
    games = _keeper_command(commands, "games", _games, "look after games whose master is gone")
    actions = games.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="every game, what it waits for, and its masters")
    show = actions.add_parser("show", help="all that a master may know of a game")
    do = actions.add_parser("do", help="carry out lines as the master of a game; everybody is told it was you")
    appoint = actions.add_parser("appoint", help="make a registered person a master of a game")
    export = actions.add_parser("export", help="a whole game into a file, for another judge; without passwords")
    imported = actions.add_parser("import", help="put an exported game into this judge; its people get new passwords")
    for action in (show, do, appoint, export):
        action.add_argument("game")
    export.add_argument("--public", action="store_true", help="an ended game without its people, as JSON and as text")
    export.add_argument("--to", type=Path, metavar="FILE", help="where to write it (<game>.game.json here)")
    imported.add_argument("file", type=Path)
    imported.add_argument("--name", default="", metavar="OTHER", help="call it so, if its name is taken here")
    do.add_argument("lines", nargs="*", metavar="LINE", help="lines as below SIGNON M<game>; none: from standard input")
    appoint.add_argument("address", help="an address that the person is registered with")
    _take_config(actions)


def _mails_command(commands: Commands) -> None:
    mails = _keeper_command(commands, "mails", _mails, "look after mails that could not be delivered")
    actions = mails.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="every mail that was given up: its number, to whom, and why")
    listed.add_argument("--waiting", action="store_true", help="those not sent yet instead, and why")
    retry = actions.add_parser("retry", help="send them again")
    dismiss = actions.add_parser("dismiss", help="stop counting them")
    for action in (retry, dismiss):
        action.add_argument("which", nargs="+", metavar="WHICH", help="a mail's number, an address, or all")
    _take_config(actions)


def _people_command(commands: Commands) -> None:
    people = _keeper_command(commands, "people", _people, "forget a person who asks for it")
    actions = people.add_subparsers(dest="action", required=True, metavar="ACTION")
    forget = actions.add_parser("forget", help="take a person's addresses out of the database; tells what remains")
    forget.add_argument("address", help="one that they write from; their others are forgotten too")
    _take_config(actions)


def _variants_command(commands: Commands) -> None:
    variants = commands.add_parser("variants", help="list, show, check, draw and import variants")
    _own_variants_count(variants)
    variants.set_defaults(run=_variants)
    actions = variants.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="the variants that can be played (also without an ACTION)")
    show = actions.add_parser("show", help="print a variant for a reader")
    show.add_argument("name")
    drawn = actions.add_parser("draw", help="draw again which powers the seed of a game gives to which group")
    drawn.add_argument("name")
    drawn.add_argument("--seed", type=int, required=True, help="the number that the game's first mail states")
    drawn.add_argument("--fix", action="append", default=[], metavar="POWER=GROUP", help="what the master had fixed")
    check = actions.add_parser("check", help="every mistake in a variant's files, with its line")
    check.add_argument("targets", nargs="*", metavar="FILE", help="folders, files or names; none: all")
    imported = actions.add_parser("import", help="turn a DPjudge .map or a jDip variants.xml into a variant's folder")
    imported.add_argument("source", type=Path)
    imported.add_argument("--title", default="", help="which variant of a variants.xml (the first)")
    imported.add_argument("--name", default="", help="the folder's name (from the file or the title)")
    imported.add_argument("--to", type=Path, help="where to make the folder (your own variants', else here)")
    imported.add_argument(
        "--one-way",
        metavar="FROM-TO",
        action="append",
        default=[],
        help="a border that is meant to lead one way only; others that stand at one end are opened both ways, and told",
    )
    sketched = actions.add_parser("sketch", help="lay out a schematic map for a board that has no drawing")
    sketched.add_argument("target", help="the variant's folder, or its name")
    for action in actions.choices.values():
        _own_variants_count(action)


def _map_command(commands: Commands) -> None:
    drawn = commands.add_parser("map", help="a position, an outcome or a game's phase as a picture")
    drawn.add_argument("file", nargs="?", type=Path, help="lines of `judge adjudicate`, in or out (standard input)")
    drawn.add_argument("--game", default="", help="a game of this judge instead")
    drawn.add_argument("--phase", default="", help="a phase of it that was played, like S1901M (the board as it is)")
    _own_variants_count(drawn)
    drawn.add_argument("--out", type=Path, default=Path("."), help="a .png (parts beside it), .svg or folder (here)")
    drawn.add_argument("--width", type=_width, default=0, help="pixels across (what its board needs)")
    drawn.add_argument("--part", default="", help='of a large board this part alone: "North America"')
    drawn.set_defaults(run=_map)


def _width(text: str) -> int:
    """Pixels: as many as a printer may want, and no more than memory holds."""
    if not text.isascii() or not text.isdigit() or not 100 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError("a number from 100 to 10000")
    return int(text)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError("a number from 1 to 100")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    from judge.games.core.office import KeyUnusable
    from judge.service.daemon import Daemon
    from judge.service.standby import take_over
    from judge.shell.logs import write_log
    from judge.store.engine import StoreError
    from judge.store.locks import AlreadyRunning, hold_lock

    settings = _settings(options.config)
    if settings is None:
        return 2
    write_log(settings)
    stopping = threading.Event()
    _on_stop(stopping.set)
    try:
        guard = take_over(settings, stopping)
        if guard is None:
            return 0
        with hold_lock(settings.home / "judge.store.lock", "the daemon of this home"):
            daemon = Daemon(settings, guard=guard)
            _on_stop(daemon.stop)
            if stopping.is_set():
                daemon.stop()
            _tidy_up_seldom()
            daemon.run()
    except (AlreadyRunning, StoreError, KeyUnusable, OSError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 1
    return 0


def _tidy_up_seldom() -> None:
    """Python looks for objects that hold each other each time when 700 more have been made than have gone; that takes a
    twentieth of the time of a busy judge, and nearly all of them go by themselves.
    """
    gc.set_threshold(10_000)


def _worker(options: argparse.Namespace) -> int:
    from judge.service.worker import work
    from judge.shell.logs import write_log
    from judge.store.engine import StoreError

    settings = _settings(options.config)
    if settings is None:
        return 2
    write_log(settings)
    stopping = threading.Event()
    _on_stop(stopping.set)
    _tidy_up_seldom()
    try:
        work(settings, stopping)
    except StoreError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    return 0


def _gone(name: str, _: argparse.Namespace) -> int:
    print(f"judge: there is no judge {name} any more: judge worker sends mails and draws pictures", file=sys.stderr)
    return 2


def _on_stop(stop: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop())


def _status(options: argparse.Namespace) -> int:
    from judge.shell.status import report

    settings = _settings(options.config)
    return 2 if settings is None else report(settings, json=options.json)


def _doctor(options: argparse.Namespace) -> int:
    from judge.shell.doctor import Trial, examine
    from judge.shell.names import Names

    settings = _settings(options.config)
    if settings is None:
        return 2
    seconds = None if options.no_mail else options.seconds
    names = None if options.no_dns else Names()
    return examine(Trial(settings, options.config or _CONFIG, seconds, names), as_object=options.json)


def _replay(options: argparse.Namespace) -> int:
    from judge.shell.status import replay

    settings = _settings(options.config)
    return 2 if settings is None else replay(settings, options.letter)


def _recover(options: argparse.Namespace) -> int:
    from judge.shell.recover import recover

    settings = _settings(options.config)
    return 2 if settings is None else recover(settings, options.since)


def _copy(options: argparse.Namespace) -> int:
    from judge.shell.copying import copy

    settings = _settings(options.config)
    return 2 if settings is None else copy(settings, options.to)


def _games(options: argparse.Namespace) -> int:
    from judge.shell import games

    settings = _settings(options.config)
    if settings is None:
        return 2
    match options.action:
        case "show":
            return games.show_game(settings, options.game)
        case "do":
            return games.do(settings, options.game, options.lines)
        case "appoint":
            return games.appoint(settings, options.game, options.address)
        case "export":
            return games.export(settings, options.game, options.to, public=options.public)
        case "import":
            return games.take_in(settings, options.file, options.name)
    return games.list_games(settings)


def _oauth(options: argparse.Namespace) -> int:
    from judge.shell import oauth

    settings = _settings(options.config)
    return 2 if settings is None else oauth.login(settings, by_refresh_token=options.refresh_token)


def _mails(options: argparse.Namespace) -> int:
    from judge.shell import mails

    settings = _settings(options.config)
    if settings is None:
        return 2
    match options.action:
        case "retry":
            return mails.retry(settings, options.which)
        case "dismiss":
            return mails.dismiss(settings, options.which)
    return mails.list_waiting(settings) if options.waiting else mails.list_mails(settings)


def _people(options: argparse.Namespace) -> int:
    from judge.shell.people import forget

    settings = _settings(options.config)
    return 2 if settings is None else forget(settings, options.address)


def _adjudicate(options: argparse.Namespace) -> int:
    from judge.shell.rules import adjudicate

    return adjudicate(options.files) if _open_catalogue(options.config) else 2


def _variants(options: argparse.Namespace) -> int:
    from judge.shell import rules

    if not _open_catalogue(options.config):
        return 2
    match options.action:
        case "show":
            return rules.show_variant(options.name)
        case "draw":
            return rules.draw_groups(options.name, options.seed, options.fix)
        case "check":
            return rules.check_variants(options.targets)
        case "sketch":
            return rules.sketch_board(options.target)
        case "import":
            return rules.import_variant(options.source, options.title, options.to, options.name, options.one_way)
    return rules.list_variants()


def _selfplay(options: argparse.Namespace) -> int:
    from judge.shell.rules import selfplay

    return selfplay(options.variant, options.years, options.seed) if _open_catalogue(options.config) else 2


def _map(options: argparse.Namespace) -> int:
    from judge.shell import maps

    wanted = maps.Wanted(options.out, options.width, options.part)
    if not options.game:
        if not _open_catalogue(options.config):
            return 2
        return maps.map_lines(options.file, wanted)
    settings = _settings(options.config)
    if settings is None:
        return 2
    return maps.map_game(settings, options.game, options.phase, wanted)


def _demo(options: argparse.Namespace) -> int:
    if not _has_mail_system():
        return 2
    from judge.demo.play import run_demo
    from judge.settings import SettingsError, own_files

    try:
        return run_demo(options.out, own=own_files(options.config) if options.config else {})
    except SettingsError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2


def _serve(options: argparse.Namespace) -> int:
    if not _has_mail_system():
        return 2
    from judge.demo.serve import run

    return run(options.home)


def _has_mail_system() -> bool:
    """Whether the embedded IMAP server is installed; if not, prints how to install it."""
    if importlib.util.find_spec("pymap"):
        return True
    print("judge: this needs the embedded mail system: pip install 'judge[demo]'", file=sys.stderr)
    return False


def _settings(path: Path | None) -> "Settings | None":
    """The settings; if they are wrong, prints what is wrong and returns None."""
    from judge.settings import SettingsError, read_settings

    try:
        return read_settings(path or _CONFIG)
    except SettingsError as error:
        print(f"judge: {error}", file=sys.stderr)
        return None


def _open_catalogue(config: Path | None) -> bool:
    """Let this process find the keeper's own variants; if the settings are wrong, prints what is wrong."""
    from judge.rules import open_catalogue
    from judge.settings import SettingsError, read_folders

    try:
        open_catalogue(*read_folders(config or (_CONFIG if _CONFIG.exists() else None)))
    except SettingsError as error:
        print(f"judge: {error}", file=sys.stderr)
        return False
    return True
