"""Compute labels_of_people.csv: networks by label, by the majority of people, by the people.

Gaps are confidence less share: positive is overconfident. LifeEval has a true probability instead.
"""

from collections.abc import Iterator

from evidence.rows import Row
from evidence.studies.parts.human_labels import (
    judged_row,
    life_eval,
    networks_with_people,
    share_who_agree,
)


def rows(start: str = "") -> Iterator[Row]:
    """Each prediction set by label, by the majority of people, and by the people themselves."""
    for name, test, shares in networks_with_people(start):
        score, hit = test.pairs
        clear = shares.max(axis=1) >= 0.9
        majority = shares.argmax(axis=1) == test.ranked[1][:, 0]
        judges = {
            "label": hit,
            "majority": majority,
            "people": share_who_agree(test, shares),
        }
        for samples, chosen in (
            ("all", slice(None)),
            ("clear", clear),
            ("unclear", ~clear),
        ):
            for judge, truth in judges.items():
                labels = {"source": name, "samples": samples, "judge": judge}
                yield judged_row(labels, score[chosen], truth[chosen].astype(float))
    for name, score, truth in life_eval():
        if name.startswith(start):
            labels = {"source": name, "samples": "all", "judge": "true probability"}
            yield judged_row(labels, score, truth)
