"""The page and its files: schema, provenance, names that are scripts, what is left."""

import hashlib
import html
import json
import os
import re
import stat
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from described import DESCRIPTION, check_described
from helpers import chromium
from jsonschema import Draft202012Validator
from sklearn.metrics import roc_auc_score
from tempered_models import drawn, outputs, write

import calib
import calib_report
from calib_report import SITUATIONS, analyse, make_report
from calib_report.analysing.analysis import notes_on
from calib_report.command import main
from calib_report.measuring.measure import rows_of_zeros
from calib_report.texts import TEXTS

SCRIPTS = [
    "<script>alert(1)</script>",
    '"><img src=http://example.invalid/x onerror=alert(2)>',
    "</style><script>alert(3)</script>",
    "[x](javascript:alert(4)) ![y](http://example.invalid/y)\u202e",
]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A report on two thousand samples with everything that can be asked of it."""
    folder = tmp_path_factory.mktemp("report")
    ward = np.random.default_rng(1).choice(["a", "b", "c"], 2000)
    names = np.array([f"case {i}" for i in range(2000)])
    source = outputs(2.0, n_classes=2, ward=ward, name=names)
    report = make_report(
        source,
        folder / "r.html",
        costs="alarm=1,false_alarm=1,miss=10",
        coverage=0.8,
        groups="ward",
        ids="name",
    )
    return report, folder


def test_of_a_suspect_file_no_map_is_recommended(tmp_path):
    shifted = outputs(2.0)
    shifted["y"] = (shifted["y"] + 1) % 4
    report = make_report(shifted, tmp_path / "r.html")
    assert report["decision"].startswith(
        "Look at the file first. The labels speak against"
    )
    assert (
        report["recommended"]["name"] == "none"
        and not (tmp_path / "r-map.json").exists()
    )
    text = (tmp_path / "r.html").read_text()
    assert text.count("The labels speak against") == 1


def test_of_five_samples_nothing_is_drawn(tmp_path):
    make_report(outputs(2.0, n=5), tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert "cannot tell" in text and "data:image" not in text and "<h3>ECE" not in text
    assert "Change of NLL" not in text


def test_the_page_holds_what_was_asked(written):
    report, folder = written
    text = (folder / "r.html").read_text()
    for line in (report["decision"], report["sentence"]):
        assert line.replace("'", "&#39;").replace(" %", "\u00a0%") in text
    assert report["costs"]["threshold"] == pytest.approx(1 / 11)
    assert report["costs"]["after"]["value"] <= report["costs"]["before"]["value"]
    assert {row["group"] for row in report["groups"]["ward"]} == {"a", "b", "c"}
    assert report["mistakes"][0]["id"].startswith("case ")
    assert report["mistakes"][0]["confidence"] >= report["mistakes"][-1]["confidence"]
    assert "Decide for <strong>1</strong>" in text
    assert "decline below a confidence of" in text and "After the map" in text
    assert "http" not in text.replace("http-equiv", "") and "<script" not in text


def test_the_numbers_follow_their_schema(written):
    report, folder = written
    Draft202012Validator.check_schema(DESCRIPTION)
    check_described(json.loads((folder / "r.json").read_text()))
    assert report["map"]["learned"]["temperature_"] == report["temperature"]
    described = set(DESCRIPTION["properties"])
    assert set(report) <= described


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.mark.browser
def test_the_page_has_no_fault_that_axe_knows(browser, written):
    from axe_playwright_python.sync_playwright import Axe

    rules = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
    for width, scheme in ((1280, "light"), (390, "dark")):
        size = {"width": width, "height": 900}
        page = browser.new_page(viewport=size, color_scheme=scheme, bypass_csp=True)
        page.goto((written[1] / "r.html").as_uri())
        faults = Axe().run(page, options=rules).response["violations"]
        assert [fault["id"] for fault in faults] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_pairs_say_what_they_cannot_know(tmp_path):
    rng = np.random.default_rng(0)
    confidence = np.round(rng.uniform(0.5, 1, 1000), 2)
    hits = (rng.random(1000) < confidence - 0.2).astype(int)
    source = {"confidence": confidence, "correct": hits}
    report = make_report(source, tmp_path / "r.html")
    check_described(report)
    text = (tmp_path / "r.html").read_text()
    assert "Classes, worst first" not in text and "classwise" not in text.lower()
    assert "vector scaling" not in text and " classes, read as" not in text
    b = float(np.mean((confidence - hits) ** 2))
    assert report["before"]["Brier"]["value"] == pytest.approx(b)
    a = hits.mean()
    assert report["before"]["skill"]["value"] == pytest.approx(1 - b / (a * (1 - a)))
    auroc = report["event"]["before"]["AUROC"]["value"]
    assert auroc == pytest.approx(roc_auc_score(hits, confidence))
    with pytest.raises(ValueError, match="do not tell the classes"):
        make_report(source, tmp_path / "r.html", costs="false_alarm=1,miss=2")
    assert "From pairs" in " ".join(report["notes"]) and report["task"] == "pairs"
    assert report["before"]["ECE"]["value"] == pytest.approx(
        calib.ece(hits, confidence)
    )
    assert report["after"]["ECE"]["value"] < 0.1 < report["before"]["ECE"]["value"]


def test_several_labels_are_judged_together_and_each_by_its_gap(tmp_path):
    rng = np.random.default_rng(0)
    p = rng.uniform(0.02, 0.98, size=(600, 3))
    y = (rng.random((600, 3)) < p ** [1, 2, 1]).astype(int)
    report = make_report({"y": y, "p": p}, tmp_path / "r.html")
    assert report["clusters"] == 600 and report["task"] == "labels"
    check_described(report)
    flagged = [
        row["group"] for row in report["groups"]["label"] if row["before"]["flagged"]
    ]
    assert flagged == ["1"]
    assert report["before"]["ECE"]["value"] == pytest.approx(
        calib.ece(y.ravel(), p.ravel())
    )
    assert (tmp_path / "r-map.json").exists() == (
        report["recommended"]["name"] != "none"
    )


def test_every_sentence_of_advice_leads_to_a_chapter(written):
    report, _ = written
    assert {label for row in SITUATIONS for label in row["chapters"]} <= set(
        TEXTS["chapters"]
    )
    have = {row["have"] for row in report["advice"]}
    assert "two classes, and a decision with known costs" in have
    assert "groups: hospitals, languages, subjects" in have


def test_zeros_and_rounding_are_told_on_the_page(tmp_path, capsys, recwarn):
    y, z = drawn(3000, 1, 5, 6.0)
    p = calib.softmax(z)
    path = write(tmp_path / "a.npz", y=y, probabilities=np.round(p, 3))
    page = tmp_path / "a.html"
    assert main(["report", path, "-o", str(page), "--atol", "0"]) == 2
    assert "sums to" in capsys.readouterr().err
    assert main(["report", path, "-o", str(page)]) == 0
    assert "give their true class the probability 0" in page.read_text()
    assert "divided by their sums" in page.read_text()
    assert (
        json.loads((tmp_path / "a.json").read_text())["recommended"]["name"] != "none"
    )
    half = calib_report.read(
        {"y": y, "probabilities": calib.softmax(4 * z).astype(np.float16)}
    )
    assert len(rows_of_zeros(half)) and "the probability 0" in " ".join(
        map(str, notes_on(half))
    )
    assert analyse(half).numbers["before"]["NLL"] == {"value": np.inf}
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


@pytest.mark.slow
@pytest.mark.browser
def test_names_that_are_scripts_are_text(browser, tmp_path):
    """Names from an npz and its file, and from --classes; the page asks nobody and says nothing."""
    y, z = drawn(400, 0, 4)
    scripted = write(tmp_path / "<b>npz.npz", y=y, logits=z, classes=np.array(SCRIPTS))
    plain = write(tmp_path / "plain.npz", y=y, logits=z)
    (tmp_path / "names.txt").write_text("\n".join(SCRIPTS))
    page = tmp_path / "page.html"
    for line in ([scripted], [plain, "--classes", str(tmp_path / "names.txt")]):
        assert main(["report", *line, "-o", str(page)]) == 0
        text = page.read_text()
        assert "&lt;script&gt;alert(1)" in text and "<script" not in text
        assert "Content-Security-Policy" in text and "\u202e" not in text
        assert visited(browser, page) == ([], [])


def visited(browser, page):
    """Open a page; return its dialogs and the requests that leave it."""
    tab, dialogs, requests = browser.new_page(), [], []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(page.as_uri())
    tab.wait_for_timeout(300)
    tab.close()
    return dialogs, [url for url in requests if not url.startswith(("file:", "data:"))]


@pytest.mark.browser
def test_the_browser_would_have_seen_a_script(browser, tmp_path):
    """What the test above counts is not always zero."""
    (tmp_path / "open.html").write_text(
        f"<!DOCTYPE html><body>{SCRIPTS[0]}{SCRIPTS[1][2:]}"
    )
    dialogs, requests = visited(browser, tmp_path / "open.html")
    assert "1" in dialogs and requests


def test_files_have_the_mode_of_the_user_and_no_map_of_an_earlier_report_stays(
    tmp_path,
):
    npz = tmp_path / "a.npz"
    np.savez(npz, **outputs(2.5, n=400))
    previous = os.umask(0o027)
    try:
        make_report(npz, tmp_path / "report.html")
        fitted = str(tmp_path / "report-map.json")
        assert main(["apply", fitted, str(npz), "-o", f"{npz}.npz"]) == 0
    finally:
        os.umask(previous)
    written = [path for path in tmp_path.iterdir() if path != npz]
    assert len(written) == 4
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o640}
    make_report(outputs(2.5, n=50), tmp_path / "report.html")
    assert not (tmp_path / "report-map.json").exists()


def test_the_page_says_where_it_comes_from_and_the_same_date_gives_the_same_bytes(
    tmp_path, monkeypatch
):
    """Whatever matplotlib's settings, the zone and the language are."""
    source, pages = tmp_path / "a.npz", []
    np.savez(source, **outputs(2.0, n=300))
    settings = {"LC_ALL": "C", "TZ": "Asia/Tokyo", "HOME": "/nonexistent"}
    for more in ({}, settings):
        for name, value in ({"SOURCE_DATE_EPOCH": "1000000000"} | more).items():
            monkeypatch.setenv(name, value)
        report = make_report(source, tmp_path / "r.html", command="calib report a.npz")
        pages.append((tmp_path / "r.html").read_bytes())
        monkeypatch.setitem(matplotlib.rcParams, "figure.facecolor", "red")
        monkeypatch.setitem(matplotlib.rcParams, "font.size", 30)
    provenance = report["provenance"]
    assert (
        provenance["files"][0]["sha256"]
        == hashlib.sha256(source.read_bytes()).hexdigest()
    )
    assert provenance["date"] == "2001-09-09T01:46:40Z" and provenance["rows"] == 300
    assert pages[0] == pages[1] and b"data:image/svg+xml" in pages[0]
    assert provenance["files"][0]["sha256"].encode() in pages[0]
    assert make_report(source, date="today")["provenance"]["date"] == "today"
    assert b"stand for the population that the 300 samples of a.npz" in pages[0]


