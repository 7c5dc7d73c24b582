"""The exam: its questions and keys, and files for learning platforms."""

import html
import re
import zipfile
from collections import Counter
from itertools import combinations, product
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers import ROOT, SITE, skip_unless

import calib
from book.build.project import BookError
from teaching import bank

QUESTIONS = bank.bank_questions(7)


def every():
    """Each question with each set of its numbers."""
    for topic in bank.TOPICS:
        for entry in topic["questions"]:
            sets = bank.sets_of_versions(entry) + bank.sets_of_bank(entry)
            for lot, numbers in enumerate(sets):
                rng = np.random.default_rng(lot)
                yield entry, bank.drawn_question(topic, entry, numbers, rng)


def texts_of(questions):
    """What is asked, word for word."""
    return {q.text for q in questions}


@pytest.fixture(scope="module")
def versions():
    """All versions of one secret."""
    return [bank.exam_questions(5, version) for version in range(bank.VERSIONS)]


def test_each_question_has_sixteen_sets_of_numbers_four_options_and_a_reason_for_each():
    texts = {}
    for entry, q in every():
        texts.setdefault(entry["text"], []).append(q.text)
        assert len({*q.options}) == 4 and all(q.options) and all(q.reasons), q
        assert q.text == " ".join(q.text.split())
        assert "{" not in "".join((q.text, *q.options))
        assert (ROOT / "chapters" / f"{q.chapter}.md").is_file(), q.chapter
    assert len(texts) == 64
    for of_entry in texts.values():
        assert len(set(of_entry)) == len(of_entry) >= 16


def test_of_each_part_the_bank_has_eight_questions_that_apply_and_four_of_other_levels():
    counts = Counter((q.part, q.level) for q in QUESTIONS)
    assert len(counts) == 12
    for (_, level), count in counts.items():
        assert count == (8 if level == "apply" else 4)


def test_a_version_has_four_questions_of_each_part(versions):
    of_parts = dict.fromkeys({q.part for q in QUESTIONS}, 4)
    for version in versions:
        assert Counter(q.part for q in version) == of_parts
        levels = {"recall": 4, "apply": 8, "judge": 4}
        assert Counter(q.level for q in version) == levels
        assert [q.level for q in version] == [*Counter(levels).elements()]


def test_versions_share_a_quarter_at_most_and_nothing_word_for_word(versions):
    """All pairs of the versions of one secret, 2016 of them."""
    entry_of = {q.text: id(entry) for entry, q in every()}.get
    for first, second in combinations(map(texts_of, versions), 2):
        assert not first & second
        assert len({*map(entry_of, first)} & {*map(entry_of, second)}) <= 4


def test_a_version_is_that_of_its_secret_and_of_a_number_below_64(versions):
    assert bank.exam_questions(5, 3) == versions[3] != bank.exam_questions(6, 3)
    for version in (64, -1):
        with pytest.raises(BookError, match=f"version: {version}, expected 0 to 63"):
            bank.exam_questions(5, version)


def test_two_planes_meet_in_a_line_or_nowhere():
    x, y = zip(*product(range(4), repeat=2), strict=True)
    for first, second in combinations(range(bank.VERSIONS), 2):
        heights = map(bank.height_of_plane, [first] * 16, x, y)
        others = map(bank.height_of_plane, [second] * 16, x, y)
        met = sum(map(int.__eq__, heights, others))
        assert met == (0 if first % 16 == second % 16 else 4)


def test_the_bank_asks_nothing_word_for_word_that_a_version_asks():
    """Nor can it: each set of numbers of the bank makes a text that no set of a version makes."""
    for secret in (1, 5, 7):
        of_bank = texts_of(bank.bank_questions(secret))
        for version in range(bank.VERSIONS):
            assert not of_bank & texts_of(bank.exam_questions(secret, version))
    for topic in bank.TOPICS:
        for entry in topic["questions"]:
            assert entry["bank"].keys() <= entry["draw"].keys()
            of_versions = _texts(topic, entry, bank.sets_of_versions(entry))
            assert not of_versions & _texts(topic, entry, bank.sets_of_bank(entry))


