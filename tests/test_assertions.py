"""Every test says what it asserts: by itself, or by calling a helper whose name says so."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
ASSERTING = ("assert", "check_", "expect")
PYTEST = ("pytest.raises", "pytest.fail")


def asserts(test: ast.AST) -> bool:
    """Whether something in `test` can make it fail: `assert`, pytest.raises, pytest.fail or a helper named for it."""
    return any(isinstance(part, ast.Assert) or isinstance(part, ast.Call) and _is_asserting(part.func)
               for part in ast.walk(test))  # fmt: skip


def _is_asserting(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr.startswith(ASSERTING) or ast.unparse(function) in PYTEST
    return isinstance(function, ast.Name) and function.id.startswith(ASSERTING)


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The test functions of a module, by name."""
    functions = [part for part in ast.walk(ast.parse(text)) if isinstance(part, ast.FunctionDef)]
    return {function.name: function for function in functions if function.name.startswith("test_")}


def test_every_test_asserts_something():
    silent = [
        f"{path.relative_to(TESTS)}::{name}"
        for path in sorted(TESTS.rglob("test_*.py"))
        for name, test in functions_of(path.read_text()).items() if not asserts(test)
    ]  # fmt: skip
    assert not silent, "\n".join(silent)
