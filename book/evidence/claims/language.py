"""Sentences about language models, ``data/claims-language.yml``, judged on public answers.

``python -m book.evidence.claims.language`` compares ``data/ledger-language.csv`` with the evidence;
``--update`` stores it. A test returns one value a model (and data set); `judge_share` and
`judge_effect` turn them into a verdict by the rule of the other ledger. A model is a case: its
questions were drawn before, for the intervals of the tables.
"""

import inspect

import numpy as np
import pandas as pd
import yaml
from scipy.stats import spearmanr

from book.evidence.claims.findings import (
    FEWEST_NETWORKS,
    Z95,
    judge_effect,
    judge_share,
    of_one_verdict,
)
from book.evidence.claims.frames import as_list, read_table, select
from book.evidence.claims.stored import run
from book.evidence.data import read_declared
from book.evidence.language import language_models, load_answers, load_lengths

SOURCES = ("alecwangcq", "lifeeval", "michael", "plaut", "tao")
CALCULATED = ["business", "chemistry", "computer science", "engineering", "math", "physics"]
KNOWN = ["biology", "economics", "health", "history", "law", "philosophy", "psychology"]
COLUMNS = ["id", "paper", "where", "says", "source", "verdict", "estimate", "low", "high", "n"]
COLUMNS += ["unit", "reason"]


# ---------------------------------------------------------------- what the tests read


def table(source, rows=None):
    """Return the rows of whole data sets, one a model, data set and kind of confidence."""
    found = read_table("results/language.csv")
    found = found[(found.source == source) & (found.unanswered == "left out")]
    found = found[found.group == "all"].drop(columns="group")
    found = found.merge(language_models(), on="model", how="left", validate="many_to_one")
    found["log_parameters"] = np.log(found.parameters.astype(float))
    found["error"] = 1 - found.accuracy
    median = found.groupby(["dataset", "confidence"]).accuracy.transform("median")
    found["half"] = np.where(found.accuracy > median, "more accurate", "less accurate")
    for column, values in (rows or {}).items():
        found = select(found, column, values)
    return found.set_index(["dataset", "model", "confidence"])


def paired(source, **keys):
    """Return the differences between models, or confidences, on the same questions."""
    found = read_table("results/language_paired.csv")
    found = found[found.source == source]
    for column, values in keys.items():
        found = select(found, column, values)
    return found


# ---------------------------------------------------------------- the tests


def exceeds_on_average(source, *, column, over, rows=None):
    """One column is above another on average over models, means over the data sets of each."""
    found = table(source, rows)[[column, over]].groupby(level="model").mean()
    return judge_effect(found[column] - found[over], 1, f"{column} less {over}")


def exceeds(source, *, column, over, quantifier, rows=None):
    """One column is above another."""
    found = table(source, rows)[[column, over]]
    return judge_share(found[column] > found[over], quantifier, f"{column} above {over}")


def above(source, *, column, limit, quantifier, rows=None):
    """A column is above a number."""
    values = table(source, rows)[column]
    return judge_share(values > limit, quantifier, f"{column} above {limit:g}")


def below(source, *, column, limit, quantifier, rows=None):
    """A column is below a number."""
    values = table(source, rows)[column]
    return judge_share(values < limit, quantifier, f"{column} below {limit:g}")


def smaller(source, *, column, lower, upper, quantifier):
    """A column is smaller for one model than for another."""
    values = table(source)[column].droplevel("confidence").unstack("model")
    return judge_share(values[lower] < values[upper], quantifier, f"{column}: {lower} < {upper}")


def tuned_worse(source, *, quantifier):
    """The tuned model has the larger ECE than its base."""
    values = table(source).ece.droplevel(["dataset", "confidence"])
    tuned = [name for name in values.index if name.endswith("-Instruct")]
    cases = {name: values[name] > values[name.removesuffix("-Instruct")] for name in tuned}
    return judge_share(cases, quantifier, "ECE larger after tuning")


