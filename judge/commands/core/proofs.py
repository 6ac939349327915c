"""Decide what a letter proves about its sender, and what the proof allows. No other module does so.

| the letter comes from an address that    | own | data     | join     | lasting | play |
| ---------------------------------------- | --- | -------- | -------- | ------- | ---- |
| the mail server found forged             | no  | no       | no       | no      | no   |
| was added less than 30 days ago          | no  | no       | no       | yes     | no   |
| no one has verified (From alone)         | yes | returned | returned | yes     | no   |
| the mail server has verified             | yes | yes      | yes      | yes     | yes  |

- own: being taken for the person at the letter's address: questions about their seats, FORGOT, the right password
  after too many wrong ones, CREATE and joining a game.
- data: changing the person's own data without a password: name, time zone, standby list, addresses, the end of
  observing.
- join: REGISTER by a new person (if the keeper requires proof for that) and OBSERVE by an unregistered one.
- lasting: acts that cannot be undone, after a sign-on with the right password.
- play: orders, bids, WAIT, CLEAR and press without the password, if the player has chosen that
  (judge/commands/people/passwordless.py).
- returned: yes, once the sender has sent the judge's confirmation email back.

Other proofs in a letter, whatever its address:

| proof                                    | allows                                                              |
| ---------------------------------------- | ------------------------------------------------------------------- |
| the right password                       | everything in that seat; lasting unless the letter is forged; from  |
|                                          | the player's new address, the rights of their older addresses       |
| an email sent back with a code           | the one request that the email asks its reader to confirm           |
| CONFIRM and the code as first own line   | also rights for another address, and a new password                 |
| a reply without a sign-on                | play, if its address is verified and the judge is in its To field   |
| the code of an unsubscribe link, APPROVE | the one act that the code was made for                              |

A letter may have the mark of a mailing list, an alias service or Exchange. Unless it signs on with the right password,
it has no effect and no answer (judge/letters/machine_mail.py). Without the password it may be an absence note, or meant
for a list.

A signature stays valid if others forward a letter, add text after the signed part, or send the letter again. So the
mail server's verification is not enough. It must also be clear that the sender wrote the letter to the judge, now and
for the first time. If any of this is in doubt, the letter is treated as not verified.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from judge.games.core.work import Work
from judge.games.people import identity
from judge.letters import Letter
from judge.letters.quotes import repeats_judge
from judge.mails.templates import when
from judge.store import inbox
from judge.store.people import Sender
from judge.store.tables import LetterRow, Person

# The maximum difference between the clocks of one person's devices, and the longest time by which a letter may overtake
# another.
APART = timedelta(hours=1)
# The longest time for the delivery of a letter. Mail servers repeat their attempts for some days.
_ON_ITS_WAY = timedelta(days=3)


class Proof(Enum):
    """The kinds of proof for the From address of a letter, from the weakest to the strongest."""

    FORGED = auto()
    NEW = auto()
    CLAIMED = auto()
    VERIFIED = auto()


class Right(Enum):
    """A right that a letter may have, with the name of its column in the table in this module's docstring."""

    OWN = auto()
    DATA = auto()
    JOIN = auto()
    LASTING = auto()
    PLAY = auto()


_AT_ONCE: Mapping[Proof, Collection[Right]] = {
    Proof.FORGED: (),
    Proof.NEW: (Right.LASTING,),
    Proof.CLAIMED: (Right.OWN, Right.LASTING),
    Proof.VERIFIED: tuple(Right),
}


@dataclass(frozen=True)
class Standing:
    """What the address of a letter proves about its sender."""

    proof: Proof
    # For an address that was added recently, its owner and the time at which it was added.
    owner: Person | None = None
    added_at: datetime | None = None
    # The reason, as sentences, why a letter that the judge's mail server has verified is treated as not verified.
    doubt: str = ""
    # True if the judge doubts because it has carried out this letter before, or one with a later date.
    repeated: bool = False

    def may(self, right: Right) -> bool:
        """Return whether the letter has this right without a confirmation email."""
        return right in _AT_ONCE[self.proof]

    def refusal(self, right: Right, zone: str) -> str:
        """Return why the letter does not have this right, as sentences.

        Returns "" if the letter has the right, or gets it once the sender has sent a confirmation email back.
        """
        if self.may(right) or self.proof is Proof.CLAIMED and right in (Right.DATA, Right.JOIN):
            return ""
        if self.proof is Proof.FORGED:
            return (
                "Not done: your mail provider reports that this email did not come from your address. Send it from "
                "your own mail account."
            )
        if self.added_at:
            return (
                "Not done: this address is new in your registration. Until "
                f"{when(self.added_at + identity.NEW_ADDRESS, zone)} emails from it need your password. "
                "Send this from an older address of yours."
            )
        return self.doubt or "The judge's mail server has not verified that this email comes from your address."


def is_registered(person: Person | None) -> bool:
    """Return whether this person is registered, since an observer may be known without a registration."""
    return person is not None and person.registered_at is not None


def standing(work: Work, letter: Letter, row: LetterRow, sender: Sender | None) -> tuple[Standing, Person | None]:
    """Return what the letter's address proves, and the person who is taken for the letter's sender.

    `sender` is the owner of the address.
    """
    if letter.verified is False:
        return Standing(Proof.FORGED), None
    person = sender.person if sender else None
    if sender and sender.added_at:
        return Standing(Proof.NEW, person, sender.added_at), None
    if not letter.verified:
        return Standing(Proof.CLAIMED), person
    if doubt := _why_not_written(work, letter, row):
        return Standing(Proof.CLAIMED, doubt=doubt), person
    if person and (doubt := _why_repeated(work, letter, row, person)):
        return Standing(Proof.CLAIMED, doubt=doubt, repeated=True), person
    return Standing(Proof.VERIFIED), person


def note_known(work: Work, standing: Standing, letter: Letter, person: Person | None) -> None:
    """Store the Message-ID and the digest of a verified letter that was answered, to recognize copies."""
    if person and standing.proof is Proof.VERIFIED:
        inbox.note_known(work.session, person.key, letter.message_id, _digest(letter), letter.date)


def _why_not_written(work: Work, letter: Letter, row: LetterRow) -> str:
    """Return why the sender may not have written this letter to the judge, as sentences, or ""."""
    if letter.silent:
        # The letter may be an absence note that repeats an email of the judge, including the sign-on in that email.
        return "An email that came through a mailing list, or looks as if it did, needs your password."
    if not letter.addressed:
        return f"An email that is not addressed to {work.settings.address} needs your password."
    if letter.damaged:
        return "Your email was damaged on its way, so it is not clear whose lines these are. Send it again."
    if repeats_judge(letter.lines):
        return "Your email repeats one from the judge, and its lines look like yours. Remove the judge's lines."
    if letter.date and letter.date < row.received_at - _ON_ITS_WAY:
        return f"According to its date, your email was written more than {_ON_ITS_WAY.days} days before it arrived."
    return letter.not_covered


def _why_repeated(work: Work, letter: Letter, row: LetterRow, person: Person) -> str:
    """Return why the letter may be a copy of an earlier letter, as a sentence, or ""."""
    number = person.key
    if inbox.is_known(work.session, number, letter.message_id, _digest(letter), letter.date):
        return "This email has already taken effect."
    newest = inbox.newest_written(work.session, number, row.received_at) if letter.date else None
    if newest and letter.date and letter.date < newest - APART:
        return "According to its date, your email is older than one that has already taken effect."
    return ""


def _digest(letter: Letter) -> str:
    """Return the digest of a letter, or "" if it has no Date. People may write the same words twice."""
    return letter.digest if letter.date else ""
