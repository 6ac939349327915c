"""Letters that come twice by different ways: to the judge and to a list that it is on, or by two aliases.

On its way a letter gets other subjects, footers and fields, so that its fingerprint is another one. Its Message-ID and
its Date stay. A copy of a letter that was carried out does nothing, and nothing answers it. Letters that need no
password are an exception: they are answered (judge/desk/people/replays.py), since somebody else may have sent them.
"""

from sqlmodel import Session

from judge.desk.core.proofs import Proof
from judge.desk.core.visitor import Visitor
from judge.letters import Letter
from judge.store import inbox

# A longer one is no Message-ID, and is in no index.
_LONGEST = 500


def came_before(session: Session, letter: Letter) -> bool:
    """Whether this is a copy of a letter that was carried out. Lists may put their own address in place of its sender.
    """
    sender = "" if letter.silent else letter.sender
    return _is_named(letter) and inbox.acted_before(session, letter.message_id, sender, letter.date)


def has_acted(visitor: Visitor) -> bool:
    """Whether a copy of this letter, which was answered, is to do nothing. What a relay has damaged, or a forger has
    sent, must not stand in the way of the letter itself.
    """
    answered = bool(visitor.answers) and not visitor.refused and visitor.standing.proof is not Proof.FORGED
    return _is_named(visitor.letter) and not visitor.passwordless and (visitor.has_signed_on or answered)


def _is_named(letter: Letter) -> bool:
    name = letter.message_id
    return name.startswith("<") and name.endswith(">") and len("<>") < len(name) <= _LONGEST
