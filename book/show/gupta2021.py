"""The notebook on Gupta et al. (2021): plots of many axes, and the numbers of its sentences."""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from scipy import stats

from book.show import verdicts
from book.show.display import expect, glue_values
from book.show.looks import SMALL, looks
from book.show.number_texts import share_with_interval, with_interval
from calib.plots import COLOURS
from evidence import claims, load_results
from evidence.claims import coverage

HEAD = {  # rows of the first table: the last word of a glued name, and the method
    "none": "Uncalibrated",
    "temperature": "Temperature scaling",
    "spline": "Spline",
}
SENTENCES = {
    "gupta-below-one": "The spline brings the KS error below 1 %",
    "gupta-nine-of-thirteen": "It beats a temperature in 9 of 13 experiments",
    "gupta-outperforms-ece-methods": "It consistently outperforms the others by KS",
    "gupta-top2-below-one": "It brings the second choice below 1 %",
    "gupta-ks-is-ece": "Usually KS equals ECE",
    "gupta-bins-matter": "The ECE depends highly on the number of bins",
}
GRAPHS = {  # the paper's letter: what stands across, and the two curves
    "a": ("fractile", "cumulative_score", "cumulative_hit"),
    "b": ("cumulative_score", "cumulative_score", "cumulative_hit"),
    "c": ("fractile", "score", "frequency"),
    "d": ("score", "score", "frequency"),
}
STAGES = {  # what is drawn of a network: the set, and whether the spline was applied
    "before,\ntest": ("test", False),
    "after,\ncalibration": ("calibration", True),
    "after,\ntest": ("test", True),
}
RUNOUT_LOOKS = {
    "natural": ("", "-", "o"),
    "parabolic": ("", "--", "s"),
    "cubic": ("", ":", "^"),
}
EVIDENCE_LOOKS = {
    "printed": ("vermillion", "", "D"),
    "public": ("blue", "", "o"),
    "ours": ("green", "", "s"),
}


def _draw_graphs(graph: pd.DataFrame, axes: Iterable[Any]) -> None:
    """Draw the paper's four graphs of one network on four axes."""
    for ax, (letter, (x, score, probability)) in zip(axes, GRAPHS.items(), strict=True):
        ax.plot(graph[x], graph[score], "--", color=COLOURS["blue"], label="score")
        ax.plot(
            graph[x],
            graph[probability],
            color=COLOURS["vermillion"],
            label="probability",
        )
        ax.set_xlabel(f"({letter}) {x.replace('_', ' ')}", fontsize=SMALL)
        ax.locator_params(nbins=3)


def draw_four_graphs(graph: pd.DataFrame) -> Figure:
    """Draw the four graphs as the paper arranges them, and return the figure."""
    figure, axes = plt.subplots(2, 2, figsize=(5.6, 5), layout="constrained")
    _draw_graphs(graph, axes.flat)
    axes[0, 0].legend(frameon=False)
    return figure


def draw_graphs_by_stage(graphs: pd.DataFrame) -> Figure:
    """Draw the four graphs (rows) before the spline, and after it on both sets (columns)."""
    figure, axes = plt.subplots(4, 3, figsize=(4.8, 7.4), layout="constrained")
    for column, (stage, at) in zip(axes.T, STAGES.items(), strict=True):
        graph = graphs.loc[at]
        _draw_graphs(graph, column)
        error = 100 * graph["ks"].iloc[0]
        column[0].set_title(f"{stage}\nKS {error:.2f} %", fontsize=SMALL)
    lines = axes[0, 0].get_legend_handles_labels()
    figure.legend(*lines, loc="outside lower center", ncols=2, frameon=False)
    return figure


def draw_ks_by_knots(knots: pd.DataFrame, printed: dict[str, float]) -> Figure:
    """Draw the KS error against the number of knots, a panel a view, and the printed values."""
    kinds = looks("runout", RUNOUT_LOOKS)
    kinds |= looks("target", {"gap": "blue", "hits": "vermillion"})
    kinds |= {"col": "view", "col_order": list(printed), "height": 3.4, "aspect": 0.66}
    rows = knots.assign(ks=100 * knots["ks"])
    grid = sns.relplot(rows, x="n_knots", y="ks", kind="line", errorbar=None, **kinds)
    for ax, value in zip(grid.axes.flat, printed.values(), strict=True):
        ax.axhline(value, color="black", ls=":", lw=1.2)
    grid.set(xlabel="knots", ylabel="KS error (%)", ylim=(0, None)).set_titles(
        "{col_name}"
    )
    return grid.figure


