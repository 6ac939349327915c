"""Which lines of a letter are surely its sender's own, for letters that count without a password.

A mail program repeats the mail that is answered, and our mails hold lines that read like orders. Elsewhere a password
in the sender's own words shows what they mean; here nothing does, so a line in doubt does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.desk.core.carried_press import OF_JUDGE, is_rest, opens_older_mail, quoted_lines
from judge.games.orders.bid_lines import is_bid_line
from judge.letters import Line
from judge.rules import Variant, looks_like_order


@dataclass(frozen=True)
class OwnText:
    """The lines that are the sender's own, and the texts of those that may be quoted."""

    lines: tuple[Line, ...]
    doubtful: tuple[str, ...]


def repeats_judge(lines: Sequence[Line]) -> bool:
    """Whether a mail of the judge stands in the letter in such a way that it looks like the sender's own text."""
    return any(
        line.kind == "text" and not quoted and OF_JUDGE.search(line.text)
        for line, quoted in zip(lines, quoted_lines(lines), strict=True)
    )


def own_text(lines: Sequence[Line]) -> OwnText:
    """The text without wrapped ends of quoted lines, and only up to an older mail that has no quote marks."""
    texts, quoted = [line.text for line in lines], quoted_lines(lines)
    end = next((number for number in range(len(lines)) if opens_older_mail(texts, number)), len(lines))
    # A quoted line may have been wrapped several times.
    others = list(quoted)
    for number in range(end):
        others[number] = others[number] or bool(texts[number].strip()) and is_rest(texts, others, number)
    others[end:] = [True] * (len(lines) - end)
    doubtful = [line.text for line, other in zip(lines, others, strict=True) if other and line.kind == "text"]
    return OwnText(tuple(line for line, other in zip(lines, others, strict=True) if not other), tuple(doubtful))


def doubtful_orders(variant: Variant, lines: Sequence[Line]) -> list[str]:
    """The lines that read like orders, but may belong to a quoted mail."""
    return [line for line in own_text(lines).doubtful if looks_like_order(variant, line) or is_bid_line(variant, line)]
