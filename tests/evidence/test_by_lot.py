"""Thirty judgements of the ledger, drawn by lot, counted again by other code.

Nothing here knows the tests of claims, their frames or their model: files are read with pandas,
networks counted by hand. Three judgements start from the logits of our networks.
"""

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import kendalltau, spearmanr

DATA = ROOT / "data"
SEED, DRAWN = 50, 30
METHODS = "none temperature vector matrix-odir dirichlet-odir top-spline".split()
KS = "ks ks_top_2 ks_within_2".split()


def table(path):
    return pd.read_csv(DATA / path, low_memory=False)


def lot():
    """Thirty claims and kinds of evidence, judged when the former rule was left."""
    judged = table("ledger/versions/former-rule.csv").query("evidence != 'none'")
    every = sorted(zip(judged["id"], judged["evidence"], strict=True))
    places = np.random.default_rng(SEED).choice(len(every), DRAWN, replace=False)
    return sorted(every[place] for place in places)


def counted(agree, networks):
    """How many networks agree, each with the mean of its cells, and how many there are."""
    share = pd.Series(np.asarray(agree, float)).groupby(np.asarray(networks)).mean()
    return share.sum(), len(share)


# ---------------------------------------------------------------- public and our networks


def without_seed(names):
    return names.str.replace(r"-s\d+$", "", regex=True)


def ours(metric, calibrators, select=None):
    """One metric of our networks, in percent, a row a setting, a column a map."""
    rows = table("results/networks/metrics_of_zoo.csv")
    about = table("zoo/zoo.csv").set_index("name")
    rows = rows[(rows["metric"] == metric) & rows["calibrator"].isin(calibrators)]
    if select:
        rows = rows[rows["name"].map(about.eval(select))]
    rows = rows.assign(setting=without_seed(rows["name"]), value=100 * rows["value"])
    return rows.pivot_table(index="setting", columns="calibrator", values="value")


def public(metric, calibrators):
    """One metric of others' whole vectors, and of CalArena's networks that we do not have."""
    names = names_of_others()
    rows = pd.concat(
        [
            table("results/networks/metrics_of_public_networks.csv"),
            table("results/networks/more_maps_and_networks.csv"),
        ]
    )
    rows = rows[(rows["samples"] == "held out") & (rows["metric"] == metric)]
    rows = rows[
        rows["calibrator"].isin(calibrators) & rows["source"].isin(names["whole"])
    ]
    errors = (
        rows.pivot_table(index="source", columns="calibrator", values="value") * 100
    )
    calarena = table("tables/calarena.csv")
    calarena = calarena[calarena["metric"] == metric.upper()]
    key = "calarena " + calarena["dataset"] + " " + calarena["model"]
    key = key.str.lower().str.replace(r"[^a-z0-9]+", "-", regex=True).str.strip("-")
    calarena = calarena.assign(
        source=key, calibrator=calarena["method"].map(names["methods"])
    )
    twins = {k for k, same in names["same"].items() if same in names["whole"]}
    calarena = calarena[
        ~calarena["source"].isin(twins) & calarena["calibrator"].isin(calibrators)
    ]
    if calarena.empty:
        return errors
    return pd.concat([errors, calarena.pivot_table("value", "source", "calibrator")])


def names_of_others():
    """Which sources have whole vectors, what CalArena calls maps, and which networks are twins."""
    sources = pd.concat(
        [table("sources/sources.csv"), table("sources/sources-promises.csv")]
    )
    whole = sources[sources["known"].isin(["logits", "probabilities"])]["name"]
    repeated = whole.str.contains("cifar10n-.*-true|resnet110-top1")
    methods = {
        "Uncalibrated": "none",
        "Temperature scaling": "temperature",
        "BBQ": "bbq",
    }
    methods |= {"Vector scaling": "vector", "Histogram binning": "histogram"}
    methods |= {"Isotonic regression": "isotonic", "Matrix scaling": "matrix"}
    same = {
        "calarena-cifar-10-densenet-40": "kull-cifar10-densenet40",
        "calarena-cifar-10-resnet-110": "kull-cifar10-resnet110",
        "calarena-cifar-100-densenet-40": "kull-cifar100-densenet40",
        "calarena-cifar-100-resnet-110": "kull-cifar100-resnet110",
        "calarena-birds-resnet-50": "kull-birds-resnet50",
    }
    return {"whole": set(whole[~repeated]), "methods": methods, "same": same}


def least(errors, member):
    """Whether no other column is lower, of networks that have the member."""
    errors = errors[errors[member].notna()]
    return errors[member] <= errors.min(axis=1)


