"""Mails of eight powers and 48 units: each kind of mail within 78 columns, with the longest names that there are."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from judge.commands.ask.help import TOPICS
from judge.commands.command_table import COMMANDS
from judge.commands.replies import tell_set_aside
from judge.games.core.work import Work
from judge.games.life import lifecycle
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import load_variant, needs, variant_names
from judge.rules.board.board_state import BoardState
from judge.rules.selfplay import random_orders
from judge.store.engine import transaction
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.whole_lines import may_be_long
from tests.rows import game_named, open_phase
from tests.texts import flat

COLUMNS = 78
TEMPLATES = Path(__file__).parents[3] / "templates"
# As long as games' and people's names may be.
GAME = "abcdefghijklmnopqrst"
SURNAME = " Maria Theresia Walburga Amalia Christina"
KIM, TURKEY, SPAIN = "kim@example.org", "ottoman@example.org", "spain@example.org"
AS_KIM, AS_TURKEY, AS_SPAIN = f"SIGNON M{GAME} gm\n", f"SIGNON T{GAME} pwottoman\n", f"SIGNON S{GAME} pwspain\n"


def without_message(mail: Posted) -> str:
    """The text of the mail without that of a message, whose lines are its writer's."""
    if " Press " not in mail.subject and " Broadcast" not in mail.subject:
        return mail.text
    return mail.text.partition("\n\n")[0] + "\n" + mail.text.rpartition("\n\n:: Judge")[2]


class Widths:
    """A desk whose mails are all measured; `rendered` are the templates that were used."""

    def __init__(self, desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch):
        self.desk = desk
        self.rendered: set[str] = set()
        self.wide: list[tuple[str, str]] = []
        post = desk.services.post
        render = post.render

        def recorded(template: str, zone: str, **context: object) -> str:
            self.rendered.add(template)
            return render(template, zone, **context)

        monkeypatch.setattr(post, "render", recorded)

    def writes(self, sender: str, text: str) -> list[Posted]:
        return self.measured(self.desk.writes(sender, text))

    def observes(self, sender: str, text: str) -> list[Posted]:
        return self.measured(self.desk.observes(sender, text))

    def measured(self, mails: list[Posted]) -> list[Posted]:
        for mail in mails:
            lines = [line for line in without_message(mail).splitlines() if len(line) > COLUMNS]
            self.wide += [(mail.subject, line) for line in lines if not may_be_long(line)]
        return mails

    def told(self, sender: str, text: str) -> str:
        [answer] = [mail for mail in self.writes(sender, text) if mail.message["Auto-Submitted"] == "auto-replied"
                    and mail.to == sender]  # fmt: skip
        return answer.text

    def rings(self, days: float = 0, seconds: float = 1) -> None:
        """The deadline of the open phase comes, and so much time passes after it."""
        with transaction(self.desk.engine) as session:
            phase = open_phase(session, game_named(session, GAME))
            at = phase.deadline_at
        self.measured(self.desk.ring(at + timedelta(days=days, seconds=seconds)))

    def plays(self, count: int, dice: random.Random) -> None:
        """So many phases pass with random orders."""
        for _ in range(count):
            self.desk.now += timedelta(days=1)
            with transaction(self.desk.engine) as session:
                game = game_named(session, GAME)
                phase = open_phase(session, game)
                book = FiledOrders(session, game, phase)
                for power, need in needs(book.variant, book.position).items():
                    orders = random_orders(BoardState(book.variant, book.position), power, need, dice)
                    book.give([(str(order), power, order) for order in orders], None, self.desk.now)
                lifecycle.process(Work(session, self.desk.services, self.desk.now), game, phase)
            self.measured(self.desk.new_mails())

    def comes_to(self, kind: str, dice: random.Random) -> None:
        """Phases pass until one whose name ends in `kind`."""
        for _ in range(20):
            with transaction(self.desk.engine) as session:
                if open_phase(session, game_named(session, GAME)).name.endswith(kind):
                    return
            self.plays(1, dice)
        pytest.fail(f"no phase {kind} in 20")


