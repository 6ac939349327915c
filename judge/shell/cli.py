"""The `judge` command with its subcommands, their options and an example of each.

The function of a subcommand is in another module of this package, which is loaded when the command is called. So `judge
--help` and `judge adjudicate` load neither the database nor the settings.
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import click

from judge import __version__
from judge.ini_file import SettingsError
from judge.shell.calling import carry_out, complain, open_own_variants, printing_plainly, settings_in


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return the exit status."""
    try:
        return judge.main(arguments, "judge", standalone_mode=False) or 0
    except click.ClickException as mistake:
        mistake.show()
        return mistake.exit_code
    except click.Abort:  # the user has pressed Ctrl-C
        return 130


_FILE = click.Path(path_type=Path)
# Every command has this option, so it may be anywhere on the command line.
_CONFIG = click.Option(
    ["--config"], type=_FILE, metavar="FILE", expose_value=False,
    help="The settings (default: judge.ini in this folder).",
    callback=lambda context, _, value: context.meta.update({"config": value} if value else {}),
)  # fmt: skip


class Command(click.Command):
    """A command that calls a function of another module, with each option by name.

    A function with a parameter `settings` also gets the settings. A function with a parameter `config` gets the file in
    --config, or None. Before any other function is called, the keeper's own variants are opened.
    """

    def __init__(self, name: str, function: str, help: str, *parameters: click.Parameter):
        """Make a command that calls `function`.

        For example, "upkeep.show_game" is the function show_game in judge/shell/upkeep.py.
        """
        super().__init__(name, params=[*parameters, _CONFIG], help=help)
        self.function = function

    def invoke(self, ctx: click.Context) -> int:
        """Load the function and call it, and return the exit status."""
        module, _, name = self.function.partition(".")
        function: Callable[..., int] = getattr(import_module(f"judge.shell.{module}"), name)
        config = ctx.meta.get("config")
        try:
            asks = signature(function).parameters
            if "settings" in asks:
                with printing_plainly():
                    return carry_out(function, settings=settings_in(config), **ctx.params)
            if "config" in asks:
                return carry_out(function, config=config, **ctx.params)
            open_own_variants(config)
            return carry_out(function, **ctx.params)
        except SettingsError as error:
            complain(error)
            return 2
        except BrokenPipeError:  # the program that reads the output has ended, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


