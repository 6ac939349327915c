"""An outbox's sender that sends all that is due at a moment."""

from datetime import datetime

from judge.mails.sender import OutboxSender, Sent

__all__ = ["Sender", "Sent"]


class Sender(OutboxSender):
    """Of the tests: the judge's own runs again and again in a thread."""

    def run(self, now: datetime) -> Sent:
        """Run until nothing more can be done at that moment."""
        total = Sent()
        while (done := self.run_once(now)) != Sent():
            total = Sent(total.sent + done.sent, total.deferred + done.deferred, total.failed + done.failed)
        return total
