"""A sample of the stored measures of answers, measured again."""

import numpy as np
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.language import originals as sources
from evidence.language.all_answers import choice_answers
from evidence.language.answers import answer_sets, load_answers
from evidence.studies.language import metrics_of_answers


@pytest.mark.shared
def test_a_random_twentieth_is_measured_again(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    table = load_results("metrics_of_answers")
    sets = [load_answers(name) for name in answer_sets()]
    name = sources.answer_sources("choices")[0]
    sets.append(choice_answers(sources.load_choices(name)))
    where = {(s.source, s.dataset, model): s for s in sets for model in s.models}
    keys = zip(table.source, table.dataset, table.model, strict=True)
    rows = table[[key in where for key in keys]]
    for row in rows.sample(frac=0.05, random_state=11).itertuples():
        stored_row = where[row.source, row.dataset, row.model]
        group = None if row.group == "all" else row.group
        (again,) = metrics_of_answers.measured_row(
            stored_row, row.model, row.confidence, group, row.unanswered
        )
        for name, value in again.items():
            stored = getattr(row, name)
            if isinstance(value, float):
                # stored with five digits
                near = pytest.approx(stored, rel=5e-5, nan_ok=True)
                assert value == near, (row.Index, name)
            else:
                there = "" if isinstance(stored, float) and np.isnan(stored) else stored
                assert str(value) == str(there), (row.Index, name)
