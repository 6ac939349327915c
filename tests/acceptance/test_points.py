"""Years of 1648 and of Ambition & Empire by letters only: bids, ties, vassals, a home that is won, civil disorder.

The master ends each phase; who is not named here sends no orders, and holds.
"""

import re
from collections.abc import Iterable

import pytest

from judge.demo.mail_users import ReceivedMail
from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Game, gather
from tests.acceptance.harness import JudgeAtWork
from tests.servers.smtpsink import times_sent

Orders = dict[str, tuple[str, ...]]


@pytest.mark.long
def test_1648(make_judge: MakeJudge):
    """England buys Ireland's help, two outbid one for Swabia's; a power falls apart; the others agree on a draw."""
    judge = make_judge()
    judge.process.start()
    [swan] = gather(judge, "swan", variant="1648", pictures=False)

    swan["S"].signs_on("DP 2: F POR H", "DP 2: A MOR H")
    refused = "Your DP lines were NOT recorded: with them you would spend 4 points"
    swan["S"].person.expects(containing=[refused, "DP: 0 of 3 used."])
    spring: Orders = {
        "A": ("A VIE - BAV", "DP 1: A SWA S A VIE - BAV"),
        "E": ("F BRI - SCO", "F LON H", "DP 1: A IRE S F BRI - SCO"),
        "F": ("A MAR - SAV", "A PAR - LOR", "DP 2: A SWI S A MAR - SAV", "DP 1: A SWA S A PAR - LOR"),
        "R": ("A NOV H", "DP: F COU H"),
        "S": ("A MAD H", "DP 1: A SWA S A VIE - BAV"),
        "W": ("A RIG H", "DP: F COU S A RIG"),
    }
    results = play(swan, "S1649M", spring)
    neutrals = results.text.partition("Neutral powers")[2]
    assert re.search(r"^Swabia: +Army Swabia SUPPORT Austrian Army Vienna -> Bavaria\.$", neutrals, re.M)
    assert re.search(r"^Scotland: +Army Scotland HOLD\.  \(\*dislodged\*\)$", neutrals, re.M)
    assert re.search(r"^Savoy: +Army Savoy HOLD\.  \(\*dislodged\*\)$", neutrals, re.M)
    assert re.search(r"^Hold: [^.]*\bCourland\b", neutrals, re.M)
    assert own_bids(results) == [
        "DP 2: Army Switzerland SUPPORT French Army Marseille -> Savoy.  (won)",
        "DP 1: Army Swabia SUPPORT French Army Paris -> Lorraine.  (did not win)",
        "DP: 3 of 6 used.",
    ]
    told = full_report(judge, swan, "S1649M")
    assert "England: DP 1: Army Ireland SUPPORT English Fleet Bristol -> Scotland. (won, worth 2)" in told
    assert "Swabia: 2 for Army Swabia SUPPORT Austrian Army Vienna -> Bavaria. (followed)" in told
    assert "Courland: no order has the most points, so it holds." in told

    fall = play(swan, "F1649M", {"A": ("A BAV - TYR",), "E": ("F LON - BRI",)})
    assert "The next phase of 'swan' will be Adjustments for Winter of 1649." in fall.text
    winter = play(swan, "W1649A", {"E": ("BUILD F LON",), "F": ("WAIVE",)})
    assert "The neutral Army in Bavaria is back." in winter.text

    play(swan, "S1650M", {"E": ("F SCO - CAL", "F BRI - IRI", "F LON H")})
    play(swan, "F1650M", {"E": ("F CAL S F IRI - IRE", "F IRI - IRE", "F LON H"), "F": ("A SAV H",)})
    swan["E"].signs_on("BUILD A CAL")
    swan["E"].person.expects(containing="is not a supply center")
    winter = play(swan, "W1650A", {"E": ("BUILD F SCO",)})
    assert "England:            Builds a fleet in Scotland." in winter.text

    swan.master.signs_on("EJECT Turkey", "SET DISORDER Turkey")
    swan.master.person.expects(containing="Turkey is in civil disorder; all players")
    told = swan["R"].person.expects(subject="S1651M Civil Disorder: Turkey").text
    assert "Turkey: Fleet Constantinople is gone." in told and "Belgrade is now neutral, with an army." in told
    del swan.seats["T"]
    results = play(swan, "S1651M", {"A": ("A VIE H", "DP 1: A BEL H")})
    players, _, neutrals = results.text.partition("Neutral powers")
    assert re.search(r"^Hold: [^.]*\bBelgrade\b", neutrals, re.M) and "Turkey" not in players

    for seat in swan.seats.values():
        seat.signs_on("SET DRAW")
    for seat in swan.seats.values():
        seat.person.expects(subject="Draw Declared: ADEFPRSW")
    check_secrecy(judge, swan)
    the_judge_is_well(judge)


