"""Who may use which command, and when: every command of the table, asked for by everybody, as the table says."""

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Command, Place, When, Who
from judge.commands.operator_commands import do_lines, keep_slip, stand_in
from judge.games.core.acts import ACTS, May
from judge.store.engine import transaction
from tests.commands.deskatwork import START, DeskAtWork
from tests.texts import table

# How each command is written; of its settings one.
EXAMPLES = {
    how: line
    for line, how in table("""
        REGISTER / Name: Jo Roe / END => REGISTER (then Name: … and Timezone: … on lines of their own, then END)
        SIGNON Fheron pwfrance => SIGNON <power's letter><game> [<password>]
        SIGNON ?gull pwfrance => SIGNON ?<game> [<password> [<variant>]]
        SIGNON ? pwfrance => SIGNON ? [<password>]
        CREATE ?owl pw => CREATE ?<game> [<password> [<variant> [SOLO]]]
        OBSERVE heron => OBSERVE <game> [<password>]
        INVITE al@example.net => INVITE <addresses>
        REMATCH => REMATCH
        NO INVITATIONS => NO INVITATIONS
        INVITATIONS => INVITATIONS
        SET PASSWORD sesame => SET PASSWORD <password>
        SET ADDRESS => SET ADDRESS [<address>]
        SET ZONE Europe/Paris => SET ZONE <zone>
        SET HTML OFF => SET HTML ON | OFF
        SET CALENDAR ON => SET CALENDAR ON | OFF
        SET DATA ON => SET DATA ON | OFF
        SET THREADS ON => SET THREADS ON | OFF
        SET PUBLIC NAME ON => SET PUBLIC NAME ON | OFF
        SET CHECK OFF => SET CHECK ON | OFF
        WHATIF / A PAR - BUR / ENDWHATIF => WHATIF
        SET DIGEST 07:00 => SET DIGEST <hour:minute> | OFF
        SET NOTICES RESULTS PRESS => SET NOTICES [<kinds>]
        SET PREFERENCE FEG => SET PREFERENCE <preferred powers>
        RESIGN heron => RESIGN <game>
        SET PASSWORDLESS ON => SET PASSWORDLESS [ON]
        SET PASSWORDLESS OFF => SET PASSWORDLESS OFF
        STANDBY => STANDBY
        NO STANDBY => NO STANDBY
        FORGOT heron => FORGOT <game>
        I AM ALSO somebody@example.org => I AM ALSO <address>
        FORGET ADDRESS jo@example.org => FORGET ADDRESS <address>
        CONFIRM abcdefabcdef => CONFIRM <code>
        UNSUBSCRIBE heron => UNSUBSCRIBE <game>
        CLEAR => CLEAR [<unit> | <power>]
        SET WAIT => SET WAIT
        SET NOWAIT => SET NOWAIT
        PHASE S1903M => PHASE <phase> | NOW
        DP CLEAR => DP CLEAR
        DP NONE => DP NONE
        DP 2: A SWI S A MAR - SAV => DP [<points>:] <order>
        PRESS TO M / Hello / ENDPRESS => PRESS [WHITE|GREY] TO [ALL BUT] <powers>
        BROADCAST / Hello / ENDBROADCAST => BROADCAST [WHITE|GREY]
        SET DRAW => SET DRAW [<powers>]
        SET NO DRAW => SET NO DRAW
        SET CONCEDE Turkey => SET CONCEDE [TO] <power or powers>
        SET NO CONCEDE => SET NO CONCEDE
        DISAGREE => DISAGREE [<line>]
        INFO PLAYER france@example.org => INFO PLAYER [<address>]
        STATUS heron => STATUS [<game>]
        STATUS ALL => STATUS ALL
        STATS standard => STATS [<variant or game>]
        LIST heron => LIST [<game> | FULL]
        WHOGAME heron FULL => WHOGAME [<game>] [FULL]
        MAP heron => MAP [<game>] [<phase>] [<part> | SVG]
        SET MAP OFF => SET MAP ON | OFF | SMALL | ORDERS
        INFO Paris heron => INFO <province> [<game or variant>]
        SUMMARY heron => SUMMARY [<game>] [MAPS]
        HISTORY heron => HISTORY [<game>] [FROM <date or phase>] [TO <later date or phase>] [BROAD] [LINES <number>]
        GET DATA heron => GET DATA <game>
        HISTORY heron BIDS => HISTORY [<game>] BIDS [FROM <date or phase>] [TO <later date or phase>] [LINES <number>]
        HELP press => HELP [<topic> | SET <key>]
        GET press => GET [<topic> | SET <key> | RULES <variant> | MAP <variant or game>]
        VERSION => VERSION
        SET GRACE 2026-05-20 21:00 => SET GRACE <date>
        SET START 2026-05-09 21:00 => SET START <date>
        SET NO START => SET NO START
        PAUSE => PAUSE
        EXTEND 2 days => EXTEND <length>
        RESUME => RESUME [<date>]
        SET NO ABSENCE 2026-05-20 => SET NO ABSENCE <date> [TO <later date>]
        SET ABSENCE 2026-05-20 TO 2026-05-22 => SET ABSENCE <date> [TO <later date>]
        SET GAME ZONE Europe/Berlin => SET GAME ZONE <zone>
        SET MOVE NEXT 72 => SET MOVE <key> <value> …
        SET RETREAT NEXT 24 => SET RETREAT <key> <value> …
        SET ADJUST NEXT 24 => SET ADJUST <key> <value> …
        SET GRACE 24 => SET GRACE <hours>
        SET NMR => SET NMR
        SET NONMR => SET NONMR
        SET STRICTGRACE => SET STRICTGRACE
        SET NO STRICTGRACE => SET NO STRICTGRACE
        SET REMIND 24 4 => SET REMIND <hours> [<hours> …]
        SET NO REMIND => SET NO REMIND
        SET MAXABSENCE 10 => SET MAXABSENCE <days>
        SET EXTENSIONS 2 => SET EXTENSIONS <times>
        SET RELIABILITY 80 => SET RELIABILITY <percent>
        PROCESS => PROCESS [<phase>]
        SET IGNORE Italy => SET IGNORE [<powers>]
        SET NO IGNORE Italy => SET NO IGNORE [<powers>]
        EXTEND 2 days => EXTEND <length>
        SET DEADLINE 2026-05-20 21:00 => SET DEADLINE <date>
        PREDICT => PREDICT
        EJECT italy@example.org => EJECT <power> | <address>
        DENY jo@example.org => DENY <address>
        ALLOW jo@example.org => ALLOW <address>
        PROMOTE olly@example.org => PROMOTE <address>
        TERMINATE heron => TERMINATE <game>
        BECOME MASTER => BECOME MASTER
        ROLLBACK => ROLLBACK [<phase or turn>]
        FORCE BEGIN => FORCE BEGIN
        UNSTART => UNSTART
        BECOME Italy => BECOME <power>
        CORRECT POSITION / France: A GAS / END => CORRECT POSITION (then lines like France: A BUR, Nobody: A PAR or \
France: BEL, then END)
        CORRECT POSITION France: A GAS => CORRECT POSITION <line>
        CORRECT ORDERS / France: A PAR - BUR / END => CORRECT ORDERS (then lines like France: A PAR - BUR or France: \
CLEAR A PAR, then END)
        CORRECT ORDERS France: A PAR - BUR => CORRECT ORDERS <line>
        COAST JOIN STP => COAST JOIN|SPLIT <province>[: <coast> <provinces>; <coast> <provinces>]
        BORDER REMOVE ARMY PAR - BUR => BORDER ADD|REMOVE ARMY|FLEET <province> - <province>
        APPROVE 0123456789ab => APPROVE <code>
        APPROVE jo@example.org => APPROVE <address>
        IF F NTH / A PAR H / ENDIF => IF <condition> [THEN] (then orders, ELSE IF <condition>, ELSE and ENDIF, each on \
a line of its own)
        SET APPROVE F => SET APPROVE <requested powers>
        SET NOT APPROVE F => SET NOT APPROVE <requested powers>
        REFUSE 0123456789ab => REFUSE <code>
        REFUSE jo@example.org => REFUSE <address>
        SET DISORDER Turkey => SET DISORDER <power>
        SET NO DISORDER Turkey => SET NO DISORDER <power>
        SET NO PARTIAL => SET WHITE | GREY | WHITE/GREY | NO PRESS | [NO] PARTIAL | [NO] PRESS RULEBOOK
        OFFICIAL Holidays / No turns in August. / ENDPRESS => OFFICIAL [<subject>]
        WHOIS france@example.org => WHOIS <address>
        SET NO LATE PRESS => SET [NO] OBSERVER PRESS | OBSERVER PRESS WHITE | [NO] LATE PRESS | [NO] GRACE PRESS
        SET STRICTWAIT => SET MANUALPROCESS | AUTOPROCESS | [NO] STRICTWAIT
        SET HOMECENTERS => SET ANYCENTERS | ONECENTER | HOMECENTERS
        SET LATECOUNT => SET MODERATED | UNMODERATED | [NO] LATECOUNT
        SET NODIAS => SET [NO]DIAS | [NO] CONCESSIONS
        SET NOQUIET => SET [NO] GUNBOAT | [NO]REVEAL | [NO]QUIET
        SET REVEAL BIDS => SET REVEAL BIDS
        SET NO REVEAL BIDS => SET NO REVEAL BIDS
        SET NOLIST => SET [NO]LIST | [NO] APPROVAL | MANUALSTART | AUTOSTART
        SET STRICT PASSWORDS => SET [NO] STRICT PASSWORDS
        SET CENTERS 17 => SET CENTERS <number>
        SET COMMENT for friends => SET COMMENT [<text>]
        SET COMMENT BEGIN / For friends. / END => SET COMMENT BEGIN (then the lines of the comment, then END)
        SET NO COMMENT => SET NO COMMENT
        SET GROUP Mexico Red => SET GROUP <power> <color> | <color>: <power>, <power>, …
        SET READING convoys => SET READING <name>
        SET NO READING convoys => SET NO READING <name>
        SET CANAL Suez 1905 => SET CANAL <name> <year>
        SET YEAR CAP 1910 => SET YEAR CAP <year>
        SET NO YEAR CAP => SET NO YEAR CAP
        SIGNOFF => SIGNOFF
    """)
}
# What is said to who may not use a command, whatever the command.
NOT_FOR_THEM = re.compile(
    r"is for the master of the game: sign on with|is for (?:players|observers|players and observers|players and the "
    r"master)\. You are signed on as|is for a master, and \w+ has none|is for the people in|"
    r"You are not registered yet|[Tt]he keeper has no place in the game|[Oo]nly players can give orders|"
    r"You no longer play \w+ in \w+|"
    r"no one has a power yet|Wrong password"
)
NOT_NOW = re.compile(
    r"\w+ (?:has (?:not )?ended\.|has not started\.|is not paused\.|is paused\. To restart it|has started, so "
    r"it is too late for)"
)
TOO_EARLY = "S1901M opened after you sent this email, so this line was not carried out."

