"""The letters of the demo, for 1901 in a standard game and for the opening of 1648.

In Fall Austria dislodges the Italian army in Trieste, which may go to Budapest or Tyrolia. Five powers build, Turkey
does not use its build, and Austria has to remove a unit. There are a convoy, three stand-offs, and a support that the
attacked unit cannot cut.

In 1648, three powers bid for Swabia's help (the rulebook's example). Austria and Spain each bid a point for Swabia's
support of Vienna's attack on Bavaria. France bids a point for Swabia's support of its own attack on Lorraine. All
players have ordered and have spent or declined all points, so the phase ends without waiting for its deadline.
"""

from collections.abc import Sequence
from dataclasses import dataclass

GAME = "heron"
JUDGE = "judge@judge.test"


@dataclass(frozen=True)
class Character:
    """A person in the demo.

    `style` is how their mail program writes (see `mail_users.STYLES`).
    """

    name: str
    address: str
    zone: str
    style: str = "plain"


MASTER = Character("Mina Gamemaster", "mina@example.org", "Europe/London")
OBSERVER = Character("Otto Onlooker", "otto@example.org", "Europe/Vienna")
PLAYERS = (
    Character("Ada Archer", "ada@example.org", "Europe/London"),
    Character("Ben Baker", "ben@example.net", "America/New_York", "html"),
    Character("Cléo Carpentier", "cleo@example.org", "Europe/Paris", "quoted-printable"),
    Character("Dmitri Dorn", "dmitri@example.com", "Europe/Moscow", "base64"),
    Character("Elif Eren", "elif@example.org", "Europe/Istanbul", "both"),
    Character("Flavia Ferro", "flavia@example.net", "Europe/Rome"),
    Character("Göran Grün", "goran@example.org", "Europe/Berlin", "latin-1"),
)

# The orders of each power, by its letter, in their sender's spelling.
Orders = dict[str, Sequence[str]]


def _orders(text: str) -> Orders:
    """Parse a line for each power, with its letter, a colon, and its orders between commas."""
    lines = (line.strip().split(": ", maxsplit=1) for line in text.strip().splitlines())
    return {letter: orders.split(", ") for letter, orders in lines}


SPRING = _orders("""
    A: A BUD - SER, A VIE H, F TRI - ALB
    E: F LON - NTH, F EDI - NWG, A LVP - YOR
    F: army paris to burgundy, a mar-spa, Fleet Brest -> Mid-Atlantic Ocean
    G: A BER - KIE, A MUN - RUH, F KIE - DEN
    I: A VEN - TRI, A ROM - VEN, F NAP - ION
    R: A MOS - UKR, A WAR - GAL, F SEV - BLA, F STP/SC - BOT
    T: A CON - BUL, A SMY - CON, F ANK - BLA
""")

# England's first letter, with an order that cannot be carried out, and a remark that is not an order.
SPRING_SLIP = ("F LON - NTH", "F EDI - NWG", "A LVP - NWY", "Sorry for the late orders!")

FALL = _orders("""
    A: A SER - TRI, A VIE S A SER - TRI, F ALB - GRE
    E: A YOR - NWY via convoy, F NTH C A YOR - NWY, F NWG - BAR
    F: A BUR - BEL, A SPA H, F MAO - POR
    G: A KIE - HOL, A RUH - BEL, F DEN - SWE
    I: A TRI - VIE, A VEN H, F ION - TUN
    R: A GAL S A UKR - RUM, A UKR - RUM, F SEV S A UKR - RUM, F BOT - SWE
    T: A BUL - GRE, A CON H, F ANK - BLA
""")

RETREATS = _orders("""
    I: A TRI - BUD
""")

# Turkey sends nothing, so the winter ends at its deadline, and Turkey's unit is not built.
WINTER = _orders("""
    A: Remove F ALB
    E: Build F EDI
    F: Build F BRE, Waive
    G: B A MUN, B F KIE
    I: build a rome, build f naples
    R: B F STP/NC
""")

GAME_1648 = "swan"
# The board of 1648 is for nine players.
NEWCOMERS = (
    Character("Hana Horák", "hana@example.org", "Europe/Prague"),
    Character("Ivo Ilić", "ivo@example.net", "Europe/Zagreb"),
)
OPENING_1648 = _orders("""
    A: A VIE - BAV, A PRA H, F TRI H, DP 1: A SWA S A VIE - BAV, DP NONE
    D: A HOL H, F CHR H, F COP H, DP NONE
    E: F BRI H, F LON H, DP NONE
    F: A PAR - LOR, A MAR H, F BRE H, DP 1: A SWA S A PAR - LOR, DP NONE
    P: A CRA H, A VIL H, A WAR H, DP NONE
    R: A MOS H, A NOV H, A VOR H, DP NONE
    S: A FLA H, A MAD H, F NAP H, F SEV H, DP 1: A SWA S A VIE - BAV, DP NONE
    T: A BEL H, A DAM H, F CON H, DP NONE
    W: A ABO H, A RIG H, A STE H, F STO H, DP NONE
""")
SUPPORT_1648 = "Army Swabia SUPPORT Austrian Army Vienna -> Bavaria."
