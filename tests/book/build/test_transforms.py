"""What is changed in the tree of every page."""

import re

from three_pages import article


def test_percentages_and_long_numbers_stay_on_one_line_but_not_in_code(built):
    text = re.sub("<[^>]+>", "", article(built / "html/page.html"))
    text = text.replace("\N{NO-BREAK SPACE}", "~")
    for shown in (
        "A 95~% confidence",
        "12.3~%, of 7.1~% in 50~000 images",
        "8~%",
        "3 1234",
    ):
        assert shown in text
    for shown in ("5 % of 10 000, ", r"\(5 \%\)", "100%-wool", "in 2017~100 networks"):
        assert shown in text