HEARD_BY_ALL = Who.ANYBODY | Who.BEARER
KNOWN = HEARD_BY_ALL | Who.REGISTERED
# A game in each state, and one like heron that has no master.
STATES = {"gull": "forming", "heron": "open", "egret": "paused", "crane": "finished"}


@dataclass(frozen=True)
class Sender:
    """Somebody who writes, what they sign on with (%: the game), and what they are."""

    name: str
    address: str
    signon: str
    may: Who


SENDERS = (
    Sender("stranger", "al@example.org", "SIGNON M% guessed", HEARD_BY_ALL),
    Sender("registered", "jo@example.org", "SIGNON M% guessed", KNOWN),
    Sender("observer", "olly@example.org", "SIGNON O% pwolly", HEARD_BY_ALL | Who.OBSERVER),
    Sender("player", "france@example.org", "SIGNON F% pwfrance", KNOWN | Who.PLAYER),
    Sender("other player", "italy@example.org", "SIGNON I% pwitaly", KNOWN | Who.PLAYER),
    Sender("master", "kim@example.org", "SIGNON M% gm", KNOWN | Who.MASTER),
    Sender("ejected player", "turkey@example.org", "SIGNON T% pwturkey", KNOWN),
)


Case = TypeVar("Case", bound=tuple)


