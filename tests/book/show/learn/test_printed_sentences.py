"""How often a map has the lowest printed score, counted by hand."""

import pandas as pd

from book.show.learn import printed_sentences


def test_rows_are_counted_in_which_a_map_has_the_lowest_score(glued, monkeypatch):
    monkeypatch.setattr(
        printed_sentences,
        "chance_of_another_best",
        lambda paper, metric, kind: len(metric) / 10,
    )
    by_nll = pd.DataFrame({"T": [1, 3, 2], "vector": [2, 1, 3], "iso": [3, 1, 1]})
    size = pd.Series({"NLL": 3, "Brier": 4})
    winners = pd.DataFrame({"Brier": [2]}, ["Isotonic regression"])
    printed_sentences.glue_lowest_printed_scores(by_nll, ["T", "vector"], size, winners)
    assert glued == {
        "proper-nll": "2",  # the first row, and the second, in which two are alike
        "proper-rows": "3",
        "proper-iso": "2",
        "proper-rows-brier": "4",
        "proper-differ-NLL": "30%",
        "proper-differ-Brier": "50%",
    }