def of_rows(agree):
    return agree.sum(), len(agree)


# ----------------------------------------------------------------------------- from the logits


def from_logits(names, of_network):
    """What a function says of logits, before and after one temperature, averaged over seeds."""
    values = {}
    for name in names:
        with np.load(DATA / f"zoo/{name}.npz") as file:
            fit, test = (
                file[f"{part}_logits"].astype(float) for part in ("calibration", "test")
            )
            y_fit, y = file["calibration_y"].astype(int), file["test_y"].astype(int)
        places = np.arange(len(y_fit))

        def loss(log_t, fit=fit, y_fit=y_fit, places=places):
            z = fit * np.exp(-log_t)
            return (logsumexp(z, axis=1) - z[places, y_fit]).mean()

        t = np.exp(minimize_scalar(loss, bounds=(-4, 4), method="bounded").x)
        values[name] = [of_network(test, y), of_network(test / t, y)]
    values = pd.DataFrame(values, index=["before", "after"]).T
    return values.groupby(without_seed(values.index.to_series())).mean()


def ece_by_hand(logits, y):
    p = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
    score, hit = p.max(axis=1), p.argmax(axis=1) == y
    total = 0.0
    for low in np.arange(15) / 15:
        in_bin = (score > low) & (score <= low + 1 / 15 + 1e-12)
        total += abs(score[in_bin].sum() - hit[in_bin].sum())
    return total / len(y)


def accuracy_by_hand(logits, y):
    return float((logits.argmax(axis=1) == y).mean())


def our_networks(select="index == index"):
    measured = set(table("results/networks/metrics_of_zoo.csv")["name"])
    about = table("zoo/zoo.csv")
    return [name for name in about.query(select)["name"] if name in measured]


# ------------------------------------------------------------------------------- the thirty


def sets(first, others):
    """In how many sources the sets of one kind are smaller than those of others."""
    rows = table("results/promises/set_sizes.csv")
    rows = rows.assign(kind=rows["score"] + " " + rows["calibrator"])
    size = rows.assign(source=without_seed(rows["source"])).pivot_table(
        "size", "source", "kind"
    )
    return of_rows(size[others].gt(size[first], axis=0).all(axis=1))


def lowest_in_print(paper, tables, member):
    rows = table(f"published/{paper}.csv")
    rows = rows[rows["table"].isin(tables)]
    cells = rows.pivot_table("value", ["dataset", "model", "table", "metric"], "method")
    agree = least(cells, member)
    return counted(agree, [f"{data} {model}" for data, model, *_ in agree.index])


def every_method():
    errors = public(
        "ece", ["none", "histogram", "isotonic", "bbq", "temperature", "vector"]
    )
    return of_rows(errors["none"] >= errors.max(axis=1))


def vision():
    errors = public("ece", ["temperature", "histogram", "isotonic", "bbq"])
    return of_rows(least(errors[~errors.index.str.contains("20news")], "temperature"))


def bin_count():
    rows = table("results/networks/ece_details.csv").query("evidence == 'public'")
    repeated = rows["name"].str.contains("hollance-imagenet-(?:densenet161|resnet101)$")
    repeated |= rows["name"].str.contains("cifar10n-.*-true|resnet110-top1")
    rows = rows[~repeated]
    spread = rows["ece_highest"] - rows["ece_lowest"]
    chance = rows["ece_range_chance"].fillna(-1)
    return of_rows((spread > 0.005) & (spread > chance))


def winners():
    by = [
        ours(metric, ["none", "temperature", "vector", "matrix", "isotonic"]).idxmin(
            axis=1
        )
        for metric in ("classwise_ece", "ace")
    ]
    return of_rows(by[0] != by[1])


def thresholds():
    maps = ["none", "temperature", "vector", "matrix", "isotonic"]
    first, second = (ours(metric, maps) for metric in ("tace", "tace_0.0001"))
    taus = [
        kendalltau(first.loc[name], second.loc[name], nan_policy="omit").statistic
        for name in first.index
    ]
    return sum(taus), len(taus)


def echo():
    cells = table("published/nixon2019.csv").pivot_table(
        "value", ["metric", "dataset"], "method"
    )
    metrics = cells.index.get_level_values("metric").unique()
    taus = [kendalltau(*cells.loc[metric].to_numpy()).statistic for metric in metrics]
    return np.mean(taus), 1


