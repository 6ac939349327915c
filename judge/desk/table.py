"""The table of commands: every word the desk understands, who may use it and what does it.

HELP is made from this table. Arguments are matched strictly, so that a line of prose which happens to begin
with a command's word is not taken for the command.
"""

from judge.desk import info, master, orders, people, signon
from judge.desk.visit import Command

_GAME = r"[A-Za-z0-9]{1,20}"
_PASSWORD = r"(?P<password>\S+)"

COMMANDS = (
    Command(
        names=("REGISTER",),
        arguments="(then Name: … and Timezone: … on lines of their own, then END)",
        who="U",
        place="lobby",
        summary="tell the judge who you are; again, to change it",
        handler=people.register,
        form=True,
    ),
    Command(
        names=("SIGNON", "SIGN ON", "LOGIN"),
        arguments="<power's letter><game> <password>",
        who="P",
        place="opening",
        summary="sign on to play: orders and commands for that game follow (M<game>: as its master)",
        handler=signon.signon,
        pattern=rf"\s+(?P<target>\?\s?{_GAME}|[^\s@?]+@{_GAME}|[A-Za-z0-9]{{2,21}})(?:\s+{_PASSWORD})?",
    ),
    Command(
        names=("CREATE",),
        arguments="?<game> [<password> [<variant>]]",
        who="R",
        place="opening",
        summary="begin a new game; without a password you are given one",
        handler=signon.create,
        pattern=rf"\s+(?P<role>[?M])\s?(?P<game>{_GAME})(?:\s+{_PASSWORD})?(?:\s+(?P<variant>\S+))?",
    ),
    Command(
        names=("OBSERVE", "WATCH"),
        arguments="<game> [<password>]",
        who="U",
        place="opening",
        summary="get the results of a game without playing",
        handler=signon.observe,
        pattern=rf"\s+(?P<game>{_GAME})(?:\s+{_PASSWORD})?",
    ),
    Command(
        names=("SET WAIT", "WAIT"),
        arguments="",
        who="PM",
        place="game",
        summary="do not process this phase before its deadline",
        handler=orders.wait,
    ),
    Command(
        names=("SET NOWAIT", "SET NO WAIT", "NOWAIT", "NO WAIT"),
        arguments="",
        who="PM",
        place="game",
        summary="process as soon as all orders are in",
        handler=orders.nowait,
    ),
    Command(
        names=("STATUS", "SUMMARY"),
        arguments="[<game>]",
        who="U",
        place="anywhere",
        summary="where a game stands: units, centres, deadline; signed on, your orders too",
        handler=info.status,
        pattern=rf"(?:\s+(?P<game>{_GAME}))?",
    ),
    Command(
        names=("LIST",),
        arguments="",
        who="U",
        place="anywhere",
        summary="all games: which are forming, which are played",
        handler=info.list_games,
        pattern=r"(?:\s+FULL)?",
    ),
    Command(
        names=("PROCESS",),
        arguments="[<phase>]",
        who="M",
        place="game",
        summary="end the phase now with the orders on file",
        handler=master.process,
        pattern=r"(?:\s+(?P<phase>[SFWA]\w*\s*\d{4}\s*\w*))?",
    ),
    Command(
        names=("SET DEADLINE",),
        arguments="<date>",
        who="M",
        place="game",
        summary="set when this phase is due, like 2026-05-14 21:00 or Fri 21:00",
        handler=master.set_deadline,
        pattern=r"\s+(?P<date>\S.*?)",
    ),
    Command(
        names=("HELP",),
        arguments="",
        who="U",
        place="anywhere",
        summary="this text",
        handler=info.help_text,
    ),
    Command(
        names=("SIGNOFF", "SIGN OFF", "QUIT"),
        arguments="",
        who="U",
        place="end",
        summary="the end of what the judge should read",
        handler=None,
    ),
)
