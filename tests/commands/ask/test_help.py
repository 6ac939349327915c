"""HELP is true: its topics, the table of commands and the code say the same."""

import re
from itertools import count
from pathlib import Path

import pytest

from judge.commands.ask import help
from judge.commands.ask.help import TOPICS
from judge.commands.command_table import COMMANDS, READER, SIGNOFF, SLIPS
from judge.commands.core.command import Command, Place, Who
from judge.commands.core.permissions import users
from judge.games.core.acts import ACTS
from judge.games.core.settings import FLAGS
from judge.rules import load_variant, looks_like_order, variant_names
from judge.rules.describe import rulings_of
from judge.rules.parsing.vocabulary import KIND_WORDS, ORDER_WORDS
from judge.rules.variant.variant import rulings_of_every_board
from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat, table

TEXTS = Path(__file__).parents[3] / "templates" / "help"
STANDARD = load_variant("standard")
PLACES = (Place.OPENING, Place.LOBBY, Place.GAME, Place.ANYWHERE)
COMMAND_WORDS = {name.split()[0] for command in COMMANDS for name in command.names}
BODY_LINES = {
    "END", "ELSE IF A GAS", "ELSE", "ENDIF", "ENDPRESS", "ENDBROADCAST", "ENDWHATIF", "Shall we meet in Vienna?",
}  # fmt: skip
# Words in capitals that are no commands: parts of commands, ends of bodies, terms of the field.
TERMS = {
    "END", "ENDPRESS", "ENDBROADCAST", "ENDWHATIF", "FULL", "FROM", "TO", "LINES", "ALL", "BUT", "UTC", "DATC", "GM",
    "VIA", "FE", "JSON", "ELSE", "ENDIF", "AND", "OR", "NOT", "TURKEY", "REPLY", "DIAS", "MTWTF", "NC", "NMR", "SC",
    "NEXT", "CLOCK", "DAYS", "MIN", "DELAY", "AEFG", "DEFAULT",
}  # fmt: skip


HOUSES = count()


def asked(desk: DeskAtWork, text: str) -> str:
    """The answer to one of any number of strangers."""
    return desk.replies(f"al@house{next(HOUSES)}.example", text).text


@pytest.fixture(scope="module")
def told_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """{topic: what is told of it}."""
    desk = DeskAtWork(tmp_path_factory.mktemp("help"), "", {})
    return {topic.name: asked(desk, f"GET {topic.name}") for topic in TOPICS}


def topic_texts() -> dict[str, str]:
    return {topic.name: (TEXTS / f"{topic.name}.txt.j2").read_text() for topic in TOPICS}


def test_every_command_is_in_the_help_with_its_words_and_who_may_use_it(desk):
    told = flat(asked(desk, "HELP commands") + asked(desk, "HELP master"))
    for command in COMMANDS:
        usage = flat(f"{command.names[0]} {command.arguments} {command.summary}")
        also = f" (also: {', '.join(command.names[1:])})" if command.names[1:] else ""
        assert f"{usage}{also} - {users(command)}" in told


def test_help_tells_no_command_that_the_table_does_not_have(desk):
    told = asked(desk, "GET commands").splitlines()
    assert "every command" not in told[0] and not any(line.rstrip().endswith("[anyone]") for line in told)
    usages = [line for line, following in zip(told, told[1:], strict=False) if following.startswith("    ")]
    usages = [line for line in usages if not line.startswith("    ")]
    assert len(usages) == len([command for command in COMMANDS if command.who & ~Who.MASTER])


def test_help_is_one_screen_that_begins_with_what_to_do_now(heron):
    heron.writes("kim@example.org", "CREATE ?gull gm")
    heron.writes("austria@example.org", "SIGNON ?gull pwaustria")
    now = {
        "al@example.org": "To play, register first: send REGISTER, then a line Name: Your Name, then END.",
        "france@example.org": "heron: orders for S1901M are due by Mon May 11 2026 23:30:00 +0000. "
        "Send SIGNON Fheron <password>, then your orders.",
        "kim@example.org": "heron: you are the master. Send SIGNON Mheron <password>, then your commands "
        "(HELP master).",
        "austria@example.org": "gull: it starts when it has enough players.",
    }
    for sender, step in now.items():
        told = heron.replies(sender, "HELP").text
        assert step in flat(told)
        assert len(told.splitlines()) <= 36 and max(map(len, told.splitlines())) <= 78
        assert all(topic.name in told for topic in TOPICS)
        assert "PROCESS" not in told


