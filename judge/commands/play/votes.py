"""Decisions of all players. SET DRAW and SET CONCEDE end a game, and SET REVEAL BIDS shows all bids after it.

Before a game begins, its master decides whether bids will be shown, so that players know this when they bid. In a game
that has begun, all players decide.
"""

from functools import partial

from judge.commands.core.command import CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import Setting, recipients_meant
from judge.commands.core.setting_kinds import add_settings
from judge.games.core.setting_fields import Form
from judge.games.core.who_is_meant import NotMeant
from judge.games.life import consent, lifecycle
from judge.games.orders import votes
from judge.games.orders.votes import ALL_SURVIVORS, Choice, meant, names
from judge.rules import listed
from judge.store.states import VoteKind

command = Family("draws", who=Who.PLAYER, when=When.OPEN, of_phase=True, personal=True)


def withdraw(context: CommandContext, *, kind: VoteKind) -> None:
    """Withdraw the player's vote of this kind (SET NO DRAW, SET NO CONCEDE)."""
    phase, power = context.seat.open_phase, context.seat.power
    there = votes.withdraw(context.session, phase, power, kind)
    told = "your vote is taken back." if there else "you had no vote to take back."
    if kind == "draw" and votes.has_cast(context.session, phase, power, "concede"):
        told = f"{told} Your vote to concede is still valid. SET NO CONCEDE takes it back."
    context.remark(told)


@command(
    "SET DRAW [<powers>]",
    "DRAW",
    lasting=True,
    help="vote for a draw in this phase: of all survivors, or of the powers you list (where draws may leave survivors "
    "out, NoDIAS, and where players can agree on any end); a draw of one power is a concession",
)
def draw(context: CommandContext, powers: str | None) -> None:
    """Vote for a draw of all survivors or, in a NoDIAS game, of the named powers."""
    game = context.seat.game
    choice = _named(context, powers, "SET DRAW {}", votes.how_to_draw(game)) if powers else ALL_SURVIVORS
    _cast(context, "draw", choice)


command.add(
    "SET NO DRAW",
    "SET NODRAW",
    "NO DRAW",
    handler=partial(withdraw, kind="draw"),
    help="take your vote for a draw back",
)


def _named(context: CommandContext, text: str, command: str, instead: str) -> frozenset[str]:
    """Return the powers, or groups, that a player votes for, named like the recipients of press.

    `instead` is the advice if the vote names the master or the observers, who cannot share a draw.
    """
    shown = text.strip()
    try:
        named = recipients_meant(context, text)
    except NotMeant as unread:
        if unread.kind == "unknown":
            unread.why = f'"{shown}" names no power of this game'
        if unread.kind != "role":
            raise CommandError(unread.told(command)) from None
        named = None
    if named is None or (named.masters or named.observers) and not named.everybody:
        raise CommandError(
            f'"{shown}": the master and the observers cannot share a draw. Your vote was not recorded. {instead}'
        )
    return named.powers


@command(
    "SET CONCEDE [TO] <power or powers>",
    "SET CONC",
    "CONCEDE",
    lasting=True,
    help="vote to give the game to the largest power; where players can agree on any end, to any power or powers",
)
def concede(context: CommandContext, powers: str) -> None:
    """Vote for a win of the largest power.

    On a board where players can agree on any outcome, vote for a win of the named power or powers.
    """
    usual = "Write SET CONCEDE and the power with the most centers."
    free = "Write SET CONCEDE and the power or powers that should win."
    choice = _named(context, powers, "SET CONCEDE {}", free if context.seat.variant.ends_by_unanimity else usual)
    _cast(context, "concede", choice)


command.add(
    "SET NO CONCEDE", "SET NOCONCEDE", "NO CONCEDE", handler=partial(withdraw, kind="concede"),
    help="take back your vote to concede",
)  # fmt: skip


def _cast(context: CommandContext, kind: VoteKind, choice: Choice) -> None:
    here = context.seat
    game, phase, power = here.game, here.open_phase, here.power
    cast = votes.cast(context.session, game, phase, power, kind, choice)
    exactly = ""
    if cast != kind or here.variant.ends_by_unanimity:
        among = names(game, meant(game, phase, choice))
        exactly = f" to concede the game to {among}" if cast == "concede" else f" for a draw between {among}"
    told = f"your vote{exactly} is recorded for this phase"
    if cast != kind:
        told = f"a draw of one power is a concession, so {told} (SET NO CONCEDE takes it back)"
    if lifecycle.end_by_votes(context.work, game, phase):
        context.settle(f"{game.name} has ended. {game.result}.")
    else:
        context.remark(f"{told}. Others learn of your vote only if it ends the game.")


word = Family("draws", who=Who.PLAYER, when=When.LIVING, personal=True)


@word(
    "DISAGREE [<line>]", reads="[[TO|WITH] <text>]",
    help="refuse everything that other players have asked you to agree to, or only that line",
)  # fmt: skip
def disagree(context: CommandContext, text: str | None) -> None:
    """Vote against a line that the players were asked to agree to, or against all such lines."""
    named = " ".join((text or "").split())
    lines = consent.disagree(context.work, context.seat.game, context.seat.row, named)
    if not lines:
        raise CommandError(f"The players have not been asked to agree to {named or 'anything'}.")
    context.remark(f"you do not agree to {listed(lines, 'or')}. To agree after all, send the line itself.")


reveal = Family("points", "master", who=Who.MASTER | Who.PLAYER, when=When.LIVING, personal=True, lasting=True)


def reveal_bids(context: CommandContext, *, form: Form) -> Setting | None:
    """Decide whether all players can read all bids when the game has ended (SET REVEAL BIDS, SET NO REVEAL BIDS)."""
    here = context.seat
    game, seat, name, revealed = here.game, here.row, context.call.command.word, form.value
    if here.variant.points is None:
        raise CommandError(f"There are no Diplomacy Points in {here.variant.label}.")
    if game.state == "forming":
        if seat.role != "master":
            raise CommandError(f"Before the game starts, {name} is for its master: sign on with SIGNON M{game.name}.")
        return Setting({"reveal_bids": revealed})
    if seat.role == "master":
        raise CommandError(
            f"{game.name} has started. {name} takes effect only if every player sends it in the same phase."
        )
    if votes.agree_on_bids(context.session, game, here.open_phase, here.power, revealed):
        return Setting({"reveal_bids": revealed}, "Every player has agreed: ", agreed=True)
    waits = "recorded for this phase. This takes effect, and others learn of it, when all players have sent it."
    context.remark(waits)
    return None


add_settings(reveal, "reveal_bids", handler=reveal_bids)
