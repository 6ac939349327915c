"""Who is meant: names, letters and lists behind every command that names powers or people."""

import re
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, islice, permutations
from pathlib import Path

import pytest

from judge.games.core.who_is_meant import NotMeant, read_recipients
from judge.rules import Variant, load_variant
from judge.rules.board.names import fold
from judge.rules.variant.registry import built_in_names
from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed, table

ROOT = Path(__file__).parents[3]
FIRST_NAMES = re.findall(r"^(?!#).+$", (ROOT / "tests/data/first_names.txt").read_text(), re.MULTILINE)
PEOPLES = ["BRITONS", "BRITS", "DANES", "DUTCHMEN", "ENGLISHMEN", "FRENCHMEN", "POLES", "SPANIARDS", "SWEDES", "TURKS"]
ROLES = {"MASTER", "OBSERVER", "OBSERVERS", "EVERYBODY", "EVERYONE", "ALL"}


def meant(variant: Variant, text: str) -> str:
    """Letters of the powers, M and O; "?" if nothing is sent."""
    try:
        audience = read_recipients(variant, text)
    except NotMeant:
        return "?"
    powers = [seat.letter for seat in variant.seats if seat.name in audience.powers]
    return "".join(powers) + "M" * audience.masters + "O" * audience.observers


@cache
def english() -> frozenset[str]:
    """Every word of four letters or more in what the judge says and in its documents."""
    files = chain(ROOT.glob("docs/**/*.md"), ROOT.glob("templates/**/*.j2"), ROOT.glob("variants/*/*.txt"))
    return frozenset(word.lower() for file in files for word in re.findall(r"[A-Za-z]{4,}", file.read_text()))


