"""The answer desk reads, measures and says what the command reads, measures and says."""

import ast
import base64
import dataclasses
import hashlib
import json
import re
import subprocess
import sys
from functools import cache
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from combined_files import combined
from helpers import ROOT, SITE, served, site_pages

import calib
import calib_report
from book.build import desk
from calib_report import SITUATIONS, advice, limits, propose
from calib_report.analysing.analysis import analyse
from calib_report.columns.scores import shown_outside
from calib_report.deciding import comparison_of_maps
from calib_report.deciding.advice import MAPS_BY_SIZE, WHEN, Situation, map_by_size
from calib_report.doubting import doubts
from calib_report.doubting.suspicion import UNRELATED, association
from calib_report.options import Options

ASSETS = ROOT / "book" / "assets"
PARTS = "table roles checks reading proposals measure words answer".split()
# 5.5.3, npm
PAPAPARSE = "3553fb8bdf5b8004ce5531e6827e81c8b34e7b3992677967754544064e97b016"
MOST_DRAWN = 0.012  # what intervals of a thousand draws differ by
DRAWN = {"low", "high", "chance_high", "p_value"}


MIRRORED = re.compile(
    r"^# Mirrored by the answer desk, book/assets/desk/(.*): change both\.$", re.M
)
FUNCTION = re.compile(r"((?:^//.*\n)*)^(?:async )?function\*? (\w+)\(", re.MULTILINE)


