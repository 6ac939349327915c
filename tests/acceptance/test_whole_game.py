"""A whole year by mail, on the database that a judge has by default."""

import pytest

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.year import check_year


@pytest.mark.long
def test_a_year_by_mail(make_judge: MakeJudge):
    check_year(make_judge(security="tls"))