def names_a_power(variant: Variant, word: str) -> bool:
    """Whether the word is a name, an adjective, an alias or a plural of one, or begins one with three letters."""
    said = fold(word)
    names = [name for side in variant.sides for name in side.words]
    plurals = {f"{name}S" for name in names} | {*PEOPLES}
    return said in plurals | ROLES or len(said) > 2 and any(name.startswith(said) for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("board", built_in_names())
def test_no_first_name_and_no_word_sends(board: str):
    """In any case of letters, unless it names a power; capitals are letters as far as they may be run together.

    Each board is asked for a share of the words.
    """
    variant = load_variant(board)
    order = "".join(seat.letter for seat in variant.seats)
    boards = built_in_names()
    words = sorted({*" ".join(FIRST_NAMES).split(), *english()})[boards.index(board) :: len(boards)]
    sent = []
    for word in words:
        for form in {word, word.lower(), word.upper()}:
            letters = form.isupper() and form.isascii() and set(form) <= set(order) and len({*form}) == len(form)
            run = letters and (len(form) <= 3 or form == "".join(sorted(form, key=order.index)))
            if meant(variant, form) != "?" and not run and not names_a_power(variant, form):
                sent.append(form)
    assert not sent


LETTERED = [board for board in built_in_names() if len(load_variant(board).seats[0].letter) == 1]


@pytest.mark.slow
@pytest.mark.parametrize("board", LETTERED)
def test_every_few_letters_and_every_letters_in_order_send(board: str):
    """Three letters that begin a name (GER, FRA) are that power. Of larger boards some are tried."""
    variant = load_variant(board)
    letters = [seat.letter for seat in variant.seats]
    few = ("".join(some) for number in (1, 2, 3) for some in permutations(letters, number))
    many = sorted({4, 5, len(letters) - 1, len(letters)})
    more = ("".join(some) for number in many for some in combinations(letters, number))
    for run in islice(chain(few, more), None, None, 1 if board == "standard" else 5):
        begun = len(run) == 3 and any(name.startswith(run) for side in variant.sides for name in side.words)
        assert {*meant(variant, run)} == {*run} or begun and len(meant(variant, run)) == 1
        assert len(run) == 1 or begun or meant(variant, run.lower()) == "?"
        assert meant(variant, f"{run}M") == "?" or f"{run}M" in ("GM", "GERM")
        assert meant(variant, f"O{run}") == "?"


def test_four_letters_out_of_order_do_not_send():
    variant = load_variant("standard")
    for some in combinations("AEFGIRT", 4):
        for run in permutations(some):
            assert (meant(variant, "".join(run)) == "?") == (list(run) != sorted(run))


@pytest.mark.parametrize("board", built_in_names())
def test_what_a_refusal_suggests_is_read(board: str):
    variant = load_variant(board)
    names = [seat.name for seat in variant.seats[:2]]
    wrong = ("Xyzzy", f"{names[0][:4]}x", "all but", "a", "message", "then its text", "MO", "x y z")
    for words in permutations([*names, *wrong], 2):
        suggested: Sequence[str] = ()
        try:
            read_recipients(variant, " ".join(words))
        except NotMeant as refusal:
            suggested = refusal.instead
        assert "?" not in [meant(variant, one) for one in suggested], words


def test_a_long_list_is_read_in_linear_time():
    variant = load_variant("ambition_empire")
    for text in ("Poland & " * 4000, "x" * 40000, "e " * 20000, "Great " * 8000, "and " * 9000, ", " * 20000):
        started = time.process_time()
        meant(variant, text)
        assert time.process_time() - started < 2


BENCH = {
    "standard": """
        ? = Greta; GRETA; greta; Maria; Tom; TOM; Rome; team; me; ME; us; great; tiger; the; ; gf; Fg; GFEA; FF
        ? = FGM; MO; RFO; fr; Russia e Austria; RUSSIA E AUSTRIA; France o Turkey; France e; Italy or Germany
        ? = ALL E; ALL, E; E, ALL; ALL -E; ALL !E; ALL - E; E RE: T; England RE Germany; E: T; FG, F; E?
        ? = England ?; E RE: Turkey; Italy and to Germany; a friend; France, Engand; PÄR; ÁFR
        E = e; E; E, e, England; "E": ; GreatBritain; Éngland
        EF = f, e; Great Britain France
        EFG = f e g; GFE
        FG = FG; F & G; the Germans and the French; F/G
        AEFG = AEFG
        FM = F, M; F M
        FGM = FG and M
        M = m; GM
        O = o
        T = the Turks; Ottomans; Türkey
        A = Austrians; Austro-Hungarian; Austria-Hungary
        I = Italian; ITALIANS; ital
        ET = Great Britain, Ottoman Empire
        G = Ger
        F = 'France'; France.
        AEFGIRTMO = ALL; everyone; ALL, M; ALL & O
    """,
    "colonia": """
        T = Ottomans; Turkey; the Turkish
        N = Holland; Dutch; Dutchmen
        TR = Ottoman Empire Russia
        E = British
        S = Spaniards
        P = por
    """,
    "1900": """
        B = England; english
        A = Hungary; the Austro-Hungarians
        ? = BE
    """,
    "1648": """
        D = Danes
        P = Polish
        R = Muscovites
        E = Commonwealth of England
        ? = common
    """,
    "ambition_empire": """
        XP = Poland & Saxony & Prussia
        X = Poland and Saxony; Poland&Saxony; Saxons
        BF = Britain & Hanover, France
        DW = Norwegians and Swedes
    """,
    "intercontinental": """
        V = Violet
        B = Blues; Canada; UK; India; the British Raj
        BG = BG; Green, Blue
        BT = BT
        ? = GB; BR; us; US; me; it; so; Mexico; Maria; Great
        N = Mar
        L = Siberians
    """,
}


CASES = [
    (board, text.strip(), who)
    for board, rows in BENCH.items()
    for who, _, texts in (row.partition(" = ") for row in listed(rows))
    for text in texts.split(";")
]


@pytest.mark.parametrize(("board", "text", "who"), CASES)
def test_a_list_means_just_these(board: str, text: str, who: str):
    assert sorted(meant(load_variant(board), text)) == sorted(who)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *table("""
        Engand           => Did you mean England? Write PRESS TO England.
        fg               => If you mean letters of powers, write capitals. Write PRESS TO FG.
        GFEA             => write four or more in the order of LIST. Write PRESS TO AEFG.
        fr               => Did you mean France? Write PRESS TO France or PRESS TO FR.
        Russia e Austria => A letter needs commas. Write PRESS TO Russia, E, Austria.
        Zanzibar         => Write PRESS TO Austria, England or PRESS TO AE (M is the master, O the observers)."""),
        ("France, Tukey", 'Tukey" is neither a power of this game nor letters of powers, so nothing was sent. '
                          "Did you mean Turkey? Write PRESS TO France, Turkey."),
        ("FGM", "M (the master) and O (the observers) are written separately, not as in \"FGM\", so "
         "nothing was sent. Write PRESS "
                "TO FG, M."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_wrong_and_what_to_write(heron: DeskAtWork, text: str, told: str):
    mails = heron.writes("italy@example.org", f"SIGNON Iheron pwitaly\nPRESS TO {text}\nHello\nENDPRESS")
    assert [mail.to for mail in mails] == ["italy@example.org"]
    assert told in mails[0].flat


# --- every word that GET RULES and the file of a variant promise, in every command ----------------------------------


def words_of(variant: Variant, seat: str) -> Iterator[str]:
    """The words for a seat, as they are written: name, adjective, aliases, and a plural."""
    for side in variant.sides:
        if variant.seat_of(side.name) == seat:
            aliases = getattr(side, "aliases", ())
            yield from dict.fromkeys((side.name, side.adjective, *aliases, f"the {side.adjective}s"))


@pytest.mark.slow
@pytest.mark.parametrize("board", built_in_names())
def test_every_alias_is_understood_by_press_votes_and_signon(desk: DeskAtWork, board: str):
    desk.seat_all("heron", board, "SET NODIAS\n")
    variant = load_variant(board)
    for seat in variant.seats:
        user = re.split(r"\W", seat.name.lower())[0]
        words = [*words_of(variant, seat.name)]
        other = next(one.name for one in variant.seats if one is not seat)
        lines = "".join(f"PRESS TO {word}\nTo you.\nENDPRESS\n" for word in words)
        mails = desk.writes("kim@example.org", f"SIGNON Mheron gm\n{lines}")
        assert [mail.to for mail in mails].count(f"{user}@example.org") == len(words), words
        assert len(mails) == len(words) + 1
        some = words[::2]
        votes = "".join(f"SIGNON {word.replace(' ', '_')}@heron pw{user}\nSET DRAW {word}, {other}\n" for word in some)
        told = desk.replies(f"{user}@example.org", votes).flat
        assert told.count("is recorded for this phase") == len(some) and "refused" not in told, (some, told)


# --- people ---------------------------------------------------------------------------------------------------------

GRETA = "france@example.org"


def with_people(desk: DeskAtWork, settings: str = "") -> None:
    """A game in which Greta Garbo plays France, Otto Weil Germany, and Francis Turkey."""
    desk.goes_on(("people", settings), lambda: _people_join(desk, settings))


def _people_join(desk: DeskAtWork, settings: str) -> None:
    names = {"France": "Greta Garbo", "Germany": "Otto Weil", "Turkey": "Francis England"}
    desk.writes("Kim Doe <kim@example.org>", f"REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard\n{settings}")
    for power in desk.deal("heron"):
        user = power.lower()
        register = f"REGISTER\nName: {names.get(power, f'{power} Roe')}\nEND"
        desk.writes(f"{user}@example.org", f"{register}\nSIGNON ?heron pw{user}")
    desk.new_mails()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("PRESS TO Greta", "Nothing was sent. Greta plays France: write PRESS TO France."),
        ("PRESS TO Garbo", "Garbo plays France: write PRESS TO France."),
        ("PRESS TO greta garbo", "Greta plays France: write PRESS TO France."),
        ("PRESS TO Russia, GRETA", "GRETA plays France: write PRESS TO Russia, France."),
        ("PRESS TO ALL BUT Greta", "Greta plays France: write PRESS TO ALL BUT France."),
        ("PRESS TO Otto", "Otto plays Germany: write PRESS TO Germany."),
        ("PRESS TO Kim", "Kim is the master: write PRESS TO M."),
        ("SET CONCEDE Greta", "Greta plays France: write SET CONCEDE France."),
    ],
)
def test_a_person_is_asked_back_with_the_power(desk: DeskAtWork, line: str, told: str):
    """Otto is the beginning of Ottoman, too."""
    with_people(desk)
    mails = desk.writes("italy@example.org", f"SIGNON Iheron pwitaly\n{line}\nHello\nENDPRESS")
    assert [mail.to for mail in mails] == ["italy@example.org"]
    assert told.lower() in mails[0].flat.lower()