@pytest.mark.long
def test_ambition_and_empire(make_judge: MakeJudge):
    """Poland & Saxony wins two centers and chooses its home; the Religious Rule; the end reveals all bids."""
    judge = make_judge()
    judge.process.start()
    [swan] = gather(judge, "swan", variant="ambition_empire", sets="SET REVEAL BIDS", pictures=False)

    swan["S"].signs_on("DP 2: F POR H", "DP 1: F ALG H")
    swan["S"].person.expects(containing="with them you would spend 3 points")
    spring: Orders = {
        "A": ("A VIE H", "DP 1: A BAW S A DRE - HEW"),
        "F": ("A PAR H", "DP 2: A BAW H"),
        "P": ("A BRL - BOH",),
        "S": ("F BRC - WES", "DP 1: F ALG H"),
        "T": ("A ANK H", "DP 1: F ALG S F TUN"),
        "X": ("A DRE - HEW", "A WAR - POS", "DP 2: A BAW S A DRE - HEW"),
    }
    results = play(swan, "S1763M", spring)
    neutrals = results.text.partition("Neutral powers")[2]
    assert re.search(r"Army Baden-Wuerttemberg SUPPORT Polish\S* Army Dresden\s+-> Hesse", neutrals)
    assert re.search(r"^Hold: [^.]*\bAlgiers\b", neutrals, re.M)
    assert own_bids(results) == ["DP 2: Army Baden-Wuerttemberg HOLD.  (did not win)", "DP: 2 of 3 used."]
    assert "Algiers: no order has the most points, so it holds." in full_report(judge, swan, "S1763M")

    swan["S"].signs_on("DP 1: F TUN S F WES - ALG")
    refused = " ".join(swan["S"].person.expects(containing="DP: 0 of 2 used.").text.split())
    assert "Muslim" in refused and "1 line refused" in refused
    fall = play(swan, "F1763M", {"X": ("A POS - BRL", "A HEW H"), "P": ("A BOH H",)})
    assert "is a home center of" not in fall.text
    home = swan["X"].person
    swan["X"].signs_on("BUILD A DRE", "BUILD A WAR")
    home.expects(containing=["Your new home center is not named", "    HOME ...  // BRL or HEW"])
    swan["X"].signs_on("HOME MEC")
    home.expects(containing="Your new home center can be Breslau or Hesse-Westphalia, not Mecklenburg.")
    winter = play(swan, "W1763A", {"X": ("HOME BRL",), "P": ("REMOVE A KON",)})
    assert "Breslau is a home center of Poland & Saxony from now on." in winter.text
    assert "Poland & Saxony:     Builds an army in Dresden." in winter.text

    play(swan, "S1764M", {"X": ("A BRL - POS", "A HEW H")})
    play(swan, "F1764M", {"X": ("A POS - KON", "A HEW H")})
    winter = play(swan, "W1764A", {"X": ("BUILD A BRL",)})
    assert "Poland & Saxony:     Builds an army in Breslau." in winter.text

    swan.master.signs_on("EJECT D", "SET DISORDER D")
    neutral = "Copenhagen is now neutral, with an army."
    swan["R"].person.expects(subject="S1765M Civil Disorder: Denmark-Norway", containing=neutral)
    del swan.seats["D"]
    play(swan, "S1765M", {"W": ("A ABO H", "DP 2: A COP H")})
    for letter, seat in swan.seats.items():
        if letter != "X":
            seat.signs_on("SET CONCEDE X")
    for seat in swan.seats.values():
        seat.person.expects(subject="Game Conceded to: X", containing="has been conceded to Poland & Saxony")
    check_secrecy(judge, swan)
    for seat in swan.seats.values():
        revealed = seat.person.expects(subject="swan - All Bids").text
        assert "Movement bids for Spring of 1763" in revealed
        assert "France: DP 2: Army Baden-Wuerttemberg HOLD.  (outbid)" in revealed
    the_judge_is_well(judge)


