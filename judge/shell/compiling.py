"""`judge compile`: machine code of the modules that adjudicate, beside their sources (judge/machine_code.py)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

from judge.machine_code import BUILT, ENGINE, NOTE, PACKAGE, digest

# The end of what the compiler says tells what is wrong.
_MOST_TOLD = 3000


def compile_engine() -> int:
    """Build it, in place of what was built before; exit status 0, 2 if that cannot be done."""
    if not find_spec("mypyc"):
        print("judge: mypyc is missing: pip install 'judge[compiled]'", file=sys.stderr)
        return 2
    before = digest()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, Path(folder) / PACKAGE.name, ignore=shutil.ignore_patterns(BUILT.name, "__pycache__"))
        sources = [f"{name.replace('.', '/')}.py" for name in ENGINE]
        # A copy of the judge in that folder is what is compiled, and nothing compiled may be used meanwhile.
        done = subprocess.run(
            [sys.executable, "-m", "mypyc", "--follow-imports=silent", *sources], cwd=folder,
            env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            said = (done.stdout + done.stderr)[-_MOST_TOLD:]
            print(f"judge: the engine cannot be compiled:\n{said}", file=sys.stderr)
            return 2
        try:
            _put_in_place(dict(_modules(Path(folder))), before)
        except OSError as error:
            print(f"judge: {BUILT} cannot be written: {error.strerror}", file=sys.stderr)
            return 2
    print(f"{len(ENGINE)} modules of the rules are machine code now, in {BUILT}; judge run uses it from its next start")
    return 0


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """(name of the module, its file): those of the engine, and the one that holds what all of them are made of."""
    for file in folder.rglob(f"*{EXTENSION_SUFFIXES[0]}"):
        if "build" not in file.relative_to(folder).parts:
            yield ".".join(file.relative_to(folder).parts).removesuffix(EXTENSION_SUFFIXES[0]), file


def _put_in_place(modules: dict[str, Path], made_of: str) -> None:
    """The note comes last: without it nothing is used."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir()
    names = {name: f"{name}{EXTENSION_SUFFIXES[0]}" for name in modules}
    for name, file in modules.items():
        shutil.copy(file, BUILT / names[name])
    (BUILT / NOTE).write_text(json.dumps({"digest": made_of, "modules": names}, indent=1))
