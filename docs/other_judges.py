"""What the words of njudge and DPjudge do here, for docs/commands.md: every command and setting of the two.

Each row: how njudge writes it, how DPjudge does ("" where one has no such thing), lines as they are understood here,
and what they do. tests/test_documents.py sees that each of these lines is understood.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """`njudge`, `dpjudge`: their words. `lines`: the same, or what to write instead; `here`: what these lines do."""

    njudge: str
    dpjudge: str
    lines: tuple[str, ...]
    here: str


JOINING = (
    Row("SIGNON Xgame pw; SIGN ON, HELLO, LOGIN", "SIGNON Xgame pw, SIGNON power@game pw",
        ("SIGNON Fheron secret", "HELLO Fheron secret", "SIGNON france@heron secret"), "the same"),
    Row("SIGNON Xgame pw to an abandoned power", "TAKEOVER Xgame pw [privacy]",
        ("SIGNON Fheron secret", "TAKEOVER Fheron secret"), "the same; privacy: SET GUNBOAT is for a whole game"),
    Row("SIGNON ?game pw [variant] [options]", "JOIN [power@]game pw [privacy]",
        ("SIGNON ?heron secret Standard Gunboat", "JOIN france@heron secret"),
        "the same; a variant other than the game's is refused; a power is saved as a preference; if the game is "
        "running, the reply lists open powers"),
    Row("SIGNON ? pw", "", ("SIGNON ? secret",), "the same"),
    Row("CREATE ?game pw [variant] [options]", "CREATE, with status lines",
        ("CREATE ?heron secret Standard Gunboat",), "the same; the option Gunboat, everything else with SET"),
    Row("OBSERVE game pw; WATCH, SIGNON Ogame pw", "OBSERVE name@game pw, MONITOR name@game pw",
        ("OBSERVE heron", "MONITOR jo@heron", "SIGNON Oheron secret"),
        "the same; observers get results and broadcasts"),
    Row("SIGNON Mgame pw", "SIGNON with the master's password", ("SIGNON Mheron secret",), "the same"),
    Row("SIGNON @game pw", "", ("SIGNON Mheron secret",), "the keeper's sign-on as the master"),
    Row("SIGNOFF", "SIGNOFF", ("SIGNOFF",), "the same"),
    Row("RESIGN, WITHDRAW", "RESIGN Xgame pw", ("RESIGN heron", "RESIGN Fheron secret"),
        "the same; the first after SIGNON, the second as a sign-on: it takes effect after the lines that follow, if "
        "none of them is rejected"),
)  # fmt: skip
PEOPLE = (
    Row("REGISTER … END", "(the web)", ("REGISTER",), "the same, with Name and Timezone only"),
    Row("I AM ALSO address", "", ("I AM ALSO jo@example.org",), "the same, confirmed by the old address"),
    Row("WHOIS address, WHO", "", ("WHOIS jo@example.org",), "people of your own games, as far as WHOGAME shows them"),
    Row("WHOGAME [game] [FULL]", "", ("WHOGAME heron FULL",), "the same, for people of the game"),
    Row("INFO PLAYER address, GET DEDICATION", "", ("INFO PLAYER", "GET DEDICATION"), "how reliable a player is"),
    Row("SET ADDRESS", "SET ADDRESS", ("SET ADDRESS jo@example.org",), "the same, one of your addresses"),
    Row("SET PASSWORD new; PW, P", "SET PASSWORD", ("SET PASSWORD newsecret", "SET PW newsecret"), "the same"),
    Row("ADJUST, RECORD, FIXID, NOCONTROL", "", (), "nothing: records cannot be edited"),
)  # fmt: skip
QUESTIONS = (
    Row("HELP", "HELP", ("HELP",), "the same"),
    Row("GET file, SEND; GET PACKAGE", "", ("GET syntax", "SEND ME index", "GET package"), "the topic of that name"),
    Row("LIST, LIST FULL, LIST game", "LIST", ("LIST", "LIST FULL", "LIST heron"), "the same"),
    Row("SUMMARY [game], STATUS", "SUMMARY, STATUS", ("SUMMARY heron", "STATUS heron"),
        "the same; STATUS after SIGNON has your orders"),
    Row("HISTORY [game] [FROM d] [TO d] [LINES n]", "HISTORY", ("HISTORY heron FROM Nov 1 TO Nov 30 LINES 500",),
        "the same; also phases"),
    Row("HISTORY [game] EXCLSTART p [EXCLEND p] [BROAD]", "", ("HISTORY heron TO W1901A", "HISTORY heron FROM S1903M"),
        "the spans before and after it, a line each"),
    Row("VERSION", "", ("VERSION",), "the same"),
    Row("MAP game", "MAP [game] [gif|ps|pdf]", ("MAP heron",), "PNG, or SVG with the word"),
    Row("DIARY", "", ("DIARY RECORD",), "refused with its text: keep notes in your own mail"),
)  # fmt: skip
ORDERS = (
    Row("an order", "an order", (), "the same; each replaces one order, in winter the whole set"),
    Row("PHASE season year phase", "", ("PHASE Spring 1904 M", "PHASE NOW"), "the same"),
    Row("IF, ELSE IF, ELSE, ENDIF", "", ("IF NOT German A MUN",), "the same, after PHASE"),
    Row("CLEAR", "CLEAR", ("CLEAR", "CLEAR A PAR"), "the orders of the current phase; after PHASE those of that phase"),
    Row("SET WAIT, SET NOWAIT; W, NOW", "SET WAIT, SET NOWAIT", ("SET W", "SET NOW"), "the same"),
    Row("SET PREFERENCE list", "", ("SET PREFERENCE EF[GR]*",), "the same"),
    Row("SET [NO] ABSENCE d1 [TO d2]; HOLIDAY, VACATION", "SET ABSENCE FROM … UNTIL",
        ("SET ABSENCE Aug 1 TO Aug 9", "SET NO HOLIDAY Aug 1", "SET ABSENCE FROM Aug 1 UNTIL Aug 9"), "the same"),
    Row("SET DRAW [list], SET NO DRAW", "SET DRAW", ("SET DRAW", "SET NO DRAW"), "the same"),
    Row("", "VOTE, PROPOSE", ("VOTE DRAW", "PROPOSE DRAW"), "refused: SET DRAW, SET CONCEDE"),
    Row("SET CONCEDE x, SET NO CONCEDE", "SET CONCEDE", ("SET CONCEDE F", "SET NO CONCEDE"), "the same"),
    Row("", "SET ZONE", ("SET ZONE Europe/Berlin",), "the same"),
)  # fmt: skip
PRESS = (
    Row("BROADCAST [options]", "BROADCAST", ("BROADCAST", "BROADCAST GREY"), "the same"),
    Row("PRESS TO letters, +letters, TO ALL BUT letters, -letters", "PRESS TO list",
        ("PRESS TO FG", "PRESS +FG", "PRESS TO ALL BUT F", "PRESS TO France, Germany"), "the same"),
    Row("WHITE, GREY, ANONYMOUS, UNANONYMOUS", "WHITE, GREY", ("PRESS GREY TO F",), "the same"),
    Row("FAKE …", "FAKE TO, [FAKE] FROM power", ("PRESS FAKE TO F",), "refused with its text"),
    Row("ENDPRESS, ENDBROADCAST", "the same", (), "the same"),
    Row("POSTAL PRESS", "", ("POSTAL PRESS",), "refused with its text: press goes out at once"),
    Row("SET ALL PRESS, SET NORMAL PRESS, SET [NO] BROADCAST", "QUIET", ("SET ALL PRESS",),
        "refused: everyone gets the press meant for them"),
    Row("", "OFFICIAL subject", ("OFFICIAL",), "a master's BROADCAST"),
)  # fmt: skip
MASTER = (
    Row("BECOME MASTER, BECOME power", "SIGNON power with the master's password", ("BECOME MASTER", "BECOME France"),
        "the same"),
    Row("PROCESS [season year phase]", "PROCESS, PROCESS!", ("PROCESS S1901M", "PROCESS!"),
        "PROCESS asks back while orders are missing"),
    Row("PREDICT", "PREVIEW", ("PREDICT", "PREVIEW"), "the same"),
    Row("ROLLBACK [n]", "ROLLBACK [phase]", ("ROLLBACK 4", "ROLLBACK F1901M"), "the same"),
    Row("", "ROLLFORWARD", ("ROLLFORWARD",), "refused: PROCESS processes the phases again"),
    Row("UNSTART", "FORM", ("UNSTART", "FORM"), "the same"),
    Row("FORCE BEGIN", "ACTIVATE", ("FORCE BEGIN", "ACTIVATE"), "the same"),
    Row("EJECT power|address", "RESIGN power", ("EJECT France",), "the same"),
    Row("PROMOTE address", "", ("PROMOTE jo@example.org",), "the same"),
    Row("PAUSE, SUSPEND; RESUME", "WAIT; ACTIVATE", ("PAUSE", "SUSPEND", "RESUME"), "the same"),
    Row("TERMINATE", "TERMINATE", ("TERMINATE heron",), "the same, with the game's name"),
    Row("", "DUMMY power, REVIVE power", ("DUMMY France", "REVIVE France"), "SET DISORDER, SET NO DISORDER"),
    Row("", "REVEAL, RENAME, PURGE", ("RENAME swan",), "refused: a game keeps its name and ends with TERMINATE"),
    Row("SET DEADLINE date, SET GRACE date, SET START date", "SET DEADLINE",
        ("SET DEADLINE Fri 21:00", "SET GRACE Sat 21:00", "SET START Fri 9:00"), "the same"),
    Row("SET MOVE|RETREAT|ADJUST k v …", "NEXT, MOVE, DAYS, AT, WARN",
        ("SET MOVE NEXT 71 CLOCK 21:00", "SET BUILD NEXT 23", "SET WARN 4"), "the same"),
    Row("SET COMMENT text, SET COMMENT BEGIN …", "", ("SET COMMENT Friendly", "SET COMMENT BEGIN"), "the same"),
    Row("SET [NOT] APPROVE letters", "", ("SET APPROVE FE", "SET NOT APPROVE F"), "by the powers that were asked for"),
    Row("SET ALLOW PLAYER", "", ("SET ALLOW PLAYER jo@example.org",), "refused: SET APPROVAL, then APPROVE"),
    Row("SET DENY PLAYER", "", ("DENY PLAYER jo@example.org",), "DENY, without SET; ALLOW undoes it"),
    Row("SET MODERATED|UNMODERATED", "", ("SET MODERATED", "SET UNMODERATED"),
        "the same: whether players can also change settings; only the master sees orders"),
)  # fmt: skip
SETTINGS = (
    Row("NMR, NoNMR; CD", "CIVIL_DISORDER", ("SET NMR", "SET NONMR", "SET CD"), "the same; NMR if nothing is set"),
    Row("StrictGrace", "", ("SET STRICTGRACE", "SET NO STRICTGRACE"), "the same"),
    Row("StrictWait", "", ("SET STRICTWAIT", "SET NO STRICTWAIT"), "the same"),
    Row("ManualProcess, AutoProcess", "", ("SET MANUALPROCESS", "SET AUTOPROCESS"), "the same"),
    Row("ManualStart, AutoStart", "", ("SET MANUALSTART", "SET AUTOSTART"), "the same"),
    Row("Centers n", "", ("SET CENTERS 20",), "the same"),
    Row("DIAS, NoDIAS; Concessions", "", ("SET NODIAS", "SET NO CONCESSIONS"), "the same"),
    Row("List, NoList; Public, Unlist, Private", "SET [UN]LISTED", ("SET NOLIST", "SET UNLISTED"), "the same"),
    Row("Quiet", "", ("SET QUIET",), "the same"),
    Row("Secret, Show, NoShow", "", ("SET SECRET", "SET NOSHOW"), "refused: SET GUNBOAT, SET QUIET"),
    Row("Reveal, NoReveal", "", ("SET NOREVEAL",), "the same"),
    Row("Rated, Dedication n, OnTimeRat, ResRat", "", ("SET RATED", "SET DEDICATION 50"),
        "refused: INFO PLAYER, SET APPROVAL"),
    Row("Access, Level", "", ("SET LEVEL Novice", "SET ACCESS ANY"), "refused: SET APPROVAL"),
    Row("MaxAbsence n", "", ("SET MAXABSENCE 10", "SET MAX ABSENCE 10"), "the same"),
    Row("Approval", "", ("SET APPROVAL",), "the same"),
    Row("Resume, NoResume", "", ("SET NORESUME",), "refused: only the master resumes, and an ended game stays ended"),
    Row("LateCount", "", ("SET LATECOUNT", "SET NO LATECOUNT"), "the same: LIST heron shows them"),
    Row("White, Grey, White/Grey, None", "", ("SET GREY", "SET WHITE/GREY", "SET NONE"), "the same"),
    Row("Partial, NoPartial", "", ("SET NO PARTIAL",), "the same"),
    Row("Fake, Partial May be Faked, Partial Fakes Broadcast", "", ("SET FAKE",), "refused; there is never fake press"),
    Row("Observer press Any, White, No", "", ("SET OBSERVER PRESS WHITE", "SET NO OBSERVER PRESS"), "the same"),
    Row("LatePress, GracePress", "", ("SET NO LATE PRESS", "SET GRACE PRESS"), "the same; GracePress is on here"),
    Row("MinorPress, MustOrder, BlankPress, TouchPress, PostalPress, WatchPress", "", ("SET TOUCHPRESS",), "refused"),
    Row("Variant options", "", ("SET VARIANT GUNBOAT", "SET NOT VARIANT GUNBOAT"), "the same, before the game starts"),
    Row("Variant v", "", ("SET VARIANT 1648",), "refused: CREATE chooses the board"),
    Row("Players n, Powers n", "", ("SET PLAYERS 5",), "refused: FORCE BEGIN starts with fewer"),
    Row("PrfList, PrfBoth, PrfRand", "", ("SET PRFRAND",), "refused: for any power, send SET PREFERENCE *"),
    Row("HomeCentres, OneCentre, AnyCentres", "", ("SET ANYCENTRES", "SET ONE CENTRE", "SET HOME CENTERS"),
        "the same, before the game starts"),
    Row("AnyDisband, AutoDisband, Disband, Proxy, Transform", "", ("SET PROXY", "SET AUTODISBAND"), "refused"),
    Row("CoastalConvoy, StrictConvoy, Portage, BlankBoard, Summer, Duality, Blind, Chaos", "",
        ("SET PORTAGE", "SET BLIND"), "refused: a variant of the keeper's own can have its own rules"),
)  # fmt: skip
CHAPTERS = {
    "Signing on, joining, leaving": JOINING,
    "People": PEOPLE,
    "Questions": QUESTIONS,
    "Orders": ORDERS,
    "Press": PRESS,
    "Masters": MASTER,
    "Settings": SETTINGS,
}
