"""Mails that come back are counted for each address; a dead one is told to the masters of its games, until its owner
writes.

A report counts only if it names one of our mails in a way that only its reader, or a server on its way, can know.
"""

from collections.abc import Collection, Iterator

from judge.addresses import normal
from judge.games.core.turn import Turn
from judge.letters import Letter
from judge.letters.bounce import Report, report_of
from judge.letters.mime import Part
from judge.mails.post import Notice
from judge.mails.return_path import is_named, named_in
from judge.mails.templates import when
from judge.store import bounces
from judge.store.ids import id_of
from judge.store.lookups import person_at, played_by, seats_of
from judge.store.tables import BouncedAddress, Game, Mail, Seat


def take(turn: Turn, root: Part, letter: Letter) -> str:
    """Count the report that a letter is; a line for the log, "" if it is none about a mail of ours."""
    report = report_of(root, letter.silent)
    mail = _mail_of(turn, report) if report else None
    if report is None or mail is None or mail.recipient == turn.office.settings.keeper:
        return ""
    is_new = bounces.note(turn.session, mail, report.reason, turn.now, turn.office.settings.limits.bounces)
    return f"mail={mail.id} to={mail.recipient} came back{'' if is_new else ' again'}: {report.reason}"


def _mail_of(turn: Turn, report: Report) -> Mail | None:
    for number, check in filter(None, map(named_in, map(normal, report.sent_to))):
        mail = turn.session.get(Mail, number)
        if mail and is_named(mail.message_id, check):
            return mail
    return next(filter(None, (bounces.mail_by_id(turn.session, cited) for cited in report.message_ids)), None)


def revive(turn: Turn, address: str) -> str:
    """The owner of the address has written; a note for the answer if mails were held, else ""."""
    revived = bounces.revive(turn.session, address, turn.now)
    if revived is None:
        return ""
    why = f" ({revived.reason})" if revived.reason else ""
    sent = f"; {revived.sent} that were held are on their way" if revived.sent else ""
    since = when(revived.since, turn.office.settings.zone)
    return f"mails to you had come back{why}, so since {since} none were sent to you; now they are again{sent}"


def are_held(turn: Turn, addresses: Collection[str]) -> bool:
    """Whether mails to one of these addresses are held."""
    return not bounces.dead(turn.session).isdisjoint(addresses)


def follow(turn: Turn, game: Game, old: str, new: str) -> str:
    """A player's mails about the game go to another address from now on; what is to be said of those that were held."""
    sent = bounces.readdress(turn.session, old, new, id_of(game), turn.now)
    return f"; {sent} that were held are on their way there" if sent else ""


def is_to_tell(turn: Turn) -> bool:
    """Whether there are dead addresses of which nobody was told."""
    return bool(bounces.untold(turn.session))


def tell(turn: Turn) -> None:
    """Tell the masters of dead addresses; the keeper of those that have no master, or are one."""
    for row in bounces.untold(turn.session):
        row.told_at = turn.now
        turn.session.add(row)
        told = list(_masters(turn, row))
        for master, seat, game in told:
            turn.mail(_notice(turn, row, master.address, seat, game))
        if not told:
            turn.mail(_notice(turn, row, turn.office.settings.keeper, None, None))


def _masters(turn: Turn, row: BouncedAddress) -> Iterator[tuple[Seat, Seat, Game]]:
    """Each master of a game that the person with that address plays, with that seat."""
    person = person_at(turn.session, row.address)
    for seat, game in played_by(turn.session, person) if person else ():
        if seat.address == row.address:
            masters = [other for other in seats_of(turn.session, game) if other.role == "master"]
            yield from ((master, seat, game) for master in masters if master.address != row.address)


def _notice(turn: Turn, row: BouncedAddress, to: str, seat: Seat | None, game: Game | None) -> Notice:
    zone = game.zone if game else turn.office.settings.zone
    body = turn.office.post.render("dead", zone, row=row, power=seat.power if seat else None, game=game)
    return Notice(to=to, kind="dead", subject=f"Mails to {row.address} come back", body=body, game=game)