@cache
def functions_of_python():
    """The files of functions of library and application, by name, alone and with its module's."""
    paths_of = {}
    for path in chain(ROOT.glob("calib_report/**/*.py"), ROOT.glob("calib/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                name = node.name.strip("_")
                for known in (name, f"{path.stem}.{name}"):
                    paths_of.setdefault(known, set()).add(path)
    return paths_of


def functions_of_desk(part):
    """Each function of a script: its comment, its name, that name in Python, and who it names."""
    for comment, name in FUNCTION.findall((ASSETS / f"desk/{part}.js").read_text()):
        in_python = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        named = set(re.findall(r"^// As `([\w.]+)`", comment, re.MULTILINE))
        yield comment, name, in_python, named


@pytest.mark.parametrize("part", PARTS[:-1])  # the last answers, for the page alone
def test_each_function_of_the_desk_mirrors_one_of_python_or_says_why_not(part):
    known = {*functions_of_python()}
    for comment, name, in_python, named in functions_of_desk(part):
        is_told = named & known or in_python in known or "// Here alone: " in comment
        assert is_told and named <= known, (
            f"{part}.js, {name}: what of Python is it as?"
        )


def test_a_module_that_the_desk_mirrors_says_which_script_changes_with_it():
    """Where one module alone has a function of that name; the library's are definitions."""
    paths_of, scripts_of = functions_of_python(), {}
    for part in PARTS[:-1]:
        for _, _, in_python, named in functions_of_desk(part):
            for name in named or {in_python}:
                paths = [p for p in paths_of.get(name, ()) if "calib_report" in p.parts]
                if len(paths) == 1:
                    scripts_of.setdefault(paths[0], set()).add(f"{part}.js")
    assert len(scripts_of) > 30
    said = {}
    for path in ROOT.glob("calib_report/**/*.py"):
        line = MIRRORED.search(path.read_text("utf-8"))
        if line:
            said[path] = set(line[1].split(" and "))
    assert said == scripts_of


def listed(part, before):
    """Names of the functions of a list in a script, in their order."""
    script = (ASSETS / f"desk/{part}.js").read_text("utf-8")
    found = re.search(re.escape(before) + r"\[([\w,\s]+)\]", script)
    return re.findall(r"\w+", found[1])


def test_the_desk_guesses_by_the_ways_of_the_command():
    names = listed("proposals", "const WAYS = ")
    assert set(names) == set(desk.ways())
    shared = [name for name in names if name not in desk.ALONE]
    assert shared == [name for name in desk.ways() if name not in desk.ALONE]


def test_the_desk_doubts_by_the_checks_of_the_command():
    names = [desk.camel(check.__name__) for check in doubts.CHECKS]
    assert listed("checks", "const checks = ") == names


def test_the_desk_asks_for_no_option_that_the_command_lacks():
    scripts = "".join((ASSETS / f"desk/{part}.js").read_text("utf-8") for part in PARTS)
    asked = {*re.findall(r"\boptions\.(\w+)", scripts)}
    assert len(asked) > 15 and asked <= {*Options.__dataclass_fields__}


def test_the_desk_begins_with_the_options_that_the_command_begins_with():
    (said,) = re.findall(
        r"const NOTHING_SAID = (.*?);", (ASSETS / "desk/reading.js").read_text()
    )
    assert said == "TEXTS.nothing_said"
    begins_with = plain(desk.texts())["nothing_said"]
    assert begins_with == plain(dataclasses.asdict(Options()))


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page with the desk's scripts, as a page from a folder has them."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "texts.js").write_text(desk.script(), "utf-8")
    desk_scripts = [ASSETS / "desk" / f"{name}.js" for name in ("papaparse", *PARTS)]
    scripts = [
        folder / "texts.js",
        ASSETS / "widgets" / "definitions.js",
        *desk_scripts,
    ]
    tags = "".join(f'<script src="{path.as_uri()}"></script>' for path in scripts)
    (folder / "page.html").write_text(f'<meta charset="utf-8">{tags}', "utf-8")
    page = browser.new_page()
    page.goto((folder / "page.html").as_uri())
    yield page
    page.close()


ASK = """(file) => {
  const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0))
  const answer = answerTo({ bytes })
  const own = answer.readings && !answer.report ? answerTo({ choice: 0 }) : answer
  return JSON.parse(JSON.stringify({ ...answer, ...own, readings: answer.readings }))
}"""


def answered(page, path):
    return page.evaluate(ASK, base64.b64encode(path.read_bytes()).decode())


def plain(options):
    return json.loads(json.dumps(options))


def chosen_files():
    """Files that the door opens: each ninth table."""
    tables = [case for case in combined() if case.name.endswith((".csv", ".tsv"))]
    return {case.name: case for case in tables[::9]}


FILES = chosen_files()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", FILES)
def test_a_table_is_read_as_the_command_reads_it(page, tmp_path, name):
    path = tmp_path / re.sub(r"[/ ]", "_", name)
    FILES[name].write(path)
    answer = answered(page, path)
    try:
        readings = propose(path)
    except ValueError:
        assert "readings" not in answer
        return
    if "beyond" in answer and answer.get("readings") is None:
        return  # it says that the command reads it
    assert [read["options"] for read in answer["readings"]] == [
        plain(reading.options.changed()) for reading in readings
    ]
    for read, reading in zip(answer["readings"], readings, strict=True):
        assert read["rows"] == reading.rows()
        assert read["readAs"] == reading.outputs.read_as
        assert read["leftOut"] == list(reading.left_out)
        assert read["way"] == reading.way


@pytest.mark.browser
@pytest.mark.parametrize(
    "number", [7, 1, -0.1, 1.03, 1.00001, 1 + 2e-6, -2e-6, 1 + 2e-16]
)
def test_a_number_outside_is_shown_as_the_command_shows_it(page, number):
    assert page.evaluate("shownOutside", number) == shown_outside(number)


def test_few_tables_are_left_to_the_command(page, tmp_path):
    """Of the files that are compared it reads nearly all that the command reads."""
    n_left = 0
    for number, case in enumerate(FILES.values()):
        case.write(path := tmp_path / f"{number}.csv")
        n_left += "beyond" in page.evaluate(
            ASK, base64.b64encode(path.read_bytes()).decode()
        )
    assert n_left <= len(FILES) / 20


def worlds():
    """Tables of which something is so: too sure, calibrated, shy, few, all alike, turned round."""
    rng = np.random.default_rng(8)
    for n in (30, 150, 900, 4000):
        for sharp in (0.5, 1, 2):
            z = 2 * rng.normal(size=(n, 4))
            y = (z / sharp + rng.gumbel(size=z.shape)).argmax(axis=1)
            table = pd.DataFrame(z, columns=[f"logit_{c}" for c in "abcd"])
            yield f"classes-{n}-{sharp}", table.assign(label=np.array(list("abcd"))[y])
            s = 2 * rng.normal(size=n) - 1
            event = (rng.random(n) < 1 / (1 + np.exp(-s / sharp))).astype(int)
            yield (
                f"event-{n}-{sharp}",
                pd.DataFrame({"p_1": 1 / (1 + np.exp(-s)), "label": event}),
            )
            sure = np.round(rng.beta(4, 1, n), 2)
            hit = (rng.random(n) < sure**sharp).astype(int)
            yield (
                f"stated-{n}-{sharp}",
                pd.DataFrame({"confidence": sure, "correct": hit}),
            )
    yield "turned", pd.DataFrame({"p_1": 1 / (1 + np.exp(s)), "label": event})
    # the scores are too sure, and in this order chance lets labels go with them a little
    p = calib.softmax(np.column_stack([-2 * s, 2 * s]))
    orders = (rng.permutation(event) for _ in range(2000))
    lucky = next(order for order in orders if association(order, p).seen > UNRELATED)
    yield "hardly related", pd.DataFrame({"p_1": p[:, 1], "label": lucky})
    twice = pd.DataFrame(calib.softmax(calib.softmax(4 * z)), columns=list("abcd"))
    twice = twice.add_prefix("p_").assign(
        label=np.array(list("abcd"))[z.argmax(axis=1)]
    )
    twice.loc[::9, "label"] = "a"
    yield "softmax twice", twice
    yield "one class", pd.DataFrame({"p_1": 1 / (1 + np.exp(-s)), "label": 0 * event})


WORLDS = dict(worlds())


@pytest.fixture
def one_map(monkeypatch):
    """The command, where it tries the one map that the desk tries."""
    every = comparison_of_maps.candidates
    monkeypatch.setattr(
        comparison_of_maps, "candidates", lambda *args: every(*args)[:1]
    )


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.filterwarnings("ignore")
def test_numbers_are_those_of_the_command(page, tmp_path, name, one_map):
    """Exact ones to nine digits; what is drawn from chance as far as draws agree."""
    WORLDS[name].to_csv(path := tmp_path / "table.csv", index=False)
    outputs = propose(path)[0].outputs
    report, answer = analyse(outputs)[0], answered(page, path)
    of_page = answer["report"]
    for key in ("n", "task", "kind", "n_classes", "lack_of_samples", "looks_wrong"):
        assert of_page[key] == report[key]
    for key in ("mean_confidence", "hit_rate"):
        assert of_page[key] == near(report[key])
    for ours, theirs in estimates(of_page, report, outputs):
        assert_same_estimate(ours, theirs)
    assert_same_error(of_page["before"]["ECE"], report["before"]["ECE"])
    assert of_page["best"].get("temperature") == best_temperature(outputs)
    assert of_page["recommended"]["name"] == report["recommended"]["name"]
    if "change" in of_page["recommended"]:  # the folds are the same
        change = report["comparison"][1]["nll_change"]
        assert of_page["recommended"]["change"]["value"] == near(change["difference"])
        assert of_page["recommended"]["change"]["high"] == near(change["high"])
    # or a draw more or less decides
    if abs(report["before"]["ECE"]["p_value"] - 0.05) > 0.03:
        ours, theirs = (
            re.sub(r"[\d.,]+", "#", words)
            for words in (answer["decision"], report["decision"])
        )
        assert ours == theirs
    is_judged = not report["lack_of_samples"] and not report["looks_wrong"]
    row = next(row for row in answer["rows"] if row["key"] == "temperature")
    assert is_judged or row["value"].startswith("not judged")
    assert is_judged == (row["value"][0].isdigit() or row["value"].startswith("none"))


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, "the one number stays"), (1.5, "take these two")]
)
def test_platt_scaling_stands_beside_the_temperature_of_two_classes(
    page, tmp_path, shift, verdict
):
    """Its two numbers and its loss on held-out samples are the library's."""
    rng = np.random.default_rng(5)
    odds = 2 * rng.normal(size=3000)
    y = (rng.random(3000) < 1 / (1 + np.exp(-odds / 2 - shift))).astype(int)
    p = 1 / (1 + np.exp(-odds))
    pd.DataFrame({"p_1": p, "label": y}).to_csv(path := tmp_path / "a.csv", index=False)
    answer = answered(page, path)
    platt = answer["report"]["platt"]
    fitted = calib.PlattScaling(tol=1e-12).fit(p, y)
    assert platt["slope"] == near(fitted.coef_)
    assert platt["intercept"] == near(fitted.intercept_)
    z = calib.as_logits(np.column_stack([1 - p, p]))
    rows = calib.folds(3000, 5, np.random.default_rng(0))
    losses = np.empty((2, 3000))
    maps = calib.OneVsRest(calib.PlattScaling()), calib.TemperatureScaling()
    for i, one in enumerate(maps):
        for part, prob in zip(rows, calib.held_out(one, z, y, rows), strict=True):
            losses[i, part] = calib.nll_per_sample(y[part], prob)
    assert platt["change"]["value"] == near((losses[0] - losses[1]).mean())
    assert verdict in answer["platt"] and "log odds of '1'" in answer["platt"]


