"""First letters of people who know no command: answered in their language, about the game that they name."""

import re
import tomllib
from pathlib import Path

import pytest

from judge.mails.languages import language_of, languages_in
from judge.mails.templates import TEMPLATES, template_faults
from judge.store.engine import transaction
from judge.store.games import game_named
from tests.commands.deskatwork import DeskAtWork
from tests.texts import mapped

LANGUAGES = languages_in(TEMPLATES)
# What beginners write; "en": an English welcome.
LETTERS = """
de: Hallo, ich würde gern bei einem Spiel mitmachen. Wie geht das?
de: Guten Tag, ich habe im Internet von eurem Richter gelesen. Gibt es noch freie Plätze?
de: Moin! Wie kann ich mich anmelden? Ich moechte Frankreich spielen. Gruss, Jo
de: hilfe
fr: Bonjour, je voudrais jouer à Diplomacy mais je ne sais pas comment m'inscrire.
fr: Salut, est-ce qu'il reste une place dans une partie ? Merci d'avance, Luc
fr: Je débute
fr: Un ami m'a parlé de ce site. Comment ça marche ?
es: Hola, quiero jugar una partida. ¿Cómo me apunto?
es: Buenos días: me gustaría participar con dos amigos. ¿Qué debo hacer? Saludos
es: Soy principiante y no entiendo las reglas, ¿me pueden ayudar?
it: Ciao, vorrei partecipare a una partita. Come faccio?
it: Buongiorno, ho trovato questo indirizzo e mi piacerebbe giocare. Grazie
it: Non ho capito come funziona, potete aiutarmi?
nl: Hoi, ik wil graag meedoen met een potje. Hoe werkt dat?
nl: Beste meneer, hoe kan ik mij aanmelden voor het spel? Met vriendelijke groet, Piet
nl: Is er nog een plek vrij voor mij en een vriend?
pl: Cześć, chciałbym zagrać w Diplomacy. Jak się zapisać?
pl: Dzień dobry, jestem początkująca i szukam rozgrywki. Proszę o pomoc.
pl: Czesc, jak moge dolaczyc do gry?
pt: Olá, gostaria de jogar. Como faço para participar?
pt: Boa tarde! Ainda há vagas para uma partida? Obrigado
pt: Oi, eu nao sei como me inscrever. Alguem pode me ajudar?
sv: Hej! Jag vill gärna vara med i ett parti. Hur gör jag?
sv: God dag, jag har hört om spelet av en vän. Finns det någon plats ledig? Mvh Åsa
sv: hur anmäler man sig
ru: Здравствуйте! Хочу играть в Diplomacy. Как зарегистрироваться?
ru: Привет
ru: Помогите, пожалуйста, я ничего не понимаю.
ja: はじめまして。参加したいのですが、どうすればいいですか？
ja: Diplomacyのゲームに入りたいです
ja: heron というゲームに参加できますか
ja: Diplomacy 初心者です
en: Hello, I would like to join a game.
en: Bonjour, I would like to join a game. Merci, Jo
en: Guten Tag! How do I sign up for a game?
en: Dear judge, please put me on the list. Best regards, Jürgen Groß
en: Hi all, my friend Иван said you run games by email here. Can I play?
en: I can read 日本語 and かな and the rules, but where do I start?
en: I can read 日本語 and the rules, but where do I start?
en: Moi, haluaisin liittyä peliin. Miten se onnistuu?
da: Hej, jeg vil gerne være med i et spil. Hvordan gør jeg?
en: Ahoj, chtěl bych si zahrát. Jak se mohu přihlásit?
en: Szia, szeretnék játszani. Hogyan lehet csatlakozni?
en: ok
"""


