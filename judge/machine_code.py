"""The modules of the rules that adjudicate, as machine code: used wherever it was built of exactly these sources.

`judge compile` (judge/shell/compiling.py) builds it into a folder beside the sources, with the digest of all files of
the rules. When judge is imported, the digest is compared: if a file of the rules has changed since, or another Python
runs, the sources themselves are used, as if nothing had been built.
"""

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Literal

# What mypyc makes machine code of.
ENGINE = (
    "judge.rules.adjudicate",
    "judge.rules.json_lines",
    "judge.rules.outcome_json",
    "judge.rules.board.orders",
    "judge.rules.board.phase",
    "judge.rules.board.position",
    "judge.rules.board.reach",
    "judge.rules.pieces.layout",
    "judge.rules.pieces.legality",
    "judge.rules.pieces.position_json",
    "judge.rules.phases.center_owners",
    "judge.rules.phases.circles_of_moves",
    "judge.rules.phases.movement",
    "judge.rules.phases.orders_given",
    "judge.rules.phases.retreats",
    "judge.rules.phases.winter",
    "judge.rules.order_texts.normal_form",
    "judge.rules.order_texts.parsing",
)
PACKAGE = Path(__file__).resolve().parent
BUILT = PACKAGE / "compiled"
# In the folder: what it was built of, and with which file each module is.
NOTE = "built.json"
# "no": the sources are used, whatever was built. For comparing the two.
SWITCH = "JUDGE_COMPILED"

Engine = Literal["sources", "machine code", "sources, since what was built is not of these"]


def digest(package: Path = PACKAGE) -> str:
    """Of all that the machine code depends on: the files of the rules, and which Python runs."""
    found = hashlib.sha256(f"{sys.version} {EXTENSION_SUFFIXES[0]}".encode())
    for file in sorted((package / "rules").rglob("*.py")):
        found.update(f"\0{file.relative_to(package)}\0".encode() + file.read_bytes())
    return found.hexdigest()


def usable(built: Path = BUILT, package: Path = PACKAGE) -> dict[str, Path]:
    """{module: its file} of what was built, if it is of these sources; else nothing."""
    try:
        note = json.loads((built / NOTE).read_text())
        files = {str(name): built / str(file) for name, file in note["modules"].items()}
        return files if note["digest"] == digest(package) and all(map(Path.is_file, files.values())) else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


class _Finder(MetaPathFinder):
    def __init__(self, files: dict[str, Path]):
        self._files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._files.get(fullname)
        return spec_from_file_location(fullname, file) if file else None


def offer() -> Engine:
    """Let the modules be imported as machine code, where it can be used; which engine is used from now on."""
    if os.environ.get(SWITCH, "").lower() == "no" or not (BUILT / NOTE).exists():
        return "sources"
    files = usable(BUILT, PACKAGE)
    if not files:
        return "sources, since what was built is not of these"
    sys.meta_path.insert(0, _Finder(files))
    return "machine code"
