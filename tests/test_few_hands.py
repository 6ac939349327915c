"""Nothing takes more than six parameters: what always comes together is a value with a name."""

import ast
from pathlib import Path

import pytest

JUDGE = Path(__file__).parent.parent / "judge"
ROOMS = ("games", "mails", "store")
MOST = 6


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The names of what is handed to `function`, without the object or the class that a method belongs to."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_takes_more_than_six_parameters(room):
    files = sorted((JUDGE / room).rglob("*.py"))
    functions = [
        (path, node)
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert functions
    crowded = [
        f"{path.relative_to(JUDGE)}:{node.lineno} {node.name} takes {len(parameters(node))}"
        for path, node in functions
        if len(parameters(node)) > MOST
    ]
    assert not crowded, "\n".join(crowded)
