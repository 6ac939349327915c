"""Lines that may be meant as a sign-on, in any wording (stand-in)."""

import re

_SIGNON = re.compile(r"[^\w?@]*(?:hello judge,? )?(?:sign[- ]?[io]n|log[- ]?[io]n|observe|join|create|watch|takeover|hello|resign)\b[\s:,]*(.*)", re.IGNORECASE)


def signon_words(line: str) -> tuple[str, ...]:
    found = _SIGNON.match(line[:300])
    return tuple(word.strip("*_`\"'<>()[],;:.?") or word for word in found[1].split()) if found else ()
