"""Blocks that other judges know and this one does not: refused with the text below them.

That text is meant for readers; read as orders or as another kind of press it would do what nobody asked for.
"""

from functools import partial
from typing import NoReturn

from judge.desk.core.command import Body, Call, Place, Slip
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit

_OPTIONS = "FAKE|NO ?FAKE|PARTIAL|FROM|QUIET|WHITE|GR[EA]Y|ANONYMOUS|ANONYMOUSLY|UNANONYMOUS|UNANONYMOUSLY|TO|ALL|BUT"
# An option of press, or what stands behind the word where that is in capitals, as commands are written.
_WITH_OPTIONS = rf"\s+(?:{_OPTIONS}|[-+])\b.{{0,300}}|\s+[-+].{{0,300}}"

# Of press, where the word stands first.
_KINDS = ("POSTAL", "FAKE", "GREY", "GRAY", "WHITE", "ANONYMOUS", "PARTIAL", "QUIET")


def refused(visit: Visit, call: Call, *, instead: str) -> NoReturn:
    """Say in the verdict that there is no such block, and below the line what to use instead."""
    told = visit.answer.foremost
    named = visit.visitor.redact(call.line)[:_LONGEST_NAMED]
    if told and told[-1].startswith(_REFUSED):
        told[-1] = f"{told[-1].removesuffix('.')}, {named}." if len(told[-1]) < _LONGEST_VERDICT else told[-1]
    else:
        told.append(f"{_REFUSED} {named}.")
    raise CommandError(instead)


def _block(*names: str, pattern: str, body: Body = Body.PRESS) -> Slip:
    handler = partial(refused, instead=_INSTEAD[body])
    return Slip(names=names, place=Place.GAME, handler=handler, pattern=pattern, body=body)


_REFUSED = "Refused with the text below it:"
_LONGEST_NAMED = 30
_LONGEST_VERDICT = 200
_INSTEAD = {
    Body.PRESS: "This judge has no such press, so the text below this line was left out. Write PRESS TO <powers>, "
    "PRESS GREY TO <powers> or BROADCAST, the text below it, then ENDPRESS.",
}
SLIPS = (
    _block("PRESS", pattern=rf"(?:{_WITH_OPTIONS}|\s+\S{{1,60}}|(?<=(?-i:PRESS))\s.{{1,300}}|\s*:)?"),
    _block("BROADCAST", pattern=rf"(?:{_WITH_OPTIONS}|(?<=(?-i:BROADCAST))\s.{{1,300}})"),
    _block(
        "POSTAL", *(f"{kind} {word}" for kind in _KINDS for word in ("PRESS", "BROADCAST")),
        pattern=rf"(?:{_WITH_OPTIONS}|\s*:)?",
    ),  # fmt: skip
    _block(
        "FAKE", "GREY", "GRAY", "WHITE", "PARTIAL", "QUIET",
        pattern=r"\s+(?-i:TO|FROM)\s.{1,300}",
    ),  # fmt: skip
    Slip(
        names=("DIARY",),
        place=Place.GAME,
        handler=partial(refused, instead="This judge keeps no diaries, so the text below this line was left out."),
        pattern=r"(?:\s+(?:RECORD|LIST|(?:READ|DELETE)\s+\d{1,4}))?",
        body=Body.PRESS,
    ),
)