@pytest.mark.browser
def test_a_temperature_below_one_is_said_as_the_decision_says_it(page):
    """The factor of a multiplication stands beside the temperature that it is one by."""
    shown = page.evaluate("t => temperatureInWords({ temperature: t })", 0.19771)
    assert shown == "0.198 (multiply by 5.06)"
    said = {"task": "classes", "kind": "probabilities", "temperature": 0.19771}
    told = page.evaluate("r => instructionOf({ ...r, floor: null })", said)
    assert told == "multiply the logarithms of the probabilities by 5.06"
    assert page.evaluate("temperatureInWords({ temperature: 2.27 })") == "2.27"


def test_entries_of_what_went_wrong_are_on_the_page():
    """What a suspect file is told to read has this label and this title."""
    text = (ROOT / "chapters" / "answer.md").read_text("utf-8")
    for label, title in desk.texts()["entry"].items():
        assert f"({label})=\n### {title}\n" in text
    for name in ("hardly", "twice"):
        title = re.search("“(.*)” in What went wrong", desk.texts()["suspect"][name])
        assert title[1] in desk.texts()["entry"].values()


def near(value):
    return pytest.approx(value, abs=1e-9)


def estimates(of_page, report, outputs):
    """The estimates of the page and of the command, which no draw changes, in pairs."""
    pairs = [(of_page["excess"], report["excess"])]
    pairs += [(of_page["before"][k], report["before"][k]) for k in ("accuracy", "NLL")]
    if report["event"] and outputs.task == "classes":
        ours, theirs = of_page["event"]["before"], report["event"]["before"]
        names = ("mean probability", "frequency", "mean probability less frequency")
        pairs += [(ours[name], theirs[name]) for name in names]
    return pairs


