"""The rules of the second set's lines, against literal loops and against their words."""

import re

import numpy as np
import pandas as pd
import pytest

from evidence.forecasts.second import judge_second, line_rules, registered
from evidence.forecasts.second.registered import NoAnswerError

LINES = registered.load_lines()
OF_NETWORKS = [
    line for line in LINES if line.rule in ("one network", "share above half", "share")
]
OF_NUMBERS = [line for line in LINES if line not in OF_NETWORKS]
MODELS = registered.registered_files().query(
    "evidence == 'fourteen networks' and model != ''"
)["model"]


def literal(rows, line):
    """The number of a line, one row after another: a second way to compute what a rule does."""
    parameters = dict(line.parameters)
    used = [parameters[key] for key in ("value", "x", "y") if key in parameters]
    where = parameters.get("where", "")
    rows = [row for row in rows.to_dict("records") if holds(row, where)]
    rows = [row for row in rows if all(present(row, text) for text in used)]
    values = [[spelt(text, row, rows) for row in rows] for text in used]
    literally = LITERALLY.get(line.rule, literal_correlation)
    return literally(rows, values, parameters)


def median(values):
    ordered, n = sorted(values), len(values)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def mean(values):
    return sum(values) / len(values)


def literal_number(rows, values, parameters):
    takes = {"min": min, "max": max, "median": median, "mean": mean}
    return takes[parameters["take"]](values[0])


def chosen(rows, values, condition):
    """Return the values of the rows for which a condition holds."""
    return [v for v, row in zip(values, rows, strict=True) if holds(row, condition)]


def literal_one_number(rows, values, parameters):
    return chosen(rows, values[0], parameters["at"])[0]


def literal_difference(rows, values, parameters):
    first, second = (
        chosen(rows, values[0], parameters[key]) for key in ("first", "second")
    )
    return mean(second) - mean(first)


def literal_correlation(rows, values, parameters):
    """Return the median over groups of the correlation of ranks."""
    groups = {}
    for row, x, y in zip(rows, *values, strict=True):
        groups.setdefault(row.get(parameters.get("within")), []).append((x, y))
    return median([correlated(pairs) for pairs in groups.values()])


LITERALLY = {
    "number": literal_number,
    "one number": literal_one_number,
    "difference": literal_difference,
}


def correlated(pairs):
    """Pearson's correlation of ranks, ties in the middle of theirs."""
    ranks = [
        [sum(v < x for v in side) + sum(v == x for v in side) / 2 for x in side]
        for side in zip(*pairs, strict=True)
    ]
    return float(np.corrcoef(ranks)[0, 1])


def holds(row, condition):
    return not condition or bool(eval(condition, {}, row))


def present(row, text):
    names = [a or b for a, b in line_rules.NAME.findall(text)]
    return not any(name in row and pd.isna(row[name]) for name in names)


def spelt(text, row, rows):
    """The value of an expression of a row; a method of a column is replaced by its number."""

    def number(match):
        name, method = match[1] or match[2], match[3]
        if method is None:
            return f"row[{name!r}]" if name in row else match[0]
        column = [other[name] for other in rows]
        if "rank(ascending=False)" in method:
            return str(1 + sum(v > row[name] for v in column))
        if "rank" in method:
            return str(1 + sum(v < row[name] for v in column))
        return repr(float(min(column)))

    pattern = r"(?:`([^`]+)`|\b([A-Za-z_]\w*))(\.(?:rank|min)\([^)]*\))?"
    return float(eval(re.sub(pattern, number, text), {"row": row, "abs": abs}))


@pytest.mark.slow
@pytest.mark.parametrize("line", OF_NUMBERS, ids=lambda line: line.id)
def test_a_number_is_that_of_a_literal_loop(frames_of_complete, line):
    judged = judge_second.judge_line(line, frames_of_complete)
    expected = literal(frames_of_complete[line.frame], line)
    assert judged["number"] == pytest.approx(expected, abs=1e-9)
    if not line.is_amount:
        low = line.parameters.get("above", -np.inf)
        high = line.parameters.get("below", np.inf)
        assert judged["true"] == (low < expected < high)


