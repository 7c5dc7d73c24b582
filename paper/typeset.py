"""Compute every number and figure of the two papers from ``data/``, and typeset them.

``make paper`` runs ``python -m paper.typeset``: it writes ``facts.json``, the figures and, where
typst is installed, ``article.pdf`` and ``software.pdf`` into ``_build/paper``. The texts name a
fact as ``f.section-name``; a name that is unknown, and a fact that no text uses, stop the build.
"""

import datetime
import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import yaml
from sklearn.metrics import cohen_kappa_score

import calib
from book.show.display import typeset as tidy
from book.show.regret import MAPS, errors_by_map, regrets_by_map
from book.show.verdicts import KINDS, count_or_effect
from book.show.verdicts import PAPERS as NAMES
from calib.plots import COLOURS, GREY
from evidence import (
    PAPERS_WITH_TABLES,
    claims,
    load_published,
    load_results,
    source_index,
    zoo_index,
)
from evidence.claims import frames, shares
from evidence.claims.distributions import Distribution
from evidence.claims.estimates import CERTAIN
from evidence.data import read_declared
from evidence.forecasts import load_registered
from evidence.forecasts.judge_first import BINS
from evidence.forecasts.sealed_files import registered_files
from evidence.studies.maps.best_maps_of_halves import N_SPLITS

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build" / "paper"
TEXTS = [ROOT / "paper" / f"{name}.typ" for name in ("article", "software")]
EVIDENCE = ("published", "public", "zoo")
LABELS = ["shown", "open", "refuted"]
MODEST, CLEAR, EXTREME = 0.8, 0.9, 0.95  # true shares of the simulation
OUTCOMES = ["came true", "did not"]
LINES = ("orange", "sky", "blue", "vermillion")  # of true shares, from one half upwards
LOOK = {"svg.hashsalt": "paper", "font.size": 8, "axes.spines.top": False}
LOOK |= {
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}
PERCENT = "\N{NARROW NO-BREAK SPACE}%"
NEW_RULE = "2026-11-27"  # the day from which shares stand in place of former verdicts
FACTS = {}


def keep(section, form="", /, **facts):
    """Keep facts for the texts as ``section-name``: lists as they are, numbers by their form."""
    for name, value in facts.items():
        text = f"{value:{form if isinstance(value, float) else ''}}".replace(
            "%", PERCENT
        )
        FACTS[re.sub("[ _]", "-", f"{section}-{name}")] = (
            value if isinstance(value, list) else text
        )