def draw_measures_by_sample_size(study: pd.DataFrame) -> Figure:
    """Draw what measures of two models give by sample size, and the true values."""
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 3.4), layout="constrained")
    names = ["vermillion", "blue", "green"]
    colours = dict(zip(study["metric"].unique(), names, strict=True))
    for ax, (model, part) in zip(axes, study.groupby("model", sort=False), strict=True):
        for metric, rows in part.groupby("metric", sort=False):
            # its truth has the same colour, dashed
            look = {"color": COLOURS[colours[metric]]}
            ends = 100 * rows["mean"], 100 * rows["sd"]
            ax.errorbar(
                rows["n"], *ends, marker="o", ms=4, capsize=2, label=metric, **look
            )
            ax.plot(rows["n"], 100 * rows["truth"], "--", lw=1, **look)
        ax.set(xscale="log", xlabel="samples", title=model, ylim=(0, None))
    axes[0].set_ylabel("error (%)")
    axes[0].legend(frameon=False)
    return figure


def draw_spline_and_temperature(networks: pd.DataFrame) -> Figure:
    """Draw the KS errors after both maps, a mark a network, its colour the evidence."""
    figure, ax = plt.subplots(figsize=(5, 4.6), layout="constrained")
    kinds = looks("evidence", EVIDENCE_LOOKS, line=False)
    sns.scatterplot(networks, x="temp.", y="spline", s=26, alpha=0.75, **kinds, ax=ax)
    # the diagonal; by two points, since a slope means nothing on logarithmic axes
    ax.axline((1, 1), (2, 2), color="black", lw=0.8)
    ax.set(xscale="log", yscale="log", xlabel="KS after temperature scaling (%)")
    ax.set_ylabel("KS after a spline (%)")
    sns.move_legend(ax, "best", title=None, frameon=False)
    return figure


def check_first_screen(now: pd.DataFrame) -> None:
    """Refuse to build where the first screen is wrong: spline and temperature are alike on ours."""
    both = now.loc[["Spline", "Temperature scaling"]]
    expect(
        abs(both["value"].diff().iloc[1]) < 0.01,
        "the text says that spline and temperature are alike",
    )
    expect(
        (both["value"] - both["chance"]).between(0, 0.3).all(),
        "the text says that both are near chance",
    )


def glue_sentences(ledger: pd.DataFrame) -> None:
    """Glue what the paper's sentences rest on; with a verdict that the page says of them."""
    for name in SENTENCES:
        evidence = set(ledger[ledger.id == name].evidence) & {"public", "zoo"}
        verdicts.glue_counts_and_effects(ledger, *((name, kind) for kind in evidence))
    by_ece = ("gupta-ece-beats-temperature", "published")
    verdicts.glue_counts_and_effects(ledger, ("gupta-overall", "zoo"), by_ece)
    best = "gupta-outperforms-ece-methods"
    for name in ("gupta-below-one", best):
        verdicts.glue_shares(ledger, (name, "public"), (name, "zoo"), verdict="open")
    verdicts.glue_shares(ledger, ("gupta-top2-below-one", "public"))
    refuted = ("gupta-consistent-on-ece", "zoo"), ("gupta-accuracy-retained", "zoo")
    verdicts.glue_shares(ledger, *refuted, verdict="refuted")
    verdicts.glue_counts_and_effects(ledger, (best, "published"))
    in_print = ledger.set_index(["id", "evidence"]).verdict[best, "published"]
    expect(in_print == "fails", "the text says that the sentence fails in print")
    glue_values("gupta2021", coin=f"{stats.binom.sf(8, 13, 0.5):.0%}")


def glue_agreement_of_cells() -> None:
    """Glue how near the recomputed cells come to print: ours, and those that others computed."""
    glue_values("gupta2021", covered=coverage.covered("gupta2021"))
    computed = coverage.cells().query(
        "paper == 'gupta2021' and status == 'same network'"
    )
    own, others = computed[computed["by"] == "us"], computed[computed["by"] == "others"]
    expect(
        set(others["metric"]) == {"Accuracy"},
        "the text says that others computed accuracies",
    )
    expect(
        set(others.loc[~others["exact"], "method"]) == {"Vector scaling"},
        "the text says that only vector scaling differs",
    )
    networks = (own["model"] + " on " + own["dataset"]).value_counts()
    names = [f"{count} of {network}" for network, count in networks.items()]
    glue_values("gupta2021-own", n=len(own), networks=", ".join(names))
    glue_values("gupta2021-own", exact=own["exact"].sum(), near=own["near"].sum())
    glue_values("gupta2021-others", n=len(others), exact=others["exact"].sum())


