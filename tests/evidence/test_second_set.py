"""The second set: what judges its lines, on simulated files of the same shapes, with holes."""

import hashlib
import json
import re
import runpy
from itertools import product

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy.special import expit
from scipy.stats import norm

from evidence.claims import all_claims, shares
from evidence.claims.amounts import RESIDUAL, amounts
from evidence.claims.estimates import codes_of, likelihood_of
from evidence.forecasts.second import (
    expected_by_ledger,
    judge_second,
    line_rules,
    outcomes,
    registered,
    scoring,
    sealed_networks,
    stand_ins,
)
from evidence.forecasts.second.registered import NoAnswerError

LINES = registered.load_lines()
TABLE = registered.load_table()
OF_NETWORKS = [
    line for line in LINES if line.rule in ("one network", "share above half", "share")
]
OF_NUMBERS = [line for line in LINES if line not in OF_NETWORKS]
MODELS = registered.sealed().query("evidence == 'fourteen networks' and model != ''")[
    "model"
]
ENDS = ("low", "high")


@pytest.fixture(scope="module")
def complete():
    return stand_ins.stored()


@pytest.fixture(scope="module")
def frames(complete, tmp_path_factory):
    folder = complete.write(tmp_path_factory.mktemp("complete"))
    return judge_second.read_folder(folder).frames


# ------------------------------------------------------------------ the list


def test_the_list_asks_for_sentences_and_for_amounts():
    assert len(LINES) >= 120 and TABLE["id"].is_unique
    amount = TABLE["unit"] != ""
    assert amount.sum() >= max(40, len(LINES) / 3)
    assert TABLE.loc[~amount, "probability"].between(0, 1, inclusive="neither").all()
    assert TABLE.loc[amount, "probability"].isna().all()
    ends = TABLE.loc[amount, ["low_90", "low_50", "high_50", "high_90"]].to_numpy()
    assert (np.diff(ends, axis=1) >= 0).all() and (ends[:, 3] > ends[:, 0]).all()
    assert TABLE[["says", "because", "evidence", "rule"]].notna().all(axis=None)


def test_each_line_names_a_rule_and_a_claim_that_exist():
    claims = {claim.id for claim in all_claims()}
    assert {line.claim for line in LINES} - {""} <= claims
    for line in LINES:
        bounds = {"above", "below"} & set(line.parameters)
        assert line.rule in line_rules.RULES
        assert line.is_amount == (
            line.rule == "share" or (line in OF_NUMBERS and not bounds)
        )


# ------------------------------------------------------------------ judged right


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
def test_numbers_are_those_of_a_literal_loop(frames):
    judged = judge_second.judge_lines(OF_NUMBERS, frames).set_index("id")
    for line in OF_NUMBERS:
        expected = literal(frames[line.frame], line)
        assert judged.loc[line.id, "number"] == pytest.approx(expected, abs=1e-9), (
            line.id
        )
        if not line.is_amount:
            low = line.parameters.get("above", -np.inf)
            high = line.parameters.get("below", np.inf)
            assert judged.loc[line.id, "true"] == (low < expected < high), line.id


