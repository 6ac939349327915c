"""The `judge` command: its subcommands, each with its options and an example.

The function of a subcommand is in another module of this package, which is loaded when the command is called: `judge
--help` and `judge adjudicate` load neither the database nor the settings.
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import click

from judge import __version__
from judge.ini_file import SettingsError
from judge.shell.calling import complain, open_own_variants, printing_plainly, settings_in

# The first argument of a function: the settings; none, but the keeper's own variants can be found; the file that
# --config names, or None.
Needs = Literal["settings", "variants", "config"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    try:
        return judge.main(arguments, "judge", standalone_mode=False) or 0
    except click.ClickException as mistake:
        mistake.show()
        return mistake.exit_code
    except click.Abort:  # Ctrl-C
        return 130


_FILE = click.Path(path_type=Path)
# Every command has this option, so that its place on the line does not matter.
_CONFIG = click.Option(
    ["--config"], type=_FILE, metavar="FILE", expose_value=False, help="The settings, judge.ini.",
    callback=lambda context, _, value: context.meta.update({"config": value} if value else {}),
)  # fmt: skip


class Command(click.Command):
    """A command that a function of another module carries out, which gets each option by its name."""

    def __init__(self, name: str, function: str, help: str, *parameters: click.Parameter, needs: Needs = "settings"):
        """Make a command; `function` is "games.show_game" for that of judge/shell/games.py."""
        super().__init__(name, params=[*parameters, _CONFIG], help=help)
        self.function, self.needs = function, needs

    def invoke(self, ctx: click.Context) -> int:
        """Load the function and call it; return the exit status."""
        module, _, name = self.function.partition(".")
        function: Callable[..., int] = getattr(import_module(f"judge.shell.{module}"), name)
        config = ctx.meta.get("config")
        try:
            if self.needs == "config":
                return function(config, **ctx.params)
            if self.needs == "variants":
                open_own_variants(config)
                return function(**ctx.params)
            with printing_plainly():
                return function(settings_in(config), **ctx.params)
        except SettingsError as error:
            complain(error)
            return 2
        except BrokenPipeError:  # the program that reads our output has ended, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


class _Group(click.Group):
    def __init__(self, name: str, help: str, *commands: click.Command, **more: Any):
        super().__init__(name, params=[_CONFIG], help=help, commands=commands, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of this file."""
        return list(self.commands)


def _option(name: str, help: str = "", **more: Any) -> click.Option:
    return click.Option([name], help=help, show_default=True, **more)


def _flag(name: str, help: str) -> click.Option:
    return click.Option([name], help=help, is_flag=True)


def _argument(name: str, **more: Any) -> click.Argument:
    return click.Argument([name], **more)


_HUNDRED = click.IntRange(1, 100)
_JSON = _flag("--json", "As one JSON object, for programs.")
_GAME = _argument("game")
_WHICH = _argument("which", nargs=-1, required=True)
_NAME = _argument("name")

