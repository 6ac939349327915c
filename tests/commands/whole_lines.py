"""The lines of our mails that are never wrapped, however long they are: programs of players read no further than the
end of a line. All others have 78 columns.
"""

import re

_WHOLE = re.compile(
    # What a unit was ordered or did, and what became of that.
    r"\w[\w .]*: +(?:Army|Fleet) [^,]+\.(?: +\(.+\))*"
    r"|The next phase of '.+' will be .+\."
)


def may_be_long(line: str) -> bool:
    """Whether a program wants this line whole."""
    return _WHOLE.fullmatch(line) is not None
