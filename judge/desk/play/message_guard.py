"""Why a message is not sent: a line in it may be meant for the judge, or gives a password away.

A message is sent word for word or not at all. One without its end word may have swallowed what its writer meant for the
judge, so nothing in it may read like that.
"""

from collections.abc import Iterator

from judge.desk.core.answer import shortened
from judge.desk.core.command import Call
from judge.desk.core.line_forms import AROUND_PASSWORDS
from judge.desk.core.message_ends import is_miswritten
from judge.desk.core.reading import game_names
from judge.desk.core.visit import Visit
from judge.desk.play.own_orders import may_be_own_order
from judge.games.core.board import variant_of
from judge.games.orders.bid_lines import is_bid_line
from judge.letters.signon_lines import signon_words

# Beside one of these, or beside the name of a game, a password is recognized as one.
_PASSWORD_WORDS = frozenset({
    "password", "passwd", "passwort", "kennwort", "pw", "pwd", "pass", "passphrase", "passcode", "signon", "login",
    "logon", "contraseña", "clave", "senha", "parola", "wachtwoord", "lösenord", "losenord", "hasło", "haslo",
    "heslo", "jelszó",
    "jelszo", "salasana", "пароль", "şifre", "sifre", "σύνθημα", "密码", "パスワード",
})  # fmt: skip
_LONGEST_QUOTED = 60


def why_not_sent(visit: Visit, call: Call) -> str:
    """What keeps the message below `call` from being sent, in a sentence; "" if nothing does."""
    for line in call.body:
        if _gives_password_away(visit, line):
            return f"The line that begins “{_beginning(line)}” would give a password away. Leave it out."
    if call.ended:
        return ""
    meant = next(_meant_for_judge(visit, call), "")
    return meant and (
        f'The message has no ENDPRESS, and its line "{shortened(meant.strip(), _LONGEST_QUOTED)}" may be meant for the '
        "judge. Write ENDPRESS on a line of its own where the message ends."
    )


def _beginning(line: str) -> str:
    """The first word of a line with a password in it."""
    return shortened(line.split()[0], _LONGEST_QUOTED)


def _gives_password_away(visit: Visit, line: str) -> bool:
    words = signon_words(line)
    places = [at for at, word in enumerate(words) if _names_game(visit, word)]
    if places and places[0] + 1 < len(words):
        return True
    said = [(word, word.strip(AROUND_PASSWORDS)) for word in line.split()]
    given = {bare for word, bare in said if not visit.visitor.passwords.isdisjoint((word, bare))}
    others = [bare for _, bare in said if bare not in given]
    beside = bool(words) or others[:1] == ["SET"]
    return bool(given) and (beside or any(_is_password_word(word) or _names_game(visit, word) for word in others))


def _is_password_word(word: str) -> bool:
    return word.casefold() in _PASSWORD_WORDS or is_miswritten(word.upper(), "PASSWORD")


def _names_game(visit: Visit, word: str) -> bool:
    games = visit.visitor.games | {visit.the_game.name}
    return any(name in games for name in game_names(word))


def _meant_for_judge(visit: Visit, call: Call) -> Iterator[str]:
    """The lines of the message that may be meant for the judge: commands, orders for the writer's own units, bids, and
    sign-ons of games that there are.
    """
    yield from call.commands
    variant = variant_of(visit.the_game)
    for line in call.body:
        signs_on = any(_names_game(visit, word) for word in signon_words(line))
        if signs_on or is_bid_line(variant, line) or may_be_own_order(visit, line):
            yield line