@pytest.fixture
def widths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Widths:
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600", "JUDGE_LIMITS_STRANGERS": "1000"})
    return Widths(desk, monkeypatch)


def begin(widths: Widths, by_letters: bool = False) -> None:
    widths.desk.confirms("stand@example.org", "REGISTER\nName: Stan Dby\nEND\nSTANDBY")
    seat = widths.desk.seat_by_letters if by_letters else widths.desk.seat_all
    seat(GAME, "colonia", surname=SURNAME)
    widths.measured(widths.desk.new_mails())


def everything(widths: Widths) -> None:
    """Whatever the judge can write about a game, as it comes in the life of one."""
    dice = random.Random(7)
    widths.writes(KIM, AS_KIM + "SET MOVE NEXT 48 CLOCK 21:00 DAYS -MTWTF- GRACE 24\nSET ADJUST GRACE 24\n"
                  "SET REMIND 24\nSET NONMR\n"
                  "SET COMMENT a game among friends, slow in summer, quick in winter, and never before noon\n"
                  "BORDER ADD FLEET Great Australian Bight - Western Desert\n"
                  "BORDER ADD FLEET Strait of Gibraltar - Western Mediterranean\n"
                  "BORDER ADD FLEET Gulf of Tehuantepec - Liverpool (east coast)\n"
                  "BORDER REMOVE ARMY Constantinople - Sofia")  # fmt: skip
    widths.writes(TURKEY, AS_TURKEY + "A SOF - BOS\nA DAM S A JER - ARA\nF CNP S A SOF - RUN\nA BAG - TAH\n"
                  "Dear judge, my fleet at Constantinople shall support whatever my army in Sofia intends, kindly\n"
                  f"PHASE F1751M\nA BOS - TRI\nA JER - ARA\n{'F CNP S A SOF - ' * 8}")  # fmt: skip
    widths.writes(
        SPAIN,
        AS_SPAIN + "SET ABSENCE 2026-05-14 TO 2026-05-24\nPRESS TO Ottoman Empire, Netherlands, "
        f"Portugal, Austria, England\n{'a long line ' * 30}\nENDPRESS\nBROADCAST\nHello!\nENDBROADCAST",
    )
    widths.observes("otto@example.org", f"OBSERVE {GAME}")
    widths.writes(KIM, AS_KIM + "SET DEADLINE 2026-05-12 20:00")
    widths.writes(KIM, AS_KIM + "PREDICT\nPROMOTE otto@example.org\nCORRECT POSITION Ottoman Empire: A BAG - PER")
    widths.writes("no@example.org", "Hello?\n")
    widths.writes(KIM, f"CREATE ?b{GAME[1:]} gm colonia\nSET APPROVAL")
    widths.writes(TURKEY, f"SIGNON ?b{GAME[1:]} secret")
    widths.writes(TURKEY, f"FORGOT {GAME}")
    widths.writes(KIM, AS_KIM + "PROCESS!")
    questions(widths)
    widths.writes(KIM, AS_KIM + "CORRECT POSITION\nRussia: A ARM\nOttoman Empire: A SPE\nEND\nCORRECT ORDERS\n"
                  "Ottoman Empire: A PER - ARM\nOttoman Empire: A SPE S A PER - ARM\nEND\nPROCESS! F1751M")  # fmt: skip
    widths.writes(KIM, f"MAP {GAME}\nSTATUS {GAME}")
    widths.comes_to("A", dice)
    widths.rings(days=-1)
    widths.rings()
    widths.rings(days=2)
    widths.writes(TURKEY, AS_TURKEY + "STATUS")
    widths.plays(6, dice)
    questions(widths)
    trouble(widths)
    widths.writes(KIM, AS_KIM + "PAUSE")
    widths.writes(KIM, AS_KIM + "RESUME\nROLLBACK")
    widths.writes(KIM, AS_KIM + f"TERMINATE {GAME}")
    questions(widths)


