"""The replication's printed numbers are the published ones."""

from evidence import load_published, load_results


def test_printed_values_are_the_published_ones():
    key = ["paper", "table", "metric", "dataset", "model", "loss", "method"]
    for paper, rows in (
        load_results("replication").fillna({"loss": ""}).groupby("paper")
    ):
        both = rows.merge(load_published(paper), on=key)
        assert len(both) == len(rows) and (both.printed == both.value).all()