def test_a_model_card_holds_the_sentence_and_names_that_are_markup_stay_text(tmp_path):
    ward = np.random.default_rng(0).choice(["[x](y)|", "b"], 300)
    source = outputs(2.0, n=300, ward=ward)
    report = make_report(source, tmp_path / "r.md", groups="ward")
    card = (tmp_path / "r.md").read_text()
    assert (
        report["decision"] in card
        and report["sentence"] in card
        and r"\[x\](y)\|" in card
    )
    assert (tmp_path / "r.json").exists() and not (tmp_path / "r.html").exists()


def test_a_drift_is_told_in_order_of_time(tmp_path):
    """A temperature that rises from 1 to 3 over the weeks."""
    y, logits = drawn(3000, 0, temperature=1.0)
    week = np.arange(3000) * 10 // 3000
    source = {"y": y, "logits": logits * (1 + 2 * week[:, None] / 9), "week": week}
    report = make_report(source, tmp_path / "r.html", time="week")
    check_described(report)
    gaps = [row["before"]["value"] for row in report["time"]["periods"]]
    assert report["time"]["trend_before"]["p_value"] < 1e-4 and gaps[9] > gaps[0] + 0.05
    assert (
        report["groups"] == {}
        and "The model drifts" in (tmp_path / "r.html").read_text()
    )


def test_the_page_says_how_its_map_is_applied(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    sure, label = rng.uniform(0.5, 1, 2000), rng.integers(3, size=2000)
    answer = np.where(rng.random(2000) < sure - 0.2, label, (label + 1) % 3)
    table = pd.DataFrame({"gold": label, "answer": answer, "conf": sure})
    table.to_csv("a.csv", index=False)
    table[["answer", "conf"]].to_csv("NEW.csv", index=False)
    typed = ["--y", "gold", "--scores", "conf", "--predicted", "answer"]
    assert main(["report", "a.csv", *typed]) == 0
    page = html.unescape(Path("report.html").read_text("utf-8"))
    shown = re.search(r"<code>calib (apply .*?)</code>", page)[1]
    assert main(shown.replace("NEW", "NEW.csv").replace("OUT", "OUT.csv").split()) == 0
    assert pd.read_csv("OUT.csv")["conf"].mean() < sure.mean() - 0.1
    assert main(["report", "a.csv", *typed]) == 2  # there is a report already
    assert main(["apply", "report-map.json", "NEW.csv", "-o", "OUT.csv"]) == 2
    assert "none is called 'confidence'" in capsys.readouterr().err