_games = _Group(
    "games", "Look after games whose master is gone.",
    Command(
        "list", "games.list_games",
        "Every game, what it waits for, and its masters.\n\nExample: judge games list",
    ),
    Command(
        "show", "games.show_game",
        "All that a master may know of a game.\n\nExample: judge games show heron",
        _GAME,
    ),
    Command(
        "do", "games.do",
        "Carry out lines as a game's master; all players are notified.\n\nLines are as below SIGNON M<game>; "
        'without any they are read from standard input.\n\nExample: judge games do heron "PROCESS"',
        _GAME, _argument("lines", nargs=-1, metavar="[LINE]..."),
    ),
    Command(
        "appoint", "games.appoint",
        "Make a registered person a master of a game.\n\nADDRESS is one that the person is registered with.\n\n"
        "Example: judge games appoint heron kim@example.org",
        _GAME, _argument("address"),
    ),
    Command(
        "publish", "games.publish",
        "Write the public pages of all listed games ([public] folder).\n\nExample: judge games publish",
    ),
    Command(
        "export", "upkeep.export",
        "A whole game into a file, for another judge; without passwords.\n\n"
        "Example: judge games export heron --to heron.json",
        _GAME, _flag("--public", "An ended game without its people, as JSON and as text."),
        _option("--to", "Where to write it (<game>.game.json here).", type=_FILE, metavar="FILE"),
    ),
    Command(
        "import", "upkeep.take_in",
        "Put an exported game into this judge.\n\nIts people get new passwords by mail.\n\n"
        "Example: judge games import heron.game.json --name egret",
        _argument("file", type=_FILE),
        _option("--name", "Call it so, if its name is taken here.", default="", metavar="OTHER"),
    ),
)  # fmt: skip
_mails = _Group(
    "mails", "Look after mails that could not be delivered.",
    Command(
        "list", "mails.list_mails",
        "Every mail that was given up: its number, to whom, and why.\n\nExample: judge mails list --waiting",
        _flag("--waiting", "Those that are not sent yet instead, and why."),
    ),
    Command(
        "retry", "mails.retry",
        "Send them again: a mail's number, an address, or all.\n\nExample: judge mails retry jo@example.org",
        _WHICH,
    ),
    Command(
        "dismiss", "mails.dismiss",
        "Stop counting them: a mail's number, an address, or all.\n\nExample: judge mails dismiss 17 18",
        _WHICH,
    ),
)  # fmt: skip
_oauth = _Group(
    "oauth", "Consent that the judge logs in without a password.",
    Command(
        "login", "daemons.login",
        "Consent at the provider that [oauth] in judge.ini names.\n\nExample: judge oauth login",
        _flag("--refresh-token", "Read a refresh token from standard input, where the provider gives no device codes."),
    ),
)  # fmt: skip
_people = _Group(
    "people", "Forget a person who asks for it.",
    Command(
        "forget", "upkeep.forget",
        "Take a person's addresses out of the database; tells what remains.\n\nADDRESS is one that they write from; "
        "their others are forgotten too.\n\nExample: judge people forget jo@example.org",
        _argument("address"),
    ),
)  # fmt: skip
_variants = _Group(
    "variants", "List, show, check, draw and import variants.",
    Command(
        "list", "rules.list_variants",
        "The variants that can be played (also without an action).\n\nExample: judge variants list",
        needs="variants",
    ),
    Command(
        "show", "rules.show_variant",
        "Print a variant for a reader.\n\nExample: judge variants show standard",
        _NAME, needs="variants",
    ),
    Command(
        "draw", "rules.draw_groups",
        "Draw again which powers the seed of a game gives to which group.\n\n"
        "Example: judge variants draw world --seed 7",
        _NAME, _option("--seed", "The number that the game's first mail states.", type=int, required=True),
        _option("--fix", "What the master had fixed.", multiple=True, metavar="POWER=GROUP"), needs="variants",
    ),
    Command(
        "check", "rules.check_variants",
        "Every mistake in a variant's files, with its line.\n\nTARGETS are folders, files or names; without any, "
        "all are checked.\n\nExample: judge variants check own/gascon",
        _argument("targets", nargs=-1), needs="variants",
    ),
    Command(
        "import", "rules.import_variant",
        "Turn a DPjudge .map or a jDip variants.xml into a variant's folder.\n\n"
        "Example: judge variants import gascon.map --to own",
        _argument("source", type=_FILE),
        _option("--title", "Which variant of a variants.xml (the first).", default=""),
        _option("--name", "The folder's name (from the file or the title).", default=""),
        _option("--to", "Where to make the folder (your own variants', else here).", type=_FILE),
        _option(
            "--one-way", "A border meant to lead one way only; others at one end are opened both ways, and told.",
            multiple=True, metavar="FROM-TO",
        ),
        needs="variants",
    ),
    Command(
        "sketch", "rules.sketch_board",
        "Lay out a schematic map for a board that has no drawing.\n\nTARGET is the variant's folder, or its name.\n\n"
        "Example: judge variants sketch own/gascon",
        _argument("target"), needs="variants",
    ),
    invoke_without_command=True,
)  # fmt: skip
judge = _Group(
    "judge", "The referee for Diplomacy games played by email.",
    Command(
        "run", "daemons.run",
        "Read letters, adjudicate at deadlines, mail the results.\n\nThe daemon. Stops cleanly on SIGTERM and SIGINT. "
        "While another one works with the same PostgreSQL, it stands by, and takes over when that one has "
        "ended.\n\nExample: judge run --config /etc/judge/judge.ini",
    ),
    Command(
        "worker", "daemons.run_worker",
        "Send mails and draw pictures for judge run, beside it.\n\nSends mails of the outbox and draws the pictures "
        "that they wait for, as judge run does itself unless [smtp] courier = no and [maps] painters = 0. Any number "
        "of workers may be at work, on any machine, where the database is PostgreSQL; each mail is sent by one of "
        "them.\n\nExample: judge worker --config /etc/judge/judge.ini",
    ),
    Command(
        "status", "status.report",
        "How the judge is; exit status 1 if something needs you.\n\nExample: judge status --json",
        _JSON,
    ),
    Command(
        "doctor", "doctor.doctor",
        "Try all that the settings name; say how to mend it.\n\nBefore the first start, and whenever something is "
        "wrong: mailbox, mail server, clock, names, permissions, disk, templates, variants, database. Sends the "
        "judge a mail, and removes it where it arrives.\n\nExample: judge doctor --no-mail",
        _flag("--no-mail", "Send no mail."), _flag("--no-dns", "Do not ask the DNS about the judge's domain."),
        _option("--seconds", "How long the mail may take to come back.", type=_HUNDRED, metavar="N", default=60),
        _JSON,
    ),
    Command(
        "config", "daemons.print_sample",
        "Print judge.ini with every setting and its default.\n\nExample: judge config > judge.ini",
        needs="config",
    ),
    Command(
        "replay", "mails.replay",
        "Try a letter that was put aside again.\n\nExample: judge replay 12",
        _argument("letter", type=int),
    ),
    Command(
        "recover", "upkeep.recover",
        "Read letters again that came after a backup.\n\nAfter a backup was restored, before the daemon is started: "
        "letters that were filed away since, and that the database does not know, wait for their turn again.\n\n"
        "Example: judge recover --since 2026-11-20",
        _option("--since", "When the backup was made, or earlier: 20261120T040000Z.", required=True, metavar="DATE"),
    ),
    Command(
        "copy", "upkeep.copy",
        "Copy the database, as from SQLite to PostgreSQL.\n\nExample: judge copy --to postgresql+psycopg:///judge",
        _option("--to", "An empty one: postgresql+psycopg://user@host/name.", required=True, metavar="URL"),
    ),
    _games,
    _mails,
    _oauth,
    _people,
    Command(
        "adjudicate", "rules.adjudicate",
        "JSON Lines in, outcomes out: the rules from the shell.\n\nWithout FILES they are read from standard input.\n\n"
        "Example: judge selfplay standard | judge adjudicate",
        _argument("files", nargs=-1, type=_FILE), needs="variants",
    ),
    _variants,
    Command(
        "selfplay", "rules.selfplay",
        "A game of random orders, as lines for judge adjudicate.\n\n"
        "Example: judge selfplay standard --years 5 --seed 1",
        _argument("variant"), _option("--years", type=int, default=10), _option("--seed", type=int, default=0),
        needs="variants",
    ),
    Command(
        "map", "maps.draw",
        "A position, an outcome or a game's phase as a picture.\n\nFILE has lines of `judge adjudicate`, in or out; "
        "without it they are read from standard input.\n\nExample: judge map --game heron --phase S1901M --out "
        "spring.png",
        _argument("file", type=_FILE, required=False), _option("--game", "A game of this judge instead.", default=""),
        _option("--phase", "A phase of it that was played, like S1901M (the board as it is).", default=""),
        _option("--out", "A .png (parts beside it), .svg or folder (here).", type=_FILE, default=Path(".")),
        _option("--width", "Pixels across (what its board needs).", type=click.IntRange(100, 10_000)),
        _option("--part", 'Of a large board this part alone: "North America".', default=""), needs="config",
    ),
    Command(
        "demo", "daemons.demo",
        "Play a game by mail on this machine, in a minute.\n\n--config names settings with templates and variants of "
        "your own, which the demo's judge uses too.\n\nExample: judge demo --out demo-out",
        _option("--out", "Where the mails are left.", type=_FILE, default=Path("demo-out")), needs="config",
    ),
    Command(
        "serve", "daemons.serve",
        "A judge and a mail system, for your own mail program.\n\nExample: judge serve --home run",
        _option("--home", "Where its database is kept.", type=_FILE, default=Path("run")), needs="config",
    ),
)  # fmt: skip
judge.epilog = 'Completion of words in bash: eval "$(_JUDGE_COMPLETE=bash_source judge)"'
click.version_option(__version__, message="judge %(version)s")(judge)


@click.pass_context
def _list_variants(context: click.Context) -> int:
    return 0 if context.invoked_subcommand else int(_variants.commands["list"].invoke(context))


_variants.callback = _list_variants