@pytest.mark.parametrize("row", LETTERS.strip().split("\n"))
def test_beginners_are_welcomed_in_their_language(desk: DeskAtWork, row: str) -> None:
    language, _, text = row.partition(": ")
    told = desk.would_reply("jo@example.org", text).text
    lines = LANGUAGES[language].text
    assert told.startswith("\n".join([*lines, "", "Welcome to the Diplomacy"]) if lines else "Welcome to the Diplomacy")
    assert len(lines) == (0 if language == "en" else 3) and "    STANDBY\n" in told
    # As the subject of a letter without a text, and below one that says nothing.
    assert desk.would_reply("jo@example.org", "", subject=text).text.startswith(told[:40])
    assert desk.would_reply("jo@example.org", text, subject="Diplomacy").text.startswith(told[:40])


def test_each_language_has_words_of_its_own(desk: DeskAtWork) -> None:
    for name, language in LANGUAGES.items():
        assert language_of("\n".join(language.text), LANGUAGES) is language or not language.text, name
        assert all(len(line) <= 78 for line in language.text), name


@pytest.mark.parametrize(
    "text",
    ["Guten Morgen, lieber Richter,\nA PAR - BUR\nF BRE - MAO", "Hallo!\nVielen Dank und viele Grüße\nPAR - BUR"],
)
def test_orders_below_a_greeting_are_no_first_letter(heron: DeskAtWork, text: str) -> None:
    for sender, signon in (("france@example.org", "SIGNON Fheron <password>"), ("jo@example.org", "SIGNON F<game>")):
        told = heron.would_reply(sender, text).text
        assert told.startswith("Your email has orders but no SIGNON line") and signon in told
        assert "Willkommen" not in told and "Welcome" not in told
    signed = heron.would_reply("france@example.org", f"Guten Tag lieber Richter\nSIGNON Fheron pwfrance\n{text}").text
    assert "Willkommen" not in signed and "Welcome" not in signed


def test_a_keeper_adds_a_language_by_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "templates"
    (folder / "welcome").mkdir(parents=True)
    (folder / "welcome" / "fi.toml").write_text('words = "haluaisin peliin miten liittyä"\ntext = "Tervetuloa!"')
    (folder / "welcome" / "de.toml").write_text('words = "hallo ich"\ntext = "Servus!"')
    (folder / "welcome" / "da.toml").write_text('wordz = "jeg"')
    (folder / "welcome" / "no.toml").write_text("jeg\n")
    desk = DeskAtWork(tmp_path, "", {"JUDGE_JUDGE_TEMPLATES": str(folder)})
    assert desk.would_reply("jo@example.org", "Haluaisin liittyä peliin").text.startswith("Tervetuloa!\n\nWelcome")
    assert desk.would_reply("jo@example.org", "Hallo, ich bin neu").text.startswith("Servus!\n\nWelcome")
    assert desk.would_reply("jo@example.org", "Hola, quiero jugar").text.startswith("¡Hola!")
    faults = [str(fault).replace(f"{folder}/welcome/", "") for fault in template_faults(folder)]
    assert len(faults) == 2 and "da.toml: wordz: write a text" in faults[0] and faults[1].startswith("no.toml: ")


def test_the_files_have_nothing_but_texts() -> None:
    assert not template_faults(TEMPLATES)
    for path in (TEMPLATES / "welcome").glob("*.toml"):
        assert tomllib.loads(path.read_text("utf-8")).keys() >= {"text", "words", "game", "any_game"}, path


