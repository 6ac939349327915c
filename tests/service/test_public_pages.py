"""What anybody may read on the pages of [public] folder, and nothing else."""

import re
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

from sqlmodel import select

from judge.service.public_pages import PublicPages
from judge.shell import upkeep
from judge.shell.calling import carry_out
from judge.shell.upkeep import forget
from judge.store.engine import transaction
from judge.store.tables import Game, Press
from tests.commands.deskatwork import DeskAtWork

FRANCE, KIM = "france@example.org", "kim@example.org"


def rewritten(pages: PublicPages, web: Path) -> int:
    """Write the pages; return of how many games they were written anew."""
    before = {page.stat().st_mtime_ns for page in web.glob("games/*/index.html")}
    pages.write()
    return len({page.stat().st_mtime_ns for page in web.glob("games/*/index.html")} - before)


def test_pages_show_what_a_stranger_may_know_and_nothing_else(tmp_path: Path, capsys):
    web = tmp_path / "web"
    where = {"JUDGE_PUBLIC_FOLDER": str(web), "JUDGE_PUBLIC_ADDRESS": "https://games.example.org/"}
    desk = DeskAtWork(tmp_path, "", where)
    # Surnames, since names of powers are everywhere.
    desk.seat_all("heron", "standard", "", " Heronson")
    desk.seat_all("gull", "standard", "SET GUNBOAT", " Gullson")
    desk.seat_all("swan", "standard", "SET UNLISTED", " Swanson")
    desk.writes(KIM, "CREATE ?egret gm")
    starts = {mail.subject: re.sub(r"\s+", " ", mail.text) for mail in desk.new_mails() or desk.all_mails()}
    said = {game: starts[f"JUDG:{game} - S1901M Game Starting"] for game in ("heron", "gull", "swan")}
    published = "Each processed phase of this game is published on the web at https://games.example.org/"
    assert published in said["heron"] and "only if you send SET PUBLIC NAME ON" in said["heron"]
    assert published in said["gull"] and "PUBLIC NAME" not in said["gull"] and published not in said["swan"]
    pages = PublicPages(desk.engine, desk.services)
    assert pages.write() == (3, 0)
    index = (web / "index.html").read_text()
    assert "egret" in index and "heron" in index and "swan" not in index and 'content="noindex"' in index

    for game in ("heron", "gull", "swan"):
        press = "PRESS TO I\npssst secret\nENDPRESS\nBROADCAST\nPeace & <b>joy</b>!\nENDBROADCAST"
        desk.writes(FRANCE, f"SIGNON F{game} pwfrance\nSET PUBLIC NAME ON\nA PAR - BUR\n{press}")
    desk.ring(desk.now + timedelta(days=30))
    desk.writes(FRANCE, "SIGNON Fheron pwfrance\nA BUR - MUN\nBROADCAST\nhear the open phase\nENDBROADCAST")
    assert rewritten(pages, web) == 2 and rewritten(pages, web) == 0 and pages.write() == (3, 2)
    files = {str(file.relative_to(web)): file.read_text() for file in web.rglob("*") if file.is_file()}
    whole = "\n".join(files.values())
    heron, gull = files["games/heron/index.html"], files["games/gull/index.html"]
    assert "Army Paris → Burgundy." in heron and "Army Paris → Burgundy." in gull
    assert "Heronson" not in gull
    assert "Broadcast from France:" in heron and "Peace &amp; &lt;b&gt;joy&lt;/b&gt;!" in heron
    assert "France Heronson" in heron and "Heronson" not in heron.replace("France Heronson", "")
    hidden_words = (
        "Gullson",
        "Swanson",
        "swan",
        "secret",
        "hear the",
        "pwfrance",
        "france@",
        "-&gt; Munich",
        "→ Munich",
        KIM,
    )
    for hidden in hidden_words:
        assert hidden not in whole, hidden
    maps = re.findall(r'src="([^"]+)"', heron)
    assert maps and all(files[f"games/heron/{name}"].startswith("<svg") for name in maps)
    feed = ElementTree.fromstring(files["feed.xml"])
    links = [one.get("href", "") for one in feed.iter("{http://www.w3.org/2005/Atom}link")]
    assert "https://games.example.org/games/heron/index.html#p1" in links and 'id="p1"' in heron
    ids = [one.text for one in feed.iter("{http://www.w3.org/2005/Atom}id")]
    assert len(ids) == len({*ids}) == 3

    desk.writes(FRANCE, "SIGNON Fheron pwfrance\nSET PUBLIC NAME OFF")
    desk.writes(KIM, "SIGNON Mgull gm\nSET UNLISTED")
    (web / "games" / "gull" / "mine.txt").write_text("the keeper's own")
    assert carry_out(upkeep.publish, desk.settings) == 0
    assert "2 listed games, 1 with results: " in capsys.readouterr().out
    assert "Heronson" not in (web / "games" / "heron" / "index.html").read_text()
    assert [file.name for file in (web / "games" / "gull").iterdir()] == ["mine.txt"]
    assert "gull" not in (web / "index.html").read_text() + (web / "feed.xml").read_text()


