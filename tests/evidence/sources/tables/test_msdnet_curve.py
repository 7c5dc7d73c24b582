"""A log of somebody's training becomes a row an epoch, or is refused."""

import pytest

from evidence.sources.tables import msdnet_curve

EPOCH = """Epoch: [{n}][1/704]\tTime 1\tData 1\tLoss 9.00\tAcc@1 0.0
Epoch: [{n}][11/704]\tTime 1\tData 1\tLoss 8.00\tAcc@1 0.0
Epoch: [1/79]\tTime 0.1\tData 0.1\tLoss 4.0000\tAcc@1 14.0
Epoch: [11/79]\tTime 0.1\tData 0.1\tLoss 5.0000\tAcc@1 14.0
 * prec@1 1.000 prec@5 2.000
 * prec@1 2.000 prec@5 2.000
 * prec@1 3.000 prec@5 2.000
 * prec@1 4.000 prec@5 2.000
"""


def test_a_row_has_the_mean_of_the_validation_batches_and_the_four_exits():
    rows = msdnet_curve.epochs(EPOCH.format(n=0) + EPOCH.format(n=1))
    assert [row["epoch"] for row in rows] == [0, 1]
    assert rows[0]["loss"] == "4.5000" and rows[0]["batches"] == 2
    assert [rows[1][f"accuracy_{i}"] for i in range(1, 5)] == [
        "1.000",
        "2.000",
        "3.000",
        "4.000",
    ]


def test_an_epoch_that_was_cut_off_is_refused():
    log = EPOCH.format(n=7).replace(" * prec@1 4.000 prec@5 2.000\n", "")
    with pytest.raises(ValueError, match="epoch 7: 2 batches, 3 exits"):
        msdnet_curve.epochs(log)
