"""Where a line like a sign-on has its password, and where it has none."""

import pytest

from judge.letters.signon_lines import signon_line
from tests.texts import table


@pytest.mark.parametrize(
    ("line", "secret"),
    table("""
        SIGNON Fheron hush                => hush
        SIGNON Fheron A PAR - BUR         =>
        SIGNON Fheron a par h             =>
        SIGNON Fheron Army Paris          =>
        SIGNON Fheron F BRE - MAO         =>
        SIGNON Fheron fleet Brest holds   =>
        SIGNON Fheron a secret            => a secret
        SIGNON Fheron f16                 => f16
        SIGNON Fheron A                   => A
        SIGNON Fheron armypar             => armypar
        SIGNON Fheron <your password>     =>
        SIGNON Fheron ...                 =>
        SIGNON Fheron                     =>"""),
)
def test_orders_and_placeholders_are_no_password(line: str, secret: str) -> None:
    found = signon_line(line)
    assert found and (line[found.said[1].start :] if len(found.said) > 1 else "") == secret