class House:
    """A judge with games in every state; what is written to it is answered, and then undone."""

    def __init__(self, desk: DeskAtWork):
        self.desk, self.asked = desk, 0
        self.desk.goes_on("the house", self._begin)
        self._answers: dict[tuple[str, str, datetime | None], str] = {}

    def _begin(self) -> None:
        desk = self.desk
        for game in ("heron", "egret", "crane", "wren"):
            desk.seat_seven(game)
        desk.writes("kim@example.org", "CREATE ?gull gm")
        desk.writes("jo@example.org", "REGISTER\nName: Jo Roe\nEND")
        for name in ("france", "italy", "turkey"):
            desk.writes(f"{name}@example.org", f"SIGNON ?gull pw{name}")
        for game in ("gull", "heron", "egret", "crane", "wren"):
            told = " ".join(mail.text for mail in desk.observes("olly@example.org", f"OBSERVE {game} pwolly"))
            made_up = told.partition("Your password is ")[2].partition(":")[0]
            desk.writes("olly@example.org", f"SIGNON O{game} {made_up}\nSET PASSWORD pwolly")
            desk.writes("kim@example.org", f"SIGNON M{game} gm\nEJECT turkey@example.org")
        desk.writes("kim@example.org", "SIGNON Megret gm\nPAUSE\nSIGNON Mcrane gm\nTERMINATE crane")
        desk.writes("kim@example.org", "SIGNON Mwren gm\nSET UNMODERATED\nEJECT kim@example.org")

    def answer(self, sender: str, text: str, received_at: datetime | None = None) -> str:
        """The reply to a letter, in one line. Whoever asks the same again finds the same house."""
        asked = sender, text, received_at
        if asked not in self._answers:
            self._answers[asked] = self._answer(*asked)
        return self._answers[asked]

    def _answer(self, sender: str, text: str, received_at: datetime | None) -> str:
        self.asked += 1
        header = f"From: {sender}\nTo: {self.desk.settings.address}\nMessage-ID: <asked{self.asked}@example.org>\n"
        raw = f"{header}Content-Type: text/plain; charset=utf-8\n\n{text}\n".encode()
        mails = self.desk.would_receive(raw, received_at)
        return next((mail.flat for mail in mails if mail.to == sender and mail.answers), "")

    def keeper(self, game: str, text: str) -> str:
        """What the keeper is told who stands in for the master, in one line."""
        with transaction(self.desk.engine) as session:
            number = keep_slip(session, self.desk.services, text, self.desk.now)
        handler, now = self.desk.desk, self.desk.now
        done = self.desk.undone(lambda session: do_lines(stand_in(session, handler, game, number, now), handler)[0])
        return " ".join(done.split())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(DeskAtWork(tmp_path_factory.mktemp("house"), "", {}))


