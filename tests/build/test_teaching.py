"""What teachers get: the exam bank, files for learning platforms, reserved networks."""

import html
import re
import zipfile
from collections import Counter
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from helpers import ROOT, SITE, chromium, skip_unless
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import calib
from book.build import handouts
from teaching import bank, reserved
from teaching.__main__ import build_wheel, print_labs

QUESTIONS = bank.drawn(7)


def test_seventy_questions_each_with_one_answer_and_three_reasons():
    assert [q.number for q in QUESTIONS] == list(range(1, 71))
    for q in QUESTIONS:
        assert len(set(q.options)) == 4 and all(q.options), q.number
        assert [not reason for reason in q.reasons] == [i == q.right for i in range(4)], q.number
        assert q.level in ("recall", "apply", "judge")
        assert (ROOT / "chapters" / f"{q.chapter}.md").is_file(), q.chapter
    assert min(Counter(q.level for q in QUESTIONS).values()) >= 15
    assert max(Counter(q.letter for q in QUESTIONS).values()) <= 25


def test_the_length_of_an_option_does_not_give_the_answer_away():
    """Who always ticks the longest, or the shortest, gets what guessing gets: a fourth."""
    for level in ("recall", "apply", "judge"):
        for extreme in (max, min):
            found = [extreme(q.options, key=len) for q in QUESTIONS if q.level == level]
            right = [q.options[q.right] for q in QUESTIONS if q.level == level]
            assert np.mean(np.equal(found, right)) < 0.45, (level, extreme)


def test_a_seed_gives_one_exam_of_each_part_and_another_seed_another():
    exams = [bank.exam(seed) for seed in (1, 2, 3)]
    for exam in exams:
        parts = Counter(q.chapter.partition("/")[0] for q in exam)
        assert parts["measure"] == parts["recalibrate"] == parts["promises"] == 6
        assert parts["language"] + parts["replicate"] == 6
    assert len({tuple(q.number for q in exam) for exam in exams}) == 3
    assert bank.drawn(7) == QUESTIONS
    pairs = list(zip(QUESTIONS, bank.drawn(8), strict=True))
    assert sum(a.text != b.text for a, b in pairs) >= 8
    assert sum(a.right != b.right for a, b in pairs) >= 20


def numbers(text):
    return [float(n) for n in re.findall(r"(?<![\w.])\d+\.?\d*", text)]


@pytest.mark.parametrize("seed", range(5))
def test_computed_answers_agree_with_the_library(seed):
    asked = {q.number: q for q in bank.drawn(seed)}
    answer = {n: q.options[q.right] for n, q in asked.items()}
    _, low, _, _, high, *_ = numbers(asked[22].text.replace("Four", "4"))
    value = calib.ks_error([1, 0, 0, 1], [low, 0.4, 0.6, high])
    assert answer[22] == f"{value:.3f}"
    n = int(numbers(asked[29].text)[1])
    exact = calib.error_if_calibrated(np.full(n, 0.5))
    assert abs(float(answer[29].split()[0]) - 100 * exact) < 0.1
    hits = np.array(numbers(asked[43].text), int)
    pooled = calib.IsotonicCalibration(floor=0).fit(np.arange(len(hits)) / 10, hits)
    assert answer[43] == f"{pooled.predict(np.array([0.1]))[0]:.2f}"
    logit, share = numbers(asked[37].text)[0], numbers(asked[37].text)[2] / 100
    labels = (np.arange(200) >= 200 * share).astype(int)
    scaling = calib.TemperatureScaling().fit(np.tile([logit, 0.0], (200, 1)), labels)
    assert answer[37] == f"{scaling.temperature_:.2f}"


def test_the_files_for_platforms_hold_every_question(tmp_path):
    blocks = bank.gift(QUESTIONS).strip().split("\n\n")
    assert len(blocks) == 70
    for block, q in zip(blocks, QUESTIONS, strict=True):
        answers = [line for line in block.splitlines() if line[0] in "=~"]
        assert [line[0] for line in answers] == ["=" if i == q.right else "~" for i in range(4)]
    bank.write_qti(QUESTIONS, "Exam", tmp_path / "qti.zip")
    assert list(read_qti(tmp_path / "qti.zip")) == [
        (q.text, q.options, q.options[q.right], tuple(filter(None, q.reasons))) for q in QUESTIONS
    ]


STRAIGHT = str.maketrans("“”‘’", "\"\"''")  # text2qti sets quotation marks


