"""First choices of a network, read beside their labels or refused."""

import pytest

from evidence.sources import imagenetx

CHOSEN = (
    b"file_name,predicted_class,predicted_probability\na.JPEG,1,0.75\nb.JPEG,0,0.5\n"
)
LABELS = b"file_name,label\na.JPEG,1\nb.JPEG,2\n"


def test_first_choices_stand_beside_the_label_of_their_image():
    y, score, classes = imagenetx.first_choices(CHOSEN, LABELS)
    assert y.tolist() == [1, 2]
    assert score.tolist() == [[0.75], [0.5]] and classes.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("chosen", "labels", "says"),
    [
        (
            CHOSEN,
            LABELS.replace(b"b.J", b"c.J"),
            "row 2: .* b.JPEG, but the label of c",
        ),
        (CHOSEN, LABELS + b"c.JPEG,0\n", "predictions: 2 images, expected 3"),
        (LABELS, LABELS, "predictions: the columns are"),
        (CHOSEN, CHOSEN, "labels: the columns are .*, expected .'file_name', 'label'"),
    ],
)
def test_first_choices_of_other_images_are_refused(chosen, labels, says):
    with pytest.raises(ValueError, match=says):
        imagenetx.first_choices(chosen, labels)