def written(command: Command) -> str:
    return f"{command.names[0]} {command.arguments}".rstrip()


def letter(command: Command, sender: Sender, game: str) -> str:
    """The example of the command, below a sign-on where it needs one or the sender has one."""
    line = EXAMPLES[written(command)].replace("heron", game)
    seated = bool(sender.may & (Who.PLAYER | Who.OBSERVER | Who.MASTER))
    if command.place is Place.GAME or command.place is Place.ANYWHERE and seated:
        signon = sender.signon.replace("%", game)
        # Who plays or is to play a game that is forming has no letter yet.
        return f"{re.sub(r'SIGNON [FI]gull', 'SIGNON ?gull', signon)}\n{line}"
    return line


def game_for(command: Command) -> str:
    """One in which it is the time for the command."""
    return {When.FORMING: "gull", When.PAUSED: "egret", When.ENDED: "crane"}.get(command.when, "heron")


def one_of_each(cases: Iterable[Case], kind: Callable[..., Hashable]) -> list[Case]:
    """The first case of each kind: the table is asked by one function, whatever the command does."""
    return list({kind(*case): case for case in reversed(list(cases))}.values())[::-1]


def test_each_command_has_an_example():
    assert EXAMPLES.keys() == {written(command) for command in COMMANDS}
    assert len(COMMANDS) == len(EXAMPLES)


def is_for(command: Command, sender: Sender) -> bool:
    by_word = Who.PLAYER in sender.may and command.act and ACTS[command.act].moderated is not May.NOT
    return bool(command.who & sender.may or by_word)