def glue_ks_by_data_set(ledger: pd.DataFrame) -> None:
    """Glue, of our networks by data set: how many stay below one per cent, and what chance gives.

    Of the first choice and of the second; a span is that of the means of networks.
    """
    first = verdicts.by_data(ledger, "gupta-below-one", "zoo")
    second = verdicts.by_data(ledger, "gupta-top2-below-one", "zoo")
    splines = claims.zoo_metrics().query("method == 'Spline'")
    chance = claims.chance.by_chance(splines, "Spline", "KS")
    second_chance = claims.chance.by_chance(splines, "Spline", "KS top-2")
    ks = splines[splines["metric"] == "KS"].groupby(["dataset", "case"])["value"].mean()
    for data in ("20news", "cifar100", "fashion"):
        spans = {"spline": ks[data], "chance": chance[data][ks[data].index]}
        spans["second-chance"] = second_chance[data]
        facts = {n: f"{v.min():.1f} to {v.max():.1f}" for n, v in spans.items()}
        facts |= {"first": first[data], "second": second[data]}
        glue_values(
            "gupta2021", **{f"{name}_{data}": fact for name, fact in facts.items()}
        )


def glue_spline_and_temperature(networks: Mapping[str, pd.DataFrame]) -> None:
    """Glue on how many networks (rows) the spline is below a temperature, by kind of evidence."""
    for kind, values in networks.items():
        gap = values["spline"] - values["temp."]
        # the text says both of all three kinds
        expect(
            stats.wilcoxon(gap).pvalue < 0.05,
            "the text says that spline and temperature differ",
        )
        expect(
            values.rank(axis=1).mean().idxmin() == "spline",
            "the text says that the spline ranks first",
        )
        if kind == "printed":  # named by their data set and model
            gap.index = gap.index.str.split(" ", n=1, expand=True)
            gap.index.names = ["dataset", "model"]
        glue_values(f"gupta-{kind}", below=share_with_interval(gap < 0))
    ours = networks["ours"]
    beyond = ours["spline"] - ours["temp."]
    lowest = ours.idxmin(axis=1) == "spline"
    glue_values("gupta", lowest=f"{lowest.sum()} of {len(lowest)}")
    glue_values("gupta", worst=f"{beyond.max():.1f}")
    glue_values("gupta", losses=", ".join(beyond.nlargest(3).index))
    glue_values(
        "gupta", halves_ks=f"{claims.chance_of_another_best('gupta', 'KS'):.0%}"
    )


def glue_ks_by_knots(
    knots: pd.DataFrame, spline: pd.Series, printed: Mapping[int, pd.Series]
) -> None:
    """Glue KS errors by the number of knots.

    `spline` is the recomputed cell of Table 1, `printed` the paper's row of Tables 1 and 4.
    """
    natural = knots[knots["runout"] == "natural"]
    natural = natural.set_index(["target", "view", "n_knots"])[["ks", "low", "high"]]
    gap, hits = 100 * natural.loc["gap"], 100 * natural.loc["hits"]["ks"]
    first, two = gap.loc["top-1"], gap.loc["within-top-2"]
    expect(
        two["high"][14] < two["low"][6],
        "the text says that their intervals do not meet",
    )
    ends = spline["low"], spline["high"]
    glue_values("gupta", gap_6=with_interval(first["ks"][6], *ends, 3))
    glue_values("gupta", hits_6=f"{hits['top-1', 6]:.3f}")
    glue_values("gupta", hits_ratio=f"{hits['top-1', 6] / first['ks'][6]:.1f}")
    glue_values("gupta", printed_1=f"{printed[1]['spline']:.3f}")
    expect(
        first["ks"][14] < first["ks"][6],
        "the text says that fourteen knots would have done better",
    )
    glue_values("gupta", one_14=f"{first['ks'][14]:.2f}")
    glue_values("gupta", four_6=f"{two['ks'][6]:.2f}")
    glue_values("gupta", four_ratio=f"{two['ks'][6] / two['ks'][14]:.1f}")
    glue_values("gupta", four_temperature=f"{printed[4]['temp.']:.2f}")


