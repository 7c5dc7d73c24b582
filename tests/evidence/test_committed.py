"""What is committed: printed tables, the zoo and its index, the photographs."""

import csv
import re
import sys

import numpy as np
import pytest
from helpers import ROOT, need_shared

from book.evidence import PAPERS, load_published, load_zoo
from calib import top_label
from data.training import photographs, zoo

FOLDER = ROOT / "data" / "published"
ROWS = {"guo2017": 131, "nixon2019": 40, "gupta2021": 420, "vasilev2021": 3324}
TEXTS = {
    "guo2017": "guo2017-slides.txt",
    "nixon2019": "nixon2019-measuring.txt",
    "gupta2021": "gupta2021-splines.txt",
    "vasilev2021": "vasilev2021-survey.txt",
}


def read(paper):
    with open(FOLDER / f"{paper}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cell(paper, **wanted):
    frame = load_published(paper)
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1, frame
    return frame.value.item()


@pytest.mark.shared
@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_number_is_in_the_paper(paper):
    text = (need_shared("papers") / TEXTS[paper]).read_text(encoding="utf-8")
    printed = set(re.findall(r"\d+\.\d+", text))
    assert len(read(paper)) == ROWS[paper]
    assert {row["value"] for row in read(paper)} <= printed | set(re.findall(r"\d+", text))


def test_cells_read_off_the_papers_by_eye():
    assert cell("guo2017", dataset="Birds", method="Matrix scaling") == 21.13
    assert cell("guo2017", model="ResNet-152 (SD)", method="Vector scaling") == 0.27
    assert cell("guo2017", dataset="SST-5", method="BBQ") == 2.61
    assert cell("nixon2019", table=2, metric="TACE", method="Vector scaling") == 1.25
    assert cell("nixon2019", table=1, metric="SCE", method="Isotonic regression") == 0.35
    gupta = dict(paper="gupta2021", model="Wide ResNet-32", dataset="CIFAR-100")
    assert cell(**gupta, table=4, method="Spline") == 1.017
    assert cell("gupta2021", metric="Top-1 Brier", model="ResNet-152", method="MS-ODIR") == 0.12406
    vasilev = dict(paper="vasilev2021", dataset="Tiny ImageNet", loss="LS 0.05")
    assert cell(**vasilev, metric="MCE", method="Isotonic regression") == 7.08
    assert cell(**vasilev, table=2) == 0.231
    efficient = dict(paper="vasilev2021", model="EfficientNet-B8", metric="NLL")
    assert cell(**efficient, method="Vector scaling (no bias)") == 0.581
    assert cell(**efficient, method="Vector scaling") == 0.664


sys.path.insert(0, str(ROOT))


@pytest.fixture(scope="module")
def rows():
    with open(zoo.ZOO / "zoo.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_index_is_what_the_files_say(rows):
    expected = [{key: str(value) for key, value in row.items()} for row in zoo.index()]
    assert rows == expected


def test_outputs_are_as_accurate_as_the_index_says_and_paired_by_row(rows):
    labels = {}
    for row in rows:
        with np.load(zoo.ZOO / f"{row['name']}.npz", allow_pickle=False) as arrays:
            for part in ("calibration", "test"):
                logits, y = arrays[f"{part}_logits"], arrays[f"{part}_y"]
                assert logits.dtype == np.float16 and y.dtype == np.uint8
                assert np.isfinite(logits).all()
                assert len(logits) == len(y) == int(row[f"{part}_n"])
                assert y.max() < logits.shape[1]
                first = labels.setdefault((row["dataset"], part), y)
                np.testing.assert_array_equal(y, first)
            accuracy = np.mean(logits.argmax(1) == y)
        ties = 3e-3  # float16 can tie the two largest logits
        assert accuracy == pytest.approx(float(row["test_accuracy"]), abs=ties), row["name"]


PHOTOGRAPHS = ROOT / "data" / "photographs"


def test_the_rows_are_what_the_rule_chooses():
    test = load_zoo(photographs.NETWORK).test
    rows, labels = np.loadtxt(PHOTOGRAPHS / "fashion.csv", int, delimiter=",", skiprows=1).T
    score, hit = top_label(test.y, test.prob)
    assert (score[rows] > photographs.SURE).all()
    assert sorted(hit[rows]) == [0] * 3 + [1] * 9
    assert labels.tolist() == test.y[rows].tolist()
    assert rows.tolist() == photographs.choose(test, np.random.default_rng(0)).tolist()