def questions(widths: Widths) -> None:
    for who in ("al@example.org", KIM, TURKEY):
        widths.writes(
            who,
            f"LIST\nLIST {GAME}\nLIST FULL\nSTATUS {GAME}\nSTATUS ALL\nSUMMARY {GAME}\nMAP {GAME}\n"
            f"WHOGAME {GAME} FULL\nHISTORY {GAME} FROM S1751M BROAD LINES 9999\nINFO GTA {GAME}\n"
            f"INFO Liverpool {GAME}\nINFO TAH {GAME}\nINFO PLAYER {TURKEY}\nGET MAP {GAME}\nGET RULES {GAME}",
        )


def trouble(widths: Widths) -> None:
    """What the judge writes when something of its own has failed."""
    desk = widths.desk
    with transaction(desk.engine) as session:
        phase = open_phase(session, game_named(session, GAME))
        work = Work(session, desk.services, desk.now)
        lifecycle.hold(work, phase)
        row = session.get_one(LetterRow, 1)
        tell_set_aside(work, row, desk.desk.readable(session, row), "Traceback\nRuntimeError: broken on purpose")
    widths.measured(desk.new_mails())


@pytest.mark.slow
def test_no_mail_of_any_kind_is_wider_than_78_columns(widths: Widths):
    begin(widths, by_letters=True)
    everything(widths)
    help_texts(widths)
    assert not widths.wide, "\n".join(f"{subject}: {line}" for subject, line in widths.wide)
    kinds = {path.relative_to(TEMPLATES).as_posix().removesuffix(".txt.j2") for path in TEMPLATES.rglob("*.txt.j2")}
    mails = {kind for kind in kinds if not kind.rpartition("/")[2].startswith("_")}
    # Letters that prove nothing have `confirm_change` and `guessed` written, too many of them `pause` and `waited`: the
    # tests below. `address`: tests/transcripts/tokens.txt. `consent`: tests/games/life/test_consent_by_letter.py.
    # Games with points write three more: tests/transcripts/points.txt and tests/games/orders/test_bids.py. `invitation`
    # and `stats`: tests/transcripts.
    # What goes to the keeper, mails that come back, digests, and games that come from another judge or go to the public
    # have tests of their own.
    others = {
        "address", "alert", "bid_history", "bids", "consent", "dead", "delayed", "digest", "given_up",
        "guessed", "invitation", "limit", "moved", "pause", "public_history", "report", "revealed", "stats", "waited",
    }  # fmt: skip
    assert mails - widths.rendered == others


def help_texts(widths: Widths) -> None:
    asked = [*(topic.name for topic in TOPICS), *{name.split()[0] for command in COMMANDS for name in command.names}]
    for at in range(0, len(asked), 12):
        widths.writes("al@example.org", "\n".join(f"GET {word}" for word in asked[at : at + 12]))
    for name in variant_names():
        widths.writes("al@example.org", f"GET {name}\nGET RULES {name}\nGET MAP {name}")
    widths.writes("al@example.org", "HELP\nGET")