def sce_ace():
    tables = []
    for metric in ("classwise_ece", "ace"):
        errors = public(metric, ["vector", "temperature"]).dropna()
        tables.append((errors["vector"] < errors["temperature"]).astype(float))
    agree = pd.concat(tables)
    return counted(agree, agree.index)


def answers(source):
    rows = table("results/language/metrics_of_answers.csv")
    return rows.query(
        "source == @source and group == 'all' and unanswered == 'left out'"
    )


def twin(models, known):
    """A model of half the precision is the same network as the one without the ending."""
    unquantised = models.str.replace("-(FP8|AWQ)$", "", regex=True)
    return unquantised.where(unquantised.isin(known), models)


def overconfident_where_hard():
    rows = answers("plaut")
    rows = rows[rows["dataset"] != "HaluEval-QA"]
    falls = [
        np.corrcoef(group["mean_confidence"] - group["accuracy"], group["accuracy"])[
            0, 1
        ]
        < 0
        for _, group in rows.groupby(["model", "confidence"])
        if len(group) > 2
    ]
    models = [
        key[0] for key, group in rows.groupby(["model", "confidence"]) if len(group) > 2
    ]
    return counted(falls, models)


def paired(comparison, kinds, metric="ece"):
    rows = table("results/language/language_paired.csv").query(
        "source == 'tao' and metric == @metric"
    )
    rows = rows[
        (rows["comparison"] == comparison) & (rows["first_confidence"] == kinds[0])
    ]
    return rows[rows["second_confidence"] == kinds[-1]]


def tuned(kind):
    return of_rows(paired("tuned", [kind])["difference"] > 0)


def words_and_tokens():
    rows = paired("kind", ["token", "linguistic"])
    models = table("results/language/metrics_of_answers.csv")["model"].unique()
    return counted(
        rows["second_value"] < rows["first_value"], twin(rows["first"], models)
    )


def surest_half():
    rows = answers("tao").query("confidence == 'token'")
    return counted(
        rows["risk_50"] < 1 - rows["accuracy"], twin(rows["model"], set(rows["model"]))
    )


def stated_and_token(agree):
    rows = answers("michael")
    columns = {
        metric: rows.pivot_table(metric, ["dataset", "model"], "confidence")
        for metric in ("ece", "auroc")
    }
    columns = {
        metric: cells[["stated", "token"]].dropna() for metric, cells in columns.items()
    }
    return of_rows(agree(columns["ece"], columns["auroc"]))


def ranks_by_capability():
    rows = answers("tao").query("confidence == 'verbal'")
    models = rows.groupby(twin(rows["model"], set(rows["model"])))[
        ["accuracy", "auroc"]
    ].mean()
    return spearmanr(models["accuracy"], models["auroc"]).statistic, len(models)


def nearest_bit():
    rows = table("tables/quba.csv").query(
        "pretraining == 'ImageNet-21k' and setup == 'supervised'"
    )
    bit = rows[rows["family"] == "BiTM"]
    agree = [
        row.calibration_error
        < bit.loc[(bit["accuracy"] - row.accuracy).abs().idxmin(), "calibration_error"]
        for row in rows[rows["family"] == "ViT"].itertuples()
    ]
    return sum(agree), len(agree)


def pooled_then_calibrated():
    ece = table("results/promises/ensembles.csv").pivot_table("ece", "setting", "way")
    return of_rows(ece["pooled, then calibrated"] < ece["calibrated, then pooled"])


def losses_and_abstention():
    rows = table("results/promises/abstention_zoo.csv").query("calibrator == 'none'")
    rows = rows.merge(table("zoo/zoo.csv"), on="name").query("label_noise == 0")
    alike = ["dataset", "architecture", "depth", "width", "epochs", "weight_decay"]
    rows["like"] = rows[alike].astype(str).agg(" ".join, axis=1)
    aurc = rows.pivot_table("aurc", "like", "loss")
    pairs = aurc[["fl1", "fl2", "fl3", "ls0.05"]].stack().dropna()
    trained = aurc["ce"].reindex(pairs.index.get_level_values("like")).to_numpy()
    pairs = pairs[~np.isnan(trained)]
    return counted(
        trained[~np.isnan(trained)] < pairs, pairs.index.get_level_values("like")
    )


def lower_by_a_temperature():
    errors = from_logits(our_networks("loss == 'ce' and label_noise == 0"), ece_by_hand)
    return of_rows(errors["after"] < errors["before"])


def the_same_accuracy():
    accuracies = from_logits(our_networks(), accuracy_by_hand)
    return of_rows(accuracies["after"] == accuracies["before"])


