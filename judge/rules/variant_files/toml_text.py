"""Values in the form in which the files of a variant write them."""

import json
from collections.abc import Iterable


def toml_words(names: Iterable[str]) -> str:
    """A text of names: `"BRE MAR PAR"`."""
    return toml_text(" ".join(names))


def toml_list(words: Iterable[str]) -> str:
    """`["Mexico", "Peru"]`."""
    return json.dumps(list(words), ensure_ascii=False)


def toml_text(text: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False)


def toml_key(name: str) -> str:
    """A key, in quotes if it needs them."""
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else toml_text(name)
