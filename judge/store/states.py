"""The words that columns hold where only a few are possible, and what each means.

They are what stands in the database: a word here is never renamed. mypy knows them where rows are made, changed and
compared (`make lint`), so that a word that is none of them is found before it is run.
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
]

# How a picture is made.
PictureForm = Literal[
    "png",  # of the whole board, and of its parts where there are any
    "small",  # a PNG of the whole board alone, with fewer pixels
    "svg",  # to enlarge
]

# How a player met a phase in which they owed orders.
Met = Literal[
    "on time",
    "late",  # orders were missing at the deadline, and given in grace
    "missed",  # it was processed without them
    "abandoned",  # the seat was given up for it
]

VoteKind = Literal[
    "draw",  # between the powers chosen
    "concede",  # to the one power chosen
]

# What a token does when it comes back.
TokenPurpose = Literal[
    "register",  # registers the address that it was mailed to
    "password",  # makes a new password for a seat
    "also",  # links a new address to a person
    "change",  # does what a letter asked that did not prove whose it is
]

LetterState = Literal[
    "new",  # waits for its turn
    "done",
    "held",  # a part of it waits until its sender has confirmed who they are
    "ignored",  # never to be answered
    "shunted",  # failed thrice, put aside for the keeper
]

# What a mail tells; most are named as their template.
MailKind = Literal[
    # to the sender of a letter
    "reply",
    "confirm",  # a reply that asks them to confirm that they wish to be registered
    "hint",  # nothing in the letter could be read
    "shunted",  # the letter is put aside
    "token",
    # to those in a game
    "abandoned",  # seats are open, the phase waits for new players
    "absence",
    "application",
    "changes",  # of the game's settings
    "corrected",  # of the board or of orders, by the master
    "deadline",  # it was moved
    "delayed",  # the judge has failed at the phase
    "end",
    "guessed",  # strangers have tried wrong passwords for the seat
    "late",
    "news",  # one paragraph
    "pending",  # what came of orders that were given ahead
    "position",
    "press",
    "promoted",
    "reminder",
    "results",
    "revealed",  # all bids, at the end
    "standby",  # to those who wish to be asked when a seat is open
    "start",
    # to the keeper
    "given up",  # mails that nobody took
    "held",  # a phase that the judge has failed at
    "keeper",  # a letter is put aside
]

# What the log of events tells.
EventKind = Literal[
    "abandoned",
    "absence",
    "application",
    "border",
    "corrected",
    "created",
    "deadline",
    "disorder",
    "ended",
    "keeper",  # did what a master could
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