def correlation(source, *, x, y, sign, rows=None, margin=0.0):
    """Correlation of two columns over models, means over the data sets of each.

    The interval is Fisher's. As for an effect the claim holds where the whole interval lies beyond
    `margin` on the side of `sign`, or within it where `sign` is 0, and fails where it lies wholly
    on the other side of the margin.
    """
    found = table(source, rows)[[x, y]].dropna().groupby(level="model").mean()
    what, n = f"correlation of {x} and {y}", len(found)
    if n < FEWEST_NETWORKS:
        return of_one_verdict("too few cases", np.nan, np.nan, np.nan, n, "correlation", what)
    r = np.corrcoef(found[x], found[y])[0, 1]
    low, high = np.tanh(np.arctanh(r) + np.array([-1, 1]) * Z95 / np.sqrt(n - 3))
    if sign:
        near, far = sorted((sign * low, sign * high))
        verdict = "holds" if near > margin else "fails" if far < margin else "mixed"
    else:
        inside, outside = max(-low, high) < margin, low > margin or high < -margin
        verdict = "holds" if inside else "fails" if outside else "mixed"
    reason = f"{what}: {r:+.2f} ({low:+.2f} to {high:+.2f}), {n} models"
    return of_one_verdict(verdict, r, low, high, n, "correlation", reason)


def kind_values(source, metric, kinds):
    """Return a metric by kind of confidence of the models that have all of these kinds."""
    return table(source)[metric].unstack("confidence")[kinds].dropna()


def kinds(source, *, metric, better, than, quantifier, factor=1.0):
    """One kind of confidence is better than others: lower ECE, by a factor, or higher AUROC."""
    values = kind_values(source, metric, [better, *as_list(than)])
    sign = 1 if metric == "auroc" else -1
    cases = pd.concat(
        {name: sign * values[better] > sign * factor * values[name] for name in as_list(than)},
        names=["pair"],
    )
    what = (
        f"{metric} of {better} better than {factor:g} times that of {' and '.join(as_list(than))}"
    )
    return judge_share(cases, quantifier, what.replace(" 1 times that of", ""))


def kinds_close(source, *, metric, first, second, within, quantifier):
    """Two kinds of confidence have nearly the same value."""
    values = kind_values(source, metric, [first, second])
    cases = (values[first] - values[second]).abs() <= within
    return judge_share(cases, quantifier, f"{metric} of {first} and {second} within {within:g}")


def changes(source, *, comparison, confidence, metric, sign, quantifier, by=0.0):
    """A metric is larger (or smaller) in the second of two models, by more than `by`."""
    found = paired(source, comparison=comparison, first_confidence=confidence, metric=metric)
    cases = sign * found.set_index("second").difference > by
    what = f"{metric} {'larger' if sign > 0 else 'smaller'}"
    what += f" by more than {by:g}" if by else ""
    return judge_share(cases, quantifier, f"{what}, {confidence}")


def clear_changes(source, *, comparison, confidence, metric, quantifier):
    """A metric differs, the whole interval over subjects on one side of zero."""
    found = paired(source, comparison=comparison, first_confidence=confidence, metric=metric)
    found = found.set_index(["second", "first_confidence"]).rename_axis(["model", "pair"])
    cases = (found.subject_low > 0) | (found.subject_high < 0)
    return judge_share(cases, quantifier, f"{metric} changed clearly")


def subjects(source, *, confidence, metric, quantifier):
    """A metric is larger over subjects of calculation than over those of knowledge."""
    found = read_table("results/language.csv")
    found = found[(found.source == source) & (found.unanswered == "left out")]
    found = select(found, "confidence", confidence)
    wide = found.pivot(index=["model", "confidence"], columns="group", values=metric)
    wide = wide.dropna().rename_axis(["model", "pair"])
    cases = wide[CALCULATED].mean(axis=1) > wide[KNOWN].mean(axis=1)
    return judge_share(cases, quantifier, f"{metric} larger in subjects of calculation")


