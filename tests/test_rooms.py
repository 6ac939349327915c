"""The rooms of docs/architecture.md: imports point one way."""

import ast
import configparser
import inspect
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.texts import table

JUDGE = Path(__file__).parent.parent / "judge"


def rooms(text: str) -> dict[str, set[str]]:
    """{a room: the rooms that it may import}, of a table."""
    return {room: set(others.split()) for room, others in table(text)}


# A room may import itself and the rooms named here; modules beside the rooms count as rooms of their own.
MAY_IMPORT = rooms("""
    rules        =>
    time_limit   =>
    addresses    =>
    draws        =>
    ini_file     =>
    settings     => addresses ini_file
    oauth        => settings
    letters      => addresses oauth settings
    store        => addresses settings
    maps         => rules
    foreign_maps => maps rules
    mails        => addresses draws letters maps oauth rules settings store
    games        => addresses draws letters mails maps rules settings store
    commands     => addresses games letters mails rules store time_limit
    service      => commands games letters mails maps rules settings store time_limit
    demo         => letters mails settings
    shell => addresses commands demo foreign_maps games ini_file letters mails maps oauth rules service settings store
""")
# The same within the rooms that have rooms of their own, the first ones first. (`judge.rules` itself is the door of the
# rules: it imports what it shows.)
WITHIN = {
    "rules": rooms("""
        board        =>
        mechanisms   => board
        variant      => board mechanisms
        phases       => board mechanisms
        describe     => board mechanisms variant
        parsing      => board phases variant
        game_options => board describe mechanisms parsing variant
        possible     => board mechanisms parsing variant
        suggestions  => board mechanisms parsing phases variant
        adjudicate   => board mechanisms phases variant
        json_forms   => adjudicate board mechanisms parsing variant
        json_lines   => adjudicate board game_options json_forms mechanisms parsing variant
        selfplay     => adjudicate board json_forms mechanisms phases variant
        saved_games  => adjudicate board json_forms mechanisms phases variant"""),
    "games": rooms("""
        core           =>
        people         => core
        orders         => core
        notifications  => core orders people
        deadlines      => core notifications orders people
        life           => core deadlines notifications orders people"""),
    "commands": rooms("""
        core              =>
        people            => core
        play              => core
        master            => core
        ask               => core
        command_table     => ask core master people play
        replies           => core people play
        handler           => command_table core people play replies
        operator_commands => core handler master replies"""),
}
MOST_MODULES = 15


def modules() -> dict[str, Path]:
    """By name; a package goes by its __init__."""
    found = {}
    for path in sorted(JUDGE.rglob("*.py")):
        parts = ("judge", *path.relative_to(JUDGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that a module is made of: every test here asks for it."""
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def imported_modules(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever it does, `if TYPE_CHECKING:` too."""
    names: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path} imports by dots"
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {part if part in MODULES else node.module for part in parts}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.startswith("judge.")}


def in_room(*room: str) -> dict[str, Path]:
    """The modules of `judge.<room>`."""
    return {name: path for name, path in MODULES.items() if name.split(".")[1 : 1 + len(room)] == list(room)}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_before_it(room):
    inside = in_room(room)
    assert inside
    for name, path in inside.items():
        strangers = {one.split(".")[1] for one in imported_modules(path)} - MAY_IMPORT[room] - {room}
        assert not strangers, f"{name} imports {strangers}"


def test_every_room_is_known():
    there = {name.split(".")[1] for name in MODULES if "." in name}
    assert there == {*MAY_IMPORT, "__main__"}


@pytest.mark.parametrize(("house", "room"), [(house, room) for house, rooms in WITHIN.items() for room in rooms])
def test_a_room_within_a_room_imports_only_what_lies_before_it(house, room):
    inside = in_room(house, room)
    assert inside
    for name, path in inside.items():
        ours = {one for one in imported_modules(path) if one.split(".")[1] == house}
        assert house != "rules" or "judge.rules" not in ours, f"{name} imports the door"
        strangers = {one.split(".")[2] for one in ours if one.count(".") > 1} - WITHIN[house][room] - {room}
        assert not strangers, f"{name} imports {strangers}"


@pytest.mark.parametrize("house", WITHIN)
def test_the_rooms_within_lie_one_before_the_other(house):
    before: set[str] = set()
    for room, may in WITHIN[house].items():
        assert may <= before, f"{room} imports what lies behind it"
        before.add(room)


@pytest.mark.parametrize("house", WITHIN)
def test_every_room_within_is_known_and_none_is_crowded(house):
    rooms_there = [name.split(".")[2] for name in in_room(house) if name.count(".") > 1]
    assert set(rooms_there) == WITHIN[house].keys()
    assert all(rooms_there.count(room) - 1 <= MOST_MODULES for room in rooms_there)


def test_no_files_import_each_other_in_a_circle():
    left = {name: (imported_modules(path) & MODULES.keys()) - {name} for name, path in MODULES.items()}
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"a circle is among {sorted(left)}"


