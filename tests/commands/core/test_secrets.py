"""Where on a line a password is: in any order and dress of its words it never stays, and of prose every word does."""

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.commands.core.test_redaction import DRESSES, FAY
from tests.commands.deskatwork import DeskAtWork
from tests.letters.reading import kept_text
from tests.letters.writing import letter
from tests.texts import listed

SECRET = "ozmurkel"
# What names the seat on a sign-on, apart or as one word.
SEATS = listed("""
    Fheron
    F heron
    France heron
    heron France
    heron F
    heron
    France@heron
    F-heron
    ?heron
    M heron
    game heron power France
    game=heron power=F""")
FAMILY = listed("""
    SIGNON
    SIGN ON
    Signon
    Sign me on to
    please log me in to
    LOGIN
    (SIGNON
    SIGNON:
    // SIGNON
    SIGNON //""")
OTHERS = listed("""
    OBSERVE
    WATCH
    JOIN
    TAKEOVER
    RESIGN""")
BETWEEN = ["", "password=", "/ ", "- "]
# Behind the other words they begin a sentence.
WORDS = ["with ", "my password "]
OPENINGS = [*product(FAMILY, BETWEEN + WORDS), *product(OTHERS, BETWEEN)]
ORDERED = listed("""
    France ozmurkel heron
    ozmurkel@heron
    ozmurkel heron
    heron F ozmurkel please
    Fheron ozmurkel""")
BEHIND = ["", " please", " thanks", " Gunboat", ")"]
PLACES = ("{}", "> {}", "SIGNON Fheron pw\nPRESS TO GERMANY\n{}\nENDPRESS", "SIGNOFF\n{}")


def where_it_stays(line: str) -> list[str]:
    return [place for place in PLACES if SECRET in kept_text(letter(place.format(line) + "\n"))]


@given(
    st.sampled_from(OPENINGS),
    st.sampled_from(SEATS),
    st.sampled_from(DRESSES),
    st.sampled_from(BEHIND),
    st.integers(0, 4),
)
@settings(max_examples=60)
def test_a_password_among_the_words_of_a_sign_on_never_stays(
    opening: tuple[str, str], seat: str, dress: str, behind: str, place: int
) -> None:
    (verb, between), words = opening, seat.split()
    words.insert(min(place, len(words)), between + dress.format(SECRET))
    line = f"{verb} {' '.join(words)}{behind}"
    assert where_it_stays(line) == [], line


@pytest.mark.parametrize("seat", SEATS)
def test_a_password_in_a_comment_does_not_stay(seat: str) -> None:
    assert where_it_stays(f"SIGNON {seat} // {SECRET}") == []


def test_a_password_among_the_words_of_a_sign_on_is_not_sent(heron: DeskAtWork) -> None:
    lines = [f"{verb} {place}" for verb in ("SIGNON", "OBSERVE", "JOIN", "sign me on to") for place in ORDERED]
    for line in (
        *lines,
        f"CREATE ?nest standard {SECRET}",
        f"CREATE {SECRET} ?nest",
        f"TAKEOVER {SECRET} heron France",
    ):
        told = heron.would_reply(FAY, f"SIGNON Fheron pwfrance\nPRESS TO GERMANY\n{line}\nENDPRESS\nSIGNOFF\n{line}")
        assert "contains a password" in told.flat and SECRET not in told.text, line


# Nothing but a sentence: no command is in it.
SENTENCES = listed("""
    I want to sign on to Fheron ozmurkel
    I would like to sign on to heron as France with password ozmurkel
    Kim, can you log me in to Fheron ozmurkel
    I am signing on with Fheron ozmurkel
    I'm trying to sign on to Fheron ozmurkel but it fails
    I have signed on to Fheron, ozmurkel, and got no answer
    Yesterday I logged in to heron as France with ozmurkel
    Observe heron ozmurkel
    watch heron ozmurkel
    Join heron ozmurkel
    CREATE ozmurkel nest
    CREATE nest ozmurkel
    CREATE nest ozmurkel standard
    create ?nest ozmurkel
    my password is ozmurkel
    My password is ozmurkel, thanks
    My password is ozmurkel and I play France
    the password for heron is still ozmurkel
    My heron password is ozmurkel.
    Sorry, my password is ozmurkel""")