def save(figure, name):
    figure.savefig(OUT / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def draw_line(ax, values, label, colour, above=5):
    """Draw a line and write its name at its end, some points above it."""
    ax.plot(values.index, values, marker="o", markersize=3, color=COLOURS[colour])
    look = {"textcoords": "offset points", "ha": "right", "color": COLOURS[colour]}
    ax.annotate(label, (values.index[-1], values.iloc[-1]), (0, above), **look)


def asked(ledger, claim):
    """What was asked, and of which evidence."""
    judged = claim[claim["label"].isin(LABELS)]
    cells = {paper: len(load_published(paper)) for paper in PAPERS_WITH_TABLES}
    rows = []
    for paper, name in NAMES.items():
        ids = [t[t["paper"] == paper]["id"].nunique() for t in (claim, ledger)]
        kinds = judged[judged["paper"] == paper]["evidence"].value_counts()
        kinds = [int(kinds.get(kind, 0)) for kind in EVIDENCE]
        rows.append([name, cells.get(paper, "–"), ids[0], ids[1] - ids[0], *kinds])
    keep("asked", claims=claim["id"].nunique(), coded=ledger["id"].nunique(), rows=rows)
    keep("asked", cells=sum(cells.values()))
    keep("asked", **ledger.groupby("status")["id"].nunique()[["ours", "dropped"]])
    others = sum(claims.load_ledger(part=part)["id"].nunique() for part in claims.PARTS)
    own = zoo_index()
    keep("asked", others=others - ledger["id"].nunique(), own=len(own))
    public, fashion = (
        source_index()["reader"].notna().sum(),
        (own["dataset"] == "fashion").sum(),
    )
    keep("asked", public=public, fashion=fashion)
    exact = load_results("replication").query("relation == 'same network'")
    exact = exact[exact["method"].isin(["Uncalibrated", "Temperature scaling"])]
    exact = exact[exact["paper"] == "gupta2021"]["difference"].abs()
    keep("exact", ".4f", cells=len(exact), largest=exact.max())


def model():
    """What the model was taught, how often it errs, and what it finds, in simulation."""
    low, high = Distribution.quantiles.__defaults__[0]
    keep("level", ".0%", of=high - low)
    keep("prior", "g", spread=shares.MU_SPREAD)
    spreads = {name: f"{scale:.1f}" for name, scale in claims.load_scales().items()}
    keep("spread", **spreads)
    keep("label", ".0%", **{"from": CERTAIN})
    table = load_results("share_model")
    keep(
        "sim",
        ".1%",
        wrong=table.query("truth == 0.5")[["shown", "refuted"]].to_numpy().max(),
    )
    design = table[table["n"] == table["n"].max()]
    keep("sim", n=design["n"].iloc[0], sets=design["data_sets"].iloc[0])
    keep("sim", "g", icc=table["icc"].max())
    found = design.groupby("truth")["shown"].median()
    covered = design.groupby("truth")["covered"].agg(["min", "max"])
    moderate = covered.drop(EXTREME)
    keep("sim", ".0%", clear=CLEAR, clear_found=found[CLEAR], modest=MODEST)
    keep("sim", ".0%", modest_found=found[MODEST], extreme=EXTREME)
    keep(
        "sim", ".0%", cover_low=moderate["min"].min(), cover_high=moderate["max"].max()
    )
    keep("sim", ".0%", extreme_cover=covered.loc[EXTREME, "min"])
    ranks = load_results("share_rank_tests")
    keep("sim", rank_designs=len(ranks), ranks=ranks["ranks"].sum())
    keep("sim", ".3f", rank_p=ranks["p"].min())
    keep("sim", ".2f", rank_holm=ranks["p_holm"].min())
    keep("sim", rank_bins=ranks["bins"].iloc[0])
    keep("sim", ".0%", rank_width=ranks["seen_width"].max())
    figure, axes = plt.subplots(1, 2, figsize=(6.3, 2.0))
    for ax, column in zip(axes, ("shown", "covered"), strict=True):
        for (truth, rows), colour in zip(design.groupby("truth"), LINES, strict=True):
            lower = column == "covered" and truth == EXTREME
            line = 100 * rows.set_index("icc")[column]
            draw_line(ax, line, f"{truth:.0%}", colour, -10 if lower else 5)
        ax.set(xlabel="intraclass correlation")
    axes[0].set(ylabel="called shown (%)", ylim=(-4, 104))
    axes[1].set(ylabel="interval holds the share (%)", ylim=(70, 101))
    axes[1].axhline(95, color=GREY, linewidth=0.8, linestyle=":")
    save(figure, "model")
    priors = load_results("share_priors")
    moved = (priors["median_share"] - priors["median_share"].iloc[0]).abs().max()
    keep("prior", ".0f", moved=100 * moved)
    keep("prior", tests=priors["tests"].max(), turned=priors["turned"].max())
    keep("prior", reversed=priors["reversed"].max())
    words = load_results("share_words").set_index("word")["share"]
    keep("word", ".0%", tends=words["tends to"], consistently=words["consistently"])
    keep("word", ".0%", can=words["can"])


def results(claim):
    """What holds in print, and of how many networks it is true elsewhere."""
    printed = claim[claim["evidence"] == "published"].set_index("id")["counted"]
    counts = printed.value_counts()
    keep("print", judged=len(printed), **counts[["holds", "fails"]])
    keep(
        "print",
        leads=count_or_effect(claim, "gupta-outperforms-ece-methods", "published"),
    )
    keep("print", spared=count_or_effect(claim, "gupta-accuracy-retained", "published"))
    pooled = claims.load_pooled()
    whole = pooled.loc["true in print"]
    keep("pooled", tests=int(whole["tests"]))
    keep("pooled", ".0%", **whole.drop("tests"))
    for kind in ("public", "zoo"):
        keep(kind, ".0%", share=pooled.loc[f"true in print, {kind}", "share"])
    elsewhere = claim[
        claim["evidence"].isin(["public", "zoo"]) & claim["label"].isin(LABELS)
    ]
    rows = []
    for kind in EVIDENCE:
        of = claim[(claim["evidence"] == kind) & claim["label"].isin(LABELS)]
        found = of["label"].value_counts().reindex(LABELS, fill_value=0)
        labels = ["–"] * len(LABELS) if kind == "published" else found.tolist()
        rows.append(
            [KINDS[kind], len(of), int((of["counted"] == "holds").sum()), *labels]
        )
    keep("found", rows=rows)
    found = elsewhere["label"].value_counts()
    keep("labels", tests=len(elsewhere), **found[LABELS])
    sure = elsewhere[elsewhere["label"] != "open"]
    keep("labels", rows=[row_of(claim) for claim in sure.itertuples()])
    open_ones = elsewhere[(elsewhere["label"] == "open") & elsewhere["share"].notna()]
    networks = claims.load_networks().groupby(["id", "evidence"])["dataset"].nunique()
    sets = [networks.get((one.id, one.evidence), 0) for one in open_ones.itertuples()]
    width = open_ones["share_high"] - open_ones["share_low"]
    keep("median", ".0f", sets=float(np.median(sets)), width=100 * width.median())
    no_theorem = elsewhere[elsewhere["status"] == "claim"]
    shares_figure(no_theorem, printed.index[printed == "holds"])


def row_of(claim):
    """Return a row of the table of claims that are shown or refuted."""
    if np.isnan(claim.share):
        amount = (
            f"{claim.estimate:.2g} {claim.unit} ({claim.low:.2g} to {claim.high:.2g})"
        )
    elif claim.unit != "share":
        ends = f"next: {claim.next_low:.2g} to {claim.next_high:.2g}"
        amount = f"{claim.estimate:.2g} {claim.unit} ({ends})"
    else:
        ends = f"{claim.share_low:.0%} to {claim.share_high:.0%}"
        amount = f"{claim.share:.0%} ({ends})".replace("%", PERCENT)
    return [
        NAMES[claim.paper],
        tidy(claim.says),
        KINDS[claim.evidence],
        claim.label,
        amount,
    ]


def shares_figure(elsewhere, true_in_print):
    """Draw the share of each claim that is true in print, sorted."""
    of = elsewhere[elsewhere["id"].isin(true_in_print) & elsewhere["share"].notna()]
    of = of.sort_values("share", ignore_index=True)
    figure, ax = plt.subplots(figsize=(6.3, 2.2))
    ends = 100 * of["share_low"], 100 * of["share_high"]
    ax.vlines(of.index, *ends, color=COLOURS["sky"], linewidth=2, alpha=0.6)
    for is_sure, face in ((False, "white"), (True, COLOURS["blue"])):
        rows = of[(of["label"] != "open") == is_sure]
        look = {"color": face, "edgecolor": COLOURS["blue"], "s": 14, "zorder": 3}
        ax.scatter(rows.index, 100 * rows["share"], **look)
    ax.axhline(50, color=GREY, linewidth=0.8, linestyle=":")
    ax.set(
        xlabel="claims, by share",
        ylabel="share of networks (%)",
        ylim=(0, 100),
        xticks=[],
    )
    save(figure, "shares")


def findings():
    """The bold cell, and one temperature against the best of five maps."""
    for name, metric in {"ece": "ECE", "nll": "NLL", "cwece": "cwECE"}.items():
        keep("halves", ".0%", **{name: claims.chance_of_another_best("guo", metric)})
    halves = frames.split_half().query("methods == 'guo' and first == second")
    halves = halves.pivot(index=["name", "dataset"], columns="first", values="differs")
    name, dataset = (
        halves.index.get_level_values(level).to_numpy(str) for level in (0, 1)
    )
    own = np.isin(name, zoo_index()["name"])
    author = np.where(own, "ours", np.char.partition(name, "-")[:, 0])
    clusters = {"dataset": dataset, "author": author}
    gap = claims.mean_interval((halves["ECE"] - halves["NLL"]).to_numpy(), clusters)
    keep(
        "halves", ".0f", gap=100 * gap.estimate, low=100 * gap.low, high=100 * gap.high
    )
    keep("halves", networks=len(halves), own=own.sum(), splits=N_SPLITS)
    keep("halves", ".0%", lottery=1 - 1 / len(MAPS))
    errors = errors_by_map(MAPS)
    regret, before, after = (
        regrets_by_map(errors),
        errors["Uncalibrated"],
        errors["Temperature scaling"],
    )
    low, middle, high = (1 - after / before).quantile([0.25, 0.5, 0.75])
    keep("removed", ".0%", low=low, median=middle, high=high)
    of = regret["Temperature scaling"]
    keep("regret", networks=len(errors), helped=(after < before).sum())
    keep(
        "regret",
        ".1f",
        before=before.median(),
        after=after.median(),
        most=of.quantile(0.9),
    )
    keep("regret", ".2f", median=of.median(), maps=len(MAPS) - 1)


def history(claim):
    """How two coders agreed, and what became of the former rule's verdicts."""
    log = claims.load_log()
    log = log[log["date"] < NEW_RULE]
    log = log[~log["reason"].str.startswith("First ") & (log["part"] != "wording")]
    log = log[(log["claim"] != "all") & (log["verdict_before"] != "")]
    added = log["reason"].str.startswith("Evidence was added, no rule changed")
    keep("log", again=(~added).sum())
    second = frames.read_table("ledger/second-coder.csv")
    pairs = np.stack([second["first"], second["quantifier"]])
    draws = np.random.default_rng(0).integers(len(second), size=(2000, len(second)))
    low, high = np.quantile(
        [cohen_kappa_score(*pairs[:, draw]) for draw in draws], [0.025, 0.975]
    )
    keep("coder", ".2f", kappa=cohen_kappa_score(*pairs), low=low, high=high)
    keep("coder", apart=(pairs[0] != pairs[1]).sum())
    former = frames.read_table("ledger/versions/former-rule.csv").query(
        "part == 'papers'"
    )
    former = former[former["evidence"].isin(["public", "zoo"])]
    both = former.merge(claim[["id", "evidence", "label"]], on=["id", "evidence"])
    held = both[both["as_mostly"] == "holds"]
    keep("former", held=len(held), kept=(held["label"] == "shown").sum())
    keep("former", failed=(both["as_mostly"] == "fails").sum())


def judgement():
    """What came of the forecasts on sealed files, and how many wait for the next."""
    found = frames.read_table("forecasts/scores.csv").set_index("evidence")
    whole, three = found.loc["all"], found.loc["three models"]
    keep(
        "judged",
        files=len(registered_files()),
        lines=int(whole["lines"]),
        answered=int(whole["answered"]),
    )
    keep("judged", ".0%", true=whole["share true"])
    keep("judged", ".3f", brier=whole["brier"], right=whole["brier if right"])
    keep("judged", ".3f", base=whole["brier of the base rate"], three=three["brier"])
    keep("judged", ".1f", ece=100 * whole["ece"], chance=100 * whole["ece by chance"])
    verdicts = frames.read_table("forecasts/verdicts.csv")
    lines = load_registered().merge(
        verdicts[["id", "verdict", "true", "found"]], on="id"
    )
    stated = lines.set_index("id")["probability"]
    harmless, beaten = stated["report-never-harms"], stated["report-beats-none"]
    keep("judged", ".2f", harmless=harmless, beaten=beaten)
    seven = lines[(lines["evidence"] == "seven files") & (lines["claim"] != "")]
    keep("former", tests=len(seven), mixed=(seven["verdict"] == "mixed").sum())
    counts = seven.loc[seven["verdict"] == "mixed", "found"].str.extract(
        r": (\d+) of (\d+)"
    )
    agree, of = (counts[column].astype(float) for column in counts)
    keep("former", near=((of - agree == 1) & (of > 2)).sum())
    known = lines[lines["true"].notna()]
    p, hit = known["probability"].to_numpy(float), known["true"].to_numpy(int)
    bins, band = BINS(p, hit), calib.consistency_band(p, bins=BINS)
    figure, (left, ax) = plt.subplots(1, 2, figsize=(6.3, 2.3), width_ratios=(3, 2))
    colours = [COLOURS["blue"], COLOURS["sky"]]
    parts = [p[hit == 1], p[hit == 0]]
    left.hist(
        parts, bins=np.linspace(0, 1, 11), stacked=True, color=colours, label=OUTCOMES
    )
    left.set(xlabel="probability stated", ylabel="forecasts", xlim=(0, 1))
    left.legend()
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    ax.vlines(band.mean_score, band.low, band.high, linewidth=4, color=GREY, alpha=0.5)
    ax.scatter(bins.mean_score, bins.mean_hit, color=COLOURS["blue"], s=20, zorder=3)
    ax.set(
        xlabel="probability stated",
        ylabel="share that came true",
        xlim=(0, 1),
        ylim=(0, 1),
    )
    save(figure, "judged")
    second = frames.read_table("forecasts/registered-2.csv")
    keep("second", lines=len(second), amounts=second["low_90"].notna().sum())


def library():
    """What the library has, and whether other libraries' numbers are those of their definitions."""
    cases = frames.read_table("conformance/libraries.csv")
    named = json.loads(read_declared("conformance/definitions.json"))
    keep("library", metrics=len(calib.METRICS), definitions=len(named["definitions"]))
    keep(
        "library", functions=len(cases), agree=(cases["agree"] == cases["cases"]).sum()
    )
    keep("library", others=cases["function"].str.partition(":")[0].nunique())
    keep("library", files=len(list((ROOT / "data/conformance").glob("[0-9]*.json"))))
    fuzz = load_results("bad_arguments")
    calls = fuzz[["returned", "refused", "wrong"]].to_numpy().sum()
    keep("library", callables=len(fuzz), calls=calls, wrong=fuzz["wrong"].sum())
    covers = load_results("report_coverage").query("metric == 'ECE'")["coverage"]
    keep("covers", ".0%", low=covers.min(), high=covers.max())
    arena = load_results("arena")
    keep("arena", sets=arena["set"].nunique(), maps=arena["map"].nunique() - 1)


def compute():
    """Write the facts and the figures, and return the facts."""
    OUT.mkdir(parents=True, exist_ok=True)
    ledger = claims.load_ledger()
    claim = ledger[ledger["status"].isin(["claim", "theorem"])]
    with plt.rc_context(LOOK):
        asked(ledger, claim)
        results(claim)
        history(claim)
        for part in (model, findings, judgement, library):
            part()
    (OUT / "facts.json").write_text(
        json.dumps(FACTS, indent=1, sort_keys=True), "utf-8"
    )
    return FACTS


def check(facts):
    """Refuse a name that no fact has, and a fact that no text uses."""
    texts = (text.read_text("utf-8") for text in TEXTS)
    used = {
        name for text in texts for name in re.findall(r"\bf\.([a-z][a-z0-9-]*)", text)
    }
    if used != set(facts):
        unknown, unused = sorted(used - set(facts)), sorted(set(facts) - used)
        raise SystemExit(f"facts of the papers: unknown {unknown}, unused {unused}")


def typeset():
    """Return the PDF of each text, dated as the release: the same facts give the same bytes."""
    try:
        import typst
    except ImportError:
        raise SystemExit(
            "typst is not installed here; `make paper` brings it along"
        ) from None
    date = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["date-released"]
    made = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.UTC)
    options = {"root": ROOT, "ignore_system_fonts": True, "timestamp": made}
    return {text.stem: typst.compile(text, **options) for text in TEXTS}


if __name__ == "__main__":
    check(compute())
    for name, pdf in typeset().items():
        (OUT / f"{name}.pdf").write_bytes(pdf)