def test_every_room_says_in_a_line_what_it_is_for():
    for path in JUDGE.rglob("__init__.py"):
        said = ast.get_docstring(ast.parse(path.read_text()))
        assert said and said.splitlines()[0].endswith("."), f"{path.relative_to(JUDGE)} does not say what it is for"


def test_every_room_is_installed():
    """A folder that setup.cfg does not name is missing in an installed judge."""
    setup = configparser.ConfigParser()
    setup.read(JUDGE.parent / "setup.cfg")
    named = set(setup["options"]["packages"].split()) - {"judge.variants", "judge.templates"}
    assert named == {name for name, path in MODULES.items() if path.name == "__init__.py"}


def test_no_room_has_the_name_of_something_that_the_door_shows():
    """Which of the two is meant would depend on what was imported last; the one door for a phase goes by its module."""
    import judge.rules

    imports = (node for node in nodes(JUDGE / "rules" / "__init__.py") if isinstance(node, ast.ImportFrom))
    shown = {alias.name for node in imports for alias in node.names}
    assert shown & WITHIN["rules"].keys() == {"adjudicate"}
    assert all(not inspect.ismodule(getattr(judge.rules, name)) for name in shown)


def test_the_rules_import_nothing_but_the_standard_library():
    """But what writes the lines of `judge adjudicate`, which cost more in its json module than their phases."""
    others = {"json_lines.py": {"judge", "orjson"}}
    for path in in_room("rules").values():
        known = sys.stdlib_module_names | others.get(path.name, {"judge"})
        for node in nodes(path):
            names = (
                [node.module or ""] if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else []
            )  # fmt: skip
            for name in names:
                assert name.split(".")[0] in known, f"{path.name} imports {name}"


def test_a_game_s_board_is_asked_of_the_game():
    """Its master may have corrected a border: only what is about no game yet loads a variant by its name."""
    loading = {
        path.relative_to(JUDGE).as_posix()
        for room in ("commands", "games", "mails")
        for path in in_room(room).values()
        if "load_variant" in path.read_text()
    }
    assert loading == {"commands/ask/help.py", "commands/people/joining.py", "games/core/board.py"}


def test_no_code_asks_for_a_variant_by_name():
    names = {path.name for path in (JUDGE.parent / "variants").iterdir() if path.is_dir()}
    for path in JUDGE.rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Compare):
                literals = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                assert not names & {value for value in literals if isinstance(value, str)}, path


def test_only_the_schedule_writes_when_a_phase_is_due():
    """The row of a forming game has a notice of its own, which forming.py writes."""
    moments, writers = {"due_at", "notice_at"}, set()
    for name, path in MODULES.items():
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in moments:
                row = ast.unparse(node.value).rpartition(".")[2]
            elif isinstance(node, ast.Call) and moments & {keyword.arg for keyword in node.keywords}:
                row = ast.unparse(node.func).lower()
            else:
                continue
            writers |= {name} if row != "game" else set()
    assert writers == {"judge.games.deadlines.schedule"}


def test_only_one_module_reads_who_may_know_the_people_of_a_game():
    """Beside the settings themselves, whose commands say what they change."""
    readers = {name for name, path in MODULES.items() for node in nodes(path) if isinstance(node, ast.Attribute)
               and isinstance(node.ctx, ast.Load) and node.attr in {"gunboat", "quiet", "reveal"}}  # fmt: skip
    assert readers - {"judge.commands.master.game_settings"} == {"judge.games.core.who_may_see"}


def test_only_notifications_decide_who_gets_a_notice():
    users = {name for name, path in MODULES.items() if {"Told", "gathering.tell"} & set(map(called, nodes(path)))}
    assert {name.rpartition(".")[0] for name in users} == {"judge.games.notifications"}


def called(node: ast.AST) -> str:
    """What a call calls, "" for anything else."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


# What is tested of the whole judge.
WHOLE = {"acceptance", "benchmarks", "data", "servers", "transcripts"}


def test_every_room_has_its_tests():
    """A folder of tests bears the name of a room, or of what is tested of the whole judge."""
    tests = JUDGE.parent / "tests"
    rooms_there = {path.name for path in JUDGE.iterdir() if (path / "__init__.py").exists()}
    folders = {path.name for path in tests.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == rooms_there | WHOLE


# Tests of many modules at once.
OF_MANY = {
    "commands/test_fuzzer.py": "of the fuzzer next to it",
    "commands/test_linear_reading.py": "of every pattern and every loop that reads letters",
    "rules/played": "a folder of rulebooks",
}


def test_a_test_module_bears_the_name_of_what_it_tests():
    """`games/life/test_rollback.py`, or `test_rollback_by_letter.py`, tests `judge/games/life/rollback.py`."""
    tests = JUDGE.parent / "tests"
    strange = []
    for path in tests.glob("*/**/test_*.py"):
        there = path.relative_to(tests)
        if there.parts[0] in WHOLE or {str(there), str(there.parent)} & OF_MANY.keys():
            continue
        modules = [module.stem for module in (JUDGE / there.parent).glob("*") if module.stem != "__init__"]
        if not any(f"{path.stem}_".startswith(f"test_{module}_") for module in modules):
            strange.append(str(there))
    assert strange == []
