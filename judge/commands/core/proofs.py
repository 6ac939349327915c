"""What a letter proves about its sender, and what that allows: decided here and nowhere else.

| the letter comes from an address that    | own | data     | join     | lasting | play |
| ---------------------------------------- | --- | -------- | -------- | ------- | ---- |
| our mail server found forged             | no  | no       | no       | no      | no   |
| was added less than 30 days ago          | no  | no       | no       | yes     | no   |
| nobody has verified (From alone)         | yes | returned | returned | yes     | no   |
| our mail server has verified             | yes | yes      | yes      | yes     | yes  |

- own: being taken for the person at that address: questions about their seats, FORGOT, and their right password in
  spite of wrong ones; CREATE and joining a game.
- data: changing what is theirs without a password: name, time zone, standby list, observing, addresses.
- join: REGISTER of somebody new (where the keeper asks for it) and OBSERVE.
- lasting: what cannot be undone, below a sign-on with the right password.
- play: orders, bids, WAIT, CLEAR and press without the password, if the player has chosen that
  (judge/commands/people/passwordless.py).
- returned: once the judge's mail about it has been sent back.

What else a letter can bring, whatever its address:

| proof                                    | allows                                                              |
| ---------------------------------------- | ------------------------------------------------------------------- |
| the right password                       | everything of that seat; lasting unless the letter is forged; from  |
|                                          | a new address of the seat's holder what any address of theirs may   |
| a mail sent back with a code             | the one thing that its reader asked for themselves (agreement.py)   |
| CONFIRM and the code as first own line   | also rights for another address, and a new password                 |
| a reply without a sign-on                | play, if its address is verified and the judge stands in To         |
| the word of an unsubscribe link, APPROVE | that one thing                                                      |

A letter with the mark of a mailing list, an alias service or Exchange has no effect at all, and no answer, unless it
signs on with the right password (judge/letters/machine_mail.py): without one it may be an absence note, or meant for a
list.

A signature stays valid if others send a letter on, or send it again; so a verified letter without a password must name
the judge in To, and counts once (judge/commands/people/passwordless.py).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from judge.games.core.work import Work
from judge.games.people import identity
from judge.letters import Letter
from judge.mails.templates import when
from judge.store.people import sender_at
from judge.store.tables import Person


class Proof(Enum):
    """What is known of the address that a letter comes from."""

    FORGED = auto()
    NEW = auto()
    CLAIMED = auto()
    VERIFIED = auto()


class Right(Enum):
    """What a letter may do; the words are those of the table above."""

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
    """What the address of a letter proves; of a new one whose it is (its `owner`), and when it was added."""

    proof: Proof
    owner: Person | None = None
    added_at: datetime | None = None

    def may(self, right: Right) -> bool:
        """Return whether the letter has this right at once."""
        return right in _AT_ONCE[self.proof]

    def refusal(self, right: Right, zone: str) -> str:
        """Why the letter does not have this right, as sentences; "" if it has it, if only once a mail was sent back."""
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
                f"{when(self.added_at + identity.NEW_ADDRESS, zone)} it can do nothing without your password. "
                "Send this from an older address of yours."
            )
        return "The judge's mail server has not verified that this email comes from your address."


def is_registered(person: Person | None) -> bool:
    """Return whether this is a person who is registered; observers may be known without."""
    return person is not None and person.registered_at is not None


def standing(work: Work, letter: Letter) -> tuple[Standing, Person | None]:
    """What the address of the letter proves, and the person whom it is taken to come from."""
    if letter.verified is False:
        return Standing(Proof.FORGED), None
    person, added_at = sender_at(work.session, letter.sender, work.now - identity.NEW_ADDRESS) or (None, None)
    if added_at:
        return Standing(Proof.NEW, person, added_at), None
    return Standing(Proof.VERIFIED if letter.verified else Proof.CLAIMED), person
