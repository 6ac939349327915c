"""The functions of a folder that do too much at once; `make lint` fails if there are any.

Counted is 1, and 1 for each branch, loop, case, handler of an exception, `for` and `if` of a comprehension, `and` and
`or`. The linter's own count (C901) leaves out what is inside an expression, where conditions are read worst.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MOST = 15
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BRANCHES = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert,
    ast.comprehension,
)  # fmt: skip


def complexity(function: ast.AST) -> int:
    """Return the complexity of a function; those that it defines are counted by themselves."""
    total = 1
    for node in _within(function):
        total += isinstance(node, _BRANCHES)
        total += len(node.ifs) if isinstance(node, ast.comprehension) else 0
        total += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return total


def _within(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _within(child)


def too_complex(folder: Path, most: int = MOST) -> Iterator[str]:
    """Yield where the functions are that are more complex, as a line for each."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, _FUNCTIONS) and (found := complexity(node)) > most:
                yield f"{path}:{node.lineno}: {node.name} has a complexity of {found}, more than {most}"


if __name__ == "__main__":
    found = [line for name in sys.argv[1:] for line in too_complex(Path(name))]
    print(*found, sep="\n", end="\n" * bool(found))
    sys.exit(bool(found))