def read_qti(path):
    """Yield text, options, answer and reasons as a platform reads them, per QTI 1.2."""
    with zipfile.ZipFile(path) as packed:
        (name,) = (n for n in packed.namelist() if re.search(r"text2qti_assessment_\w+\.xml$", n))
        tree = ElementTree.fromstring(packed.read(name))
    n = {"": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}

    def said(element):
        text = html.unescape(element.find("material/mattext", n).text)
        return " ".join(re.sub(r"</?p>", "", text).translate(STRAIGHT).split())

    for item in tree.iterfind(".//item", n):
        options = {o.get("ident"): said(o) for o in item.iterfind(".//response_label", n)}
        (right,) = (
            condition.find("conditionvar/varequal", n).text
            for condition in item.iterfind(".//respcondition", n)
            if condition.find("setvar", n) is not None
        )
        feedback = [f.find("flow_mat", n) for f in item.iterfind("itemfeedback", n)]
        reasons = tuple(map(said, feedback))
        yield said(item.find("presentation", n)), tuple(options.values()), options[right], reasons


def test_the_key_is_no_part_of_the_site():
    skip_unless(SITE.is_dir(), "the site is not built: make book")
    whole = " ".join(path.read_text("utf-8") for path in SITE.rglob("*.html"))
    whole += " ".join(path.read_text("utf-8") for path in (SITE / "_sources").rglob("*.*"))
    whole = " ".join(whole.split())
    for q in QUESTIONS:
        for secret in [*filter(None, q.reasons), q.text]:
            assert len(secret) < 25 or secret not in whole, secret
    assert not list(SITE.rglob("*exam*")) and not list(SITE.rglob("*teacher*"))


def test_the_leaderboard_prefers_the_truth_and_lists_what_it_cannot_score(tmp_path):
    """Students get logits, and no labels of the second part."""
    logits = 4 * np.random.default_rng(0).normal(size=(3000, 5))
    labels = tmp_path / "labels.npz"
    reserved.make(logits, 3, tmp_path / "given.npz", labels)
    with np.load(labels) as kept, np.load(tmp_path / "given.npz") as given:
        assert set(given) == {"logits", "y", "test_logits"}
        true, z, y, tail = kept["true_prob"], given["logits"], given["y"], given["test_logits"]
    assert (len(y), len(tail)) == (2000, 1000)
    scaled = calib.TemperatureScaling().fit(z, y).predict_proba(tail)
    handed_in = {"raw": calib.softmax(tail), "short": scaled[:5], "scaled": scaled}
    handed_in |= {"loud": 2 * scaled, "truth": true}
    paths = {name: tmp_path / f"{name}.npz" for name in (*handed_in, "broken", "bare")}
    for name, prob in handed_in.items():
        np.savez(paths[name], prob=prob)
    paths["broken"].write_bytes(paths["raw"].read_bytes()[:-99])
    with paths["bare"].open("wb") as file:
        np.save(file, scaled)
    table = reserved.leaderboard(labels, list(paths.values()))
    assert re.findall(r"^ +\d  (\w+)", table, re.MULTILINE) == ["truth", "scaled", "raw"]
    assert "short: short.npz: prob has the shape (5, 5), expected (1000, 5)" in table
    assert "loud.npz: the rows of prob are no probabilities" in table
    assert "  -  broken: " in table and "  -  bare: " in table


def test_the_library_is_handed_out_as_one_file(tmp_path):
    """Under the name that each notebook tells its reader."""
    name = handouts.wheel_name()
    assert build_wheel(tmp_path) == tmp_path / name
    assert [path.name for path in tmp_path.iterdir()] == [name]
    told = handouts.PREPARE.format(wheel=name, support="", page="", site="")
    assert f'pip install "{name}[exercises]"' in told


def test_the_mathematics_of_printed_labs_is_drawn(tmp_path):
    for reader in ("student", "teacher"):
        (tmp_path / "handouts" / reader / "labs").mkdir(parents=True)
    cells = [new_markdown_cell("$x^2$ of"), new_code_cell("fetch"), new_markdown_cell("$$y$$")]
    for folder in (tmp_path / "handouts").rglob("labs"):
        nbformat.write(new_notebook(cells=cells), folder / "one.ipynb")
    print_labs(tmp_path / "handouts", tmp_path)
    with chromium() as browser:
        page = browser.new_page()
        page.goto((tmp_path / "labs" / "one-solution.html").as_uri())
        page.wait_for_function("document.querySelectorAll('mjx-container').length == 2")
        assert "$" not in page.inner_text("body")
    assert (tmp_path / "labs" / "one.pdf").is_file()