def test_every_command_stands_below_its_topics(told_of):
    """Those that are about letters themselves are told with all commands alone."""
    told = {topic: flat(text) for topic, text in told_of.items()}
    for command in COMMANDS:
        assert command.topics and set(command.topics) <= told.keys(), command.names
        usage = flat(f"{command.names[0]} {command.arguments} {command.summary}")
        assert command.topics == ("info",) or all(usage in told[topic] for topic in command.topics), command.names
    about_letters = {command.names for command in COMMANDS if command.topics == ("info",)}
    assert about_letters == {command.names for command in (*help.command.commands, SIGNOFF)}


def test_a_command_can_be_asked_for_by_its_name(desk):
    topics = {name for topic in TOPICS for name in (topic.name, *topic.aliases)}
    first_words = {command.names[0].split()[0] for command in COMMANDS}
    told = {word: flat(asked(desk, f"HELP {word}")) for word in first_words if word.lower() not in topics}
    for command in COMMANDS:
        first = command.names[0].split()[0]
        usage = flat(f"{command.names[0]} {command.arguments} {command.summary}")
        assert first not in told or usage in told[first]


SETTINGS = [(command, name) for command in COMMANDS for name in command.names if name.startswith("SET ")]
FLAG_WORDS = (
    "WHITE", "GREY", "WHITE/GREY", "NO PRESS", "PARTIAL", "NO PARTIAL", "RULEBOOK", "NO PRESS RULEBOOK",
    "DIAS", "NO DIAS", "CONCESSIONS",
    "NOCONCESSIONS", "GUNBOAT", "NOT GUNBOAT", "REVEAL", "NO REVEAL", "QUIET",
    "NO QUIET", "LIST", "NOLIST", "APPROVAL", "NO APPROVAL", "MANUALSTART", "AUTOSTART",
    "STRICT PASSWORDS", "NO STRICT PASSWORDS", "OBSERVER PRESS", "OBSERVER PRESS WHITE", "NO OBSERVER PRESS",
    "LATE PRESS", "NO LATE PRESS", "GRACEPRESS", "NO GRACEPRESS", "MANUALPROCESS", "AUTOPROCESS", "STRICTWAIT",
    "NO STRICTWAIT", "ANYCENTERS", "ONECENTER", "HOMECENTERS", "MODERATED", "UNMODERATED", "LATECOUNT", "NO LATECOUNT",
)  # fmt: skip


def flag_rows() -> dict[str, Command]:
    """{a word behind SET: the line of the table that has it}."""
    rows = [command for command in COMMANDS if command.names == ("SET",)]
    return {word: next(row for row in rows if re.fullmatch(row.pattern, f" {word}")) for word in FLAG_WORDS}


def together(desk: DeskAtWork, lines: list[str]) -> str:
    """The answers to all lines, a dozen of which are in a letter, in one line."""
    return " ".join(flat(asked(desk, "\n".join(lines[at : at + 12]))) for at in range(0, len(lines), 12))


def test_every_setting_can_be_asked_for_by_its_key(desk):
    told = together(desk, [f"help {name.lower()}" for _, name in SETTINGS])
    for command, name in SETTINGS:
        own = told.partition(f"How to write {name}:")[2].partition("How to write")[0]
        assert flat(f"{command.names[0]} {command.arguments} {command.summary}") in own, name


def test_every_flag_can_be_asked_for(desk):
    rows = flag_rows()
    told = together(desk, [f"HELP SET {word}" for word in rows])
    for word, row in rows.items():
        assert f"How to write SET {word}: {flat(f'SET {row.arguments} {row.summary}')} - {users(row)}" in told, word
    assert all(any(re.fullmatch(flag.pattern, word) for word in rows) for flags in FLAGS.values() for flag in flags)