BROKEN = {
    "a condition is forgotten": ("rows_where", lambda rows, condition: rows),
    "empty cells stay": ("complete", lambda rows, *used: rows.fillna(0)),
    "the mean for each take": (
        "TAKES",
        dict.fromkeys(line_rules.TAKES, np.mean),
    ),
    "the correlation has the other sign": (
        "rank_correlation",
        lambda x, y: -x.corr(y, "spearman"),
    ),
    "bounds are turned round": (
        "answer",
        lambda number, n, above=-np.inf, below=np.inf: line_rules.Answer(
            number, n, number < above
        ),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_seen(frames_of_complete, monkeypatch, name):
    """Each of these mistakes changes an answer on the stand-ins that the literal loop judges."""
    spoilt = {key: rows.copy() for key, rows in frames_of_complete.items()}
    spoilt["tasks"].loc[::5, "ece_logit"] = np.nan
    right = judge_second.judge_lines(OF_NUMBERS, spoilt)
    monkeypatch.setattr(line_rules, *BROKEN[name])
    wrong = judge_second.judge_lines(OF_NUMBERS, spoilt)
    assert not right[["true", "number"]].equals(wrong[["true", "number"]])


def rows_of_claim(line, true, rng):
    """Rows of the fourteen for which a claim's test is true of each, or of none: by its words.

    Numbers are drawn until the claim's words, spelt out in `WORDS`, say so.
    """
    test = line.parameters
    member = test.get("member")
    metrics = (
        test.get("rows", {}).get("metric")
        or test.get("metrics")
        or test.get("of", "ECE")
    )
    metrics = np.atleast_1d(metrics)
    methods = test.get("rows", {}).get("method")
    others = test.get("than") or test.get("by") or test.get("reference") or []
    named = [*np.atleast_1d(member if member else []), *np.atleast_1d(others)]
    if test.get("column") == "metric":
        metrics, methods = named, ["Uncalibrated"]
    methods = list(dict.fromkeys(np.atleast_1d(methods if methods else named).tolist()))
    parts = []
    for case in MODELS:
        cells = draw(test, list(metrics), methods, true, rng)
        parts.append(
            pd.DataFrame(cells, columns=["metric", "method", "value"]).assign(case=case)
        )
    rows = pd.concat(parts, ignore_index=True)
    return rows.assign(
        dataset="CIFAR-10", n=5000, hot=True, author="them", kin=rows["case"]
    )


def draw(test, metrics, methods, true, rng):
    for _ in range(20000):
        values = rng.choice(
            [-3.0, 0.2, 0.45, 0.8, 1.2, 2.0, 4.0], (len(metrics), len(methods))
        )
        values = values + 1e-3 * rng.permutation(values.size).reshape(values.shape)
        if rng.random() < 0.3:
            values = np.round(values) + 0 * values
        table = pd.DataFrame(values, metrics, methods)
        if "of" in test:  # what tells chance is nearly nothing
            table.loc[[name for name in metrics if name != test["of"]]] = 1e-6
        verdict = WORDS[test["test"]](table, test)
        if verdict is not None and all(x == true for x in np.ravel(verdict)):
            cells = table.stack().reset_index()
            return cells.to_numpy().tolist()
    raise AssertionError(f"no numbers for {test}")


def lower_in_words(table, test):
    if test.get("column") == "metric":
        table = table.T
    pairs = [
        (a, b)
        for a in np.atleast_1d(test["member"])
        for b in np.atleast_1d(test["than"])
    ]
    by = test.get("by", 0.0)
    return [row[a] < row[b] - by for _, row in table.iterrows() for a, b in pairs]


def lowest_in_words(table, test):
    if test.get("summed"):
        table = table.sum().to_frame().T
    results = []
    for _, row in table.iterrows():
        below = min(sum(v < row[m] for v in row) for m in np.atleast_1d(test["member"]))
        among = below < test.get("places", 1)
        results.append(among != test.get("negate", False))
    return results


def limit_in_words(table, test):
    # sharp networks: the metric of a network above a limit
    if test.get("column") == "metric":
        given = test["given"]
        table.loc[given["member"]] = given["above"] + 1
        return [table.loc[test["member"], "Uncalibrated"] < test["below"]]
    metric = test.get("of") or table.index[0]
    value = table.loc[metric, test["member"]]
    return [test.get("above", -np.inf) < value < test.get("below", np.inf)]


def best(row):
    return row.index[list(row).index(min(row))]


def second_in_words(table, test):
    row = table.iloc[0]
    if not row[test["by"]] < row[test["member"]]:
        return None
    return [sum(v < row[test["member"]] for v in row) == 1]


def close_in_words(table, test):
    row = table.loc[test.get("of") or table.index[0]]
    lead = row[test["member"]] - row[test["by"]]
    return [lead < test["gap"]] if lead > 0 else None


def like_first_in_words(table, test):
    row = table.iloc[0]
    mine, other = row[test["member"]], row[test["by"]]
    second = sum(v < mine for v in row) == 1 and mine - other < test["gap"]
    return [mine < other or second]


def unchanged_in_words(table, test):
    row = table["Uncalibrated"] if test.get("column") == "metric" else table.iloc[0]
    return [abs(row[test["member"]] - row[test["reference"]]) <= test["within"] + 1e-9]


def agrees_more_in_words(table, test):
    def tau(a, b):
        pairs = [(i, j) for i in range(len(a)) for j in range(i)]
        return sum(np.sign((a[i] - a[j]) * (b[i] - b[j])) for i, j in pairs) / len(
            pairs
        )

    if any(row.nunique() < len(row) for _, row in table.iterrows()):
        return None  # ties have another formula
    rows = {name: row.tolist() for name, row in table.iterrows()}
    first, second = test["pair"]
    others = [tau(rows[name], rows[second]) for name in test["than"]]
    change = tau(rows[first], rows[second]) - sum(others) / len(others)
    return None if abs(change) < 1e-9 else [change > 0]


WORDS = {
    "lower": lower_in_words,
    "lowest": lowest_in_words,
    "limit": limit_in_words,
    "highest": lambda t, test: [
        row[test["member"]] == max(row) for _, row in t.iterrows()
    ],
    "near_lowest": lambda t, test: [
        row[test["member"]] <= min(row) + test["within"] for _, row in t.iterrows()
    ],
    "unchanged": unchanged_in_words,
    "second_when_beaten": second_in_words,
    "close_when_beaten": close_in_words,
    "like_the_first_choice": like_first_in_words,
    "winners_differ": lambda t, test: [
        best(t.loc[test["metrics"][0]]) != best(t.loc[m]) for m in test["metrics"][1:]
    ],
    "agrees_more": agrees_more_in_words,
}


@pytest.mark.slow
@pytest.mark.parametrize("true", [True, False])
@pytest.mark.parametrize("line", OF_NETWORKS, ids=lambda line: line.id)
def test_a_claim_is_judged_as_its_words_say(line, true):
    """Of rows that are made true, or false, by the words of its test, the rule says so."""
    rows = rows_of_claim(line, true, np.random.default_rng(11))
    case = line.parameters.get("case")
    if case is not None:
        rows.loc[rows["case"] == MODELS.iloc[0], "case"] = case
        cells = rows.duplicated(["case", "metric", "method"])
        rows = rows[(rows["case"] != case) | ~cells]
    result = judge_second.judge_line(line, {line.frame: rows})
    assert result["reason"] == ""
    number, expected = ("number", 100 * true) if line.is_amount else ("true", true)
    assert result[number] == expected


def test_half_of_the_cells_is_no_answer():
    rows = pd.DataFrame({"metric": ["cwECE", "ACE"] * 2, "value": [1.0, 2.0, 2.0, 1.0]})
    rows["method"] = ["Vector scaling"] * 2 + ["Temperature scaling"] * 2
    rows = rows.assign(case="ResNet-50", dataset="CIFAR-10")
    test = {
        "test": "lower",
        "member": "Vector scaling",
        "than": "Temperature scaling",
    }
    with pytest.raises(NoAnswerError, match="half of the cells"):
        line_rules.one_network(rows, 1, case="ResNet-50", **test)
    assert line_rules.share(rows, 1, **test).number == 50


NUMBERS = pd.DataFrame(
    {
        "x": [1.0, 2.0, 3.0, 4.0, np.nan, 9.0],
        "y": [3.0, 1.0, 2.0, 9.0, 1.0, np.nan],
        "a b": [0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        "group": [*"aaabbb"],
        "one": 1.0,
    }
)


def by_rule(rule, fewest=1, table=NUMBERS, **parameters):
    return line_rules.RULES[rule](table, fewest, **parameters)


@pytest.mark.parametrize(
    ("rule", "parameters", "number", "n"),
    [
        ("number", {"value": "x", "take": "mean"}, 19 / 5, 5),
        ("number", {"value": "x", "take": "median"}, 3, 5),
        ("number", {"value": "x - y", "take": "min"}, -5, 4),
        ("number", {"value": "x - y", "take": "max"}, 1, 4),
        ("number", {"value": "x - `a b`", "take": "max"}, 8, 5),
        ("number", {"value": "x", "take": "mean", "where": "`a b` == 0"}, 2, 2),
        ("one number", {"value": "x + y", "at": "y == 9"}, 13, 4),
        ("one number", {"value": "x.rank(ascending=False)", "at": "y == 3"}, 5, 5),
        (
            "difference",
            {"value": "y", "first": "group == 'a'", "second": "group == 'b'"},
            3,
            5,
        ),
        ("correlation", {"x": "x", "y": "y"}, 0.4, 4),
        ("correlation", {"x": "x", "y": "-x", "where": "x < 4"}, -1, 3),
        ("correlation", {"x": "x", "y": "y", "within": "a b"}, 0, 2),
    ],
)
def test_a_rule_is_worked_out_by_hand(rule, parameters, number, n):
    """Rows that lack what is named do not count; a correlation within groups is their median."""
    result = by_rule(rule, **parameters)
    assert (result.number, result.n, result.true) == (pytest.approx(number), n, None)


@pytest.mark.parametrize(
    ("bounds", "true"),
    [
        ({"above": 2.9}, True),
        ({"above": 3.0}, False),
        ({"below": 3.0}, False),
        ({"below": 3.1}, True),
        ({"above": 2.0, "below": 4.0}, True),
        ({"above": 3.5, "below": 4.0}, False),
    ],
)
def test_a_sentence_is_true_strictly_between_its_bounds(bounds, true):
    result = by_rule("number", value="x", take="median", **bounds)
    assert result.true is true and result.number == 3


@pytest.mark.parametrize(
    ("rule", "parameters", "fewest", "reason"),
    [
        ("number", {"value": "x", "take": "mean"}, 6, "5 cases, 6 are needed"),
        (
            "number",
            {"value": "x", "take": "mean", "where": "x > 10"},
            0,
            "0 cases, 1 are",
        ),
        ("number", {"value": "`no such`", "take": "mean"}, 1, "no column 'no such'"),
        ("number", {"value": "x + nothing", "take": "mean"}, 1, "nothing"),
        (
            "number",
            {"value": "x", "take": "mean", "where": "nothing > 1"},
            1,
            "nothing",
        ),
        ("number", {"value": "x / 0", "take": "mean"}, 1, "infinite"),
        ("number", {"value": "0 * x / 0", "take": "mean"}, 1, "not a number"),
        ("one number", {"value": "x", "at": "group == 'a'"}, 1, "3 rows where"),
        ("one number", {"value": "x", "at": "x > 10"}, 1, "0 rows where"),
        ("one number", {"value": "x", "at": "x == 9"}, 6, "5 cases, 6 are needed"),
        (
            "difference",
            {"value": "x", "first": "x > 10", "second": "x > 1"},
            1,
            "0 cases, 1",
        ),
        (
            "difference",
            {"value": "x", "first": "x > 2", "second": "x > 1"},
            6,
            "5 cases, 6",
        ),
        ("correlation", {"x": "x", "y": "y"}, 5, "4 cases, 5 are needed"),
        (
            "correlation",
            {"x": "x", "y": "y", "within": "group"},
            4,
            "4 cases, 4 are needed",
        ),
        ("correlation", {"x": "x", "y": "one"}, 1, "does not vary"),
        ("correlation", {"x": "one", "y": "x"}, 1, "does not vary"),
    ],
)
def test_what_a_rule_cannot_answer_has_a_reason(rule, parameters, fewest, reason):
    with pytest.raises(NoAnswerError, match=reason):
        by_rule(rule, fewest, **parameters)


@pytest.mark.parametrize(("fewest", "number", "n"), [(3, -0.5, 1), (1, -0.5, 1)])
def test_groups_that_are_small_or_do_not_vary_have_no_correlation(fewest, number, n):
    """Of the second group one row has both; it counts as a group if one row is enough."""
    rows = NUMBERS.iloc[:4]
    result = by_rule("correlation", fewest, rows, x="x", y="y", within="group")
    assert (result.number, result.n) == (pytest.approx(number), n + (fewest == 1))


def networks_of(*lowered):
    """Rows of networks whose temperature lowers the ECE, or raises it; the others keep it."""
    after = [0.5 if is_lowered else 1.5 for is_lowered in lowered]
    n = len(lowered)
    rows = pd.DataFrame({"value": [*[1.0] * n, *after], "metric": "ECE"})
    methods = [*["Uncalibrated"] * n, *["Temperature scaling"] * n]
    names = [f"network {k}" for k in range(n)] * 2
    return rows.assign(method=methods, case=names, dataset="CIFAR-10")


LOWER = {"test": "lower", "member": "Temperature scaling", "than": "Uncalibrated"}


@pytest.mark.parametrize(
    ("lowered", "true"),
    [((1, 1, 0), True), ((1, 0, 0), False), ((1, 0), False), ((1, 1), True)],
)
def test_a_claim_is_true_of_more_than_half(lowered, true):
    result = by_rule("share above half", 2, networks_of(*lowered), **LOWER)
    mean = sum(lowered) / len(lowered)
    assert result == registered.Answer(pytest.approx(mean), len(lowered), true)
    amount = by_rule("share", 2, networks_of(*lowered), **LOWER)
    assert amount == registered.Answer(pytest.approx(100 * mean), len(lowered))


@pytest.mark.parametrize("lowered", [True, False])
def test_of_one_network_the_claim_is_true_if_its_cells_agree(lowered):
    rows = networks_of(not lowered, lowered)
    result = by_rule("one network", 1, rows, case="network 1", **LOWER)
    assert result == registered.Answer(float(lowered), 1, lowered)


@pytest.mark.parametrize(
    ("rule", "changed", "reason"),
    [
        ("one network", {"case": "network 7"}, "no case 'network 7'"),
        ("share", {"rows": {"metric": "NLL"}}, "no such rows"),
        ("share", {"rows": {"metric": ["ECE"]}}, "2 cases, 3 are needed"),
        ("share above half", {}, "2 cases, 3 are needed"),
    ],
)
def test_networks_that_are_missing_are_no_answer(rule, changed, reason):
    with pytest.raises(NoAnswerError, match=reason):
        by_rule(rule, 3, networks_of(1, 0), **LOWER | changed)


def test_a_difference_is_the_mean_of_the_second_group_less_that_of_the_first():
    rows = pd.DataFrame({"kind": [*"aabb"], "ece": [1.0, 3.0, 4.0, 8.0]})
    result = line_rules.RULES["difference"](
        rows, 2, value="ece", first="kind == 'a'", second="kind == 'b'", above=3.0
    )
    assert (result.number, result.n, result.true) == (4, 4, True)
