"""The same code on PostgreSQL: a whole year by mail."""

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.year import check_year


def test_a_year_by_mail(make_judge: MakeJudge, postgres_url: str):
    check_year(make_judge(security="starttls", store={"url": postgres_url}))
