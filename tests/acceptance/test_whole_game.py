"""A whole year by mail, on the database that a judge has by default."""

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.year import play


def test_a_year_by_mail(make_judge: MakeJudge):
    play(make_judge(security="tls"))
