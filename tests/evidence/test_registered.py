"""The forecasts, and what judges them, on simulated files of the same shape."""

import hashlib
import json
import runpy

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence.claims import all_claims
from evidence.forecasts import (
    judge_lines,
    load_registered,
    scores,
    sealed_files,
    verdicts,
)

LINES = load_registered()
FAMILIES = "VGG ResNet ResNeXt DenseNet ViT BiT ConvNeXt CLIP EfficientNet".split()
TRAININGS = ("supervised", "pretrained", "distilled", "zero-shot")


def network(rng, n=400):
    """Labels and the logits of a network that is too sure."""
    z = 2 * rng.standard_normal((n, 4))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return {"y": y, "logits": rng.uniform(1.2, 2.5) * z}


def classifiers(rng, n=170):
    """The table of ImageNet networks, every family in every training, a third calibrated."""
    rows = pd.DataFrame({"model": [f"model-{i}" for i in range(n)]})
    rows["family"], rows["training"] = np.resize(FAMILIES, n), np.resize(TRAININGS, n)
    rows["parameters"] = np.exp(rng.uniform(1, 7, n)).round(1)
    rows["temperature"] = np.exp(rng.normal(-0.1, 0.3, n))
    accuracy, calibrated = rng.uniform(60, 90, n), rng.random(n) < 1 / 3
    for when, spread in (("before", 6.0), ("after", 1.0)):
        gap = np.where(calibrated, 0.2, spread) * rng.standard_normal(n)
        ece = np.abs(gap) + rng.uniform(0.1, 0.5, n)
        found = {
            "accuracy": accuracy,
            "confidence": accuracy + gap,
            "mce": 2 * ece,
            "ace": ece,
        }
        found |= {f"ece_{m}": ece + m / 300 for m in (10, 15, 30, 50)}
        rows = rows.assign(**{f"{name}_{when}": value for name, value in found.items()})
    return rows


