"""Handle bounces of the judge's emails, and notify masters and the keeper of lost emails.

A bounce is accepted only if it identifies one of the judge's emails by a secret. The secret is the return path of the
email, if the provider delivers mail to plus-addresses. Otherwise the secret is the Message-ID, as long as no one has
referred to that Message-ID in an email. The keeper is notified of undeliverable emails, and of emails that wait for the
provider's limits. Each of these notices is sent at most once a day.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta

from judge.addresses import normal
from judge.games.core.work import Work
from judge.letters import Letter, Part
from judge.letters.machine_mail import report_of
from judge.mails.smtp import named_in
from judge.mails.templates import when
from judge.rules import by_number, counted
from judge.store import bounces, outbox
from judge.store.people import person_at
from judge.store.seats import masters_of, played_by
from judge.store.sent_mails import mails_named, mails_since, mails_tagged
from judge.store.states import MailKind
from judge.store.tables import BouncedAddress, Game, Mail, Person, Seat

# How long to wait for more undelivered emails, and the shortest time between two reports.
GATHER = timedelta(minutes=10)
APART = timedelta(days=1)
# The maximum number of emails that a report lists. `judge mails list` shows all.
MOST = 20
# The names of emails of each kind, as in `2 messages, 1 reminder`. Emails of other kinds are "other email".
_CALLED: dict[MailKind, str] = {
    "press": "message", "results": "results email", "start": "start email", "reminder": "reminder", "late": "reminder",
    "deadline": "deadline change", "reply": "reply", "digest": "digest",
}  # fmt: skip


def take_bounce(work: Work, root: Part, letter: Letter) -> str:
    """Record the bounce in an email, and return a line for the log.

    The line is "" if the email does not report on one of the judge's emails.
    """
    settings = work.settings
    report = report_of(root, letter.silent)
    if report is None:
        return ""
    tags = {named_in(normal(address)) for address in report.sent_to} - {""}
    mail = next(iter(mails_tagged(work.session, tags)), None)
    if mail is None and not settings.smtp.plus_addresses:
        cited = mails_named(work.session, report.message_ids)
        mail = next((mail for mail in cited if not mail.cited_at), None)
    if mail is None or mail.recipient == settings.keeper:
        return ""
    is_new = bounces.note(
        work.session, mail, report.reason, work.now, settings.limits.bounces, blames_address=report.blames_address
    )
    return f"mail={mail.id} to={mail.recipient} came back{'' if is_new else ' again'}: {report.reason}"


def note_cited(work: Work, letter: Letter) -> None:
    """Record that `letter` refers to the judge's emails, so that their Message-IDs are no longer secret."""
    ours = f"@{work.settings.address.rpartition('@')[2]}>"
    if cited := [one for one in letter.references if one.endswith(ours)]:
        outbox.cited(work.session, cited, work.now)


def greet(work: Work, address: str, person: Person | None) -> str:
    """Send emails again to an address whose owner has written, and return the beginning of the reply.

    The reply says which emails to this address bounced or were refused. It also says which emails to the person's other
    addresses are on hold. The beginning is "" if there are no such emails.
    """
    said = []
    for row in bounces.rows_of(work.session, address, person):
        is_here = row.address == address
        withheld = bounces.withheld(work.session, row) if row.dead_since else {}
        sent = bounces.revive(work.session, row, work.now) if is_here else 0
        if row.dead_since:
            said.append(_said_of_dead(work, row, withheld, sent, is_here=is_here))
        if row.refused and is_here:
            many = by_number(row.refused, "An email to you was", f"{row.refused} emails to you were")
            said.append(f"{many} refused by your mail server{_because(row.refusal)}.")
    return " ".join(said)


