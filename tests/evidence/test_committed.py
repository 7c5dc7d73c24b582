"""What is committed: printed tables, the zoo and its index, the photographs."""

import re

import numpy as np
import pytest
from helpers import ROOT, need_shared

from calib import top_label
from evidence import PAPERS_WITH_TABLES, load_published, load_zoo
from evidence.data import csv_rows, data_folder
from evidence.training import photographs, zoo_files

ZOO = data_folder() / "zoo"

PRINTED = {
    "guo2017": ("guo2017-slides.txt", 131),
    "nixon2019": ("nixon2019-measuring.txt", 40),
    "gupta2021": ("gupta2021-splines.txt", 420),
    "vasilev2021": ("vasilev2021-survey.txt", 3324),
}


@pytest.mark.shared
@pytest.mark.parametrize("paper", PAPERS_WITH_TABLES)
def test_every_printed_number_is_in_the_paper(paper):
    file, n = PRINTED[paper]
    text = need_shared(f"papers/{file}").read_text(encoding="utf-8")
    rows = csv_rows((ROOT / "data" / "published" / f"{paper}.csv").read_bytes())
    assert len(rows) == n
    numbers = {*re.findall(r"\d+\.\d+", text), *re.findall(r"\d+", text)}
    assert {row["value"] for row in rows} <= numbers


BY_EYE = """
guo2017 dataset=Birds method=Matrix_scaling 21.13
guo2017 model=ResNet-152_(SD) method=Vector_scaling 0.27
guo2017 dataset=SST-5 method=BBQ 2.61
nixon2019 table=2 metric=TACE method=Vector_scaling 1.25
nixon2019 table=1 metric=SCE method=Isotonic_regression 0.35
gupta2021 model=Wide_ResNet-32 dataset=CIFAR-100 table=4 method=Spline 1.017
gupta2021 metric=Top-1_Brier model=ResNet-152 method=MS-ODIR 0.12406
vasilev2021 dataset=Tiny_ImageNet loss=LS_0.05 metric=MCE method=Isotonic_regression 7.08
vasilev2021 dataset=Tiny_ImageNet loss=LS_0.05 table=2 0.231
vasilev2021 model=EfficientNet-B8 metric=NLL method=Vector_scaling_(no_bias) 0.581
vasilev2021 model=EfficientNet-B8 metric=NLL method=Vector_scaling 0.664
"""


@pytest.mark.parametrize("line", BY_EYE.strip().splitlines())
def test_cells_read_off_the_papers_by_eye(line):
    paper, *conditions, value = line.split()
    cells = load_published(paper)
    for column, text in (condition.split("=") for condition in conditions):
        cells = cells[cells[column].astype(str) == text.replace("_", " ")]
    assert cells["value"].tolist() == [float(value)]


@pytest.fixture(scope="module")
def rows():
    return csv_rows((ZOO / "zoo.csv").read_bytes())


def test_index_is_what_the_files_say(rows):
    expected = [
        {key: str(value) for key, value in row.items()} for row in zoo_files.index(ZOO)
    ]
    assert rows == expected


def test_outputs_are_as_accurate_as_the_index_says_and_paired_by_row(rows):
    labels = {}
    for row in rows:
        with np.load(ZOO / f"{row['name']}.npz", allow_pickle=False) as arrays:
            for split in ("calibration", "test"):
                logits, y = arrays[f"{split}_logits"], arrays[f"{split}_y"]
                assert logits.dtype == np.float16 and y.dtype == np.uint8
                assert np.isfinite(logits).all()
                assert len(logits) == len(y) == int(row[f"{split}_n"])
                assert y.max() < logits.shape[1]
                first = labels.setdefault((row["dataset"], split), y)
                np.testing.assert_array_equal(y, first)
            accuracy = np.mean(logits.argmax(1) == y)
        ties = 3e-3  # float16 can tie the two largest logits
        assert accuracy == pytest.approx(float(row["test_accuracy"]), abs=ties), row[
            "name"
        ]


def test_the_photographs_are_what_the_rule_chooses():
    test = load_zoo(photographs.NETWORK).test
    file = ROOT / "data" / "photographs" / "fashion.csv"
    rows, labels = np.loadtxt(file, int, delimiter=",", skiprows=1).T
    score, hit = top_label(test.y, test.prob)
    assert (score[rows] > photographs.SURE).all() and sorted(hit[rows]) == [0] * 3 + [
        1
    ] * 9
    assert labels.tolist() == test.y[rows].tolist()
    assert rows.tolist() == photographs.choose(test, np.random.default_rng(0)).tolist()