def answers(rng, n_models, column, n_rounds, kinds, n=60):
    """Answers of language models that say too often that they are sure."""
    rows = pd.MultiIndex.from_product(map(range, (n_models, n_rounds, n)))
    rows = rows.to_frame(index=False, name=["model", column, "question"])
    true = rng.beta(2, 1, len(rows))
    rows["correct"] = (rng.random(len(rows)) < true).astype(int)
    for kind in kinds:
        noisy = true + 0.1 + 0.2 * rng.standard_normal(len(rows))
        rows[kind] = (20 * noisy.clip(0.05, 0.99)).round() / 20
    names = "m" + rows["model"].astype(str)
    return rows.assign(model=names, family="f" + names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Simulated files of the shape of the sealed ones."""
    folder, rng = tmp_path_factory.mktemp("stand-ins"), np.random.default_rng(1)
    (folder / "predictions").mkdir()
    for name, needs in sealed_files.registered_files()["needs"].items():
        if "logits" in needs:
            arrays = network(rng)
            if "train_y" in needs:
                arrays |= {f"train_{part}": x for part, x in network(rng).items()}
            np.savez(folder / "predictions" / f"{name}.npz", **arrays)
    classifiers(rng).to_csv(folder / "classifiers.csv", index=False)
    stated = answers(rng, 5, "wording", 2, ["confidence"])
    stated.to_csv(folder / "stated.csv", index=False)
    kinds = answers(rng, 3, "repeat", 5, ["stated", "token", "vote"])
    kinds.to_csv(folder / "kinds.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def frames(folder):
    return sealed_files.frames(folder)


def test_forecasts_are_of_claims_or_of_numbers_and_never_certain():
    assert len(LINES) >= 80
    assert LINES["id"].is_unique
    assert LINES["probability"].between(0, 1, inclusive="neither").all()
    assert (LINES["fewest"] >= 1).all()
    assert (
        LINES[["says", "exclude", "because", "evidence", "frame"]]
        .notna()
        .all(axis=None)
    )
    known = {claim.id: claim for claim in all_claims()}
    for line in LINES[LINES["claim"] != ""].itertuples():
        assert line.word == known[line.claim].word


def test_all_lines_run_on_stand_ins_and_those_without_evidence_are_counted(frames):
    judged = judge_lines(LINES, frames)
    found = scores(judged)
    answered = judged["true"].notna()
    assert found["lines"] == len(LINES) == sum(found["verdicts"].values())
    assert found["answered"] == answered.sum() == len(LINES)
    assert set(judged.loc[answered, "verdict"]) >= {"holds", "fails"}
    assert (judged["true"] == 1).equals(judged["verdict"] == "holds")
    without = {
        name: rows
        for name, rows in frames.items()
        if not name.startswith("classifiers")
    }
    fewer = judge_lines(LINES, without)
    gone = LINES["evidence"] == "ImageNet table"
    assert (fewer.loc[gone, "verdict"] == "no evidence").all()
    assert fewer.loc[gone, "true"].isna().all()
    pd.testing.assert_series_equal(
        fewer.loc[~gone, "verdict"], judged.loc[~gone, "verdict"]
    )
    none = {"lines": len(LINES), "answered": 0, "verdicts": {"no evidence": len(LINES)}}
    assert scores(judge_lines(LINES, {})) == none


def judge_by_command(monkeypatch, folder, out):
    monkeypatch.setattr("sys.argv", ["registered", str(folder), "-o", str(out)])
    runpy.run_module("evidence.forecasts", run_name="__main__")


def test_one_command_judges_a_folder(folder, tmp_path, monkeypatch):
    (tmp_path / "classifiers.csv").write_bytes(
        (folder / "classifiers.csv").read_bytes()
    )
    judge_by_command(monkeypatch, tmp_path, tmp_path)
    assert pd.read_csv(tmp_path / "verdicts.csv")["id"].tolist() == LINES["id"].tolist()
    assert json.loads((tmp_path / "scores.json").read_text())["sealed files"] == []
    assert "<svg" in (tmp_path / "reliability.svg").read_text()


@pytest.mark.parametrize(
    ("name", "told"), [("absent", "no such folder"), (".", "holds no file")]
)
def test_a_folder_without_evidence_is_refused_and_nothing_is_written(
    tmp_path, name, told, monkeypatch, capsys
):
    with pytest.raises(SystemExit, match="2"):
        judge_by_command(monkeypatch, tmp_path / name, tmp_path / "out")
    assert told in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_the_stored_scores_are_those_of_the_stored_verdicts():
    """The verdicts are those of the rule that was fixed before the files were opened."""
    judged = verdicts.load_verdicts()
    assert len(judged) == len(LINES)
    kept = pd.read_csv(ROOT / "data" / "forecasts" / "scores.csv")
    pd.testing.assert_frame_equal(verdicts.scores_by_kind(judged), kept, rtol=1e-8)


def test_the_fixed_data_have_the_digests_of_the_registration():
    digests = pd.read_csv(ROOT / "data" / "forecasts" / "frozen.csv")
    assert all((ROOT / name).is_file() for name in digests["now"])
    digests = digests[digests["file"].str.startswith("data/")]
    assert len(digests) == 3
    for line in digests.itertuples():
        assert (
            hashlib.sha256((ROOT / line.now).read_bytes()).hexdigest()
            == line.registered
        )


def test_a_kind_that_a_model_lacks_changes_no_other_kind(folder):
    whole = pd.read_csv(folder / "kinds.csv")
    lacking = whole.copy()
    lacking.loc[lacking["model"] != "m0", "token"] = np.nan
    before, after = (
        sealed_files.frames_of_models("kinds", rows)["kinds by metric"]
        for rows in (whole, lacking)
    )
    gone = (before["level"] == "token") & (before["case"] != "m0")
    key = ["case", "level", "metric"]
    expected = before[~gone].set_index(key)["value"]
    found = after.set_index(key)["value"]
    pd.testing.assert_series_equal(found.loc[expected.index], expected)
    assert found.drop(expected.index).isna().all()