def _texts(topic, entry, sets):
    rng = np.random.default_rng(0)
    return {bank.drawn_question(topic, entry, numbers, rng).text for numbers in sets}


def test_the_bank_of_another_secret_has_other_numbers():
    shared = texts_of(bank.bank_questions(5)) & texts_of(bank.bank_questions(6))
    assert 1 <= len(shared) < 32


ABSOLUTE = re.compile(
    r"\b(never|always|all|any|only|every|each|exactly|none|no|nothing)\b"
)


FORMS = {
    "length": len,
    "words": lambda text: len(text.split()),
    "marks": lambda text: len(re.findall(r"[;:,]", text)),
    "absolutes": lambda text: len(ABSOLUTE.findall(text.lower())),
    "reasons": lambda text: len(re.findall(r"\b(as|since|if|so)\b", text)),
    "digits": lambda text: sum(c.isdigit() for c in text),
    "size": lambda text: max(numbers(text), default=0),
}


def test_who_guesses_by_form_gets_little_more_than_a_quarter():
    """By length, place, punctuation, absolutes, reasons or size; ties are guessed among."""
    questions = [q for seed in range(5) for q in bank.bank_questions(seed)]
    questions += [q for version in range(64) for q in bank.exam_questions(0, version)]
    # the most, the second most ...
    for (name, form), rank in product(FORMS.items(), range(4)):
        shares = []
        for q in questions:
            sizes = [form(option) for option in q.options]
            best = [size == sorted(sizes)[rank] for size in sizes]
            shares.append(best[q.right] / sum(best))
        assert np.mean(shares) < 0.35, (name, rank)
    assert max(Counter(q.right for q in questions).values()) / len(questions) < 0.35


def numbers(text):
    return [float(n) for n in re.findall(r"(?<![\w.])\d+\.?\d*", text)]


def test_computed_answers_agree_with_the_library():
    """Simulated, or by another way than the question's own formula."""
    counts = Counter()
    for entry, q in every():
        answer, values = q.options[q.right], numbers(q.text.replace(" (", " "))
        start = entry["text"][:24]
        if start == "Four samples have the sc":
            value = calib.ks_error([1, 0, 0, 1], values[:4])
            expected = f"{value:.3f}"
        elif start == "A calibrated forecaster ":
            exact = calib.error_if_calibrated(np.full(int(values[1]), values[0]))
            assert abs(float(answer.split()[0]) / 100 / exact - 1) < 0.02
            expected = answer
        elif start == "Samples in order of thei":
            *hits, place = values
            pooled = calib.IsotonicCalibration(floor=0).fit(
                np.arange(len(hits)) / 20, hits
            )
            expected = f"{pooled.predict(np.array([(place - 1) / 20]))[0]:.2f}"
        elif start == "A binary network outputs":
            labels = (np.arange(200) >= 2 * values[2]).astype(int)
            fitted = calib.TemperatureScaling().fit(
                np.tile([values[0], 0.0], (200, 1)), labels
            )
            expected = f"{fitted.temperature_:.2f}"
        elif start == "A model says {s:g} to ev" and "ECE" in entry["text"]:
            hits = (np.arange(100) < values[1]).astype(int)
            expected = f"{calib.ece(hits, np.full(100, values[0])):.2f}"
        elif start == "{n} calibration scores a":
            n, c = int(values[0]), values[1] / 100
            least = next(k for k in range(1, n + 1) if k / (n + 1) >= c - 1e-12)
            expected = f"number {least}"
        else:
            continue
        counts[start] += 1
        assert answer == expected, q
    assert len(counts) == 6 and sum(counts.values()) >= 110


