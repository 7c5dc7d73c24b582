"""The map of coverage."""

import pandas as pd

from book.show import coverage_map


def test_the_map_has_numbers_of_a_table_and_of_a_figure_the_word_of_its_kind():
    numbers = dict.fromkeys(coverage_map.coverage.STATUSES.values(), 0)
    rows = [
        {"item": "Figure 1", **numbers, "in kind, other networks for the same data": 1},
        {"item": "Table 1", **numbers, "a sibling network, same data": 94},
    ]
    frame = pd.DataFrame(rows).assign(paper="guo2017", place="", why_not="")
    html = coverage_map.map_table(frame)
    assert "<td></td><td></td><td>in kind</td><td></td><td></td>" in html
    assert "<td></td><td>94</td><td></td><td></td><td></td>" in html
    assert "<caption>Guo 2017: figures" in html
