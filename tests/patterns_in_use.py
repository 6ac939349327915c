"""Every regular expression of the judge, and how it is used.

The judge's modules are imported in a process of their own in which the engine notes what is made a pattern, and where.
The sources say which calls there are beside these (inside functions) and what is done with each pattern.
"""

import ast
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import judge
from tests.beginnings import once

ROOT = Path(__file__).parents[1]
FUNCTIONS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
# This meets no text from outside: the demo plays with itself.
NO_FOREIGN_TEXT = ("judge.demo", "judge.store.migrations.")
_NOTE_ALL = """
import importlib, json, re, sys
noted, made = [], re._compile
def note(pattern, flags):
    found = made(pattern, flags)
    caller = sys._getframe(2)
    noted.append([caller.f_globals.get("__name__", ""), caller.f_lineno,
                  found.pattern if isinstance(found.pattern, str) else None,
                  found.pattern.decode("latin-1") if isinstance(found.pattern, bytes) else None, found.flags])
    return found
re._compile = note
for name in sys.argv[1:]:
    importlib.import_module(name)
import judge.commands.command_table
from judge.letters.text import fold
fold("e\\u0301")
json.dump(noted, sys.stdout)
"""


@dataclass(frozen=True)
class Use:
    """A pattern, the functions it is used with, and where it is made."""

    module: str
    line: int
    pattern: re.Pattern[Any]
    functions: frozenset[str]


@dataclass(frozen=True)
class _Call:
    """A call of a function of `re` in a source: the function that it stands in, the names that its result goes by, its
    argument.
    """

    module: str
    inside: str
    line: int
    function: str
    names: frozenset[str]
    argument: ast.expr


def uses() -> list[Use]:
    """The patterns of all modules. Patterns whose use is not seen count as searched for and as matching whole texts."""
    made = _made_by_importing()
    found = []
    for call in calls():
        patterns = made.get((call.module, call.line)) or _constant(call)
        functions = {call.function} if call.function in FUNCTIONS else _functions_of(call)
        found += [
            Use(call.module, call.line, pattern, frozenset(functions or {"search", "fullmatch"}))
            for pattern in dict.fromkeys(patterns)
        ]
    return found


def unknown() -> set[str]:
    """The functions that make patterns of what they are given."""
    made = _made_by_importing()
    return {
        f"{call.module}.{call.inside}"
        for call in calls()
        if not made.get((call.module, call.line)) and not _constant(call)
    }


@cache
def calls() -> tuple[_Call, ...]:
    """Every call of a function of `re` that takes a pattern."""
    naming = (
        module for module in modules() if any(isinstance(node, ast.Name) and node.id == "re" for node in _nodes(module))
    )
    return tuple(call for module in naming for call in _calls_in(module, _tree(module)))


@cache
def modules() -> tuple[str, ...]:
    """The modules of the judge that can meet text from outside."""
    found = (module.name for module in pkgutil.walk_packages(judge.__path__, "judge."))
    return tuple(name for name in found if not name.startswith(NO_FOREIGN_TEXT) and not name.endswith("__main__"))


def strange_imports() -> list[str]:
    """Modules that come by patterns in another way than `re.something(…)`."""
    return [
        f"{module}:{node.lineno}"
        for module in modules()
        for node in _nodes(module)
        if isinstance(node, ast.ImportFrom)
        and node.module in ("re", "regex", "re2", "fnmatch")
        or isinstance(node, ast.Import)
        and any(name.name in ("regex", "re2", "fnmatch") or name.name == "re" and name.asname for name in node.names)
    ]


@cache
def _tree(module: str) -> ast.Module:
    source = ROOT.joinpath(*module.split("."))
    return ast.parse((source / "__init__.py" if source.is_dir() else source.with_suffix(".py")).read_text())


@cache
def _nodes(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(module)))


def _calls_in(module: str, tree: ast.AST, inside: str = "", names: tuple[str, ...] = ()) -> Iterator[_Call]:
    for node in ast.iter_child_nodes(tree):
        inner, scope = names, inside
        if isinstance(node, ast.FunctionDef):
            inner, scope = (*names, node.name), node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            inner = (*names, *_identifiers(*targets))
        elif isinstance(node, ast.keyword) and node.arg:
            inner = (*names, node.arg)
        if isinstance(node, ast.Call) and (function := _of_re(node.func)) not in ("", "escape"):
            yield _Call(module, scope, node.lineno, function, frozenset(inner), node.args[0])
        yield from _calls_in(module, node, scope, inner)


def _of_re(function: ast.expr) -> str:
    """`compile` of `re.compile`; "" if it is no function of `re`."""
    match function:
        case ast.Attribute(value=ast.Name(id="re"), attr=name):
            return name
    return ""


def _identifiers(*nodes: ast.AST) -> set[str]:
    inside = [part for node in nodes for part in ast.walk(node)]
    return {part.id for part in inside if isinstance(part, ast.Name)} | {
        part.attr for part in inside if isinstance(part, ast.Attribute)
    }


@cache
def _made_by_importing() -> dict[tuple[str, int], list[re.Pattern[Any]]]:
    """The patterns that the judge has made once it is imported, by the place of the call."""
    made: dict[tuple[str, int], list[re.Pattern[Any]]] = defaultdict(list)
    for module, line, text, octets, flags in json.loads(once("what importing notes", _noted_by_importing)):
        made[module, line].append(re.compile(text if octets is None else octets.encode("latin-1"), flags))
    return made


def _noted_by_importing() -> bytes:
    command = [sys.executable, "-c", _NOTE_ALL, *modules()]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout


def _constant(call: _Call) -> list[re.Pattern[Any]]:
    """The pattern of a call inside a function, where only the module's own names stand in it; else none."""
    code = compile(ast.Expression(call.argument), call.module, "eval")
    try:
        return [re.compile(eval(code, dict(vars(importlib.import_module(call.module)))))]  # noqa: S307
    except NameError:
        return []


def _functions_of(call: _Call) -> set[str]:
    """What is done anywhere with a pattern that goes by these names."""
    names = call.names | _holders(call)
    private = {name for name in names if name.startswith("_")}
    return {
        function
        for module in modules()
        for name, function in _uses_in(module)
        if name in names and (module == call.module or name not in private)
    }


@cache
def _uses_in(module: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (name, node.attr)
        for node in _nodes(module)
        if isinstance(node, ast.Attribute) and node.attr in FUNCTIONS
        for name in _identifiers(node.value)
    )


def _holders(call: _Call) -> set[str]:
    """The names that hold what it makes: `_FIELD = _field(…)`, `self.pattern = _compile(…)`, `lines=_lines(…)`."""
    return {name for called, names in _held_in(call.module) if called & call.names for name in names}


@cache
def _held_in(module: str) -> tuple[tuple[set[str], set[str]], ...]:
    """(the names in what is called, the names that hold the result) of every call in the module."""
    held = []
    for node in _nodes(module):
        if isinstance(node, ast.Assign) and (called := _called(node.value)):
            held.append((called, _identifiers(*node.targets) - {"self"}))
        elif isinstance(node, ast.keyword) and node.arg and (called := _called(node.value)):
            held.append((called, {node.arg}))
    return tuple(held)


def _called(node: ast.expr) -> set[str]:
    return _identifiers(node.func) if isinstance(node, ast.Call) else set()
