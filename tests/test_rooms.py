"""The rooms of the house (README, "How the code is laid out"): imports point one way."""

import ast
import inspect
from pathlib import Path

import pytest

JUDGE = Path(__file__).parent.parent / "judge"

# A room may import itself and the rooms named here; modules beside the rooms count as rooms of their own.
MAY_IMPORT = {
    "rules": set(),
    "resources": set(),
    "settings": set(),
    "bell": set(),
    "clock": set(),
    "lock": set(),
    "folders": {"mails", "maps", "rules", "settings"},
    "letters": {"settings"},
    "store": {"settings", "lock"},
    "maps": {"rules"},
    "mails": {"store", "rules", "letters", "maps", "settings", "resources"},
    "games": {"mails", "maps", "letters", "store", "rules", "settings"},
    "desk": {"games", "mails", "letters", "store", "rules"},
    "courier": {"lock", "mails", "store", "settings"},
    "daemon": {"bell", "clock", "courier", "desk", "folders", "games", "letters", "lock", "store", "settings"},
    "keeper": {"desk", "games", "letters", "mails", "store", "settings"},
    "returned": {"mails", "store", "settings"},
    "status": {"folders", "letters", "lock", "mails", "rules", "store", "settings"},
    "demo": {"letters", "mails", "settings"},
}


def rooms() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(JUDGE.rglob("*.py")):
        found.setdefault(path.relative_to(JUDGE).parts[0].removesuffix(".py"), []).append(path)
    return found


def imported_rooms(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "judge"}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("judge.") and not name.startswith("judge.__")}


# The same within the rules. (`judge.rules` itself is the door: it imports what it shows.)
WITHIN_RULES = {
    "board": set(),
    "variant_files": {"board"},
    "pieces": {"board"},
    "mechanisms": {"board", "pieces", "variant_files"},
    "variant": {"board", "mechanisms", "variant_files"},
    "phases": {"board", "mechanisms", "pieces"},
    "in_words": {"board", "mechanisms", "variant"},
    "order_texts": {"board", "phases", "pieces", "variant"},
    "one_game": {"board", "mechanisms", "order_texts", "variant", "in_words"},
    "foreign_files": {"board", "mechanisms", "variant"},
    "adjudicate": {"board", "mechanisms", "phases", "pieces", "variant"},
    "json_lines": {"adjudicate", "board", "mechanisms", "one_game", "order_texts", "pieces", "variant"},
    "selfplay": {"adjudicate", "board", "mechanisms", "phases", "pieces", "variant"},
}
MOST_MODULES = 15


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_before_it(room):
    for path in rooms()[room]:
        strangers = imported_rooms(path) - MAY_IMPORT[room] - {room}
        assert not strangers, f"{path.relative_to(JUDGE)} imports {strangers}"


def imported_modules(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever it does, `if TYPE_CHECKING:` too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path} imports by dots"
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def modules_of_the_rules() -> dict[str, Path]:
    """By name; a package goes by its __init__."""
    found = {}
    for path in sorted((JUDGE / "rules").rglob("*.py")):
        parts = ("judge", *path.relative_to(JUDGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@pytest.mark.parametrize("room", WITHIN_RULES)
def test_a_room_of_the_rules_imports_only_what_lies_before_it(room):
    inside = {name: path for name, path in modules_of_the_rules().items() if name.split(".")[2:3] == [room]}
    assert inside
    for name, path in inside.items():
        ours = {one for one in imported_modules(path) if one.startswith("judge.")}
        assert "judge.rules" not in ours, f"{name} imports the door"
        strangers = {one.split(".")[2] for one in ours if one.count(".") > 1} - WITHIN_RULES[room] - {room}
        assert not strangers, f"{name} imports {strangers}"


def test_every_room_of_the_rules_is_known_and_no_room_is_crowded():
    rooms_there = [name.split(".")[2] for name in modules_of_the_rules() if name.count(".") > 1]
    assert set(rooms_there) == WITHIN_RULES.keys()
    assert all(rooms_there.count(room) - 1 <= MOST_MODULES for room in rooms_there)


def test_no_room_has_the_name_of_something_that_the_door_shows():
    """Which of the two is meant would depend on what was imported last; the one door for a phase goes by its module."""
    import judge.rules

    assert set(judge.rules.__all__) & WITHIN_RULES.keys() == {"adjudicate"}
    assert all(not inspect.ismodule(getattr(judge.rules, name)) for name in judge.rules.__all__)


def test_the_rooms_of_the_rules_lie_one_before_the_other():
    before: set[str] = set()
    for room, may in WITHIN_RULES.items():
        assert may <= before, f"{room} imports what lies behind it"
        before.add(room)


def test_no_files_of_the_rules_import_each_other_in_a_circle():
    known = modules_of_the_rules()
    left = {name: (imported_modules(path) & known.keys()) - {name} for name, path in known.items()}
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"a circle is among {sorted(left)}"


def test_every_room_of_the_rules_says_in_a_line_what_it_is_for():
    for path in (JUDGE / "rules").rglob("__init__.py"):
        said = ast.get_docstring(ast.parse(path.read_text()))
        assert said and said.splitlines()[0].endswith("."), f"{path.relative_to(JUDGE)} does not say what it is for"


def test_the_rules_import_nothing_but_the_standard_library():
    import sys

    for path in rooms()["rules"]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                [node.module or ""] if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else []
            )  # fmt: skip
            for name in names:
                assert name.split(".")[0] in sys.stdlib_module_names | {"judge"}, f"{path.name} imports {name}"


def test_a_game_s_board_is_asked_of_the_game():
    """Its master may have corrected a border: only what is about no game yet loads a variant by its name."""
    loading = {
        path.relative_to(JUDGE).as_posix()
        for room in ("desk", "games", "mails")
        for path in rooms()[room]
        if "load_variant" in path.read_text()
    }
    assert loading == {"desk/help.py", "desk/signon.py", "games/boards.py"}


def test_no_code_asks_for_a_variant_by_name():
    names = {path.name for path in (JUDGE.parent / "variants").iterdir() if path.is_dir()}
    for path in JUDGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                literals = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                assert not names & {value for value in literals if isinstance(value, str)}, path
