"""The same code on PostgreSQL: a whole year by mail."""

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.year import play


def test_a_year_by_mail(make_judge: MakeJudge, postgres_url: str):
    play(make_judge(security="starttls", store={"url": postgres_url}))
