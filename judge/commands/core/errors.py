"""Why a command cannot be done: raised by the code that carries it out, told to its sender."""

from judge.games.core.passwords import MOST_SLOW
from judge.games.people.credentials import LoginAttempts


class CommandError(Exception):
    """A command that cannot be done; the message is for the sender and says what to write instead."""


class MaybeSentence(CommandError):
    """A line that looks like a command but may be part of a sentence."""

    def __init__(self, why: str = "This looks like part of the sentence above it.") -> None:
        super().__init__(f"{why} If you mean the command, write it in capital letters.")


class SignonRefused(CommandError):
    """A sign-on whose password is not tried; `door`: what it was meant to open."""

    def __init__(self, message: str, door: LoginAttempts):
        super().__init__(message)
        self.door = door


class PasswordRefused(SignonRefused):
    """A password that does not fit; it is counted."""


class AfterConfirmation(CommandError):
    """A command of a sender who has still to confirm who they are, or that they wrote the letter."""


class PasswordsUsedUp(CommandError):
    """A command of a letter that has already used all the password checks that one letter may have."""

    def __init__(self) -> None:
        super().__init__(
            f"Not done: I check or store at most {MOST_SLOW} passwords in one letter, because each takes a while. "
            "Send this line, and the lines below it, in another letter."
        )