def test_without_a_folder_there_are_no_pages(tmp_path: Path, capsys):
    desk = DeskAtWork(tmp_path, "", {})
    assert carry_out(upkeep.publish, desk.settings) == 2
    assert "[public] folder in judge.ini is empty" in capsys.readouterr().err


def test_bids_the_open_phase_and_people_who_were_forgotten_are_not_on_pages(tmp_path: Path, capsys):
    web = tmp_path / "web"
    desk = DeskAtWork(tmp_path, f"sqlite:///{tmp_path}/judge.db", {"JUDGE_PUBLIC_FOLDER": str(web)})
    desk.seat_all("heron", "standard", "", " Doe")
    desk.seat_all("tern", "ambition_empire", "SET QUIET", " Doe")
    desk.writes("spain@example.org", "SIGNON Spain@tern pwspain\nSET PUBLIC NAME ON\nDP 2: A SWI H\nDP NONE\nA MAD H")
    desk.writes(FRANCE, "SIGNON Fheron pwfrance\nSET PUBLIC NAME ON\nA PAR - BUR")
    desk.ring(desk.now + timedelta(days=30))
    desk.writes("spain@example.org", "SIGNON Spain@tern pwspain\nDP 1: A SWI H\nA MAD - POR")
    pages = PublicPages(desk.engine, desk.services)
    assert rewritten(pages, web) == 2

    def shown(game: str) -> str:
        return "\n".join(file.read_text() for file in web.rglob("*") if file.is_file() and game in str(file))

    tern = shown("tern") + shown("feed") + (web / "index.html").read_text()
    assert "Army Madrid HOLD" in tern and "Switzerland" in tern
    assert not re.search(r" Doe\b|\bDP\b|\d points?\b|Madrid (-&gt;|→) Portugal", tern)
    # Only the page of the game that has changed is written anew.
    desk.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert rewritten(pages, web) == 1

    assert "France Doe" in shown("heron")
    desk.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    desk.writes(KIM, "SIGNON Mtern gm\nTERMINATE tern")
    assert carry_out(forget, desk.settings, FRANCE) == 0
    assert "France Doe" not in shown("heron") and "Army Paris → Burgundy." in shown("heron")


def test_pages_load_nothing_from_elsewhere_and_hold_no_character_that_is_none(tmp_path: Path):
    """Letters are cleaned of them; older texts may hold them."""
    web = tmp_path / "web"
    desk = DeskAtWork(tmp_path, "", {"JUDGE_PUBLIC_FOLDER": str(web)})
    desk.seat_seven()
    desk.writes(FRANCE, "SIGNON Fheron pwfrance\nA PAR \ufffe- BUR\uffff\nBROADCAST\nHi \ufffe\uffff!\nENDBROADCAST")
    with transaction(desk.engine) as session:
        (press,) = session.exec(select(Press)).all()
        assert press.text == "Hi !"
        press.text = "Older \ufffe\uffff\x01\x0b!"
        game = session.exec(select(Game)).one()
        game.result = "\ufffe\x02won"
    desk.ring(desk.now + timedelta(days=30))
    PublicPages(desk.engine, desk.services).write()
    pages = {file.name: file.read_text() for file in web.rglob("*") if file.is_file()}
    heron = (web / "games" / "heron" / "index.html").read_text()
    assert "Older !" in heron and "Army Paris → Burgundy." in heron
    for name, text in pages.items():
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text), name
        assert not name.endswith("html") or "default-src 'none'" in text.partition("<title>")[0]
    ElementTree.fromstring(pages["feed.xml"])