def test_the_mail_that_asks_for_a_confirmation_is_no_wider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    widths = Widths(DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"}), monkeypatch)
    widths.writes("jo@example.org", f"REGISTER\nName: Jo{SURNAME}\nEND\nCREATE ?{GAME} gm colonia")
    assert "confirm" in widths.rendered and widths.wide == []


def test_the_mails_about_letters_that_prove_nothing_are_no_wider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    widths = Widths(DeskAtWork(tmp_path, "", {}), monkeypatch)
    begin(widths, by_letters=True)
    for number in range(10):
        widths.writes(f"al@house{number}.example", f"SIGNON M{GAME} wrong{number}")
    widths.writes("kim@example.org", f"REGISTER\nName: Kim{SURNAME}\nTimezone: Europe/Berlin\nEND")
    assert {"confirm_change", "guessed"} <= widths.rendered and widths.wide == []


def test_the_mails_about_too_many_answers_are_no_wider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    widths = Widths(DeskAtWork(tmp_path, "", {}), monkeypatch)
    begin(widths, by_letters=True)
    for word in ("LIST", f"LIST {GAME}", f"MAP {GAME}", f"STATUS {GAME}", *["GET RULES colonia"] * 10):
        widths.writes("al@example.org", word)
    widths.measured(widths.desk.ring(widths.desk.now + timedelta(hours=1)))
    assert {"pause", "waited"} <= widths.rendered and widths.wide == []


# --- what is asked of a variant -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", variant_names())
def test_get_rules_tells_the_file_and_the_text_beside_it(desk: DeskAtWork, name: str):
    told = desk.replies("al@example.org", f"GET RULES {name}").flat
    variant = load_variant(name)
    assert told.startswith(f"The rules of {variant.label}.")
    assert f"To win, own {variant.victory} of {len(variant.centers)} centers" in told
    assert flat(variant.text) in told


@pytest.mark.parametrize("name", variant_names())
def test_get_map_tells_every_province_with_all_its_neighbours(desk: DeskAtWork, name: str):
    told = desk.replies("al@example.org", f"GET MAP {name}").text.splitlines()
    variant = load_variant(name)
    for province in variant.provinces.values():
        head = f"{province.abbr:<5}{province.name},"
        [at] = [number for number, line in enumerate(told) if line[2:].startswith(head)]
        after = [number for number, line in enumerate(told) if number > at and not line.startswith("       ")]
        block = " ".join(" ".join(told[at + 1 : after[0]]).split())
        assert told[at].startswith("*") == province.center
        assert province.kind in ("land", *told[at].replace("port", "coast").replace(",", "").split())
        expected = [f"army {' '.join(province.army)}"] * bool(province.army)
        expected += [
            f"{f'fleet {coast}'.lower().strip()} {' '.join(places)}"
            for coast, places in province.fleet.items() if places
        ]  # fmt: skip
        assert block.replace("(half)", "") == " ".join(expected)


def test_the_map_of_a_game_has_the_borders_that_its_master_corrected(widths: Widths):
    begin(widths)
    widths.writes(KIM, AS_KIM + "BORDER ADD FLEET SGK - BAL\nBORDER REMOVE ARMY PAR - ANT")
    told = widths.told("al@example.org", f"GET MAP {GAME}")
    assert "Fleets can move between Baltic Sea [BAL] and Skagerrak [SGK]." in told
    assert "Armies cannot move between Antwerp [ANT] and Paris [PAR]." in told
    assert "BAL  Baltic Sea, sea\n       fleet    DEN GOB LAT PSA SGK SWE\n" in told
    assert "PAR  Paris, inland\n       army     BOR BRI BUR NOR\n" in told
    base = widths.told("al@example.org", "GET MAP colonia")
    assert "BAL  Baltic Sea, sea\n       fleet    DEN GOB LAT PSA SWE\n" in base


def test_results_begin_with_what_their_reader_has_to_do_or_to_know(heron: DeskAtWork):
    """Who has nothing to order is not told of a deadline, and who plays no power reads who was silent."""
    heron.lay(units={"France": ["A PAR", "A GAS"], "Germany": ["A BUR"], "Italy": ["A ROM"]})
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nA GAS S A PAR - BUR")
    heron.writes("germany@example.org", "SIGNON Gheron pwgermany\nA BUR H")
    mails = {mail.to: mail for mail in heron.ring(heron.now + timedelta(days=20)) if "S1901M Results" in mail.subject}

    def above(name: str) -> str:
        return mails[f"{name}@example.org"].page.partition("Movement results")[0]

    assert "You have nothing to order in S1901R." in above("italy") and "Orders are due" not in above("italy")
    assert "nothing to order" not in above("germany") and "Orders are due by" in above("germany")
    assert "S1901M has been processed. Italy sent no orders (NMR)." in above("kim")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    kim = [mail.flat for mail in heron.all_mails() if mail.to == "kim@example.org" and "S1901R Results" in mail.subject]
    assert "The master" in kim[-1].partition("Retreat results")[0] and "Germany sent no orders." in kim[-1]