def test_the_files_for_platforms_hold_every_question_with_category_level_and_points(
    tmp_path,
):
    assert list(read_gift(bank.questions_as_gift(QUESTIONS))) == [
        (f"calibration/{q.part}/{q.level} ({q.points} point{'s' * (q.points > 1)})", q.objective,
         q.text, q.options, q.right, q.reasons) for q in QUESTIONS
    ]  # fmt: skip
    bank.write_version(tmp_path, 7, 3)
    assert list(read_qti(tmp_path / "bank-qti.zip")) == [
        (f"{q.part}, {q.level}: {q.objective}", q.points, q.text, q.options, q.options[q.right],
         q.reasons) for q in QUESTIONS
    ]  # fmt: skip
    paper = (tmp_path / "3-paper.html").read_text("utf-8")
    assert "70 minutes, 28 points" in paper and paper.count("&#9633;") == 64
    assert not any(q.reasons[q.right] in paper for q in bank.exam_questions(7, 3))
    assert (tmp_path / "3-paper.pdf").is_file()


def read_gift(text):
    """Yield category, name, text, options, answer and reasons, as Moodle reads GIFT."""

    def plain(part):
        return re.sub(r"\\(.)", r"\1", part)

    category = ""
    for block in text.strip().split("\n\n"):
        if block.startswith("$CATEGORY: "):
            category = block.removeprefix("$CATEGORY: $course$/")
            continue
        head, *answers, end = block.split("\n")
        name, question = re.fullmatch(r"::(.+?)::\[plain\](.+) \{", head).groups()
        pairs = [
            re.fullmatch(r"([=~])(.*?)(?<!\\) # (.*)", line).groups()
            for line in answers
        ]
        (key,) = (i for i, (mark, *_) in enumerate(pairs) if mark == "=")
        options, reasons = (tuple(plain(pair[i]) for pair in pairs) for i in (1, 2))
        assert end == "}"
        yield category, plain(name), plain(question), options, key, reasons


STRAIGHT = str.maketrans("“”‘’", "\"\"''")  # text2qti sets quotation marks


def read_qti(path):
    """Yield text, options, answer and reasons as a platform reads them, per QTI 1.2."""
    with zipfile.ZipFile(path) as packed:
        (name,) = (
            n
            for n in packed.namelist()
            if re.search(r"text2qti_assessment_\w+\.xml$", n)
        )
        tree = ElementTree.fromstring(packed.read(name))
    n = {"": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}

    def said(element):
        text = html.unescape(element.find("material/mattext", n).text)
        return " ".join(re.sub(r"</?p>", "", text).translate(STRAIGHT).split())

    for item in tree.iterfind(".//item", n):
        options = {
            o.get("ident"): said(o) for o in item.iterfind(".//response_label", n)
        }
        (key,) = (
            condition.find("conditionvar/varequal", n).text
            for condition in item.iterfind(".//respcondition", n)
            if condition.find("setvar", n) is not None
        )
        feedback = [f.find("flow_mat", n) for f in item.iterfind("itemfeedback", n)]
        reasons = tuple(map(said, feedback))
        about = {
            field.find("fieldlabel", n).text: field.find("fieldentry", n).text
            for field in item.iterfind(".//qtimetadatafield", n)
        }
        points, text = int(about["points_possible"]), said(item.find("presentation", n))
        yield (
            item.get("title"),
            points,
            text,
            tuple(options.values()),
            options[key],
            reasons,
        )


def test_the_key_is_no_part_of_the_site():
    skip_unless(SITE.is_dir(), "the site is not built: make book")
    whole = " ".join(path.read_text("utf-8") for path in SITE.rglob("*.html"))
    whole += " ".join(
        path.read_text("utf-8") for path in (SITE / "_sources").rglob("*.*")
    )
    whole = " ".join(whole.split())
    for q in QUESTIONS:
        for secret in [*q.reasons, q.text]:
            assert len(secret) < 40 or secret not in whole, secret
    assert not list(SITE.rglob("*exam*")) and not list(SITE.rglob("*teacher*"))