# A game that is named: what is said of it, and which game is offered.
NAMED = """
I would like to join crane                          => SIGNON ?crane
Kann ich bei der Partie crane noch mitspielen?      => SIGNON ?crane
Crane sounds like fun!                              => SIGNON ?crane
May I join heron, osprey or crane?                  => heron has started. For the results ... SIGNON ?crane
Is there room for me in heron?                      => heron has started. For the results, send OBSERVE ... ?albatross
¿Puedo entrar en la partida heron?                  => heron has started. ... ?albatross
I want to play Turkey in osprey                    => osprey has ended. ... ?albatross
May I join egret?                                   => egret is full. It will start when ... ?albatross
My friends play in a game called boar, can I come?  => boar is not in the list of games: ask its master ... ?albatross
I'd like to join game pelican please                => There is no game "pelican" here. ... ?albatross
Ich möchte in der Partie "pelikan" mitspielen       => There is no game "pelikan" here. ... ?albatross
Is there a game called stork?                       => There is no game "stork" here. ... ?albatross
Est-ce que je peux rejoindre la partie cigogne ?    => There is no game "cigogne" here. ... ?albatross
Я хочу играть в игру Журавль                        => There is no game "журавль" here. ... ?albatross
хочу присоединиться к игре под названием аист       => There is no game "аист" here. ... ?albatross
falke ゲームに参加したい                            => There is no game "falke" here. ... ?albatross
「falke」というゲームに参加したいです               => There is no game "falke" here. ... ?albatross
ゲームfalkeに参加したい                             => There is no game "falke" here. ... ?albatross
"""
UNNAMED = """
I want to play the game with my friends tonight
I would like to play a game online
Is this the game Diplomacy? My brother told me of a new game Colonia
Thank you for the game. Maxim
Je cherche une partie
Ich suche eine neue Partie Diplomacy
Я хочу играть в игру с друзьями
Хочу играть в игру Дипломатия
Игра началась?
Diplomacyのゲームに参加したい
ゲームのルールを教えてください
"""


@pytest.fixture
def aviary(heron: DeskAtWork) -> DeskAtWork:
    """Games of all states, of which albatross is the first that LIST offers."""
    for number, (name, more) in enumerate(
        {"albatross": "", "crane": "", "egret": "SET MANUAL START", "boar": "SET NOLIST", "osprey": ""}.items()
    ):
        heron.writes(f"m{number}@example.org", f"REGISTER\nName: Master {name}\nEND\nCREATE ?{name} gm\n{more}")
    with transaction(heron.engine) as session:
        game = game_named(session, "osprey")
        assert game
        game.state = "finished"
    for number in range(7):
        heron.writes(f"p{number}@example.org", f"REGISTER\nName: Player {number}\nEND\nSIGNON ?egret pw{number}")
    return heron


def test_a_game_that_is_named_is_answered_for(aviary: DeskAtWork) -> None:
    for text, told in mapped(NAMED).items():
        reply = aviary.would_reply("jo@example.org", text).flat
        assert all(words in reply for words in told.split(" ... ")), f"{text}\n{reply}"
        assert len(re.findall(r"SIGNON \?", reply)) == 1
    for text in UNNAMED.strip().split("\n"):
        reply = aviary.would_reply("jo@example.org", text).flat
        assert "There is no game" not in reply and "?albatross" in reply, reply
    # Who plays in it is not told that it is closed.
    assert "has started" not in aviary.would_reply("france@example.org", "How is heron going?").flat


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("help me", ""),
        ("Help me!", "I don't know what to do.\n"),
        ("HELP PLEASE", "\n"),
        ("please help", "My name is Jo."),
        ("How do I join?", "Thanks!"),
        ("a question", "Help!"),
        ("", "please help me"),
        ("HELP", ""),
        ("Re[2]: help me", ""),
    ],
)
def test_help_me_is_help(heron: DeskAtWork, subject: str, text: str) -> None:
    told = heron.would_reply("jo@example.org", text, subject=subject).text
    assert told.startswith("How to write to this judge.\n")
    assert "was not read" not in told


def test_help_begins_in_the_language_of_the_letter(desk: DeskAtWork) -> None:
    told = desk.would_reply("jo@example.org", "Ich verstehe nichts, bitte!", subject="help me").text
    first, *others = LANGUAGES["de"].text
    assert told.startswith("\n".join([first, "", *others, "", "How to write to this judge."]))


@pytest.mark.parametrize(
    ("subject", "text", "told"),
    [
        ("help me take Belgium", "Hello!", "Welcome to the Diplomacy judge"),
        ("Re: help me", "A PAR - BUR", "Your email has orders but no SIGNON line"),
        ("help me", "A PAR - BUR", "Your email has orders but no SIGNON line"),
        ("help me", "LIST", "1 game on this judge"),
    ],
)
def test_what_is_no_plea_for_help(heron: DeskAtWork, subject: str, text: str, told: str) -> None:
    assert heron.would_reply("jo@example.org", text, subject=subject).text.startswith(told)
