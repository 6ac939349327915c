"""The rules engine from the shell, one phase a line of JSON: `judge adjudicate`, `judge selfplay`."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge.rules import UnknownVariant, VariantError
from judge.rules.json_lines import answer_line
from judge.rules.selfplay import play
from judge.rules.variant.registry import load_variant
from judge.shell.calling import reporting


@reporting(OSError, UnicodeDecodeError)
def adjudicate(files: Sequence[Path]) -> int:
    """Answer every line of the files, or of standard input; 1 if one of them is wrong."""
    status = 0
    sources: Iterable[Iterable[str]] = (path.open(encoding="utf-8") for path in files) if files else [sys.stdin]
    for source in sources:
        for line in filter(str.strip, source):
            answer, good = answer_line(line)
            print(answer)
            status = status if good else 1
    return status


@reporting(UnknownVariant, VariantError)
def selfplay(variant: str, years: int, seed: int) -> int:
    """Play a game of random legal orders; prints one line per phase, in the form that `judge adjudicate` reads."""
    for line in play(load_variant(variant), years, seed):
        print(json.dumps(line, ensure_ascii=False))
    return 0
