"""Nothing takes more than six parameters: what belongs together is a value of its own."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
JUDGE = ROOT / "judge"
# The rooms and what lies beside them; below also what makes pages and pictures of the documents, and the tests.
ROOMS = sorted(path for path in JUDGE.iterdir() if (path / "__init__.py").exists() or path.suffix == ".py")
MOST = 6
# What a method has without being given it.
OWN = {"self", "cls"}

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def parameters(function: Function) -> list[str]:
    """The names of all its parameters, but for a method's own."""
    taken = function.args
    several = [*filter(None, (taken.vararg, taken.kwarg))]
    named = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, *several]
    return [one.arg for one in named if one.arg not in OWN]


def crowded(source: str) -> list[tuple[str, list[str]]]:
    """The functions in `source` that take more than may be, and what they take."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]
    taken = [(getattr(function, "name", "lambda"), parameters(function)) for function in functions]
    return [(name, names) for name, names in taken if len(names) > MOST]


@pytest.mark.parametrize("room", [*ROOMS, ROOT / "docs", ROOT / "tests"], ids=lambda room: room.stem)
def test_no_function_takes_more_than_six_parameters(room: Path):
    paths = sorted(room.rglob("*.py")) if room.is_dir() else [room]
    assert paths
    found = {path.relative_to(ROOT).as_posix(): crowded(path.read_text()) for path in paths}
    assert not {path: functions for path, functions in found.items() if functions}


def test_every_kind_of_parameter_counts():
    method = "class A:\n    async def many(self, a, /, b, *c, d, **e): ..."
    assert not crowded(method)
    assert crowded(method.replace("d,", "d, f, g,")) == [("many", ["a", "b", "d", "f", "g", "c", "e"])]
    assert crowded("six = lambda a, b, c, d, e, f, g: a") == [("lambda", list("abcdefg"))]