BROKEN = {
    "a condition is forgotten": ("rows_where", lambda rows, condition: rows),
    "empty cells stay": ("complete", lambda rows, *used: rows.fillna(0)),
    "the mean for each take": ("TAKES", dict.fromkeys(line_rules.TAKES, np.mean)),
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
def test_a_broken_rule_is_seen(frames, monkeypatch, name):
    """Each of these mistakes changes an answer on the stand-ins that the literal loop judges."""
    spoilt = {key: rows.copy() for key, rows in frames.items()}
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
    found = []
    for _, row in table.iterrows():
        below = min(sum(v < row[m] for v in row) for m in np.atleast_1d(test["member"]))
        among = below < test.get("places", 1)
        found.append(among != test.get("negate", False))
    return found


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
def test_claims_are_judged_as_their_words_say(true):
    """Of rows that are made true, or false, by the words of each test, the rule says so."""
    for line in OF_NETWORKS:
        rng = np.random.default_rng(11)
        rows = rows_of_claim(line, true, rng)
        case = line.parameters.get("case")
        if case is not None:
            rows.loc[rows["case"] == MODELS.iloc[0], "case"] = case
            rows = rows[
                (rows["case"] != case) | ~rows.duplicated(["case", "metric", "method"])
            ]
        found = judge_second.judge_line(line, {line.frame: rows})
        assert found["reason"] == "", line.id
        if line.is_amount:
            assert found["number"] == 100 * true, line.id
        else:
            assert found["true"] == true, line.id


@pytest.mark.slow
def test_what_a_stand_in_is_made_of_comes_out(frames):
    """Networks with a temperature of 1.7, ensembles with .6 and .8, ten points of tuning."""
    found = judge_second.judge_lines(LINES, frames).set_index("id")
    number = found["number"]
    assert number["amount-temperature"] == pytest.approx(1.7, abs=0.2)
    assert number["amount-hmc-cifar10-temperature"] == pytest.approx(0.6, abs=0.15)
    assert number["amount-tuning-logit"] == pytest.approx(10, abs=0.5)
    assert number["amount-tuning-stated"] == pytest.approx(-5, abs=0.5)
    assert number["amount-mmlu-tuning"] == pytest.approx(10, abs=0.5)
    assert number["amount-mmlu-improved"] == 100
    yes = (
        "guo-temperature-lowers-half guo-one-number-repairs-nll-half tuning-logit-half"
    )
    yes += " vasilev-overconfidence-typical-half every-temperature-above-one mmlu-hard-before"
    no = "vasilev-overconfidence-typical-hmc-cifar10 tuning-stated-half chat-more-accurate"
    assert (found.loc[yes.split(), "true"] == 1).all()
    assert (found.loc[no.split(), "true"] == 0).all()


# ------------------------------------------------------------------ holes


STORED = dict(list(outcomes.load_outcomes().groupby("stand_in", sort=False)))


def test_the_outcomes_that_bind_are_of_every_stand_in_and_every_line():
    assert list(STORED) == [outcomes.COMPLETE, *stand_ins.HOLES]
    for stored in STORED.values():
        assert stored["id"].tolist() == TABLE["id"].tolist()


@pytest.mark.slow
def test_of_the_complete_stand_in_the_judge_finds_what_binds(frames):
    judged = judge_second.judge_lines(LINES, frames)
    assert judge_second.answered(judged).mean() > 0.95
    assert outcomes.differing(judged, STORED[outcomes.COMPLETE]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", stand_ins.HOLES)
def test_no_hole_breaks_the_judge(tmp_path, name):
    """What has no answer is counted, with a reason; no rule meets what it does not name."""
    seen = judge_second.read_folder(outcomes.with_hole(name).write(tmp_path))
    judged = judge_second.judge_lines(LINES, seen.frames)
    assert outcomes.differing(judged, STORED[name]) == []
    assert len(judged) == len(LINES)
    assert not judged["reason"].str.startswith(judge_second.BREAKS).any()
    answered = judge_second.answered(judged)
    amount = TABLE["unit"] != ""
    assert judged.loc[answered, "number"].notna().all()
    assert judged.loc[answered & ~amount, "true"].isin([0, 1]).all()
    assert judged.loc[~answered, ["true", "number"]].isna().all(axis=None)
    assert judged.loc[~answered, "reason"].str.match("no (answer|evidence): ").all()
    without = {
        "all_nan",
        "no_samples",
        "an_array_is_missing",
        "labels_too_short",
        "some_nan",
    }
    assert bool(seen.notes) or name not in without


def test_an_error_that_no_rule_names_stops_one_line(monkeypatch):
    line = next(
        line for line in LINES if line.rule == "number" and line.frame == "tasks"
    )
    monkeypatch.setitem(line_rules.RULES, "number", lambda rows, fewest, **given: 1 / 0)
    found = judge_second.judge_line(line, {"tasks": pd.DataFrame()})
    assert (
        found["reason"].startswith(f"{judge_second.BREAKS}: ZeroDivisionError")
        and found["n"] == 0
    )


def test_tables_with_holes_lose_no_other_answer(complete, tmp_path):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    lacking = stand_ins.base_models_state_nothing(only)
    whole, fewer = (
        judge_second.judge_lines(
            LINES, judge_second.read_folder(s.write(tmp_path / name)).frames
        )
        for name, s in (("whole", only), ("fewer", lacking))
    )
    gone = judge_second.answered(whole) & ~judge_second.answered(fewer)
    spelt_out = TABLE["parameters"].str.contains("ece_stated")
    assert gone.any() and spelt_out[gone].all()
    same = judge_second.answered(fewer) & ~spelt_out
    pd.testing.assert_frame_equal(whole[same], fewer[same])


def test_samples_without_numbers_are_left_out_and_counted():
    p = np.full((300, 3), 1 / 3)
    p[0] = np.nan
    found = sealed_networks.network_of(np.arange(300) % 3, probabilities=p)
    assert found.left_out == 1 and len(found.y) == 299
    p[:100] = np.nan
    with pytest.raises(ValueError, match="100 of 300 samples"):
        sealed_networks.network_of(np.arange(300) % 3, probabilities=p)
    with pytest.raises(ValueError, match="above one"):
        sealed_networks.network_of(
            np.arange(300) % 3, probabilities=100 * np.ones((300, 3))
        )


def test_half_of_the_cells_is_no_answer():
    rows = pd.DataFrame({"metric": ["cwECE", "ACE"] * 2, "value": [1.0, 2.0, 2.0, 1.0]})
    rows["method"] = ["Vector scaling"] * 2 + ["Temperature scaling"] * 2
    rows = rows.assign(case="ResNet-50", dataset="CIFAR-10")
    test = {"test": "lower", "member": "Vector scaling", "than": "Temperature scaling"}
    with pytest.raises(NoAnswerError, match="half of the cells"):
        line_rules.one_network(rows, 1, case="ResNet-50", **test)
    assert line_rules.share(rows, 1, **test).number == 50


# ------------------------------------------------------------------ the command


def judge_by_command(monkeypatch, folder, out):
    monkeypatch.setattr("sys.argv", ["second", str(folder), "-o", str(out)])
    runpy.run_module("evidence.forecasts.second", run_name="__main__")


def test_one_command_judges_a_folder(complete, tmp_path, monkeypatch, capsys):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    judge_by_command(monkeypatch, only.write(tmp_path), tmp_path / "out")
    verdicts = pd.read_csv(tmp_path / "out" / "verdicts-2.csv")
    told = json.loads((tmp_path / "out" / "told-2.json").read_text())
    assert verdicts["id"].tolist() == TABLE["id"].tolist()
    assert told["answered"] == verdicts["reason"].isna().sum()
    assert sum(told["no answer"].values()) == verdicts["reason"].notna().sum()
    assert "writer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "told"), [("absent", "no such folder"), (".", "no evidence")]
)
def test_a_folder_without_evidence_is_refused_and_nothing_is_written(
    tmp_path, name, told, monkeypatch, capsys
):
    with pytest.raises(SystemExit, match="2"):
        judge_by_command(monkeypatch, tmp_path / name, tmp_path / "out")
    assert told in capsys.readouterr().err and not (tmp_path / "out").exists()


# ------------------------------------------------------------------ what the ledger expects

SCALES = {"dataset": 1.5, "author": 1.0, "kin": 0.4}


def networks_like(rng, n_sets, n_authors, each):
    """Rows of networks whose effects are drawn with the spreads `SCALES`, and these effects."""
    rows = pd.MultiIndex.from_product([range(n_sets), range(n_authors), range(each)])
    rows = rows.to_frame(index=False, name=["dataset", "author", "kin"]).astype(str)
    rows["kin"] += rows.index.astype(str)
    effects = {
        name: rng.normal(0, SCALES[name], rows[name].nunique()) for name in SCALES
    }
    codes = {name: pd.factorize(rows[name])[0] for name in SCALES}
    total = sum(effects[name][codes[name]] for name in SCALES)
    return rows, effects, total


def new_networks(n):
    """Networks on the first data set, by a new author."""
    kin = [f"new {k}" for k in range(n)]
    return pd.DataFrame({"dataset": "0", "author": "new", "kin": kin})


def test_of_a_network_like_no_other_the_model_says_the_mean_share():
    rng = np.random.default_rng(4)
    rows, _, eta = networks_like(rng, 4, 2, 3)
    rows = rows.assign(
        networks=1, total=(rng.random(len(rows)) < expit(eta)).astype(float)
    )
    new = new_networks(1).assign(dataset="another")
    found = expected_by_ledger.coins(rows, new, SCALES).counts()[1]
    drawn, likelihood = likelihood_of(rows)
    assert found == pytest.approx(
        shares.share(likelihood, drawn, SCALES).mean, abs=0.01
    )


def test_an_amount_like_no_other_is_that_of_the_ledger():
    rows, _, total = networks_like(np.random.default_rng(5), 4, 2, 3)
    rows["total"] = total
    new = new_networks(1).assign(dataset="another")
    found = expected_by_ledger.predicted(rows, new, np.ones(1), SCALES)
    _, low, high = amounts(rows["total"], codes_of(rows), SCALES).interval(new=True)
    assert [found.quantile(q) for q in (0.025, 0.975)] == pytest.approx([low, high])


@pytest.mark.slow
def test_predicted_amounts_of_new_networks_are_covered_as_said():
    """Of the mean of five networks on a known data set: 90 % lie inside, and far fewer of half."""
    rng, inside = np.random.default_rng(6), []
    for _ in range(150):
        rows, effects, total = networks_like(rng, 5, 2, 2)
        rest = np.sqrt(RESIDUAL)
        rows["total"] = 10 + total + rng.normal(0, rest, len(rows))
        kin = rng.normal(0, SCALES["kin"], 5) + rng.normal(0, rest, 5)
        value = (
            10 + effects["dataset"][0] + rng.normal(0, SCALES["author"]) + kin.mean()
        )
        found = expected_by_ledger.predicted(
            rows, new_networks(5), np.full(5, 0.2), SCALES
        )
        inside.append([found.quantile(0.05) < value < found.quantile(0.95)])
        inside[-1].append(found.quantile(0.25) < value < found.quantile(0.75))
    wide, half = np.mean(inside, axis=0)
    assert 0.84 <= wide <= 0.97 and 0.38 <= half <= 0.64


@pytest.mark.slow
def test_more_than_half_of_new_networks_agree_as_often_as_said():
    """The probabilities are right on average, and better than the base rate."""
    rng, said, came = np.random.default_rng(7), [], []
    for _ in range(40):
        rows, effects, eta = networks_like(rng, 3, 2, 3)
        mu = rng.normal(0, shares.MU_SPREAD)
        agree = rng.random(len(rows)) < expit(mu + eta)
        rows = rows.assign(networks=1, total=agree.astype(float))
        alike = mu + effects["dataset"][0] + rng.normal(0, SCALES["author"])
        coin = expit(alike + rng.normal(0, SCALES["kin"], 5))
        counts = expected_by_ledger.coins(rows, new_networks(5), SCALES).counts()
        said.append(counts[3:].sum())
        came.append((rng.random(5) < coin).sum() > 2)
    said, came = np.array(said), np.array(came, float)
    spread = np.sqrt((said * (1 - said)).sum()) / len(said)
    assert abs(said.mean() - came.mean()) < 2.6 * spread
    assert ((said - came) ** 2).mean() < 0.9 * came.mean() * (1 - came.mean())


def test_heads_are_counted():
    p = np.array([[0.1, 0.5, 0.9], [0.2, 0.2, 0.2]])
    expected = np.zeros(4)
    for row in p:
        for shown in product([0, 1], repeat=3):
            expected[sum(shown)] += np.prod(np.where(shown, row, 1 - row)) / 2
    assert expected_by_ledger.number_of_heads(p) == pytest.approx(expected)


@pytest.mark.slow
def test_the_command_writes_the_columns_that_are_stored():
    """Of every ninth line, which has all rules and kinds of evidence."""
    columns = [*TABLE.columns.drop(expected_by_ledger.COLUMNS)]
    chosen = TABLE.iloc[::9]
    found = expected_by_ledger.with_columns(chosen[columns])[
        expected_by_ledger.COLUMNS
    ].astype(float)
    stored = chosen[expected_by_ledger.COLUMNS].astype(float)
    pd.testing.assert_frame_equal(found, stored, rtol=1e-3, atol=2e-3)


def test_a_claim_that_is_added_later_moves_no_forecast(monkeypatch):
    """It moves the scales that the ledger learns; the forecasts have those of their day."""

    def later():
        raise AssertionError("the ledger's scales of today were asked for")

    monkeypatch.setattr(expected_by_ledger.ledger, "load_scales", later)
    line = next(line for line in LINES if line.id == "amount-ece")
    stored = TABLE.set_index("id").loc[line.id]
    for end, value in expected_by_ledger.of_line(line).items():
        assert value == pytest.approx(stored[f"ledger_{end}"], rel=1e-3)


def test_what_binds_has_the_digests_that_are_stored():
    digests = pd.read_csv(ROOT / "data" / "forecasts" / "frozen-2.csv")
    assert judge_second.frozen() == dict(digests.to_numpy().tolist())
    assert all(name.startswith("data/") for name in digests["file"])  # and no code


def test_the_writer_was_first():
    """What the writer said has the bytes that it had before the ledger was asked."""
    columns = [*TABLE.columns.drop(expected_by_ledger.COLUMNS)]
    text = pd.read_csv(
        ROOT / "data" / "forecasts" / "registered-2.csv",
        dtype=str,
        keep_default_na=False,
    )
    written = text[columns].to_csv(index=False, lineterminator="\n").encode()
    assert hashlib.sha256(written).hexdigest().startswith("b1d2b19a03699d3c")


def test_what_the_ledger_cannot_tell_is_empty():
    amount = TABLE["unit"] != ""
    ends = TABLE[[f"ledger_{end}" for end in expected_by_ledger.LEVELS]]
    assert TABLE.loc[amount, "ledger_probability"].isna().all()
    assert ends[~amount].isna().all(axis=None)
    assert (ends.isna().all(axis=1) | ends.notna().all(axis=1)).all()
    known = ends.dropna()
    assert (np.diff(known.to_numpy(), axis=1) >= 0).all() and len(known) >= 40
    assert TABLE["ledger_probability"].between(0.001, 0.999).sum() >= 80
    assert TABLE.loc[~amount, "base_probability"].nunique() == 1


# ------------------------------------------------------------------ scores


def test_an_interval_score_worked_by_hand():
    """An amount three beyond an interval of width two: 2 + 2 / (1 - level) times 3."""
    assert scoring.interval_score(0.0, 2.0, 0.9, 5.0) == pytest.approx(62)
    assert scoring.interval_score(0.0, 2.0, 0.5, -3.0) == pytest.approx(14)
    assert scoring.interval_score(0.0, 2.0, 0.5, 1.0) == 2


def of_a_world(rng, n):
    """A list of which the writer knows the truth, the ledger all but twice it, and what came."""
    p, center = rng.uniform(0.05, 0.95, n), rng.normal(0, 5, n)
    table = pd.DataFrame({"id": np.arange(2 * n).astype(str), "evidence": "six models"})
    table["unit"] = np.repeat(["", "points"], n)
    table["probability"] = np.append(p, np.full(n, np.nan))
    table["ledger_probability"] = np.append(0.5 + 0.3 * (p - 0.5), np.full(n, np.nan))
    table["base_probability"] = np.append(np.full(n, 0.46), np.full(n, np.nan))
    for end, level in expected_by_ledger.LEVELS.items():
        table[end] = np.append(np.full(n, np.nan), norm.ppf(level, center, 1))
        table[f"ledger_{end}"] = np.append(
            np.full(n, np.nan), norm.ppf(level, center, 0.3)
        )
    judged = pd.DataFrame({"id": table["id"], "n": 1, "reason": ""})
    judged["true"] = np.append((rng.random(n) < p).astype(float), np.full(n, np.nan))
    judged["number"] = np.append(np.full(n, np.nan), rng.normal(center, 1))
    return table, judged


def test_who_is_right_scores_as_expected_and_who_is_too_sure_does_not():
    table, judged = of_a_world(np.random.default_rng(8), 400)
    found = scoring.score_all(table, judged)
    chosen = {
        name: rows.query("lines == 'common' and evidence == 'all'").set_index(
            "forecaster"
        )
        for name, rows in found.items()
    }
    sentences, amounts = chosen["sentences"], chosen["amounts"]
    writer = sentences.loc["writer"]
    assert writer["brier"] == pytest.approx(writer["brier if right"], abs=0.03)
    assert writer["log loss"] == pytest.approx(writer["log loss if right"], abs=0.08)
    assert writer["ece"] < 2 * writer["ece by chance"]
    assert sentences.loc["ledger", "ece"] > 2 * sentences.loc["ledger", "ece by chance"]
    assert sentences["brier"].idxmin() == sentences["log loss"].idxmin() == "writer"
    assert set(amounts.index) == {"writer", "ledger"}  # a rate says nothing of amounts
    for level in ("50%", "90%"):
        low, high = (
            amounts.loc["writer", f"inside {level} by chance, {end}"] for end in ENDS
        )
        assert low <= amounts.loc["writer", f"inside {level}"] <= high
        assert amounts.loc["ledger", f"inside {level}"] < low
        right = amounts.loc["writer", f"score {level} if right"]
        assert amounts.loc["writer", f"score {level}"] == pytest.approx(right, rel=0.12)
        assert amounts[f"score {level}"].idxmin() == "writer"


def test_scores_count_what_has_no_answer_and_no_forecast():
    table, judged = of_a_world(np.random.default_rng(9), 30)
    table.loc[:4, "ledger_probability"] = np.nan
    judged.loc[3:9, ["true", "reason"]] = [np.nan, "no answer: why"]
    judged.loc[30:34, ["number", "reason"]] = [np.nan, "no answer: why"]
    found = scoring.score_all(table, judged)
    rows = (
        found["sentences"].query("evidence == 'all'").set_index(["forecaster", "lines"])
    )
    assert rows.loc[("writer", "its own"), ["forecasts", "answered"]].tolist() == [
        30,
        23,
    ]
    assert rows.loc[("writer", "common"), ["forecasts", "answered"]].tolist() == [
        25,
        20,
    ]
    amounts = (
        found["amounts"].query("evidence == 'all'").set_index(["forecaster", "lines"])
    )
    assert amounts.loc[("ledger", "common"), ["forecasts", "answered"]].tolist() == [
        30,
        25,
    ]


def test_the_three_are_scored_on_stand_ins(complete, tmp_path):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    judged = judge_second.judge_lines(
        LINES, judge_second.read_folder(only.write(tmp_path)).frames
    )
    found = scoring.score_all(TABLE, judged)
    sentences = found["sentences"].query("evidence == 'all' and lines == 'common'")
    assert sentences["forecaster"].tolist() == ["writer", "ledger", "base rate"]
    assert sentences["answered"].nunique() == 1 and (sentences["answered"] > 5).all()
    assert found["amounts"].query("evidence == 'all'")["answered"].gt(3).all()