def test_a_setting_is_told_with_what_takes_it_back_and_a_whole_line_as_its_setting(desk):
    told = flat(asked(desk, "HELP SET YEAR CAP"))
    assert "SET YEAR CAP <year>" in told and "SET NO YEAR CAP" in told
    assert "SET YEAR CAP <year>" in flat(asked(desk, "GET SET YEAR"))
    assert "SET GROUP <power>" in flat(asked(desk, "HELP SET GROUP Iran Red."))
    grace = flat(asked(desk, "HELP SET GRACE"))
    assert "SET GRACE <hours>" in grace and "SET GRACE <date>" in grace
    assert '"GRUOP" is not a setting. For a list, send HELP SET.' in flat(asked(desk, "HELP SET GRUOP"))


def test_every_topic_and_every_alias_answers_within_78_columns(desk, told_of):
    for topic in TOPICS:
        told = told_of[topic.name]
        assert told.startswith(f"{topic.name.capitalize()}: {topic.title}.")
        assert max(map(len, told.splitlines())) <= 78
        for alias in topic.aliases:
            assert asked(desk, f"SEND {alias}") == told


@pytest.mark.parametrize("path", sorted(TEXTS.parent.rglob("*.txt.j2")), ids=lambda path: path.name)
def test_what_stands_in_a_template_as_it_is_told_has_78_columns(path):
    """A reply would break longer lines, and leave a word alone on the next one; other mails would not."""
    told = [line for line in path.read_text().splitlines() if "{" not in line]
    assert not [line for line in told if len(line) > 78]


@pytest.mark.parametrize("path", sorted(TEXTS.iterdir()), ids=lambda path: path.name)
def test_a_sign_on_to_the_game_of_the_examples_can_be_read(path):
    """In a sentence, too."""
    for target in re.findall(r"\bSIGNON (\S*heron)\b", path.read_text()):
        call = READER.command(f"SIGNON {target} secret", PLACES)
        assert call and isinstance(call.command, Command), target


def test_each_act_stands_in_help_with_what_undoes_it(told_of):
    for act in ACTS.values():
        undone = f" undone by {act.undone}" * (act.undone != "–")
        assert f"{act.name} {act.player.value}{undone}" in flat(told_of["acts"])


def test_there_is_no_text_without_a_topic():
    parts = {"now", "_commands", "_rulings", "command", "topics", "variant", "variant_map", "variant_rules"}
    assert {path.name.partition(".")[0] for path in TEXTS.iterdir()} == parts | {topic.name for topic in TOPICS}


def test_every_example_in_a_topic_can_be_sent(told_of):
    """Indented lines are what people copy: each is a command, an order, or belongs to a form or to press."""
    for line in (line for text in told_of.values() for line in _examples(text)):
        words = re.split(r"\s{3,}", line.strip())[0]
        if words.split()[0] in COMMAND_WORDS:
            call = READER.command(words, PLACES)
            assert call and call.command not in SLIPS, words
        else:
            assert words in BODY_LINES or ": " in words or looks_like_order(STANDARD, words), words


def _examples(text: str) -> list[str]:
    """The indented lines that stand by themselves; those under the usage of a command are its summary."""
    lines = text.splitlines()
    return [
        line for number, line in enumerate(lines) if line.startswith("    ") and _first_of_block(lines, number) == ""
    ]


def _first_of_block(lines: list[str], number: int) -> str:
    """The line above the indented lines among which this one stands."""
    while lines[number].startswith("    "):
        number -= 1
    return lines[number]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_word_in_capitals_is_a_command_or_a_term(topic):
    """A text that names a command which is gone, or not there yet, is found here."""
    known = {word for command in COMMANDS for name in command.names for word in name.split()}
    known |= {word for command in COMMANDS for word in re.findall(r"[A-Z]+", command.arguments)}
    known |= {topic.name.upper() for topic in TOPICS}
    known |= TERMS | set(STANDARD.provinces) | {word.upper() for word in (*ORDER_WORDS, *KIND_WORDS)}
    text = re.sub(r"\{[{%#].*?[}%#]\}", "", topic_texts()[topic.name], flags=re.DOTALL)
    said = set(re.findall(r"\b[A-Z]{2,}\b", text))
    assert said <= known, said - known


