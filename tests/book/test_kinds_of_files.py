"""The commonest kinds of files, each read as its line says."""

import numpy as np

from book.show import kinds_of_files

WORDS = {  # names that leave nothing open, and one that does
    "classes.csv": "probabilities of 3 classes: apple, pear, plum",
    "logits.csv": "logits of 3 classes: apple, pear, plum",
    "answers.csv": "confidences of answers, right or wrong",
    "log.jsonl": "probabilities of 3 classes",
    "score.csv": "2 classes",
}


def test_each_kind_is_read_as_what_a_row_of_it_holds(tmp_path):
    kinds = kinds_of_files.kinds(np.random.default_rng(0))
    meanings = {}
    for name, columns in kinds.values():
        kinds_of_files.write(tmp_path / name, columns)
        meaning, command = kinds_of_files.how_read(tmp_path / name)
        assert command.startswith(f"calib report {name}")
        meanings[name] = meaning
    for name, words in WORDS.items():
        assert words in meanings[name], name
