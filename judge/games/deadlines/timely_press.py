"""Which press a game does not carry just now: its settings may say when players and observers write."""

from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.games.deadlines.reminders import awaited
from judge.games.notifications.press import Message
from judge.games.orders.filed_orders import FiledOrders
from judge.store.tables import Game, Phase, Seat


def untimely(work: Work, game: Game, phase: Phase | None, sender: Seat, message: Message) -> str:
    """Why the message of `sender` is not carried now: observers', or while somebody is late; "" if it is. The master
    writes to anybody, and anybody to the master alone.
    """
    settings, audience = settings_of(game), message.audience
    if sender.role == "master" or audience.masters and not (audience.powers or audience.observers):
        return ""
    if sender.role == "observer" and not settings.observer_press:
        return "In this game observers write no press; PRESS TO M reaches the master."
    if sender.role == "observer" and message.grey and not settings.observer_grey:
        return "In this game observers write white press only."
    if settings.late_press and settings.grace_press or not phase or work.now < phase.deadline_at:
        return ""
    late = awaited(work.session, game, FiledOrders(work.session, game, phase))
    if sender.power in late and not settings.late_press:
        return "In this game players who are late write no press: send your orders first."
    if late.keys() - {sender.power} and not settings.grace_press:
        return "In this game there is no press while others are late."
    return ""