def test_an_unknown_topic_is_answered_with_those_there_are(desk):
    told = flat(asked(desk, "GET weather"))
    assert "GET weather was refused." in told
    assert all(topic.name in told for topic in TOPICS)


def test_get_rules_tells_the_rulings_with_their_numbers(desk):
    every = flat(asked(desk, "GET RULES"))
    told = {name: flat(asked(desk, f"GET RULES {name}")) for name in variant_names()}
    for one in rulings_of_every_board():
        assert all(f"{ruling.number}. {ruling.says}" in every for ruling in one.mailed), one.title
        assert not any(ruling.says in every for ruling in one.rulings if not ruling.mailed), one.title
    for name, text in told.items():
        for one in rulings_of(load_variant(name)):
            assert f"{one.title} " in text or not one.mailed
            assert all(f"{ruling.number}. {ruling.says}" in text for ruling in one.mailed), (name, one.title)
            assert not any(ruling.says in text for ruling in one.rulings if not ruling.mailed), (name, one.title)


@pytest.mark.parametrize(
    ("board", "told"),
    table("""
        1900             => A convoyed army attacks at full strength if an unbroken route of fleets leads there
        1900             => Iceland, Ireland and Switzerland are passable (Geography).
        1900             => Palestine has one coast, on the Mediterranean
        1900             => It cuts support like any army.
        ambition_empire  => more points than you have changes none of your bids.
        colonia          => This judge follows the rulebook of 2023
        1648             => at most 2 points on one neutral, and France on only two of them.
        intercontinental => Rules: Intercontinental 1.1.2, December 2024."""),
)
def test_get_rules_tells_what_concerns_the_board(desk, board, told):
    text = desk.replies("al@example.org", f"GET RULES {board}").flat.lower()
    assert text.count(told.lower()) == 1


@pytest.mark.parametrize("word", ["religion", "religious", "catholic", "catholics"])
def test_help_on_religion_names_the_centers_of_each_faith(desk, word):
    told = desk.replies("al@example.org", f"HELP {word}").flat
    assert "Austria, France, Poland & Saxony, Spain, Tuscany, Two Sicilies and Republic of Venice" in told
    assert "Turkey, Algiers, Crimea, Morocco and Tunis are Muslim" in told or "catholic" in word


def test_get_rules_of_all_seven_boards_together_have_at_most_300_lines(desk):
    boards = ("standard", "build_anywhere", "1900", "1648", "ambition_empire", "colonia", "intercontinental")
    assert sum(len(asked(desk, f"GET RULES {board}").splitlines()) for board in boards) <= 300


def test_get_rules_tells_a_rule_once_and_what_a_game_has_set_in_place_of_the_ruling(desk):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?cape gm 1900\nSET READING CONVOYS, CENTERS 20")
    texts = {name: asked(desk, f"GET RULES {name}") for name in ("1648", "1900", "cape", "intercontinental")}
    ruled, chosen = "attacks at full strength if an unbroken route", "In this game: An army that is convoyed to Egypt"
    usual, cape = flat(texts["1900"]), flat(texts["cape"])
    assert ruled in usual and chosen not in usual and ruled not in cape and cape.count(chosen) == 1
    assert "20 of 39 centers" in cape and "4. If two units retreat over such borders" in cape
    early = flat(texts["1648"])
    for word in ("Vassals: ", "Flanders", "comes back", "put at most", "bid at most 2 points", "add up. Unused"):
        assert early.count(word) <= 1 + (word == "comes back"), word
    assert "can never be carried out is rejected." in early and "void on its own" not in early


def test_get_rules_of_a_game_tells_what_its_master_settled_and_nothing_else(desk):
    desk.writes(
        "kim@example.org",
        "REGISTER\nName: Kim\nEND\nCREATE ?heron gm intercontinental\nSET CENTERS 60\nSET SUEZ 1867\nSET YEAR CAP 1875",
    )
    text = desk.replies("al@example.org", "GET RULES heron").flat
    assert "own 60 of 180 centers" in text and "opens in Spring 1867" in text and "the Fall of 1875" in text
    assert "72" not in text and "1870" not in text
