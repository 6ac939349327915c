"""The words of columns that allow only a few words, and what each word means.

The database holds these words, so a word here is never renamed. mypy checks them where rows are made, changed and
compared (`make lint`), so that a wrong word is found before the code runs.
"""

from typing import Literal

# What a person is in a game.
Role = Literal[
    "player",
    "master",
    "observer",
]

GameState = Literal[
    "forming",  # people join; no power is dealt yet
    "active",
    "paused",  # begun, but no phase is processed
    "finished",
]

# How a seat wants its maps.
MapsWish = Literal[
    "on",
    "off",
    "small",
    "orders",  # also with every confirmation of orders
]

# How a picture is made.
PictureForm = Literal[
    "png",  # of the whole board, and of its parts if it has any
    "small",  # a PNG of the whole board alone, with fewer pixels
    "svg",  # to enlarge
    "film",  # an animated PNG of all phases
]

# Whether a player was on time in a phase in which they owed orders.
Met = Literal[
    "on time",
    "late",  # orders were missing at the deadline, and given in grace
    "missed",  # the phase was processed without orders
    "abandoned",  # the player lost the seat because of it
]

VoteKind = Literal[
    "draw",  # between the powers chosen
    "concede",  # to the one power chosen
    "reveal",  # that bids are told after the end, or kept (judge/games/orders/votes.py)
]

# What a token does when it comes back.
TokenPurpose = Literal[
    "register",  # registers the address that it was mailed to
    "password",  # makes a new password for a seat
    "also",  # links a new address to a person
    "change",  # does what a letter asked whose sender was not proved
]

LetterState = Literal[
    "new",  # waits for its turn
    "done",
    "held",  # a part of it waits until its sender has confirmed their identity
    "ignored",  # never to be answered
    "shunted",  # failed three times, set aside for the keeper
]

# What a mail tells; most have the name of their template.
MailKind = Literal[
    # to the sender of a letter
    "reply",
    "confirm",  # a reply that asks them to confirm that they wish to be registered
    "hint",  # nothing in the letter could be read
    "shunted",  # the letter is set aside
    "token",
    "address",  # one was added to theirs, or given up
    "pause",  # there were too many answers, so the next ones wait
    "waited",  # the answers that have waited
    # to those in a game
    "abandoned",  # seats are open, the phase waits for new players
    "absence",
    "application",
    "changes",  # of the game's settings
    "consent",  # something needs the word of the players
    "digest",  # news of a day from several games
    "corrected",  # of the board or of orders, by the master
    "deadline",  # it was moved
    "delayed",  # the judge could not process the phase
    "end",
    "guessed",  # strangers have tried wrong passwords for the seat
    "invitation",  # to a game, to people who may not know the judge
    "late",
    "news",  # one paragraph
    "pending",  # the result of orders that were given in advance
    "position",
    "press",
    "promoted",
    "reminder",
    "results",
    "revealed",  # all bids, at the end
    "standby",  # to people who wish to be asked when a seat is open
    "start",
    # to the keeper
    "given_up",  # mails that could not be delivered
    "held",  # a phase that the judge could not process
    "keeper",  # a letter is set aside
    "limit",  # the provider's limit is reached
    "alert",  # something else needs a hand
    "report",  # how the day was
    # to masters, or the keeper
    "dead",  # mails to a person in the game come back
]

# Why a mail is not sent yet.
WaitingFor = Literal[
    "",  # its moment has not come, or is now
    "picture",  # which is being drawn
    "greylisting",  # the mail server has deferred it, as many do with senders that they do not know
    "limit",  # the provider's limit is reached
    "bounce",  # mails to its reader come back: it is withheld until the reader writes
    "earlier mail",  # to the same reader about the same game, which waits
    "server",  # is out of reach, or has deferred the mail several times
]

# What the log of events tells.
EventKind = Literal[
    "abandoned",
    "absence",
    "application",
    "asked",  # for the word of the players
    "border",
    "corrected",
    "created",
    "deadline",
    "disorder",
    "ended",
    "keeper",  # did something that a master may do
    "mail failed",
    "paused",
    "press",
    "processed",
    "resigned",
    "resumed",
    "rollback",
    "signon",
    "started",
    "unstart",
    "wrong passwords",
]