def hard_easy(source, *, confidence, across, quantifier):
    """Over data sets or subjects, a model's overconfidence falls as its accuracy rises."""
    found = read_table("results/language.csv")
    found = found[(found.source == source) & (found.unanswered == "left out")]
    found = found[(found.confidence == confidence) & (found.dataset != "HaluEval-QA")]
    found = found[(found.group == "all") == (across == "dataset")]
    over = found.mean_confidence - found.accuracy
    cases = {
        model: np.corrcoef(over[rows.index], rows.accuracy)[0, 1] < 0
        for model, rows in found.groupby("model")
        if len(rows) > 2
    }
    what = f"overconfidence falls with accuracy over the {across}s of a model"
    return judge_share(cases, quantifier, what.replace("groups", "subjects"))


def shorter_surer(source, *, kind, quantifier):
    """Among a model's answers, the stated confidence falls with the length of the response."""
    answers, length = load_answers("tao-mmlu-pro"), load_lengths()
    of_kind = language_models().query("kind == @kind").model
    cases = {}
    for model in of_kind:
        row = answers.models.index(model)
        score = answers.confidence["verbal"][row]
        kept = ~np.isnan(score) & (answers.outcome[row] != 2)
        cases[model] = spearmanr(length[row, kept], score[kept]).statistic < 0
    return judge_share(cases, quantifier, "rank correlation of length and confidence below zero")


def bias(source, *, width, sign, quantifier):
    """Stated confidence less the probability of the life table has a sign."""
    found = read_table("results/language_lifeeval.csv")
    found = found[found.width == width].set_index("model")
    side = "above" if sign > 0 else "below"
    return judge_share(sign * found.bias > 0, quantifier, f"stated {side} the life table, ±{width}")


TESTS = {
    test.__name__: test
    for test in (
        exceeds,
        exceeds_on_average,
        above,
        below,
        smaller,
        tuned_worse,
        correlation,
        kinds,
        kinds_close,
    )
}
TESTS |= {
    test.__name__: test
    for test in (changes, clear_changes, subjects, hard_easy, shorter_surer, bias)
}


# ---------------------------------------------------------------- the ledger


def load_claims():
    """Return the entries of ``data/claims-language.yml``, checked.

    Returns
    -------
    list of dict

    Raises
    ------
    ValueError
        If an entry lacks a key, repeats an id, or names an unknown source, test or parameter.
    """
    claims = yaml.safe_load(read_declared("claims-language.yml"))
    seen = set()
    for claim in claims:
        name = claim.get("id", claim)
        if set(claim) != {"id", "paper", "where", "says", "evidence"} or name in seen:
            raise ValueError(f"claims-language.yml: {name}: keys or id")
        seen.add(name)
        for source, spec in claim["evidence"].items():
            check_spec(name, source, spec)
    return claims


def check_spec(name, source, spec):
    """Raise ValueError if a test of a claim is not one that can be called."""
    if source not in SOURCES:
        raise ValueError(f"claims-language.yml: {name}: unknown source {source!r}")
    if spec.get("test") not in TESTS:
        raise ValueError(f"claims-language.yml: {name}: unknown test {spec.get('test')!r}")
    known = inspect.signature(TESTS[spec["test"]]).parameters
    unknown = set(spec) - set(known) - {"test"}
    if unknown:
        raise ValueError(f"claims-language.yml: {name}: unknown parameters {sorted(unknown)}")


def judge(source, spec):
    """Return the finding of one claim's test on one source."""
    options = {key: value for key, value in spec.items() if key != "test"}
    return TESTS[spec["test"]](source, **options)


def judge_all(claims=None):
    """Judge every claim on every source that it names.

    Returns
    -------
    DataFrame
        One row a claim and source.
    """
    rows = []
    for claim in load_claims() if claims is None else claims:
        head = {key: claim[key] for key in ("id", "paper", "where", "says")}
        for source, spec in claim["evidence"].items():
            found = judge(source, spec)
            values = {name: getattr(found, name) for name in COLUMNS[5:]}
            rows.append(head | {"source": source} | values)
    return pd.DataFrame(rows, columns=COLUMNS)


def load_ledger():
    """Return the stored verdicts, ``data/ledger-language.csv``."""
    return read_table("ledger-language.csv")


def ledger_csv():
    """Return the text of the ledger as it is stored, judged anew."""
    return judge_all().to_csv(index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    run("book.evidence.claims.language", "ledger-language.csv", ledger_csv)
