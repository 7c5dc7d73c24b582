"""Ways of training, read as their table is written."""

from evidence.sources.tables import uncertainty_baselines


def test_a_way_of_training_has_a_row_for_each_set_of_images_that_it_was_tried_on(
    tmp_path,
):
    sets = ("imagenet", "c", "a", "v2")
    head = ",".join(
        ["method", *(f"{s}_{n}" for s in sets for n in ("nll", "acc", "ece"))]
    )
    path = tmp_path / "resnet50.csv"
    path.write_text(f"{head}\nA,.939,76.2,.032,3.2,40,.1,,,,,,\n")
    rows = uncertainty_baselines.rows(path)
    assert [(row["images"], row["accuracy"], row["ece"]) for row in rows] == [
        ("ImageNet", "76.2", "3.2"),
        ("ImageNet-C", "40", "10"),
    ]