class _Group(click.Group):
    def __init__(self, name: str, help: str, *commands: click.Command, **more: Any):
        super().__init__(name, params=[_CONFIG], help=help, commands=commands, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _option(name: str, help: str = "", **more: Any) -> click.Option:
    return click.Option([name], help=help, show_default=True, **more)


def _flag(name: str, help: str) -> click.Option:
    return click.Option([name], help=help, is_flag=True)


def _argument(name: str, **more: Any) -> click.Argument:
    return click.Argument([name], **more)


_HUNDRED = click.IntRange(1, 100)
_JSON = _flag("--json", "Print one JSON object, for programs.")
_GAME = _argument("game")
_WHICH = _argument("which", nargs=-1, required=True)
_NAME = _argument("name")

_games = _Group(
    "games", "Manage games, including those whose master is gone.",
    Command(
        "list", "upkeep.list_games",
        "List all games with their phase, deadline and masters.\n\nExample: judge games list",
    ),
    Command(
        "show", "upkeep.show_game",
        "Show all that a game's master can see.\n\nExample: judge games show heron",
        _GAME,
    ),
    Command(
        "do", "upkeep.do",
        "Carry out commands as a game's master.\n\nLINE is what a master would write after SIGNON M<game>. Without "
        'one, lines are read from standard input. All players are notified.\n\nExample: judge games do heron "PROCESS"',
        _GAME, _argument("lines", nargs=-1, metavar="[LINE]..."),
    ),
    Command(
        "appoint", "upkeep.appoint",
        "Make a registered person a master of a game.\n\nADDRESS is any address the person has registered.\n\n"
        "Example: judge games appoint heron kim@example.org",
        _GAME, _argument("address"),
    ),
    Command(
        "publish", "upkeep.publish",
        "Write all public pages again ([public] folder).\n\nExample: judge games publish",
    ),
    Command(
        "export", "upkeep.export",
        "Export a game to a file, for another judge.\n\nThe file contains no passwords.\n\n"
        "Example: judge games export heron --to heron.json",
        _GAME, _flag("--public", "For publication: an ended game without its people, as JSON and text."),
        _option("--to", "Where to write it (default: <game>.game.json in this folder).", type=_FILE, metavar="FILE"),
    ),
    Command(
        "import", "upkeep.take_in",
        "Import a game that another judge exported.\n\nIts players get new passwords by email.\n\n"
        "Example: judge games import heron.game.json --name egret",
        _argument("file", type=_FILE),
        _option("--name", "Import it under this name, for example if its own is taken.", default="", metavar="OTHER"),
    ),
)  # fmt: skip
_mails = _Group(
    "mails", "Manage emails that could not be delivered.",
    Command(
        "list", "status.list_mails",
        "List undeliverable emails and dead addresses, with the reason.\n\nExample: judge mails list --waiting",
        _flag("--waiting", "Instead, list the emails that are waiting to be sent, and why."),
    ),
    Command(
        "retry", "status.retry",
        "Send undeliverable emails again.\n\nWHICH is an email's number, an address, or all.\n\n"
        "Example: judge mails retry jo@example.org",
        _WHICH,
    ),
    Command(
        "dismiss", "status.dismiss",
        "Stop reporting undeliverable emails.\n\nWHICH is an email's number, an address, or all.\n\n"
        "Example: judge mails dismiss 17 18",
        _WHICH,
    ),
)  # fmt: skip
_oauth = _Group(
    "oauth", "Log in by OAuth instead of a password.",
    Command(
        "login", "daemons.login",
        "Authorize the judge with its OAuth provider.\n\n[oauth] in judge.ini names the provider.\n\n"
        "Example: judge oauth login",
        _flag("--refresh-token", "Read a refresh token from standard input, where the provider gives no device codes."),
    ),
)  # fmt: skip
_people = _Group(
    "people", "Delete the data of a person who asks for it.",
    Command(
        "forget", "upkeep.forget",
        "Remove a person from the database.\n\nADDRESS is any address of theirs; all of their addresses are removed. "
        "The command prints what remains.\n\nExample: judge people forget jo@example.org",
        _argument("address"),
    ),
)  # fmt: skip
_variants = _Group(
    "variants", "List, show, check, draw and import variants.",
    Command(
        "list", "rules.list_variants",
        "List the variants (the default command).\n\nExample: judge variants list",
    ),
    Command(
        "show", "rules.show_variant",
        "Describe a variant.\n\nExample: judge variants show standard",
        _NAME,
    ),
    Command(
        "draw", "rules.draw_groups",
        "Repeat a game's draw of powers.\n\n"
        "Example: judge variants draw world --seed 7",
        _NAME, _option("--seed", "The seed from the game's start email.", type=int, required=True),
        _option("--fix", "A power that the master had assigned.", multiple=True, metavar="POWER=GROUP"),
    ),
    Command(
        "check", "rules.check_variants",
        "List the mistakes in variants, with their lines.\n\nTARGETS are folders, files or names. Without any, "
        "all variants are checked.\n\nExample: judge variants check own/gascon",
        _argument("targets", nargs=-1),
    ),
    Command(
        "import", "rules.import_variant",
        "Import a variant of DPjudge or jDip.\n\nSOURCE is a DPjudge .map file or a jDip variants.xml.\n\n"
        "Example: judge variants import gascon.map --to own",
        _argument("source", type=_FILE),
        _option("--title", "Which variant of a variants.xml (default: the first).", default=""),
        _option("--name", "The folder's name (default: from the file or the title).", default=""),
        _option("--to", "Where to make the folder (default: [judge] variants, or this folder).", type=_FILE),
        _option(
            "--one-way", "A border that is one-way on purpose. Other borders listed at only one end become two-way.",
            multiple=True, metavar="FROM-TO",
        ),
    ),
    Command(
        "sketch", "rules.sketch_board",
        "Draw a schematic map of a variant.\n\nFor a variant without a drawing. TARGET is its folder or its name.\n\n"
        "Example: judge variants sketch own/gascon",
        _argument("target"),
    ),
    invoke_without_command=True,
)  # fmt: skip
judge = _Group(
    "judge", "The referee for Diplomacy games played by email.",
    Command(
        "run", "daemons.run",
        "Run the judge.\n\nThe daemon reads emails, processes phases at their deadlines and sends the results. It "
        "stops cleanly on SIGTERM and SIGINT. If another daemon is running on the same PostgreSQL database, this one "
        "waits and takes over when the other ends.\n\nExample: judge run --config /etc/judge/judge.ini",
    ),
    Command(
        "worker", "daemons.run_worker",
        "Send emails and draw maps for judge run.\n\njudge run does this itself unless [smtp] courier = no and "
        "[maps] painters = 0. With PostgreSQL, any number of workers can run, on any machine; each email is sent by "
        "one of them.\n\nExample: judge worker --config /etc/judge/judge.ini",
    ),
    Command(
        "status", "status.report",
        "Show how the judge is doing.\n\nThe exit status is 1 if something needs attention.\n\n"
        "Example: judge status --json",
        _JSON,
    ),
    Command(
        "doctor", "doctor.doctor",
        "Test the set-up and suggest fixes.\n\nTests the mailbox, mail server, clock, DNS, permissions, disk, "
        "templates, variants and database. Run it before the first start, and whenever something is wrong. It sends "
        "the judge a test email, and removes it once it has arrived.\n\nExample: judge doctor --no-mail",
        _flag("--no-mail", "Don't send a test email."), _flag("--no-dns", "Don't look up the judge's domain."),
        _option("--seconds", "How long to wait for the test email.", type=_HUNDRED, metavar="N", default=60),
        _JSON,
    ),
    Command(
        "config", "daemons.print_sample",
        "Print judge.ini with every setting and its default.\n\nExample: judge config > judge.ini",
    ),
    Command(
        "replay", "status.replay",
        "Handle an email again.\n\nLETTER is the number of an email that judge status lists as not handled.\n\n"
        "Example: judge replay 12",
        _argument("letter", type=int),
    ),
    Command(
        "recover", "upkeep.recover",
        "Fetch emails that arrived since a backup.\n\nRun it after you have restored a backup and before you start the "
        "daemon. Emails that were filed since, and that the database does not know, will be read again.\n\n"
        "Example: judge recover --since 2026-11-20",
        _option("--since", "When the backup was made, or earlier: 20261120T040000Z.", required=True, metavar="DATE"),
    ),
    Command(
        "copy", "upkeep.copy",
        "Copy the database into an empty one.\n\nFor example, to move from SQLite to PostgreSQL.\n\n"
        "Example: judge copy --to postgresql+psycopg:///judge",
        _option("--to", "The empty database: postgresql+psycopg://user@host/name.", required=True, metavar="URL"),
    ),
    _games,
    _mails,
    _oauth,
    _people,
    Command(
        "adjudicate", "rules.adjudicate",
        "Adjudicate orders given as JSON Lines.\n\nWithout FILES, lines are read from standard input.\n\n"
        "Example: judge selfplay standard | judge adjudicate",
        _argument("files", nargs=-1, type=_FILE),
    ),
    _variants,
    Command(
        "selfplay", "rules.selfplay",
        "Play a game of random orders.\n\nThe output is JSON Lines for judge adjudicate.\n\n"
        "Example: judge selfplay standard --years 5 --seed 1",
        _argument("variant"), _option("--years", type=int, default=10), _option("--seed", type=int, default=0),
    ),
    Command(
        "map", "maps.draw",
        "Draw a position, an outcome or a game.\n\nFILE has input or output lines of `judge adjudicate`. Without it, "
        "lines are read from standard input.\n\nExample: judge map --game heron --phase S1901M --out "
        "spring.png",
        _argument("file", type=_FILE, required=False),
        _option("--game", "Draw a game of this judge instead of FILE.", default=""),
        _option("--phase", "A phase of that game, such as S1901M (default: the current board).", default=""),
        _option("--out", "A .png or .svg file, or a folder (default: this folder).", type=_FILE, default=Path(".")),
        _option("--width", "The width in pixels (default: what the board needs).", type=click.IntRange(100, 10_000)),
        _option("--part", 'Only this part of a large board, such as "North America".', default=""),
    ),
    Command(
        "demo", "daemons.demo",
        "Play a whole game by email on this machine.\n\nIt takes a minute. With --config, the demo uses the templates "
        "and variants that those settings name.\n\nExample: judge demo --out demo-out",
        _option("--out", "Where to put the emails.", type=_FILE, default=Path("demo-out")),
    ),
    Command(
        "serve", "daemons.serve",
        "Run a judge for your own mail program.\n\nIt comes with a mail system, for this machine only.\n\n"
        "Example: judge serve --home run",
        _option("--home", "Where to keep its database.", type=_FILE, default=Path("run")),
    ),
)  # fmt: skip
judge.epilog = 'For completion in bash: eval "$(_JUDGE_COMPLETE=bash_source judge)"'
click.version_option(__version__, message="judge %(version)s")(judge)


@click.pass_context
def _list_variants(context: click.Context) -> int:
    return 0 if context.invoked_subcommand else int(_variants.commands["list"].invoke(context))


_variants.callback = _list_variants
