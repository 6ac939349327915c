"""Move the news in changelog.d/ into CHANGELOG.md, under "Unreleased": `make dist`, or python -m docs.news.

Each change that users notice has a file of its own there, so that two changes never meet in the same lines; the README
in it says how one is written. tests/test_news.py asks `faults` of each.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "deprecated", "removed", "fixed", "security")
LONGEST = 110
_NAME = re.compile(r"[a-z0-9_-]+\.(?P<kind>[a-z]+)\.md")
# What a sentence begins with that does not begin with what its reader does: "Adds …", "Added …", "The judge …".
_NO_VERB = re.compile(
    r"(?:[A-Za-z]+(?:(?<!e)ed|ing|(?<!s)s)|An?|The|This|That|These|It|You|Your|We|I|No|Not|Now|Some|All|Each|Every|If|When"
    r"|In|On|For|With|After|Before|By|To|Also)\b"
)


def fragments(folder: Path = ROOT / "changelog.d") -> list[Path]:
    """Return the files of news, by name."""
    return [path for path in sorted(folder.glob("*.md")) if path.name != "README.md"]


def faults(name: str, text: str) -> Iterator[str]:
    """Yield what is wrong with the name of a file of news, and with its text."""
    named = _NAME.fullmatch(name)
    if not named or named["kind"] not in KINDS:
        yield f"its name must be <what>.<kind>.md, with a kind of {', '.join(KINDS)}"
    line = text.removesuffix("\n")
    if not line or line.splitlines() != [line]:
        yield "it must be one line"
        return
    if len(line) > LONGEST:
        yield f"it has {len(line)} characters, and {LONGEST} are the most"
    if not line[0].isupper() or _NO_VERB.match(line):
        yield "it must begin with a verb, as an order does: Keep, Read, Get, Send"
    if line.rstrip('")`')[-1:] not in (".", "!", "?"):
        yield "it must be a sentence"


def merged(changelog: str, news: Mapping[str, Sequence[str]]) -> str:
    """Return the changelog with these lines, by kind, at the end of their lists under "Unreleased"."""
    head, begin, rest = changelog.partition("## Unreleased\n")
    unreleased, older, released = rest.partition("\n## ")
    _, *parts = re.split(r"^### (\w+)\n", unreleased, flags=re.MULTILINE)
    lists = dict(zip(map(str.lower, parts[::2]), parts[1::2], strict=True))
    for kind, lines in news.items():
        lists[kind] = "\n".join([lists.get(kind, "").rstrip(), *(f"- {line}" for line in lines)])
    sections = [f"\n### {kind.title()}\n\n{lists[kind].strip()}\n" for kind in KINDS if kind in lists]
    return "".join([head, begin, *sections, older, released])


def main() -> None:
    """Move the news; move nothing if any of it is not in form."""
    there = {path: path.read_text(encoding="utf-8") for path in fragments()}
    wrong = [f"changelog.d/{path.name}: {fault}" for path, text in there.items() for fault in faults(path.name, text)]
    if wrong:
        sys.exit("\n".join(wrong))
    news = defaultdict(list)
    for path, text in there.items():
        news[path.name.split(".")[1]].append(text.strip())
    changelog = ROOT / "CHANGELOG.md"
    # At one go, since tests may read it meanwhile.
    new = changelog.with_suffix(".new")
    new.write_text(merged(changelog.read_text(encoding="utf-8"), news), encoding="utf-8")
    new.replace(changelog)
    for path in there:
        path.unlink()


if __name__ == "__main__":
    main()