def smoothed():
    blocks = (
        "block.str.contains('vasilev-full-fit') or block.str.contains('vasilev-short')"
    )
    names = our_networks(f"loss == 'ls0.05' and ({blocks})")

    def over(logits, y):
        p = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
        return p.max(axis=1).mean() - accuracy_by_hand(logits, y)

    return of_rows(from_logits(names, over)["before"] < 0)


def spline_in_three_ways():
    errors = [ours(metric, METHODS) for metric in KS]
    winners = [least(each, "top-spline").astype(float) for each in errors]
    agree = pd.concat(winners)
    return counted(agree, agree.index)


RECOUNTED = {
    ("angelopoulos-smaller", "public"): lambda: sets(
        "raps temperature", ["aps temperature"]
    ),
    ("guo-every-method-helps", "public"): every_method,
    ("guo-temperature-lowers", "zoo"): lower_by_a_temperature,
    ("guo-temperature-vision", "public"): vision,
    ("gupta-beats-kull", "public"): lambda: of_rows(
        least(
            public("ks", ["top-spline", "matrix-odir", "dirichlet-odir"]), "top-spline"
        )
    ),
    ("gupta-consistent-on-ece", "zoo"): lambda: of_rows(
        least(ours("ece", METHODS), "top-spline")
    ),
    ("gupta-consistent-table7", "published"): lambda: lowest_in_print(
        "gupta2021", [7], "Spline"
    ),
    ("gupta-lowest-in-the-majority", "published"): lambda: lowest_in_print(
        "gupta2021", [1, 2, 4], "Spline"
    ),
    ("gupta-lowest-in-the-majority", "zoo"): spline_in_three_ways,
    ("gupta-top2-below-one", "zoo"): lambda: of_rows(
        ours("ks_top_2", ["top-spline"])["top-spline"] < 1
    ),
    ("michael-hard-easy", "plaut"): overconfident_where_hard,
    ("minderer-vit-bit", "public"): nearest_bit,
    ("nixon-bin-count-matters", "public"): bin_count,
    ("nixon-static-adaptive-differ", "zoo"): winners,
    ("nixon-tables-echo", "published"): echo,
    ("nixon-thresholds", "zoo"): thresholds,
    ("nixon-vector-sce-ace", "public"): sce_ace,
    ("openai-post-training", "tao"): lambda: tuned("token"),
    ("openai-post-training-words", "tao"): lambda: tuned("verbal"),
    ("plaut-abstain", "tao"): surest_half,
    ("rahaman-calibrate-after", "zoo"): pooled_then_calibrated,
    ("sadinle-smallest", "public"): lambda: sets("lac none", ["aps none", "raps none"]),
    ("tao-words-token", "tao"): words_and_tokens,
    ("tian-half", "michael"): lambda: stated_and_token(
        lambda ece, auroc: ece["stated"] < ece["token"] / 2
    ),
    ("tian-verbal", "michael"): lambda: stated_and_token(
        lambda ece, auroc: ece["stated"] < ece["token"]
    ),
    ("vasilev-smoothed-underconfident", "zoo"): smoothed,
    ("vasilev-temperature-keeps-accuracy", "zoo"): the_same_accuracy,
    ("xiong-capability-order", "tao"): ranks_by_capability,
    ("xiong-white-box", "michael"): lambda: stated_and_token(
        lambda ece, auroc: auroc["stated"] < auroc["token"]
    ),
    ("zhu-trained-calibration", "zoo"): losses_and_abstention,
}
SLOW = {"guo-temperature-lowers", "vasilev-temperature-keeps-accuracy"}


def of_claim(rows, key):
    return rows[(rows["id"] == key[0]) & (rows["evidence"] == key[1])]


def test_the_thirty_are_those_of_the_lot():
    assert list(RECOUNTED) == lot()


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(
            key, marks=pytest.mark.slow if key[0] in SLOW else (), id=" ".join(key)
        )
        for key in RECOUNTED
    ],
)
def test_a_judgement_is_counted_again(key):
    """The sum over networks and their number; of a correlation itself, and the number."""
    count, n = RECOUNTED[key]()
    rows = of_claim(table("ledger/ledger-networks.csv"), key)
    if len(rows):
        assert (rows["networks"].sum(), rows["total"].sum()) == (
            n,
            pytest.approx(count, abs=1e-3),
        )
        return
    judged = pd.concat(
        [table(f"ledger/ledger{part}.csv") for part in ("", "-language")]
    )
    (row,) = of_claim(judged, key).itertuples()
    assert (row.estimate, row.n) == (pytest.approx(count, abs=1e-3), n)