def glue_ks_by_target(targets: pd.DataFrame) -> None:
    """Glue what the fits to hits and to gaps leave on our networks, and which is beyond chance."""
    for name, column in {"hits": "hits (text)", "gap": "gap (script)"}.items():
        span = f"{targets[column].min():.3f} to {targets[column].max():.3f}"
        glue_values("splines", **{name: span})
    beyond = targets.index[targets["gap (script)"] > targets["by chance"]]
    expect(len(beyond) == 1, "the text names one network beyond chance")
    within = f"{len(targets) - len(beyond)} of {len(targets)}"
    glue_values("splines", within=within, beyond=beyond[0])
    expect(
        (targets["hits (text)"] > targets["by chance"]).all(),
        "the text says that fits to hits are beyond chance",
    )


def glue_bias_of_measures(study: pd.DataFrame) -> None:
    """Glue the bias of each measure of the calibrated model with a thousand samples, in points."""
    thousand = study[study["n"] == 1000].set_index(["model", "metric"])
    off = 100 * (thousand["mean"] - thousand["truth"])
    for model, biases in off.unstack("metric").iterrows():
        expect(
            biases.abs().idxmin() == "KS",
            f"the text says that KS has the least bias: {model}",
        )
        expect(
            0 < biases["ECE, 15 bins"] < biases["ECE, 50 bins"],
            f"the text says that ECE is too high, the more so the more bins: {model}",
        )
    bias = off["calibrated"]
    glue_values("gupta-calibrated", bias=", ".join(map("{:.1f}".format, bias)))


def glue_ks_over_ece(public: pd.DataFrame) -> None:
    """Glue the median of KS over ECE of public sets, as they are and after a temperature."""
    errors = public[public["metric"].isin(["KS", "ECE"])]
    keys = ["calibrator", "source"]
    errors = errors.pivot_table(index=keys, columns="metric", values="value")
    ratio = (errors["KS"] / errors["ECE"]).dropna()
    for calibrator in ("none", "temperature"):
        low, middle, high = ratio[calibrator].quantile([0.25, 0.5, 0.75])
        text = f"{middle:.2f} (quartiles {low:.2f} and {high:.2f})"
        glue_values(f"gupta-ratio-{calibrator}", median=text, n=len(ratio[calibrator]))


def glue_agreement_of_digits(same: pd.DataFrame) -> None:
    """Glue how far the digits of the very networks agree, and why others do not."""
    is_plain = same["method"].isin(["Uncalibrated", "Temperature scaling"])
    plain, fitted = same[is_plain], same[~is_plain]
    digits = plain["script"].fillna(plain["recomputed"].round(3))
    expect(
        np.isclose(digits, plain["printed"], 0, 1e-9).all(),
        "the text says that every digit agrees",
    )
    glue_values(
        "gupta-plain", n=len(plain), worst=f"{plain['difference'].abs().max():.4f}"
    )
    within = fitted["printed"].between(fitted["low"], fitted["high"])
    outside = set(fitted.loc[~within, ["table", "method"]].itertuples(index=False))
    expect(
        outside == {(2, "MS-ODIR"), (4, "Dir-ODIR")},
        "the text names the two methods that lie outside",
    )
    glue_values(
        "gupta-fitted", within=f"{within.sum()} of the {len(fitted)}", n=len(fitted)
    )
    splines = fitted[fitted["method"] == "Spline"]
    moves = (splines["script"] - splines["recomputed"]).abs().max()
    glue_values("gupta-script", moves=f"{moves:.3f}")
    twice = fitted[fitted["copied"].notna()].iloc[0]
    glue_values(
        "gupta-odir", same=f"{twice.printed:.3f}", ours=f"{twice.recomputed:.3f}"
    )
    glue_values("gupta-odir", range=f"{twice.least:.3f} to {twice.most:.3f}")


def glue_gap_of_first_choice(within_two: float) -> None:
    """Glue by how much DenseNet-40's first score is too high, and so its second at least too low.

    `within_two` is the printed KS error of the first two together, in per cent.
    """
    densenet = load_results("metrics_of_public_networks").query(
        "source == 'kull-cifar10-densenet40' and calibrator == 'none' and samples == 'all'"
    )
    values = 100 * densenet.set_index("metric")["value"]
    gap = values["confidence"] - values["accuracy"]
    glue_values("gupta-first", gap=f"{gap:.2f}", second=f"{gap - within_two:.2f}")