@pytest.mark.slow
def test_a_command_is_for_those_of_whom_the_table_says_so(house: House):
    """Everybody asks for a command of each kind; each command is asked for by one who may and by one who may not."""
    cases = [(command, sender) for command in COMMANDS for sender in SENDERS]
    by_kind = one_of_each(cases, lambda command, sender: (
        command.who, command.place, command.when is When.ANY, sender.may))  # fmt: skip
    # So that these are not the same two for all commands.
    turned = [(command, SENDERS[(number + work) % len(SENDERS)])
              for number, command in enumerate(COMMANDS) for work in range(len(SENDERS))]  # fmt: skip
    by_command = one_of_each(turned, lambda command, sender: (written(command), is_for(command, sender)))
    wrong = {}
    for command, sender in dict.fromkeys([*by_kind, *by_command]):
        told = house.answer(sender.address, letter(command, sender, game_for(command)))
        if bool(NOT_FOR_THEM.search(told)) == is_for(command, sender):
            wrong[written(command), sender.name] = told
    assert not wrong


def test_the_keeper_may_what_a_master_may_but_for_seats(house: House):
    commands = [(command,) for command in COMMANDS if command.place in (Place.GAME, Place.ANYWHERE)]
    wrong = {}
    for (command,) in one_of_each(commands, lambda one: (one.who, one.place, one.of_seat, one.when is When.ANY)):
        told = house.keeper(game_for(command), EXAMPLES[written(command)])
        may = bool(command.who & (HEARD_BY_ALL | Who.MASTER)) and not command.of_seat
        if bool(NOT_FOR_THEM.search(told)) == may:
            wrong[written(command)] = told
    assert not wrong


ALLOWED = {
    When.ANY: {"forming", "open", "paused", "finished"},
    When.LIVING: {"forming", "open", "paused"},
    When.FORMING: {"forming"},
    When.OPEN: {"open", "paused"},
    When.RUNNING: {"open"},
    When.UNPAUSED: {"forming", "open"},
    When.PAUSED: {"paused", "finished"},
    When.ENDED: {"finished"},
}
IN_GAMES = [command for command in COMMANDS if command.place is Place.GAME and not command.is_order]


def who_may(command: Command) -> Sender:
    """The master or a player."""
    return next(sender for sender in (SENDERS[5], SENDERS[3]) if is_for(command, sender))


def is_time(command: Command, game: str) -> bool:
    return STATES[game] in ALLOWED[command.when]


@pytest.mark.slow
def test_a_command_has_its_time(house: House):
    """A command of each kind in every state of a game, and each command when it may be given and when it may not."""
    cases = [(command, game) for command in IN_GAMES for game in STATES]
    by_kind = one_of_each(cases, lambda command, game: (command.who, command.when, game))
    by_command = one_of_each(cases, lambda command, game: (written(command), is_time(command, game)))
    wrong = {}
    for command, game in dict.fromkeys([*by_kind, *by_command]):
        sender = who_may(command)
        told = house.answer(sender.address, letter(command, sender, game))
        if NOT_FOR_THEM.search(told) or bool(NOT_NOW.search(told)) == is_time(command, game):
            wrong[written(command), STATES[game]] = told
    assert not wrong


def test_players_rule_a_game_without_a_master(house: House):
    cases = [(command, sender) for command in IN_GAMES for sender in SENDERS[2:4]]
    wrong = {}
    for command, sender in one_of_each(cases, lambda command, sender: (command.who, command.act, sender.name)):
        told = house.answer(sender.address, letter(command, sender, "wren"))
        is_right = Who.PLAYER in sender.may and command.act and ACTS[command.act].player is not May.NOT
        if bool(NOT_FOR_THEM.search(told)) == bool(command.who & sender.may or is_right):
            wrong[written(command), sender.name] = told
    assert not wrong


def test_what_is_about_the_open_phase_is_not_done_for_an_older_letter(house: House):
    """Of all others a command of each kind is."""
    cases = [(command,) for command in IN_GAMES]
    wrong = {}
    for (command,) in one_of_each(cases, lambda one: (one.of_phase and written(one), one.who, one.when)):
        sender = who_may(command)
        told = house.answer(sender.address, letter(command, sender, game_for(command)), START)
        if (TOO_EARLY in told) != command.of_phase:
            wrong[written(command)] = told
    assert not wrong
