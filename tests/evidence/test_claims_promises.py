"""The ledger of people, groups, sets, abstention, new worlds and ensembles."""

import pytest
import yaml

from book.evidence.claims import ledger, promises


@pytest.mark.parametrize(
    "change",
    [
        {"paper": None},
        {"colour": "red"},
        {"evidence": {"public": {"frame": "nothing", "test": "lower"}}},
        {"evidence": {"public": {"frame": "sets", "test": "nothing"}}},
        {"evidence": {"elsewhere": {"frame": "sets", "test": "lower"}}},
    ],
)
def test_a_bad_entry_is_refused(monkeypatch, change):
    entry = {"id": "a", "paper": "b", "where": "c", "says": "d", "evidence": {}} | change
    entry = {key: value for key, value in entry.items() if value is not None}
    monkeypatch.setattr(ledger, "read_declared", lambda name: yaml.safe_dump([entry]))
    with pytest.raises(ValueError, match=r"claims-promises\.yml: a: "):
        ledger.load_claims("promises")


def test_seeds_are_one_case_and_data_sets_are_named():
    rows = promises.sets()
    assert "baan-mnli-roberta" in set(rows["case"])
    assert set(rows["dataset"]) >= {"CIFAR-10", "CIFAR-100", "MNLI", "IEMOCAP"}
    assert promises.ensembles()["dataset"].notna().all()
    alike = promises.abstention_zoo()
    assert alike.groupby("case")["loss"].nunique().max() >= 5


def test_worlds_are_counted_one_by_one():
    worlds = promises.prior_worlds().query("method == 'worlds where EM raises the accuracy, none'")
    stored = promises.frames.read_table("results/priors.csv")
    stored = stored.query("calibrator == 'none' and way == 'EM'")
    assert len(worlds) == stored["n_worlds"].sum()
    assert worlds["value"].mean() == pytest.approx(stored["accuracy_better"].mean())
    pneumonia = worlds[worlds["case"] == "ferrer-pneumonia-resnet50"]
    assert (pneumonia["value"].sum(), pneumonia["metric"].nunique()) == (11, 20)
