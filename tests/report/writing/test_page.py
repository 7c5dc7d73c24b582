"""The page: what was asked stands in it, names that are scripts are text."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from described import DESCRIPTION, check_described
from helpers import chromium
from jsonschema import Draft202012Validator
from tempered_models import drawn, outputs, write

from calib_report import SITUATIONS, make_report
from calib_report.commands.main import main
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


def test_every_sentence_of_advice_leads_to_a_chapter(written):
    report, _ = written
    assert {label for row in SITUATIONS for label in row["chapters"]} <= set(
        TEXTS["chapters"]
    )
    have = {row["have"] for row in report["advice"]}
    assert "two classes, and a decision with known costs" in have
    assert "groups: hospitals, languages, subjects" in have


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


@pytest.mark.parametrize(
    ("ending", "number"),
    [(".md", r"^\| (\D+?) \| -?\d\.\d+ \|"), (".html", r"<h3>(.+?)</h3>")],
)
def test_of_few_samples_a_page_has_the_two_numbers_that_can_be_told(
    tmp_path, ending, number
):
    page = tmp_path / f"r{ending}"
    make_report({"y": np.arange(40) % 2, "p_1": np.full(40, 0.7)}, page)
    shown = re.findall(number, page.read_text("utf-8"), re.MULTILINE)
    assert shown == ["accuracy", "Confidence less accuracy"]


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