@pytest.mark.parametrize("line", SENTENCES)
def test_a_password_in_a_sentence_never_leaves(heron: DeskAtWork, line: str) -> None:
    assert where_it_stays(line) == []
    quoted = heron.would_reply(FAY, f"SIGNON Fheron pwfrance\n> {line}\n{line}\nSIGNOFF\n{line}", subject=line)
    assert "ozmurkel" not in quoted.text
    told = heron.would_reply(FAY, f"SIGNON Fheron pwfrance\nPRESS TO GERMANY\n{line}\nENDPRESS")
    assert "contains a password" in told.flat and "ozmurkel" not in told.text


def test_what_people_write_of_a_game_is_sent(heron: DeskAtWork) -> None:
    for line in listed("""
        Watch heron closely
        Join heron soon
        Join heron and win
        Observe heron players
        Sign on to heron tomorrow, please
        We log in to heron daily
        I signed on to Fheron yesterday, but it fails
        I logged in to heron from my phone, and not from home
        I want to sign on to heron to play"""):
        told = heron.would_reply(FAY, f"SIGNON Fheron pwfrance\nPRESS TO GERMANY\n{line}\nENDPRESS")
        assert f"| {line}" in told.text, line


def test_what_is_around_a_sign_on_stays() -> None:
    for before, behind in ("()", "[]", "{}", "<>"):
        line = f"{before}SIGNON Fheron {SECRET}{behind}\n"
        assert kept_text(letter(line)) == line.replace(SECRET, "****")


def test_a_password_among_the_words_of_a_sign_on_is_no_comment(heron: DeskAtWork) -> None:
    for place in ORDERED:
        told = heron.would_reply("kim@example.org", f"SIGNON Mheron gm\nSET COMMENT SIGNON {place}").flat
        assert "Comment not changed: it contains a password" in told, place
    shown = "SIGNON ?heron <your password> to join, or ask Kim to sign you on to heron"
    assert "the comment" in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\nSET COMMENT {shown}").flat


@pytest.mark.parametrize("line", listed("""
    SIGNON ozmurkel@heron
    SIGNON ozmurkel@Fheron
    SIGNON Fheron@ozmurkel
    SIGNON F@heron@ozmurkel
    OBSERVE ozmurkel@heron
    observe ozmurkel heron
    SIGNON heron-France ozmurkel
    SIGNON ozmurkel/Fheron
    SIGNON ?heron"ozmurkel"
    SIGNON Fheron ozmurkel ozmurkel2
    SIGNON Fheron F ozmurkel please"""))  # fmt: skip
def test_a_sign_joins_a_password_to_its_seat(line: str) -> None:
    assert where_it_stays(line) == []


# The names of games are words too, and so are those of commands.
BEGINNINGS = listed("""
    I cannot sign on to
    We watch
    Nobody joins
    The SIGNON line for
    My password for
    You may well observe how
    They say that
    Please tell me why I should join
    What happens if I resign from""")
REST = ["heron", "Fheron", "France", "today", "again", "is", "lost", "and", "broken", "for", "swan", "with", "nothing"]


@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(REST), min_size=3, max_size=9))
def test_a_sentence_loses_no_word(beginning: str, rest: list[str]) -> None:
    line = f"{beginning} {' '.join(rest)}"
    assume("is swan" not in line)  # which says what the password is
    text = f"SIGNON Gheron pwgermany\nPRESS TO FRANCE\n{line}\nENDPRESS\nSIGNOFF\n{line}\n> {line}\n"
    assert kept_text(letter(text)).count(line) == 3


@pytest.mark.parametrize("line", listed("""
    My password is broken
    my password is forgotten, sorry
    Password lost
    The password is wrong
    My password does not work
    my password is broken and I need help
    Sorry, my password is lost
    I cannot sign on to Fheron today
    I cannot sign on to Fheron France
    I want to sign on to heron again
    Watch what heron does next
    Observe how heron goes on
    Join heron players in a new alliance
    Sign me up for the next game please
    Sign me on as a supporter of Italy
    Sign in to heron please and read the map"""))  # fmt: skip
def test_what_is_said_of_passwords_and_games_stays(line: str) -> None:
    text = f"SIGNON Gheron pwgermany\nPRESS TO FRANCE\n{line}\nENDPRESS\nSIGNOFF\n{line}\n> {line}\n"
    assert kept_text(letter(text)).count(line) == 3