def assert_same_estimate(ours, theirs):
    assert ours["value"] == near(theirs["value"])
    if "low" in ours and "low" in theirs:
        assert [ours["low"], ours["high"]] == near([theirs["low"], theirs["high"]])


def assert_same_error(ours, theirs):
    assert ours["value"] == near(theirs["value"])
    assert ours["chance"] == near(theirs["chance"])
    for key in DRAWN:
        margin = 0.08 if key == "p_value" else MOST_DRAWN
        assert ours[key] == pytest.approx(theirs[key], abs=margin)


def best_temperature(outputs):
    """The temperature that the page should name, none where there is no best one."""
    try:
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(*outputs.to_fit)
    except calib.ConvergenceError:
        return None
    return pytest.approx(scaling.temperature_, rel=1e-9)


@pytest.mark.slow
@pytest.mark.browser
def test_errors_are_those_of_the_conformance_cases(page):
    """What the cases state of the accuracy, the confidence and the ECE of fifteen bins."""
    measure = """([y, columns]) => {
      const scores = { columns: columns.map((c) => Float64Array.from(c)), kind: "probabilities" }
      const outputs = new Outputs(Int32Array.from(y), scores, columns.map(String), "classes")
      const { score, hit, n } = outputs
      return [meanOf(hit), meanOf(score), ece(equalWidth(score, hit, 15), n)]
    }"""
    compared = 0
    for path in sorted((ROOT / "data" / "conformance").glob("[0-9]*.json")):
        case = json.loads(path.read_text())
        if set(case) - {"name", "why", "y", "p", "values"}:
            continue  # of weights, or of numbers of fewer digits
        columns = np.array(case["p"], float).T.tolist()
        measured = page.evaluate(measure, [case["y"], columns])
        names = ("accuracy", "confidence", "ece-right-15")
        assert measured == pytest.approx(
            [case["values"][name] for name in names], abs=1e-9
        )
        compared += 1
    assert compared >= 12


