"""The report on files that mislead: zeros, names that are scripts, columns that are no classes."""

import json
import os

import numpy as np
import pytest
from helpers import chromium

import calib
from calib import report
from calib.__main__ import main
from calib.reading import read
from calib.report.page import rows_of_zeros

SCRIPTS = [
    "<script>alert(1)</script>",
    '"><img src=http://example.invalid/x onerror=alert(2)>',
    "</style><script>alert(3)</script>",
    "[x](javascript:alert(4)) ![y](http://example.invalid/y)",
]


def overconfident(n=3000, n_classes=5, seed=1, temperature=0.35):
    rng = np.random.default_rng(seed)
    z = rng.normal(scale=1.2, size=(n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return z / temperature, y


def rounded(digits):
    """Probabilities of an overconfident model as a csv holds them: some true classes become 0."""
    z, y = overconfident()
    p = np.round(calib.softmax(z), digits)
    return y, p


def write(path, **arrays):
    np.savez(path, **arrays)
    return str(path)


def recommended(path, **options):
    outputs = read(path, **options)
    found, _ = report.compare(outputs)
    return report.recommend(found, outputs)["name"], found, outputs


def test_zeros_of_rounding_do_not_change_the_recommendation(tmp_path):
    z, y = overconfident()
    exact = write(tmp_path / "exact.npz", y=y, probabilities=calib.softmax(z))
    _, p = rounded(4)
    zeros = int((p[np.arange(len(y)), y] == 0).sum())
    assert zeros >= 4
    short = write(tmp_path / "short.npz", y=y, probabilities=p)
    name, _, _ = recommended(exact)
    again, found, outputs = recommended(short, atol=1e-2)
    assert name == again == "temperature scaling"
    assert found[0]["ece"] > 0.15 and found[1]["ece"] < 0.03
    told = " ".join(report.notes(outputs))
    assert f"{zeros} of 3000 samples give their true class the probability 0" in told
    assert str(rows_of_zeros(outputs)[0]) in told and "count as that" in told


def test_zeros_and_rounding_are_told_on_the_page(tmp_path, capsys):
    y, p = rounded(3)
    path = write(tmp_path / "a.npz", y=y, probabilities=p)
    assert main(["report", path, "-o", str(tmp_path / "a.html")]) == 2
    assert "sums to" in capsys.readouterr().err
    assert main(["report", path, "-o", str(tmp_path / "a.html"), "--atol", "0.01"]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "give their true class the probability 0" in page
    assert "divided by their sums" in page
    assert json.loads((tmp_path / "a.json").read_text())["recommended"]["name"] != "none"


def test_float16_zeros_have_an_infinite_nll_and_no_warning(tmp_path, recwarn):
    z, y = overconfident(temperature=0.15)
    p = calib.softmax(z).astype(np.float16)
    outputs = read(write(tmp_path / "a.npz", y=y, probabilities=p))
    assert len(rows_of_zeros(outputs))
    found = report.analyse(outputs).found["before"]["NLL"]
    assert found == {"value": np.inf}
    assert "the probability 0" in " ".join(report.notes(outputs))
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def test_names_that_are_scripts_are_text(browser, tmp_path):
    """Names from an npz, a csv heading and --classes; the page asks nobody and says nothing."""
    z, y = overconfident(400, 4)
    names = SCRIPTS
    write(tmp_path / "<b>npz.npz", y=y, logits=z, classes=np.array(names))
    heading = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    rows = [
        f"{label}," + ",".join(map(repr, row)) for label, row in zip(y, z.tolist(), strict=True)
    ]
    (tmp_path / "heading.csv").write_text("\n".join([f"y,{heading}", *rows]))
    np.savez(tmp_path / "plain.npz", y=y, logits=z)
    (tmp_path / "names.txt").write_text("\n".join(names))
    plain = tmp_path / "plain.npz"
    pages = []
    for number, arguments in enumerate(
        [
            [tmp_path / "<b>npz.npz"],
            [tmp_path / "heading.csv", "--kind", "logits"],
            [plain, "--classes", tmp_path / "names.txt"],
        ]
    ):
        pages.append(tmp_path / f"page{number}.html")
        assert main(["report", *map(str, arguments), "-o", str(pages[-1])]) == 0
    for page in pages:
        text = page.read_text()
        assert "&lt;script&gt;alert(1)" in text and "<script" not in text
        assert "Content-Security-Policy" in text
    for page in pages:
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


def test_the_browser_would_have_seen_a_script(browser, tmp_path):
    """What the test above counts is not always zero."""
    (tmp_path / "open.html").write_text(f"<!DOCTYPE html><body>{SCRIPTS[0]}{SCRIPTS[1][2:]}")
    dialogs, requests = visited(browser, tmp_path / "open.html")
    assert "1" in dialogs and requests


def table(y, columns, names):
    rows = zip(y, *columns, strict=True)
    return "\n".join([",".join(["y", *names]), *(",".join(map(str, row)) for row in rows)])


def test_columns_named_by_numbers_are_those_classes(tmp_path):
    """y,1,0 of a perfect classifier was read as one that is never right."""
    y = np.array([0, 1, 1, 0, 1])
    p = np.where(y == 1, 0.9, 0.1)
    (tmp_path / "a.csv").write_text(table(y, [p, 1 - p], ["1", "0"]))
    outputs = read(tmp_path / "a.csv", kind="probabilities")
    assert calib.accuracy(outputs.y, outputs.known) == 1
    np.testing.assert_array_equal(outputs.known[:, 1], p)


@pytest.mark.parametrize(
    ("names", "columns", "told"),
    [
        (["id", "a", "b"], [[7, 3, 9, 4, 1]], "column 'id' is no class"),
        (["Index", "a", "b"], [[7, 3, 9, 4, 1]], "column 'Index' is no class"),
        (["y_pred", "a", "b"], [[0, 1, 1, 0, 1]], "column 'y_pred' is no class"),
        (["sample", "a", "b"], [[0, 1, 2, 3, 4]], "column 'sample' is no class"),
        (["case", "a", "b"], [[1, 2, 3, 4, 5]], "column 'case' is no class"),
    ],
)
def test_columns_that_are_no_classes_are_named(tmp_path, capsys, names, columns, told):
    y = np.array([0, 1, 1, 0, 1])
    z = np.array([[2.0, 0], [0, 2.5], [0.5, 1], [1.25, 0], [-1, 1]])
    (tmp_path / "a.csv").write_text(table(y, [*columns, *z.T], names))
    (tmp_path / "b.csv").write_text(table(y, z.T, names[1:]))
    command = ["metrics", str(tmp_path / "a.csv"), "--kind", "logits", "--json"]
    assert main(command) == 2
    assert f"{told}; if so, ignore it: --ignore {names[0]}" in capsys.readouterr().err
    assert main([*command, "--ignore", names[0]]) == 0
    ignored = capsys.readouterr().out
    assert main(["metrics", str(tmp_path / "b.csv"), "--kind", "logits", "--json"]) == 0
    assert capsys.readouterr().out == ignored


def test_a_column_to_ignore_must_be_there(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("y,a,b\n0,1,2\n")
    command = ["metrics", str(tmp_path / "a.csv"), "--kind", "logits", "--ignore", "id"]
    assert main(command) == 2
    assert "there is no column 'id' to ignore" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("test_y", "y", "test_logits"), "labels and scores of two sets"),
        (("y", "test_logits"), "labels and scores of two sets"),
        (("test_y", "logits"), "labels and scores of two sets"),
        (("y", "logits", "test_logits"), "labels and scores of two sets"),
    ],
)
def test_arrays_of_two_sets_are_not_paired(tmp_path, names, told):
    z, y = overconfident(200)
    arrays = {name: z if "logits" in name else y for name in names}
    with pytest.raises(ValueError, match=told):
        read(write(tmp_path / "a.npz", **arrays))


def test_names_that_are_numbers_in_another_order_are_refused(tmp_path):
    z, y = overconfident(200, 3)
    path = write(tmp_path / "a.npz", y=y, logits=z, classes=np.array([2, 1, 0]))
    with pytest.raises(ValueError, match="it is not known which class a label is"):
        read(path)


def test_an_accuracy_below_chance_is_told(tmp_path):
    z, y = overconfident(400, 4)
    path = write(tmp_path / "a.npz", y=(y + 1) % 4, logits=z)
    assert "below that of guessing" in " ".join(read(path).notes)


def test_log_probabilities_called_logits_are_told(tmp_path):
    z, y = overconfident(400, 4)
    path = write(tmp_path / "a.npz", y=y, logits=np.log(calib.softmax(z)))
    assert "The logits are log-probabilities" in " ".join(read(path).notes)


def scale_bug(folder):
    """A model that vector scaling helps; its logits, and their probabilities, as files."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=(4000, 3))
    y = (z * [0.3, 1.0, 2.0] + [1.0, 0, 0] + rng.gumbel(size=z.shape)).argmax(axis=1)
    write(folder / "logits.npz", y=y, logits=3 * z)
    write(folder / "probabilities.npz", y=y, probabilities=calib.softmax(3 * z))
    write(folder / "wide.npz", y=y, logits=np.column_stack([z, z]))
    write(folder / "other.npz", y=y, logits=3 * z, classes=np.array(["c", "b", "a"]))


def test_a_map_refuses_what_it_was_not_fitted_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scale_bug(tmp_path)
    (tmp_path / "names.txt").write_text("a\nb\nc\n")
    command = ["report", "logits.npz", "-o", "r.html", "--classes", "names.txt"]
    assert main(command) == 0
    assert "vector scaling" in capsys.readouterr().out
    assert main(["apply", "r-map.npz", "logits.npz", "-o", "out.npz"]) == 0
    for file, told in {
        "probabilities.npz": "it holds probabilities, and the map was fitted on logits",
        "wide.npz": "6 classes, and the map has 3",
        "other.npz": "class 0 is 'c', and 'a' in the map",
    }.items():
        capsys.readouterr()
        assert main(["apply", "r-map.npz", file, "-o", "none.npz"]) == 2
        error = capsys.readouterr().err
        assert told in error and error.count("\n") == 1
        assert not os.path.exists("none.npz")


def test_a_temperature_of_three_classes_is_not_for_six(tmp_path, capsys):
    z, y = overconfident(400, 3)
    calib.save_map(calib.TemperatureScaling().fit(z, y), tmp_path / "map.npz")
    path = write(tmp_path / "a.npz", logits=np.column_stack([z, z]))
    assert main(["apply", str(tmp_path / "map.npz"), path, "-o", str(tmp_path / "o.npz")]) == 2
    assert "6 classes, and the map has 3" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["TopLabel", "Platt"])
def test_a_map_of_one_score_cannot_be_applied(tmp_path, capsys, kind):
    z, y = overconfident(400, 3)
    fitted = (
        calib.TopLabel(calib.PlattScaling()).fit(z, y)
        if kind == "TopLabel"
        else calib.PlattScaling().fit(calib.softmax(z)[:, 0], y == 0)
    )
    calib.save_map(fitted, tmp_path / "map.npz")
    path = write(tmp_path / "a.npz", logits=z)
    assert main(["apply", str(tmp_path / "map.npz"), path, "-o", str(tmp_path / "o.npz")]) == 2
    error = capsys.readouterr().err
    assert "maps one score, and predicts no probabilities" in error and error.count("\n") == 1


def test_devices_and_pipes_are_refused_at_once(tmp_path, capsys):
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.csv")
    os.mkfifo(tmp_path / "pipe.npy")
    for name in ("zero.npz", "pipe.csv", "pipe.npy"):
        arguments = [] if name.endswith("npz") else ["--kind", "logits"]
        labels = ["--labels", str(tmp_path / "pipe.npy")] if name.endswith("npy") else []
        assert main(["metrics", str(tmp_path / name), *arguments, *labels]) == 2
        error = capsys.readouterr().err
        assert "not a regular file" in error and error.count("\n") == 1
    assert main(["apply", str(tmp_path / "zero.npz"), "a.npz", "-o", str(tmp_path / "o.npz")]) == 2
    assert "not a regular file" in capsys.readouterr().err


def test_a_negative_seed_is_refused(tmp_path):
    z, y = overconfident(400, 3)
    path = write(tmp_path / "a.npz", y=y, logits=z)
    with pytest.raises(ValueError, match="seed: -1"):
        report.make_report(path, tmp_path / "a.html", seed=-1)


def test_an_npz_with_two_arrays_of_one_name_is_refused(tmp_path):
    import io
    import zipfile

    array = io.BytesIO()
    np.save(array, np.eye(3))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        for _ in range(2):
            with pytest.warns() if archive.namelist() else open(os.devnull):
                archive.writestr("logits.npy", array.getvalue())
    with pytest.raises(ValueError, match="two arrays have one name"):
        read(tmp_path / "a.npz")
