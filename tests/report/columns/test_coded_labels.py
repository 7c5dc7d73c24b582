"""Labels beside one column of scores: which of two the score is of."""

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, P_EVENT

from calib_report import read


def test_the_sign_of_a_label_of_one_column_holds():
    for positive, p in (("1", P_EVENT), ("0", 1 - P_EVENT)):
        outputs = read(
            pd.DataFrame({"label": EVENT, "p": p}), scores="p", positive=positive
        )
        assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
            (P_EVENT > 0.5) == EVENT
        )


@pytest.mark.parametrize("labels", [np.array(["true", "false"])[1 - EVENT], EVENT == 1])
@pytest.mark.parametrize("classes", [["true", "false"], ["false", "true"]])
def test_classes_true_and_false_are_no_numbers(labels, classes):
    p = np.column_stack(
        [P_EVENT, 1 - P_EVENT] if classes[0] == "true" else [1 - P_EVENT, P_EVENT]
    )
    outputs = read({"y": labels, "probs": p, "classes": np.array(classes)})
    assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
        (P_EVENT > 0.5) == EVENT
    )
