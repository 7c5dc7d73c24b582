"""The claims of the ledger's three parts: what each says, and what tests it.

The parts are ``papers`` (``data/ledger/claims.yml``: the five papers of the replication),
``language`` (``data/ledger/claims-language.yml``) and ``promises``
(``data/ledger/claims-promises.yml``). They differ in the frames that their tests read, and in
nothing else.

A claim goes this way: `load_claims` reads it, `Claim.test_on` says what one kind of evidence is
asked, `Claim.measured_on` selects the rows and runs the test, `Claim.counts_on` writes what was
found as a table that the model reads. `evidence.claims.ledger` judges from there.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import pandas as pd
import yaml

from evidence.claims import (
    case_tables,
    comparisons,
    correlations,
    families,
    frames,
    fronts_and_curves,
    groups,
    language_frames,
    orders,
    promise_frames,
    trends,
)
from evidence.claims.cases import MeasuredNetworks, measured_networks
from evidence.claims.directions import check_metrics, check_one_value
from evidence.claims.entry_types import ClaimError, check_mapping, refuse_unknown
from evidence.claims.estimates import COLUMNS_OF_NETWORKS, networks_of
from evidence.claims.kin import with_relatives
from evidence.claims.quantifiers import Count, Quantifier, quantifier_of
from evidence.claims.vocabulary import (
    Vocabulary,
    check_data_sets,
    check_parameters,
    check_selected,
    vocabulary_of,
)
from evidence.data import PAPERS, PAPERS_WITH_TABLES, read_declared

PARTS: dict[str, dict[str, dict[str, Callable[..., pd.DataFrame]]]] = {
    "papers": frames.FRAMES,
    "language": language_frames.FRAMES,
    "promises": promise_frames.FRAMES,
}
# whose methods compete in the splits of test sets into halves
METHODS_OF_PAPERS = {
    "guo2017": "guo",
    "nixon2019": "nixon",
    "gupta2021": "gupta",
    "vasilev2021": "vasilev",
}
# metrics whose halves were not compared, and those that stand in for them
STAND_INS = {"ECE (25 bins)": "ECE"}
# of an entry: what each key holds, the first six needed
KEYS: dict[str, Any] = {
    "id": str,
    "paper": str,
    "where": str,
    "says": str,
    "word": str,
    "evidence": dict,
    "named": list[str],
    "theorem": bool,
    "ours": str,
    "dropped": str,
}
NEEDED = tuple(KEYS)[:6]
# of the test of one kind of evidence, beside its keywords
KEYS_OF_TEST = {"test": str, "frame": str, "rows": dict}
# keywords whose names a test compares, those of the one with those of the other
COMPARED_KEYS = (
    *(("member", other) for other in ("than", "by", "reference")),
    *((one, "than") for one in ("members", "metric", "pair")),
    *(("first", other) for other in ("second", "last", "others")),
    ("x", "y"),
)
# tests that count the best, or the worst, method of a network
COUNTED_PLACES = {
    "lowest": "best",
    "near_lowest": "best",
    "second_when_beaten": "best",
    "winners_differ": "best",
    "highest": "worst",
}


def is_test(function: Any) -> bool:
    """Say whether a function takes rows and then keywords alone, as the tests of claims do."""
    if not inspect.isfunction(function):
        return False
    arguments = inspect.getfullargspec(function)
    return arguments.args == ["rows"] and bool(arguments.kwonlyargs)


MODULES_OF_TESTS = (
    comparisons,
    orders,
    correlations,
    trends,
    groups,
    families,
    fronts_and_curves,
)
TESTS = {
    name: f
    for module in MODULES_OF_TESTS
    for name, f in vars(module).items()
    if is_test(f)
}


@dataclass(frozen=True)
class ClaimTest:
    """What one kind of evidence is asked: the rows of a frame, a test, and its keywords."""

    name: str  # of the test, one of `TESTS`
    frame: str  # the table that it reads, one of the part's frames of this evidence
    rows: dict[str, Any]  # columns, and the values that select rows
    keywords: dict[str, Any]  # of the test

    def select(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of the frame that the test reads."""
        for column, values in self.rows.items():
            rows = case_tables.select(rows, column, values)
        return rows

    def check_names(self, words: Vocabulary, named: tuple[str, ...]) -> None:
        """Refuse a name that no frame has: else a slip of the pen is a claim without rows."""
        check_selected(words, self.rows, every_vocabulary)
        check_parameters(words, self.keywords, every_vocabulary)
        check_data_sets(words, named, every_vocabulary)


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper."""

    id: str
    paper: str
    where: str  # in the paper
    says: str  # in our words
    word: str  # of how many cases it says so: one of ``data/ledger/mapping.csv``
    # the test for each kind of evidence, as the file spells it under ``evidence``
    tests: dict[str, dict[str, Any]]
    # the data sets that the sentence names, and is judged on
    named: tuple[str, ...] = ()
    # whether it can be proved, so that its cases only illustrate it
    theorem: bool = False
    ours: str = ""  # why the sentence is ours: it is judged and never counted
    dropped: str = ""  # why the claim is not counted any more
    part: str = "papers"

    @property
    def status(self) -> str:
        """Whether the claim counts, is a theorem, a sentence of ours, or dropped."""
        others = {"dropped": self.dropped, "ours": self.ours, "theorem": self.theorem}
        return next((status for status, given in others.items() if given), "claim")

    @property
    def quantifier(self) -> Quantifier:
        """What its word asks for."""
        return quantifier_of(self.word)

    def test_on(self, evidence: str) -> ClaimTest:
        """Return the test for a kind of evidence.

        A ClaimError names a frame, a test or a keyword that is not known, or missing, or of another
        type.
        """
        loads, entry = PARTS[self.part][evidence], self.tests[evidence]
        check_test(f"{evidence}: ", entry)
        frame = entry.get("frame", next(iter(loads)))
        refuse_unknown(f"{evidence}: frame", [frame], loads)
        # what is left of the entry are the keywords of the test
        keywords = {key: entry[key] for key in entry if key not in KEYS_OF_TEST}
        return ClaimTest(entry["test"], frame, entry.get("rows", {}), keywords)

    def measured_on(self, evidence: str) -> MeasuredNetworks | None:
        """Return the networks of one kind of evidence that the claim's test measures.

        It is None where there are no such rows, or no case that the test looks for. A ClaimError
        names a word of the claim that no frame knows.
        """
        test = self.test_on(evidence)
        self.check_names(evidence, test)
        rows = test.select(
            frame_rows(evidence, self.table_of(evidence), test.frame, part=self.part)
        )
        if rows.empty:
            return None
        rows = rows if evidence == "published" else with_relatives(rows, evidence)
        try:
            check_metrics(test.name, test.keywords, rows)
            check_one_value(test.name, test.keywords, rows)
            cases = TESTS[test.name](rows, **test.keywords)
        except KeyError as error:
            what = f"the rows of the frame {test.frame!r} have no {error.args[0]!r}"
            raise ClaimError(f"{self.place(evidence)}: {what}") from error
        except ValueError as error:
            raise ClaimError(f"{self.place(evidence)}: {error}") from error
        if not len(cases.values):
            return None
        measured = measured_networks(cases, self.quantifier, rows, self.named)
        self.check_count(evidence, len(measured.agree))
        return measured

    def check_count(self, evidence: str, cases: int) -> None:
        """Refuse a word that counts other cases, as "9 of 13" where there are twenty."""
        if isinstance(self.quantifier, Count):
            try:
                self.quantifier.refuse_other(cases)
            except ValueError as error:
                raise ClaimError(f"{self.place(evidence)}: {error}") from None

    def table_of(self, evidence: str) -> str:
        """Return the paper whose tables are read; elsewhere all papers share a frame."""
        return self.paper if evidence == "published" else ""

    def check_names(self, evidence: str, test: ClaimTest) -> None:
        """Refuse a name that no frame has; the ClaimError says in which entry it stands."""
        words = frame_vocabulary(
            evidence, self.table_of(evidence), test.frame, part=self.part
        )
        try:
            test.check_names(words, self.named)
        except ValueError as error:
            raise ClaimError(f"{self.place(evidence)}: {error}") from None

    def place(self, evidence: str) -> str:
        """Return where its test for a kind of evidence stands, for an error."""
        return f"{file_name('claims', self.part, 'yml')}: {self.id}: {evidence}"

    def counts_on(
        self, evidence: str, measured: MeasuredNetworks
    ) -> pd.DataFrame | None:
        """Return the networks of a share or an amount as the model reads them.

        It is None where the test has one number of all networks. Of our networks no author is
        drawn: the share is that of networks that we train. The answers of language models are each
        source's own.
        """
        if measured.cases.interval_of:
            return None
        author = evidence if self.part == "language" else None
        left_out = ("author",) if evidence == "zoo" else ()
        rows = networks_of(measured, left_out=left_out, author=author)
        return rows.assign(id=self.id, evidence=evidence).reindex(
            columns=COLUMNS_OF_NETWORKS
        )

    def chance_of_best(self, evidence: str) -> str:
        """Return the share of splits that name another best, or worst, method, as text.

        It is "" for a test that counts no best method, and where no halves were compared.
        """
        test = self.test_on(evidence)
        place = COUNTED_PLACES.get(test.name)
        of_methods = "column" not in test.keywords
        halves = (
            self.paper in METHODS_OF_PAPERS
            and evidence in ("public", "zoo")
            and of_methods
        )
        if not (place and halves):
            return ""
        return by_halves(
            METHODS_OF_PAPERS[self.paper], test.rows.get("metric", []), evidence, place
        )


def by_halves(methods: str, metric: str | list[str], evidence: str, place: str) -> str:
    """Say how often two halves of one test set name different best, or worst, methods."""
    metrics = dict.fromkeys(
        STAND_INS.get(name, name) for name in case_tables.as_list(metric)
    )
    worst = place == "worst"
    shown = []
    for name in metrics:
        share = frames.chance_of_another_best(methods, name, evidence, worst=worst)
        # NaN of a metric whose halves were not compared
        shown += [f"{share:.0%} ({name})"] if share == share else []
    if not shown:
        return ""
    return f"; by chance the {place} of two halves differ in {', '.join(shown)}"


def file_name(stem: str, part: str, suffix: str) -> str:
    """Return a part's file, below the folder of data.

    Examples
    --------
    >>> file_name("claims", "language", "yml"), file_name("ledger", "papers", "csv")
    ('ledger/claims-language.yml', 'ledger/ledger.csv')
    """
    ending = "" if part == "papers" else f"-{part}"
    return f"ledger/{stem}{ending}.{suffix}"


def load_claims(part: str = "papers") -> list[Claim]:
    """Return the claims of one of the `PARTS`; a ClaimError names an entry that is not one."""
    claims: dict[str, Claim] = {}
    file = file_name("claims", part, "yml")
    for number, entry in enumerate(entries_of(file), 1):
        is_mapping = isinstance(entry, dict)
        name = entry.get("id", f"entry {number}") if is_mapping else f"entry {number}"
        try:
            claim = claim_of(entry, part)
        except ValueError as error:
            raise ClaimError(f"{file}: {name}: {error}") from None
        if name in claims:
            raise ClaimError(f"{file}: {name}: it occurs twice")
        claims[name] = claim
    return list(claims.values())


def entries_of(file: str) -> list[Any]:
    """Return the entries of a file of claims; a ClaimError says that it is no list in YAML."""
    try:
        entries = yaml.load(read_declared(file), yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise ClaimError(f"{file}: it is no YAML: {error}") from None
    if not isinstance(entries, list):
        raise ClaimError(
            f"{file}: it is no list of claims, each of which begins with '- id:'"
        )
    return entries


def claim_of(entry: Any, part: str) -> Claim:
    """Return the claim of an entry; a ValueError names what of it is not known, or missing."""
    check_mapping("", entry, KEYS, NEEDED)
    if part == "papers":
        refuse_unknown("paper", [entry["paper"]], PAPERS)
    check_mapping("evidence: ", entry["evidence"], dict.fromkeys(PARTS[part], dict))
    fields_of_claim = {key: value for key, value in entry.items() if key != "evidence"}
    claim = Claim(**fields_of_claim, tests=entry["evidence"], part=part)
    # a word or a test that is not known is refused here, before anything is judged
    quantifier_of(claim.word)
    for evidence in claim.tests:
        claim.test_on(evidence)
    return claim


def check_test(where: str, entry: dict[str, Any]) -> None:
    """Refuse the test of one kind of evidence whose keys or keywords are not as they should be."""
    keywords = {key: value for key, value in entry.items() if key not in KEYS_OF_TEST}
    keys = {key: value for key, value in entry.items() if key in KEYS_OF_TEST}
    check_mapping(where, keys, KEYS_OF_TEST, ["test"])
    refuse_unknown(f"{where}test", [entry["test"]], TESTS)
    takes = inspect.getfullargspec(TESTS[entry["test"]])
    types = {key: takes.annotations[key] for key in takes.kwonlyargs}
    needed = [key for key in types if key not in (takes.kwonlydefaults or {})]
    check_mapping(where, keywords, types, needed)
    check_names_apart(where, keywords)
    if keywords.get("places", 1) < 1:
        raise ClaimError(f"{where}places: {keywords['places']!r} is not 1 or more")


def check_names_apart(where: str, keywords: dict[str, Any]) -> None:
    """Refuse a name that a keyword has twice, and one that is compared with itself."""
    names = {key: case_tables.as_list(value) for key, value in keywords.items()}
    for key, values in names.items():
        if twice := [name for name in values if values.count(name) > 1]:
            raise ClaimError(f"{where}{key}: {twice[0]!r} stands there twice")
    for one, other in COMPARED_KEYS:
        both = [name for name in names.get(one, []) if name in names.get(other, [])]
        if both:
            raise ClaimError(
                f"{where}{one} and {other}: {both[0]!r} would be compared with itself"
            )


def all_claims() -> list[Claim]:
    """Return the claims of all parts."""
    return list(chain.from_iterable(map(load_claims, PARTS)))


@cache
def frame_rows(
    evidence: str, paper: str, frame: str, *, part: str = "papers"
) -> pd.DataFrame:
    """Return a tidy frame that claims select from: the papers' names, errors in percent."""
    load = PARTS[part][evidence][frame]
    return load(paper) if evidence == "published" else load()


@cache
def frame_vocabulary(
    evidence: str, paper: str, frame: str, *, part: str = "papers"
) -> Vocabulary:
    """Return the names that a tidy frame has, with those of the networks' relatives."""
    rows = frame_rows(evidence, paper, frame, part=part)
    return vocabulary_of(
        rows if evidence == "published" else with_relatives(rows, evidence)
    )


@cache
def every_vocabulary() -> list[Vocabulary]:
    """Return the names of all frames of all parts: a quarter of a minute, for a rare question."""
    return [
        frame_vocabulary(evidence, paper, frame, part=part)
        for part, frames_of_part in PARTS.items()
        for evidence, loads in frames_of_part.items()
        for frame in loads
        for paper in (PAPERS_WITH_TABLES if evidence == "published" else ("",))
    ]
