"""The printed tables that are committed, beside the papers."""

import re

import pytest
from helpers import ROOT, need_shared

from evidence import PAPERS_WITH_TABLES, load_published
from evidence.data import csv_rows

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
