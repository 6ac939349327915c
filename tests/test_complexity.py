"""How complex a function is: what a reader has to hold in mind at once."""

import ast
from pathlib import Path

import pytest

from docs.complexity import complexity, too_complex
from tests.texts import table


@pytest.mark.parametrize(
    ("body", "expected"),
    table("""
        return 1                                       => 1
        return a and b or c                            => 3
        return a if b else c                           => 2
        return [x for x in a if x if b]                => 4
        if a: return b                                 => 2
        assert a                                       => 2
        while a: a = b and c                           => 3
        return lambda: a or b                          => 2
        def inner(): return a and b and c              => 1"""),
)
def test_each_way_through_a_function_counts(body: str, expected: str):
    function = ast.parse(f"def f(a, b, c):\n    {body}").body[0]
    assert complexity(function) == int(expected)


def test_a_function_that_is_too_complex_is_named(tmp_path: Path):
    (tmp_path / "one.py").write_text("def f(a):\n    return a and a and a\n\n\ndef g(a):\n    return a and a\n")
    found = [*too_complex(tmp_path, most=2)]
    assert [line.rpartition("one.py")[2] for line in found] == [":1: f has a complexity of 3, more than 2"]