@pytest.mark.parametrize(
    ("line", "told"),
    table("""
        EJECT Greta       => Greta plays France: write EJECT France.
        EJECT Otto        => Otto plays Germany: write EJECT Germany.
        BECOME Garbo      => Garbo plays France: write BECOME France.
        SET DISORDER Weil => Weil plays Germany: write SET DISORDER Germany.
        EJECT Engand      => Did you mean England? Write EJECT England.
        EJECT it          => "it" is not a power of Standard Diplomacy. Did you mean Italy? Write EJECT Italy.
        EJECT France?     => The question mark makes this unclear. Write EJECT France.
        BECOME France?    => The question mark makes this unclear. Write BECOME France.
        BECOME fr         => Did you mean France? Write BECOME France."""),
)
def test_a_master_is_asked_back_too(desk: DeskAtWork, line: str, told: str):
    with_people(desk)
    mails = desk.writes("kim@example.org", f"SIGNON Mheron gm\n{line}")
    assert told in mails[-1].flat and len(mails) == 1
    assert "Greta Garbo" in desk.replies("kim@example.org", "LIST heron").flat


def test_a_sign_on_is_asked_back_too(desk: DeskAtWork):
    with_people(desk)
    told = desk.replies(GRETA, "SIGNON Greta@heron pwfrance\nA PAR - BUR").flat
    assert "Greta plays France: write SIGNON Fheron <password>." in told
    assert "Did you mean France? Write SIGNON Fheron <password>." in desk.replies(GRETA, "SIGNON Frence@heron x").flat


