"""The report for who decides: its sentence, its six numbers, costs, groups, mistakes, schema."""

import json
from importlib.resources import files

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers import chromium
from jsonschema import Draft202012Validator
from sklearn.metrics import roc_auc_score

import calib
from calib.__main__ import main
from calib.arena.decisions import decided
from calib.report import SITUATIONS, analyse, compare_two, decisions, make_report, measurement
from calib.report.advice import CHAPTERS
from calib.report.comparison import Losses, Purpose
from calib.simulate import TemperedGaussian

SCHEMA = json.loads(files("calib.report").joinpath("schema.json").read_text())


def outputs(temperature, n=2000, n_classes=4, seed=0, **more):
    model = TemperedGaussian(n_classes=n_classes, temperature=temperature)
    y, logits = model.sample_logits(n, np.random.default_rng(seed))
    return {"y": y, "logits": logits} | more


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A report on two thousand samples with everything that can be asked of it."""
    folder = tmp_path_factory.mktemp("report")
    ward = np.random.default_rng(1).choice(["a", "b", "c"], 2000)
    names = np.array([f"case {i}" for i in range(2000)])
    source = outputs(2.0, n_classes=2, ward=ward, name=names)
    found = make_report(
        source,
        folder / "r.html",
        costs="alarm=1,false_alarm=1,miss=10",
        priors="1=0.2",
        coverage=0.8,
        groups="ward",
        ids="name",
    )
    return found, folder


def sentence_of(source, **said):
    return analyse(calib.read(source, **said)).found["sentence"]


def test_the_sentence_in_each_case():
    over = sentence_of(outputs(2.0))
    assert "more than chance would do" in over and "ivide the logits by" in over
    assert "multiply the logits" in sentence_of(outputs(0.5)).lower()
    fine = sentence_of(outputs(1.0))
    assert "fine as it is" in fine and "Change nothing" in fine
    assert "too little to say more: 50 samples are too few" in sentence_of(outputs(2.0, n=50))
    shifted = outputs(2.0)
    shifted["y"] = (shifted["y"] + 1) % 4
    shifted["logits"] = shifted["logits"] * 3
    assert sentence_of(shifted).startswith("Look at the file first")
    p = calib.softmax(outputs(2.0)["logits"])
    assert "logarithms of the probabilities" in sentence_of({"y": outputs(2.0)["y"], "p": p})


def test_numbers_of_the_sentence_are_those_of_the_library():
    source = outputs(2.0)
    found = analyse(calib.read(source)).found
    p = calib.softmax(source["logits"])
    score, hit = calib.top_label(source["y"], p)
    assert found["mean_confidence"] == pytest.approx(score.mean())
    assert found["hit_rate"] == pytest.approx(hit.mean())
    assert found["before"]["ECE"]["value"] == pytest.approx(calib.ece(source["y"], p))
    assert found["before"]["ECE"]["chance"] == pytest.approx(calib.error_if_calibrated(score))
    assert found["before"]["classwise ECE"]["value"] == pytest.approx(
        calib.classwise_ece(source["y"], p)
    )
    assert found["temperature"] == pytest.approx(
        calib.TemperatureScaling().fit(source["logits"], source["y"]).temperature_
    )


def test_chance_of_the_classwise_error_is_that_of_drawn_labels():
    y, p = TemperedGaussian(n_classes=5).sample(2000, np.random.default_rng(0))
    found = measurement.classwise_with_chance(calib.Accumulator().update(y, p))
    rng = np.random.default_rng(1)
    drawn = [(p.cumsum(axis=1) < rng.random((2000, 1))).sum(axis=1).clip(max=4) for _ in range(40)]
    errors = [calib.classwise_ece(labels, p) for labels in drawn]
    assert found["chance"] == pytest.approx(np.mean(errors), rel=0.03)


def test_binomial_deviation_by_hand():
    for n, p in ((1, 0.3), (5, 0.2), (10, 0.95), (7, 0.0), (7, 1.0)):
        mass = calib.bands.poisson_binomial(np.full(n, p))
        by_hand = mass @ np.abs(np.arange(n + 1) - n * p)
        found = measurement.mean_deviation(np.array([float(n)]), np.array([n * p]))
        assert found[0] == pytest.approx(by_hand, abs=1e-12)


def test_intervals_of_clusters_are_wider_where_samples_repeat():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    repeated, cluster = np.repeat(x, 10), np.repeat(np.arange(300), 10)
    alone = measurement.mean_with_interval(x)
    together = measurement.mean_with_interval(repeated, cluster)
    assert together["low"] == pytest.approx(alone["low"], abs=2e-3)
    score = np.repeat(rng.random(300), 10)
    hit = np.repeat(rng.random(300) < score[::10], 10).astype(int)
    wide = measurement.ece_with_interval(score, hit, cluster, rng=rng)
    narrow = measurement.ece_with_interval(score, hit, rng=rng)
    assert wide["p_value"] > 0.01 > narrow["p_value"]
    assert wide["chance"] > 2 * narrow["chance"]


def test_right_labels_are_called_doubtful_as_often_as_is_said():
    """Labels drawn from the probabilities are all right; of mistakes, one in five is doubtful."""
    rng = np.random.default_rng(0)
    z = 2 * rng.normal(size=(3000, 100))
    p = calib.softmax(z)
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    told = p.argmax(axis=1)
    wrong = told != y
    doubtful = p[np.arange(len(p)), y][wrong] < decisions.DOUBTFUL
    chance = decisions._share_doubtful(p[wrong], told[wrong])
    error = np.sqrt((chance * (1 - chance)).sum())
    assert abs(doubtful.sum() - chance.sum()) < 3 * error
    assert doubtful.mean() > 0.2
    rows = decisions.mistakes(calib.read({"y": y, "probs": p}), None)
    assert sum(row["doubtful_by_chance"] for row in rows) > 0.5


def test_costs_by_hand():
    costs = decisions.read_costs("false_alarm=1,miss=4", ["no", "yes"])
    assert decisions.threshold(costs) == 0.2
    p = np.array([[0.7, 0.3], [0.9, 0.1]])
    losses = Losses.of(np.array([0, 1]), p, purpose=Purpose(costs.matrix))
    assert losses.cost.tolist() == [1, 4]


def test_the_page_holds_what_was_asked(written):
    found, folder = written
    text = (folder / "r.html").read_text()
    assert found["sentence"].replace("'", "&#39;") in text
    assert found["costs"]["threshold"] == pytest.approx(1 / 11)
    assert found["costs"]["after"]["value"] <= found["costs"]["before"]["value"]
    assert {row["group"] for row in found["groups"]["ward"]} == {"a", "b", "c"}
    assert "if every label were right and the probabilities true, " in text
    assert found["mistakes"][0]["id"].startswith("case ")
    assert found["mistakes"][0]["confidence"] >= found["mistakes"][-1]["confidence"]
    assert "Decide for <strong>1</strong>" in text and "1 20 %, here" in text
    assert "decline below a confidence of" in text and "After the map" in text
    assert found["groups_of_class"]["class"] == "1"
    assert "http" not in text.replace("http-equiv", "") and "<script" not in text


def test_the_numbers_follow_their_schema(written):
    found, folder = written
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(json.loads((folder / "r.json").read_text()))
    assert found["map"]["learned"]["temperature_"] == found["temperature"]
    described = set(SCHEMA["properties"])
    assert set(found) <= described


@pytest.mark.parametrize("n", [3, 40])
def test_the_numbers_of_a_few_samples_follow_it_as_well(n, tmp_path):
    found = make_report(outputs(2.0, n=n), tmp_path / "r.html")
    Draft202012Validator(SCHEMA).validate(found)
    assert "There is too little to say more" in found["sentence"] and found["sets"] is None


def test_the_page_has_no_fault_that_axe_knows(written):
    _, folder = written
    with chromium() as browser:
        for width, scheme in ((1280, "light"), (390, "dark")):
            page = browser.new_page(
                viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
            )
            page.goto((folder / "r.html").as_uri())
            rules = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
            faults = Axe().run(page, options=rules).response["violations"]
            assert [fault["id"] for fault in faults] == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.close()


def test_pairs_say_what_they_cannot_know(tmp_path):
    rng = np.random.default_rng(0)
    confidence = np.round(rng.uniform(0.5, 1, 1000), 2)
    right = (rng.random(1000) < confidence - 0.2).astype(int)
    source = {"confidence": confidence, "correct": right}
    found = make_report(source, tmp_path / "r.html")
    Draft202012Validator(SCHEMA).validate(found)
    text = (tmp_path / "r.html").read_text()
    assert "Classes, worst first" not in text and "classwise" not in text.lower()
    assert "vector scaling" not in text and " classes, read as" not in text
    b = float(np.mean((confidence - right) ** 2))
    assert found["before"]["Brier"]["value"] == pytest.approx(b)
    a = right.mean()
    assert found["before"]["skill"]["value"] == pytest.approx(1 - b / (a * (1 - a)))
    assert found["other"]["AUROC"]["value"] == pytest.approx(roc_auc_score(right, confidence))
    for asked in ({"costs": "false_alarm=1,miss=2"}, {"priors": [0.5, 0.5]}):
        with pytest.raises(ValueError, match="do not tell the classes"):
            make_report(source, tmp_path / "r.html", **asked)
    assert "From pairs" in " ".join(found["notes"]) and found["task"] == "pairs"
    assert found["before"]["ECE"]["value"] == pytest.approx(calib.ece(right, confidence))
    assert found["after"]["ECE"]["value"] < 0.1 < found["before"]["ECE"]["value"]
    assert found["sets"] is None and found["arena"] is None


def test_the_arena_is_cited_where_it_has_networks_like_these(tmp_path):
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(600, 10))
    y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    found = make_report({"logits": logits, "y": y}, tmp_path / "r.html")
    assert found["arena"] == decided(600, 10)
    page = (tmp_path / "r.html").read_text("utf-8")
    assert found["arena"]["best"] in page
    assert f"one would begin with {found['arena']['use']}: so says a rule" in page
    assert "the book's recipe is one temperature where no predicted class may change" in page


def test_several_labels_are_reported_one_by_one_and_together(tmp_path):
    rng = np.random.default_rng(0)
    p = rng.uniform(0.02, 0.98, size=(600, 3))
    y = (rng.random((600, 3)) < p ** [1, 2, 1]).astype(int)
    found = make_report({"y": y, "p": p}, tmp_path / "r.html")
    assert found["clusters"] == 600 and found["task"] == "labels"
    Draft202012Validator(SCHEMA).validate(found)
    flagged = [row["group"] for row in found["groups"]["label"] if row["before"]["flagged"]]
    assert flagged == ["1"]
    assert [row["label"] for row in found["labels"]] == ["0", "1", "2"]
    assert found["labels"][1]["nll_after"] < found["labels"][1]["nll"]
    assert found["before"]["ECE"]["value"] == pytest.approx(calib.ece(y.ravel(), p.ravel()))
    assert (tmp_path / "r-map.npz").exists() == (found["recommended"]["name"] != "none")


def test_every_sentence_of_advice_leads_to_a_chapter(written):
    found, _ = written
    assert {label for row in SITUATIONS for label in row.chapters} <= set(CHAPTERS)
    have = {row["have"] for row in found["advice"]}
    assert "two classes, and a decision with known costs" in have
    assert "groups: hospitals, languages, subjects" in have


@pytest.fixture
def few_resamples(monkeypatch):
    monkeypatch.setattr("calib.report.two.N_RESAMPLES", 20)


def test_two_models_are_compared_sample_by_sample(tmp_path, capsys, few_resamples):
    before = calib.read(outputs(2.0))
    p = calib.softmax(outputs(2.0)["logits"] / 2)
    after = calib.read({"y": before.y, "p": p})
    found = compare_two(before, after)
    assert found["accuracy"]["difference"] == 0
    assert found["NLL"]["high"] < 0 and found["ECE, 15 bins"]["high"] < 0
    assert found["NLL"]["second"] == pytest.approx(calib.nll(before.y, p))
    np.savez(tmp_path / "a.npz", **outputs(2.0))
    np.savez(tmp_path / "b.npz", y=before.y, p=p)
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")]) == 0
    assert "NLL" in capsys.readouterr().out
    with pytest.raises(ValueError, match="not the same"):
        compare_two(before, calib.read(outputs(2.0, seed=1)))


def test_a_common_floor_lets_no_better_model_look_worse(few_resamples):
    """A gives ten true classes nothing; B gives all of them at least as much as A."""
    y = np.arange(200) % 2
    right = np.where(np.arange(200) < 10, 0.0, 0.9)
    a = np.stack([right, 1 - right], axis=1)
    b = np.where(a == 0, 1e-9, a)
    b[:10, 1] = 1 - 1e-9
    first, second = (np.where(y[:, None] == 0, p, p[:, ::-1]) for p in (a, b))
    outputs = [calib.read({"y": y, "p": p}) for p in (first, second)]
    assert compare_two(*outputs)["NLL"]["difference"] <= 1e-9


def test_models_are_matched_by_ids_and_pairs_by_their_questions(few_resamples):
    rng = np.random.default_rng(5)
    told = outputs(2.0)
    n = len(told["y"])
    order = rng.permutation(n)
    shuffled = {name: np.asarray(values)[order] for name, values in told.items()}
    names = np.arange(n)
    first = calib.read(told, ids=names)
    found = compare_two(first, calib.read(shuffled, ids=names[order]))
    assert {abs(row["difference"]) < 1e-12 for row in found.values()} == {True}
    assert len(found) > 15 and all("low" in row for row in found.values())
    with pytest.raises(ValueError, match="--ids NAME"):
        compare_two(first, calib.read(shuffled))
    with pytest.raises(ValueError, match="do not hold the same samples"):
        compare_two(first, calib.read(shuffled, ids=names + 1))
    score = rng.random(500)
    right, surer = rng.random((2, 500)) < score
    one = calib.read({"confidence": score, "correct": right.astype(int)})
    other = calib.read({"confidence": score, "correct": (right | surer).astype(int)})
    change = compare_two(one, other)["accuracy"]
    assert change["low"] > 0 and change["second"] == pytest.approx((right | surer).mean())


def test_what_apply_writes_holds_all_that_the_file_held(
    tmp_path, monkeypatch, capsys, few_resamples
):
    monkeypatch.chdir(tmp_path)
    main(["demo", "d.csv"])
    lines = (tmp_path / "d.csv").read_text().splitlines()
    rows = [f"{name},{line}" for name, line in enumerate(lines[1:], 700)]
    (tmp_path / "d.csv").write_text("\n".join([f"id,{lines[0]}", *(f"00{row}" for row in rows)]))
    held = calib.read("d.csv", ids="id")
    frequencies = np.bincount(held.y, minlength=4) / len(held)
    fitted = calib.TemperatureScaling().fit(held.logits, held.y)
    calib.save_map(fitted, "map.npz", classes=held.class_names, frequencies=frequencies)
    assert main(["apply", "map.npz", "d.csv", "--ids", "id", "-o", "new.csv"]) == 0
    was, now = (
        [line.split(",") for line in (tmp_path / name).read_text().splitlines()]
        for name in ("d.csv", "new.csv")
    )
    assert [row[:3] for row in was] == [row[:3] for row in now] and was[1][0] == "00700"
    after = calib.read("new.csv", ids="id")
    np.testing.assert_allclose(after.prob, fitted.predict_proba(held.logits), atol=1e-12)
    assert main(["compare", "d.csv", "new.csv", "--ids", "id"]) == 0
    assert "classwise KS" in capsys.readouterr().out
    assert main(["apply", "map.npz", "d.csv", "--priors", "0.7,0.1,0.1,0.1", "-o", "p.npz"]) == 0
    shifted = calib.adjust_priors(after.prob, frequencies, [0.7, 0.1, 0.1, 0.1])
    with np.load("p.npz") as written:
        np.testing.assert_allclose(written["probabilities"], shifted)
        assert written["label"].tolist() == [row[1] for row in was[1:]]
    np.savez("a.npz", y=held.y, logits=held.logits, calibration_logits=held.logits[:5])
    assert main(["apply", "map.npz", "a.npz", "-o", "b.npz"]) == 0
    with np.load("b.npz") as written:
        assert set(written) == {"y", "probabilities", "classes"}
    (tmp_path / "pair.csv").write_text("question,confidence,correct\n" + "a,0.9,1\nb,0.7,0\n" * 60)
    pairs = calib.read("pair.csv")
    odds = calib.TemperatureScaling().fit(pairs.as_logits(), pairs.y)
    calib.save_map(odds, "odds.npz", kind="probabilities", classes=pairs.class_names)
    assert main(["apply", "odds.npz", "pair.csv", "-o", "told.csv"]) == 0
    told = calib.read("told.csv")
    assert told.task == "pairs" and (tmp_path / "told.csv").read_text().startswith("question,conf")
    np.testing.assert_allclose(told.pairs[0], odds.predict_proba(pairs.as_logits())[:, 1])


def test_groups_are_told_where_they_are_asked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["demo", "d.csv"])
    assert main(["metrics", "d.csv", "--groups", "orchard"]) == 0
    assert "\norchard: confidence less accuracy" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["compare", "d.csv", "d.csv", "--groups", "orchard"])


def test_demo_report_apply_plot_and_export_follow_each_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "d.csv"]) == 0
    assert main(["report", "d.csv", "--groups", "orchard", "-o", "r.html"]) == 0
    assert "ivide the logits by" in capsys.readouterr().out
    assert main(["apply", "r-map.npz", "d.csv", "-o", "new.csv"]) == 0
    assert (
        (tmp_path / "new.csv")
        .read_text()
        .startswith(
            (tmp_path / "d.csv").read_text().partition("\n")[0].replace("logit_", "probability_")
        )
    )
    assert main(["plot", "d.csv", "-o", "p.svg"]) == 0
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")
    assert main(["export", "r-map.npz", "-o", "map.json"]) == 0
    assert main(["apply", "r-map.npz", "d.csv", "-o", "new.parquet"]) == 2
    assert "must end in .csv or .npz" in capsys.readouterr().err


def test_intervals_that_are_shown_hold_the_truth_as_often_as_they_say():
    """Of 500 data sets; near calibration that of the ECE is wider than it need be."""
    from book.evidence import load_results

    stored = load_results("report_coverage")
    shown = stored[stored.metric != "classwise ECE"]
    assert shown.n_trials.min() == 500 and shown.coverage.min() > 0.92
    near = (shown.metric == "ECE") & (shown.world == "after scaling")
    assert shown[~near].coverage.max() < 0.97
    hidden = stored[stored.metric == "classwise ECE"]
    assert hidden.coverage.max() < 0.93


def test_a_few_of_these_data_sets_again():
    from data.results.report_coverage import coverage

    rows = coverage(n_trials=12, sizes=(1000,), classwise=False)
    assert all(row["coverage"] >= 8 / 12 for row in rows)