def play(game: Game, phase: str, orders: Orders) -> ReceivedMail:
    """These powers send this, the master ends the phase; the results that France gets."""
    for letter, lines in orders.items():
        game[letter].signs_on(*lines)
    for letter, lines in orders.items():
        game[letter].person.expects(containing=_confirmed(lines))
    game.master.signs_on(f"PROCESS {phase}")
    game.master.person.expects(containing=f"{phase} of {game.name} has been processed")
    return game.results(phase)


def _confirmed(lines: Iterable[str]) -> str:
    """What the answer to these lines says, if none was refused: the points that they spend."""
    points = sum(int(number or 1) for number in re.findall(r"^DP ?(\d*):", "\n".join(lines), re.MULTILINE))
    return f"DP: {points} of " if points else " orders for "


def own_bids(results: ReceivedMail) -> list[str]:
    """What a player's copy says of his own bids."""
    told = results.text.partition("(only you and the master see this):")[2].partition("To order, write")[0]
    return told.strip().splitlines()


def full_report(judge: JudgeAtWork, game: Game, phase: str) -> str:
    """What the master's copy of the results says of all bids, on one line."""
    [mail] = [mail for mail in judge.sink.to(game.master.person.address) if f"{phase} Results" in mail.subject]
    return " ".join(mail.text.partition("(only you, the master, see these):")[2].split())


def check_secrecy(judge: JudgeAtWork, game: Game) -> None:
    """No mail but the master's, and those that reveal them, tells a bid that its reader has not made; nor the log."""
    powers = {seat.person.address: letter for letter, seat in game.seats.items()}
    bidders: dict[str, set[str]] = {}
    for mail in judge.sink.mails:
        if mail.header["Auto-Submitted"] == "auto-replied":
            confirmed = re.findall(r"^DP \d+: (.*)\.$", _unfolded(mail), re.MULTILINE)
            bidders.setdefault(_reader(mail), set()).update(confirmed)
    assert sum(map(len, bidders.values())) >= 5, "there was nothing to find"
    for mail in judge.sink.mails:
        reader = _reader(mail)
        if reader == game.master.person.address or mail.subject.endswith("All Bids"):
            continue
        told = re.findall(r"^(?:\S.*: )?DP \d+: (.*)\.(?:  \(|$)", _unfolded(mail), re.MULTILINE)
        assert set(told) <= bidders.get(reader, set()), (powers.get(reader), mail.subject, told)
        assert not re.search(r"outbid|\d+ for (Army|Fleet)", mail.text), (powers.get(reader), mail.subject)
    orders = {order for own in bidders.values() for order in own}
    assert not any(order in judge.process.log() for order in orders)


def _reader(mail: ReceivedMail) -> str:
    return str(mail.message["To"])


def _unfolded(mail: ReceivedMail) -> str:
    """A bid that is longer than a line stands on two."""
    return re.sub(r"(?<=\S)\n {6}(?=\S)", " ", mail.text)


def the_judge_is_well(judge: JudgeAtWork) -> None:
    assert set(times_sent(judge.sink.mails).values()) == {1}
    assert " ERROR " not in judge.process.log()
    assert judge.process.terminate() == 0
