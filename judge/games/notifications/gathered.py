"""One mail of several: what a letter has done in a game, with final values, the old ones beside them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from judge.mails.mail_writer import Notice
from judge.store.states import MailKind
from judge.store.tables import Phase

# What a letter may do several of, the one that gives the mail its kind first.
TOGETHER: Sequence[MailKind] = ("corrected", "deadline", "changes", "news")
_HEADING = re.compile(r"^:: Judge: .*(?:\n:: Deadline: .*)?\n*", re.MULTILINE)
_Announcement = TypeVar("_Announcement")
_Reader = TypeVar("_Reader")
_Said = tuple[_Announcement, _Reader, Mapping[str, object]]


def final(said: Sequence[_Said[Any, Any]]) -> list[_Said[Any, Any]]:
    """Return what one reader is told, with one entry for all news of a kind that has its own values.

    Each is (announcement, its reader's seats, the context of its template).
    """
    merged: dict[str, _Said[Any, Any]] = {}
    for number, (announcement, mine, context) in enumerate(said):
        template = announcement.template
        at = template if template in _MERGED else f"{number}"
        if at in merged:
            earlier, _, before = merged[at]
            context = {**context, **_MERGED[template](before, context)}
            announcement = replace(announcement, subject=_subjects([earlier, announcement], announcement.phase))
        merged[at] = announcement, mine, context
    if {"deadline", "corrected"} <= merged.keys():
        announcement, mine, context = merged["corrected"]
        merged["corrected"] = announcement, mine, {**context, "due_is_told": True}
    return list(merged.values())


def _deadlines(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, object]:
    return {"before": earlier["before"], "why": _lines(earlier["why"], later["why"])}


def _changes(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, object]:
    return {"changes": list(dict.fromkeys([*earlier["changes"], *later["changes"]]))}


def _corrections(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, object]:
    """The board and the reader's orders as they are after both."""
    own = later if later["power"] else earlier
    return {
        **{key: own[key] for key in ("power", "title", "lines", "bids") if key in own},
        "dropped": [*earlier.get("dropped", ()), *later.get("dropped", ())],
        "sentence": _lines(earlier["sentence"], later["sentence"]),
        "changes": [*earlier["changes"], *later["changes"]],
        "position": later["position"] or earlier["position"],
    }


_MERGED = {"deadline": _deadlines, "changes": _changes, "corrected": _corrections}


def _lines(earlier: str, later: str) -> str:
    return "\n".join(dict.fromkeys([*earlier.split("\n"), later]))


def _subjects(told: Sequence[Any], phase: Phase | None) -> str:
    """`S1901M Deadline Adjustment, Parameter Change`."""
    name = f"{phase.name} " if phase else ""
    return name + ", ".join(dict.fromkeys(one.subject.removeprefix(name) for one in told))


def joined(mails: Sequence[Notice]) -> Notice:
    """Return one mail that says what all of these say, to one reader about one game."""
    if len(mails) == 1:
        return mails[0]
    main = min(mails, key=lambda mail: TOGETHER.index(mail.kind))
    headings = [found[0] for mail in mails if (found := _HEADING.search(mail.body))]
    first, *others = [_HEADING.sub("", mail.body, count=1).strip() for mail in mails]
    heading = max(headings, key=len, default="").strip()
    verdict, _, rest = first.partition("\n\n")
    body = "\n\n".join(filter(None, [verdict, heading, rest.strip(), *others]))
    phase = next((mail.phase for mail in mails if mail.phase), None)
    waits = [mail.until for mail in mails]
    return replace(
        main,
        subject=_subjects([main, *mails], phase),
        prefix=next((mail.prefix for mail in mails if mail.prefix), ""),
        body=body,
        page="",
        due=next((mail.due for mail in mails if mail.due), None),
        phase=phase,
        until=None if None in waits else max(filter(None, waits)),
    )