def _said_of_dead(
    work: Work, row: BouncedAddress, withheld: Mapping[MailKind, int], sent: int, *, is_here: bool
) -> str:
    since = when(row.dead_since, work.settings.zone) if row.dead_since else ""
    listed = f" On hold: {in_words(withheld)}." if withheld else ""
    if not is_here:
        there = f"Emails to {row.address} bounce{_because(row.reason)}, so since {since} most are on hold."
        return f"{there}{listed} To get them here, send SET ADDRESS (after SIGNON)."
    again = f" {sent} of them {by_number(sent, 'is', 'are')} on the way to you now." if sent else ""
    return (
        f"Emails to you bounced{_because(row.reason)}, so since {since} most were on hold. From now on they "
        f"will be sent again.{listed}{again}"
    )


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def in_words(kinds: Mapping[MailKind, int]) -> str:
    """Return how many emails of each kind there are, such as `2 messages, 1 reminder`."""
    counts: Counter[str] = Counter()
    for kind, count in kinds.items():
        counts[_CALLED.get(kind, "other email")] += count
    return ", ".join(counted(count, called).replace("replys", "replies") for called, count in counts.items())


def are_held(work: Work, addresses: Collection[str]) -> bool:
    """Return whether emails to one of these addresses are on hold."""
    return not bounces.dead(work.session).isdisjoint(addresses)


def follow(work: Work, game: Game, old: str, new: str) -> str:
    """Send a player's emails on hold to the new address in the game, and return a clause about them."""
    sent = bounces.readdress(work.session, old, new, game.key, work.now)
    return f"; {sent} that were on hold are on their way there" if sent else ""


def _untold_bounces(work: Work) -> list[BouncedAddress]:
    """Return the bounced addresses to report to masters, new ones immediately and others once a day."""
    return [row for row in bounces.untold(work.session) if row.told_at is None or row.told_at <= work.now - APART]


def _tell_bounces(work: Work) -> None:
    """Notify the masters of dead addresses, and of emails that are on hold or were refused.

    The keeper is notified if no other person is a master of a game that uses the address.
    """
    for row in _untold_bounces(work):
        row.told_at, row.news_at = work.now, None
        person = person_at(work.session, row.address)
        readers: list[tuple[str, str, Seat | None, Game | None]] = [
            (master.address, game.zone, seat, game)
            for seat, game in (played_by(work.session, person))
            for master in masters_of(work.session, game)
            if seat.address == row.address != master.address
        ]
        withheld = in_words(bounces.withheld(work.session, row)) if row.dead_since else ""
        subject = f"Emails to {row.address} {'bounce' if row.dead_since else 'are refused'}"
        settings = work.settings
        for to, zone, seat, game in readers or [(settings.keeper, settings.zone, None, None)]:
            power = seat.power if seat else None
            work.notify(to, zone, "dead", subject, row=row, power=power, game=game, withheld=withheld)


def _untold_mails(work: Work) -> Sequence[Mail]:
    """Return the undeliverable emails to report to the keeper, once a day and some time after the first failure."""
    keeper = work.settings.keeper
    mails = outbox.untold(work.session, keeper)
    gathered = mails and mails[0].failed_at and mails[0].failed_at <= work.now - GATHER
    return mails if gathered and not mails_since(work.session, keeper, "given_up", work.now - APART) else []


def _tell_undelivered(work: Work) -> None:
    mails = _untold_mails(work)
    what = f"{counted(len(mails), 'email')} undeliverable"
    work.notify_keeper("given_up", what, mails=mails[:MOST], more=len(mails) - MOST)
    for mail in mails:
        mail.told_at = work.now


def _is_limit_to_tell(work: Work) -> bool:
    """Return whether more emails are due than may be sent, and the keeper has not been notified lately."""
    smtp, session = work.settings.smtp, work.session
    allowed = outbox.allowed(session, work.now, smtp.per_hour, smtp.per_day)
    if allowed is None or allowed > 0 or not outbox.has_due(session, work.now, allowed):
        return False
    return not mails_since(session, work.settings.keeper, "limit", work.now - APART)


def _tell_limit(work: Work) -> None:
    waiting, _, oldest_at = outbox.backlog(work.session)
    subject = "Emails wait for the sending limit"
    work.notify_keeper("limit", subject, waiting=waiting, since=oldest_at)


# The reports on lost emails, each with a function that decides if it is due, and one that sends it.
REPORTS: Sequence[tuple[Callable[[Work], object], Callable[[Work], None]]] = (
    (_untold_mails, _tell_undelivered),
    (_untold_bounces, _tell_bounces),
    (_is_limit_to_tell, _tell_limit),
)