def test_the_parser_is_the_published_one():
    content = (ASSETS / "desk" / "papaparse.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() == PAPAPARSE


def test_chooser_tree_and_table_of_advice_agree():
    """For each number of samples and classes the table of advice says what the chooser says."""
    methods = {row["when"]: row["method"] for row in SITUATIONS}
    for n in (10, 99, 100, 999, 1000, 1500, 2499, 2500, 5000, 100_000):
        for k in (2, 3, 10, 100, 101, 500, 1000):
            row = map_by_size(n, k)
            when = "too_many" if k > 100 else "some" if n < 1000 else "many"
            assert row["do"] in methods["few" if n < 100 else when], (n, k)
            # one floor for all numbers of classes above two
            starts = row["do"].startswith("start with one temperature")
            assert starts == (k > 2 and 100 <= n < 2500)
    assert {row["name"] for row in MAPS_BY_SIZE} == {
        name for row in SITUATIONS for name in row.get("choices", ())
    }


@pytest.fixture(scope="module")
def chooser(page):
    """The page with the chooser's rules."""
    page.add_script_tag(path=ASSETS / "widgets" / "base.js")
    page.add_script_tag(path=ASSETS / "widgets" / "map-chooser.js")
    return page


@pytest.mark.browser
def test_the_chooser_of_the_page_is_that_of_the_library(chooser):
    grid = [
        [n, k]
        for n in (10, 100, 1500, 2500, 5000, 60_000)
        for k in (2, 3, 10, 100, 500)
    ]
    choices = chooser.evaluate(
        "grid => grid.map(([n, k]) => book.mapChooser.choiceOf(n, k).name)", grid
    )
    assert choices == [map_by_size(n, k)["name"] for n, k in grid]


SETTINGS = [
    (have, n, k)
    for have in ("second", "logits", "probabilities", "one")
    for n in (1, 30, 99, 100, 199, 200, 999, 1000, 2499, 2500, 60_000)
    for k in ((2,) if have in ("second", "one") else (2, 3, 10, 100, 101, 1000))
]
CHOSEN = """settings => {
  const { chosen, purposesOf } = book.mapChooser
  return settings.map(([have, n, k]) => purposesOf(have).map((purpose) => {
    const answer = chosen(have, n, k, purpose.name)
    return { purpose: purpose.name, ...answer, never: answer.then?.not_when ?? "" }
  }))
}"""
OF_ONE_SCORE = re.compile("Platt|beta|a map of one score")
OF_ALL_CLASSES = re.compile("temperature|matrix|vector|each class")


@pytest.mark.browser
def test_the_chooser_advises_what_is_possible_with_the_outputs_at_hand(chooser):
    """In all settings: the line in bold can be done, and the line below it says nothing else."""
    answers = chooser.evaluate(CHOSEN, SETTINGS)
    assert sum(map(len, answers)) > 500
    for (have, n, k), offered in zip(SETTINGS, answers, strict=True):
        by_purpose = {answer["purpose"]: answer for answer in offered}
        assert "sets" in by_purpose
        assert ("language" in by_purpose) == (have == "one")
        for purpose, answer in by_purpose.items():
            bold, method = answer["do"], answer.get("method") or ""
            setting = (have, n, k, purpose, bold, method)
            needs_map = purpose not in ("rank", "sets")
            fits = bool(OF_ONE_SCORE.search(bold) or OF_ALL_CLASSES.search(bold))
            assert fits == (needs_map and n >= limits.FEWEST_SAMPLES), setting
            assert bool(answer["on"]) == fits, setting
            assert not (OF_ONE_SCORE.search(bold + method) and k > 2), setting
            assert not (OF_ALL_CLASSES.search(bold) and k == 2), setting
            if fits:
                assert bold == map_by_size(n, k)["do"], setting
            elif needs_map:
                assert not method, setting
            # what is advised against is not what is advised
            assert ("recalibration" in answer["never"]) <= ("no map" in bold), setting
            assert ("sets" in answer["never"]) <= ("sets" not in bold), setting
        sets = have != "one" and WHEN["sets"](situation(n, k))
        assert by_purpose["sets"]["do"].startswith("no map needed") == sets


def situation(n, k):
    return Situation(n, 0, k, "classes", frozenset())


# What a row of advice warns of, and the maps that this forbids, of n samples and k classes
ANY_MAP = "scaling|beta|temperature|isotonic|a map of one score"
FORBIDDEN = {
    "a number for each class": lambda n, k: (
        r"vector|matrix|each class" if k > 2 else r"vector|matrix"
    ),
    "not drawn towards one temperature": lambda n, k: (
        r"(?!)" if n >= 200 * k else r"vector scaling(?! that is drawn)|matrix"
    ),
}
FIELDS = {"decide": {"costs": "miss=5"}, "groups": {"groups": ["ward"]}}


@pytest.mark.browser
def test_no_two_pages_contradict_each_other_in_any_setting(chooser):
    """What the chooser says, and all rows of *What do I report* that hold at once, go together."""
    walked = 0
    for (have, n, k), offered in zip(
        SETTINGS, chooser.evaluate(CHOSEN, SETTINGS), strict=True
    ):
        for answer in offered:
            report = {"n": n, "n_classes": k, "clusters": None}
            report["task"] = "pairs" if have == "one" else "classes"
            rows = advice(report | FIELDS.get(answer["purpose"], {}))
            words = " ".join([answer["do"], *of_this_size(rows, n, k)])
            for row in rows:
                for warning, maps in FORBIDDEN.items():
                    if warning in row["not_when"]:
                        contradiction = re.search(maps(n, k), words)
                        assert not contradiction, (have, n, k, row["when"], words)
            # below a hundred one row says that no other row's map counts
            no_map = any("no map, whatever" in row["not_when"] for row in rows)
            assert no_map == (n < limits.FEWEST_SAMPLES)
            assert not (no_map and re.search(ANY_MAP, answer["do"])), (have, n, k)
            walked += 1
    assert walked > 500


def of_this_size(rows, n, k):
    """What rows say is to be done with n samples of k classes."""
    for row in rows:
        names = row.get("choices")
        if names:
            assert map_by_size(n, k)["name"] in {*names, "few"}, (n, k, row["when"])
        yield map_by_size(n, k)["do"] if names else row["method"]


@pytest.mark.slow
@pytest.mark.browser
def test_the_chooser_shows_only_what_the_outputs_serve(browser, address):
    """One walks through it: what is asked changes with what one has, and keeps the purpose."""
    page = browser.new_page()
    page.goto(f"{address}/answer.html", timeout=120_000)
    have, purpose = (
        page.get_by_label(name, exact=True) for name in ("You have", "What for")
    )
    out = page.locator("map-chooser [role=status]")
    have.select_option("logits")
    purpose.select_option("sets")
    assert out.locator("strong").inner_text().startswith("No map needed: sets")
    have.select_option("one")
    assert purpose.input_value() == "sets"
    assert out.locator("strong").inner_text().startswith("No sets: one number")
    samples = page.get_by_label("Samples with labels", exact=True)
    for mistyped in ("1.5", "0", "", "1000000000"):
        samples.fill(mistyped)
        assert out.inner_text().startswith("Samples with labels: type a whole number")
    samples.fill("1000")
    purpose.select_option("report")
    assert "Platt" in out.locator("strong").inner_text()
    purpose.select_option("language")
    assert "a map of one score" in out.inner_text()
    page.close()


@pytest.mark.slow
@pytest.mark.browser
def test_a_pasted_table_without_a_heading_is_asked_about(page):
    """Both questions that two columns may answer are shown, and nothing is chosen."""
    rng = np.random.default_rng(3)
    lines = "\n".join(f"{p:.4f}\t{int(rng.random() < p)}" for p in rng.random(200))
    answer = page.evaluate("text => answerTo({ text, isPasted: true })", lines)
    assert "report" not in answer
    pairs = [reading["options"].get("pairs") for reading in answer["readings"]]
    assert pairs == [False, True]


@pytest.fixture(scope="module", params=["folder", "server"])
def address(request):
    """The built site, from a folder, where there is no worker, and from a server."""
    site_pages()
    if request.param == "folder":
        yield SITE.as_uri()
    else:
        with served(SITE) as address:
            yield address


@pytest.fixture
def desk_page(browser, address):
    """The page on a phone without a network; nothing on it goes wrong."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}/answer.html", timeout=120_000)
    element = page.locator("answer-desk")
    element.scroll_into_view_if_needed()
    element.get_by_role("button").first.wait_for()
    yield page
    context.close()
    assert errors == []


STATED = WORLDS["stated-900-2"].set_axis(["conf", "is_correct"], axis=1)


@pytest.mark.slow
@pytest.mark.browser
def test_a_file_is_asked_about_and_answered_by_keyboard_without_a_network(
    desk_page, tmp_path
):
    """What the contract does not read is shown only after the reader has accepted a reading."""
    STATED.to_csv(tmp_path / "my file.csv", index=False)
    element = desk_page.locator("answer-desk")
    desk_page.locator("#desk-file").set_input_files(tmp_path / "my file.csv")
    accept = element.get_by_role("button", name="Read it so").first
    accept.wait_for()
    assert element.locator("svg.w-plot").count() == 0
    # what typesets the page's equations may still be loading
    desk_page.wait_for_load_state("networkidle")
    requests = []
    desk_page.on("request", lambda request: requests.append(request.url))
    accept.focus()
    desk_page.keyboard.press("Enter")
    element.locator("svg.w-plot").wait_for()
    assert requests == []
    code = desk_page.locator(".desk-python").inner_text()
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    shown = desk_page.locator("tr[data-number=temperature] td").first.inner_text()
    temperature = float(run.stdout.splitlines()[1])
    assert f"{temperature:.3g}" == shown
    assert "scaling.predict_proba(" in code.splitlines()[-1]
    formula = desk_page.locator(".desk-formula").inner_text()
    assert f"T = {shown}: new = p^(1/T) / (p^(1/T)" in formula
    outputs = calib_report.read(
        tmp_path / "my file.csv", y="is_correct", scores="conf", pairs=True
    )
    p = STATED.conf.clip(outputs.floor, 1 - outputs.floor).to_numpy()
    new = p ** (1 / temperature) / (
        p ** (1 / temperature) + (1 - p) ** (1 / temperature)
    )
    scaling = calib.TemperatureScaling().fit(*outputs.to_fit)
    mapped = scaling.predict_proba(outputs.to_fit[0])[:, 1]
    inside = STATED.conf.between(0, 1, inclusive="neither").to_numpy()
    assert new[inside] == pytest.approx(mapped[inside])
    assert new == pytest.approx(mapped, abs=1e-3)  # of 1 only the other end is floored
    command = desk_page.locator(".desk-command").inner_text()
    assert command == "calib report 'my file.csv' --y is_correct --scores conf --pairs"


@pytest.mark.slow
@pytest.mark.browser
def test_six_examples_are_answered(desk_page):
    """Each comes to a decision of its own; one is asked about first."""
    element, decisions, n_asked = desk_page.locator("answer-desk"), [], 0
    shown = {}
    for button in element.locator(".desk-examples button").all():
        element.evaluate("node => node.removeAttribute('data-state')")
        button.click()
        desk_page.locator("answer-desk[data-state]").wait_for()
        if element.get_attribute("data-state") == "readings":
            n_asked += 1
            element.get_by_role("button", name="Read it so").first.click()
            desk_page.locator("answer-desk[data-state=answer]").wait_for()
        decisions.append(element.locator(".w-status").inner_text())
        shown[button.inner_text()] = decisions[-1]
    assert len({*decisions}) == 6 and n_asked == 1
    assert "hardly tell right from wrong" in shown["Labels one row off"]
    assert "Softmax was probably taken twice" in shown["Softmax taken twice"]
    assert "show that it is too sure" in shown["Sixty answers"]
    entry = desk_page.locator(".desk-entry a")  # of the last
    assert entry.get_attribute("href") == "#wrong-twice"
    assert desk_page.locator("#wrong-twice").count() == 1
