"""STANDBY: people who wish to be asked when a seat in some game is open."""

from judge.desk.core.command import Call, Family, Place, Who
from judge.desk.core.proofs import Right
from judge.desk.core.visit import Visit

command = Family("registration", who=Who.REGISTERED, place=Place.LOBBY, lasting=True)


@command("STANDBY", "STAND BY", "SET STANDBY", help="get a mail when a seat in a game is open")
def stand_by(visit: Visit, call: Call) -> None:
    """STANDBY: be asked by mail when a seat is open."""
    visit.registered()
    set_standby(visit, True)


@command("NO STANDBY", "NOSTANDBY", "SET NO STANDBY", who=Who.ANYBODY, help="get no more such mails")
def stand_down(visit: Visit, call: Call) -> None:
    """NO STANDBY: be asked no more."""
    if visit.person and visit.person.standby_since and not visit.visitor.may(Right.DATA):
        visit.wait("are not on the standby list any more", {"standby": False})
    else:
        set_standby(visit, False)


def set_standby(visit: Visit, stands: bool) -> None:
    """Put the sender on the standby list, or take them off it."""
    if visit.person:
        visit.person.standby_since = (visit.person.standby_since or visit.now) if stands else None
        visit.session.add(visit.person)
    if stands:
        visit.title("You are on the standby list: when a seat is open, you get a mail.")
    else:
        visit.title("You are not on the standby list.")