@pytest.mark.parametrize("settings", ["SET GUNBOAT\n", "SET GUNBOAT, QUIET\n"])
def test_a_gunboat_game_does_not_say_who_is_called_so(desk: DeskAtWork, settings: str):
    """Neither in an answer, nor in the copy that a player gets of what the master does in their place."""
    with_people(desk, settings)
    for line in ("PRESS TO Greta\nHello\nENDPRESS", "SET CONCEDE Greta", "SIGNON Greta@heron x"):
        mails = desk.writes("italy@example.org", f"SIGNON Iheron pwitaly\n{line}")
        assert len(mails) == 1 and "plays" not in mails[0].text and "SIGNON Fheron" not in mails[0].text
    mails = desk.writes("kim@example.org", "SIGNON Mheron gm\nBECOME Italy\nPRESS TO Greta\nHello\nENDPRESS")
    assert mails and not any("plays France" in mail.text for mail in mails)
    told = desk.replies("kim@example.org", "SIGNON Mheron gm\nPRESS TO Greta\nHello\nENDPRESS").flat
    assert "Greta plays France: write PRESS TO France." in told


def test_a_quiet_game_does_not_say_that_somebody_has_left(desk: DeskAtWork):
    with_people(desk, "SET QUIET\n")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT France")
    told = desk.replies("italy@example.org", "SIGNON Iheron pwitaly\nPRESS TO Greta\nHello\nENDPRESS").flat
    assert "Greta plays France: write PRESS TO France." in told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("EJECT the Turks", "Turkey is no longer in heron."),
        ("EJECT Ottoman Empire", "Turkey is no longer in heron."),
        ("BECOME Great Britain", "the lines after this are carried out as England"),
        ("EJECT Turkey\nSET DISORDER Ottoman Empire", "Turkey is in civil disorder"),
    ],
)
def test_a_master_may_use_every_name(heron: DeskAtWork, line: str, said: str):
    assert said in heron.replies("kim@example.org", f"SIGNON Mheron gm\n{line}").flat


@pytest.mark.parametrize(
    "signon", ["Poland and Saxony heron", "Poland & Saxony heron", "Poland & Saxony@heron", "the Saxons@heron"]
)
def test_names_of_several_words_sign_on(desk: DeskAtWork, signon: str):
    desk.seat_all("heron", "ambition_empire")
    assert "your vote" in desk.replies("poland@example.org", f"SIGNON {signon} pwpoland\nSET DRAW").flat


@pytest.mark.parametrize(
    ("wish", "kept"),
    [("Greta", ""), ("the Turks, Italians", "Turkey, then Italy"), ("feg", "France, then England, then Germany")],
)
def test_a_preference_knows_the_same_names(desk: DeskAtWork, wish: str, kept: str):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm standard")
    told = desk.replies("a@example.org", f"REGISTER\nName: A\nEND\nSIGNON ?heron pwpw\nSET PREFERENCE {wish}").flat
    assert f"preference saved: {kept}" in told if kept else "Your earlier preference is unchanged" in told
