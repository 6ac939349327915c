"""The rooms of the house (README, "How the code is laid out"): imports point one way."""

import ast
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


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_before_it(room):
    for path in rooms()[room]:
        strangers = imported_rooms(path) - MAY_IMPORT[room] - {room}
        assert not strangers, f"{path.relative_to(JUDGE)} imports {strangers}"


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
