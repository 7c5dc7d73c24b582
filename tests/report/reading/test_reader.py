"""One of two files is read as options say, or without where it keeps the contract."""

import numpy as np
import pandas as pd
from combined_files import HIT, TOP

from calib_report.command import main


def test_per_cent_is_divided_where_it_is_and_fractions_are_left(tmp_path, capsys):
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.5, 1, 500)
    right = (rng.random(500) < sure).astype(int)
    for name, factor in (("percent", 100), ("fractions", 1)):
        rows = [f"{factor * s},{r}" for s, r in zip(sure, right, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["confidence,correct", *rows]))
    files = [str(tmp_path / f"{name}.csv") for name in ("percent", "fractions")]
    assert main(["compare", *files, "--percent"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{sure.mean():.4f}     {sure.mean():.4f}" in lines[2]
    assert "no clear difference in NLL" in lines[-1]
    assert main(["check", files[1], "--against", files[0], "--percent"]) == 0


def test_per_cent_of_one_of_two_files(folder, capsys):
    pd.DataFrame({"confidence": (100 * TOP).round(), "correct": HIT}).to_csv(
        "pc.csv", index=False
    )
    pd.DataFrame({"confidence": TOP.round(2), "correct": HIT}).to_csv(
        "new.csv", index=False
    )
    assert main(["compare", "pc.csv", "new.csv", "--percent"]) == 0
    printed = capsys.readouterr()
    assert (
        "read without options" in printed.err
        and "no clear difference in NLL" in printed.out
    )
    assert main(["check", "new.csv", "--percent", "--against", "pc.csv"]) == 0
