"""The words of columns that allow only a few words, and what each word means.

The database has these words, so a word here is never renamed. `make lint` lets mypy check the words where rows are
made, changed and compared. So a wrong word is found before the code runs.
"""

from typing import Literal

Role = Literal[
    "player",
    "master",
    "observer",
]

GameState = Literal[
    "forming",  # people join, and no power is dealt yet
    "active",
    "paused",  # the game has begun, but no phase is processed
    "finished",
]

# The maps that a seat gets.
MapsWish = Literal[
    "on",
    "off",
    "small",
    "orders",  # with every confirmation of orders, as well as with results
]

# The form in which a picture is drawn.
PictureForm = Literal[
    "png",  # the whole board, and its parts if it has any
    "small",  # a PNG of the whole board only, with fewer pixels
    "svg",  # a drawing that can be enlarged
    "film",  # an animated PNG of all phases
]

# Whether a player was on time in a phase when they owed orders.
Met = Literal[
    "on time",
    "late",  # orders were missing at the deadline, and came during grace
    "missed",  # the phase was processed without orders
    "abandoned",  # the player lost the seat because orders were missing
]

VoteKind = Literal[
    "draw",  # a draw between the chosen powers
    "concede",  # a concession to the one chosen power
    "reveal",  # whether bids are revealed after the end, or stay secret (judge/games/orders/votes.py)
]

# The effect of a token when its reader sends it back.
TokenPurpose = Literal[
    "register",  # registers the address to which it was mailed
    "password",  # makes a new password for a seat
    "also",  # links a new address to a person
    "change",  # carries out the request of a letter whose sender was not proved
]

LetterState = Literal[
    "new",  # the letter waits to be handled
    "done",
    "held",  # part of the letter waits until its sender has confirmed their identity
    "ignored",  # the letter is never answered
    "shunted",  # handling the letter failed, so it is set aside for the keeper
]

# The kind of a mail. Most kinds have the name of their template.
MailKind = Literal[
    # Mails to the sender of a letter:
    "reply",
    "confirm",  # asks the sender to confirm that they want to be registered
    "hint",  # no command was found in the letter
    "shunted",  # the letter is in quarantine
    "token",
    "address",  # an address was added, or given up
    "pause",  # after too many answers, the next ones wait
    "waited",  # the answers that waited
    # Mails to people in a game:
    "abandoned",  # seats are open, and the phase waits for new players
    "absence",
    "application",
    "changes",  # changes to the game's settings
    "consent",  # something needs the agreement of the players
    "digest",  # a day's news from several games
    "corrected",  # corrections of the board or of orders by the master
    "deadline",  # the deadline was moved
    "delayed",  # the judge could not process the phase
    "end",
    "guessed",  # strangers have tried wrong passwords for the seat
    "invitation",  # an invitation to a game, to people who may not know the judge
    "late",
    "news",  # one paragraph of news
    "pending",  # the result of orders that were given in advance
    "position",
    "press",
    "promoted",
    "reminder",
    "results",
    "revealed",  # all bids, after the end of the game
    "standby",  # a seat is open, for people on the standby list
    "start",
    # Mails to the keeper:
    "given_up",  # mails that could not be delivered
    "held",  # the judge could not process a phase
    "keeper",  # a letter is in quarantine
    "limit",  # the provider's limit is reached
    "alert",  # something else needs the keeper
    "report",  # the daily report
    # Mails to masters, or to the keeper:
    "dead",  # mails to a person in the game bounce
]

# Why a mail is not sent yet.
WaitingFor = Literal[
    "",  # the mail is not due yet, or only just due
    "picture",  # the picture of the mail is being drawn
    "greylisting",  # the mail server has deferred the mail, as many do with unknown senders
    "limit",  # the provider's limit is reached
    "bounce",  # mails to the reader bounce, so the mail is withheld until the reader writes
    "earlier mail",  # an earlier mail to the same reader about the same game is waiting
    "server",  # the mail server is unreachable, or has deferred the mail several times
]

EventKind = Literal[
    "abandoned",
    "absence",
    "application",
    "asked",  # a player asked for the agreement of the others
    "border",
    "corrected",
    "created",
    "deadline",
    "disorder",
    "ended",
    "keeper",  # the keeper did something that a master may do
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