def test_a_page_says_first_what_a_game_is_about_and_how_to_join_or_watch_it(tmp_path: Path):
    web = tmp_path / "web"
    desk = DeskAtWork(tmp_path, "", {"JUDGE_PUBLIC_FOLDER": str(web)})
    desk.seat_seven()
    desk.writes(KIM, "SIGNON Mheron gm\nSET COMMENT For friends <3\nPROCESS!")
    desk.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    desk.writes(KIM, "SIGNON Mheron gm\nEJECT turkey@example.org\nCREATE ?gull gm\nSET COMMENT For beginners")
    pages = PublicPages(desk.engine, desk.services)

    def page(name: str = "games/heron/index.html") -> str:
        pages.write()
        return (web / name).read_text()

    about = page().partition('<section id="p')[0]
    due = f"{desk.phase().deadline_at:%b %-d %Y %H:%M:%S}"
    for told in ("S1902M: orders are due by", due, "For friends &lt;3", "SIGNON%20Theron", "OBSERVE%20heron"):
        assert told in about, told
    assert "Kim" not in about and "does not show a name here" in about
    desk.writes(KIM, "SIGNON Mheron gm\nSET PUBLIC NAME ON\nSET COMMENT Anew\nSET DEADLINE 2026-06-20 21:00")
    about = page().partition('<section id="p')[0]
    assert "<dd>Kim Doe</dd>" in about and "Anew" in about and "Jun 20 2026 21:00:00" in about
    index = page("index.html")
    assert "SIGNON%20%3Fgull" in index and "For beginners" in index and "7 more players needed." in index
    # One main part, phases in one order, results as a page, and what can be scrolled is reached by keyboard.
    for text in (page(), index, page("statistics.html")):
        assert text.count("<main>") == text.count("<h1>") == 1
        assert text.count('class="wide"') == len(
            re.findall(r'class="wide" tabindex="0" role="region" aria-label="', text)
        )
    text = page()
    assert re.findall(r'href="#p(\d)"', text) == re.findall(r'<section id="p(\d)">', text) == ["2", "1"]
    assert "Subject:" not in text and re.findall(r"<h(\d)", text)[:3] == ["1", "2", "3"]
    assert re.search(r'<img src="[^"]+" style="min-width:[789]\d\dpx"', text), "names on the map can be read on a phone"


def test_statistics_name_only_people_whom_pages_name(tmp_path: Path):
    web = tmp_path / "web"
    desk = DeskAtWork(tmp_path, "", {"JUDGE_PUBLIC_FOLDER": str(web)})
    pages = PublicPages(desk.engine, desk.services)
    desk.seat_all("heron", "standard", "", " Heronson")
    desk.seat_all("gull", "standard", "SET GUNBOAT\nSET NOREVEAL", " Gullson")
    desk.seat_all("swan", "standard", "SET UNLISTED", " Swanson")
    for game in ("heron", "gull", "swan"):
        desk.writes(FRANCE, f"SIGNON F{game} pwfrance\nSET PUBLIC NAME ON")
        desk.writes(KIM, f"SIGNON M{game} gm\nPROCESS!\nTERMINATE {game}")
    pages.write()
    page = (web / "statistics.html").read_text()
    assert '<th scope="row">France Heronson</th><td>1</td><td>0</td><td>0</td>' in page
    assert '<th scope="row">Standard Diplomacy</th><td>2</td><td>0</td><td>0</td><td>2</td>' in page
    assert "Italy Heronson" not in page and "Gullson" not in page and "Swanson" not in page
