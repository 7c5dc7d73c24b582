"""Compute every number and figure of the two papers from ``data/``, and typeset them.

``make paper`` runs ``python -m paper.typeset``: it writes ``facts.json``, the figures and, where
typst is installed, ``article.pdf`` and ``software.pdf`` into ``_build/paper``. The texts name a
fact as ``f.section-name``; a name that is unknown, and a fact that no text uses, stop the build.
"""

import datetime
import json
import re
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import yaml
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

import calib
from book.show.display import typeset as tidy
from book.show.figures import MAPS, draw_regret, errors_of, regret_of
from book.show.verdicts import KINDS, told
from book.show.verdicts import PAPERS as NAMES
from calib.plots import COLOURS, GREY
from evidence import PAPERS, claims, load_published, load_results, source_index, zoo_index
from evidence.claims import frames, rule
from evidence.data import read_declared
from evidence.forecasts import load_registered
from evidence.forecasts.files import sealed
from evidence.forecasts.judge import BINS
from evidence.studies.operating import TRUTHS
from evidence.studies.split_half import N_SPLITS

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build" / "paper"
TEXTS = [ROOT / "paper" / f"{name}.typ" for name in ("article", "software")]
EVIDENCE = ("published", "public", "zoo")
READINGS = {"counted": "its words, counted", "as_mostly": "of networks", "alone": "quoted alone"}
VERDICTS = ["holds", "depends", "mixed", "fails", "too few"]
SHORT = {"depends on the data": "depends", "depends on the setting": "depends"}
SHORT |= {"too few cases": "too few"}
CERTAIN = "vasilev-temperature-keeps-accuracy"  # dividing by a number keeps the order of logits
STEPS = {"": "before the mapping", "A written mapping": "the written mapping"}
STEPS |= {"Settled before": "settled before the freeze"}
FEW, MANY = "13", "80"  # networks, of those simulated
LOOK = {"svg.hashsalt": "paper", "font.size": 8, "axes.spines.top": False}
LOOK |= {"axes.spines.right": False, "legend.frameon": False, "figure.constrained_layout.use": True}
PERCENT = "\N{NARROW NO-BREAK SPACE}%"
NEW_RULE = "2026-11-27"  # the day from which shares stand in place of the former verdicts
FACTS = {}


def keep(section, form="", /, **facts):
    """Keep facts for the texts as ``section-name``: lists as they are, numbers by their form."""
    for name, value in facts.items():
        text = f"{value:{form if isinstance(value, float) else ''}}".replace("%", PERCENT)
        FACTS[re.sub("[ _]", "-", f"{section}-{name}")] = value if isinstance(value, list) else text


def save(figure, name):
    figure.savefig(OUT / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def draw_line(ax, values, label, colour):
    """Draw a line and write its name at its end."""
    ax.plot(values.index, values, marker="o", markersize=3, color=COLOURS[colour])
    look = {"textcoords": "offset points", "ha": "right", "color": COLOURS[colour]}
    ax.annotate(label, (values.index[-1], values.iloc[-1]), (0, 5), **look)


def asked(ledger, claim):
    """What was asked, of which evidence, and what each quantifier asks for."""
    judged = claim[claim["verdict"].isin(VERDICTS[:4])]
    cells = {paper: len(load_published(paper)) for paper in PAPERS}
    rows = []
    for paper, name in NAMES.items():
        ids = [t[t["paper"] == paper]["id"].nunique() for t in (claim, ledger)]
        kinds = judged[judged["paper"] == paper]["evidence"].value_counts()
        kinds = [int(kinds.get(kind, 0)) for kind in EVIDENCE]
        rows.append([name, cells.get(paper, "–"), ids[0], ids[1] - ids[0], *kinds])
    keep("asked", claims=claim["id"].nunique(), coded=ledger["id"].nunique(), rows=rows)
    keep("asked", judgements=len(judged), few=len(claim) - len(judged), cells=sum(cells.values()))
    keep("asked", **ledger.groupby("status")["id"].nunique()[["ours", "dropped"]])
    others = sum(claims.load_ledger(part=part)["id"].nunique() for part in claims.PARTS)
    simulated, own = (judged["evidence"] == "simulation").sum(), zoo_index()
    keep("asked", others=others - ledger["id"].nunique(), simulated=simulated, own=len(own))
    public, fashion = source_index()["reader"].notna().sum(), (own["dataset"] == "fashion").sum()
    keep("asked", public=public, fashion=fashion)
    exact = load_results("replication").query("relation == 'same network'")
    exact = exact[exact["method"].isin(["Uncalibrated", "Temperature scaling"])]
    exact = exact[exact["paper"] == "gupta2021"]["difference"].abs()
    keep("exact", ".4f", cells=len(exact), largest=exact.max())
    quantifiers = ledger.drop_duplicates("id")["word"].map(rule.quantifier_of)
    used = quantifiers.map(lambda q: "count" if isinstance(q, int) else q).value_counts()
    mapping = frames.read_table("ledger/mapping.csv").groupby("quantifier", sort=False)
    rows = [[", ".join(of["word"]), of["asks"].iloc[0], used.get(q, 0)] for q, of in mapping]
    rows = [[*words, int(n)] for *words, n in rows]
    keep("words", rows=rows, entries=len(rule.mapping()), quantifiers=len(rows))
    same = np.zeros(1000)
    singly = {of: rule.drawn_singly(1000, {of: same})[1] for of in ("dataset", "author")}
    keep("rule-one", ".1f", **singly)
    keep("rule", "g", fewest=rule.FEWEST, **rule.LIKENESS)


def errors():
    """How often the rule errs, and what it finds, in simulation."""
    table = load_results("operating")
    table["wrong"] = table[["holds", "fails"]].max(axis=1)
    table["usual"] = (table["of"] == "settings") | (table["icc"] <= 0.3)
    none = table[table["truth"] == "none"]
    worst = none.groupby(["rule", "usual"])["wrong"].max()
    keep("error", ".1%", now=worst["present", True], alike=worst["present", False])
    keep("error", ".0%", former=worst["former", True])
    able = table[(table["rule"] == "present") & table["usual"] & (table["data_sets"] > 1)]
    able = able[(able["of"] == "networks") & (able["asked"] == 0.5)].assign(n=able["n"].astype(str))
    power = able.groupby(["truth", "n"], sort=False)["holds"].median()
    keep("power", few=FEW, many=MANY, most_sets=table["data_sets"].max())
    keep("power", ".0%", modest=TRUTHS[0.5]["modest"], clear=TRUTHS[0.5]["clear"])
    for truth in ("modest", "clear"):
        keep(f"power-{truth}", ".0%", few=power[truth, FEW], many=power[truth, MANY])
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.3, 1.9))
    none = none[(none["of"] == "networks") & (none["asked"] == 0.5)]
    for name, colour in (("former", "vermillion"), ("present", "blue")):
        values = none[none["rule"] == name].groupby("icc")["wrong"].max()
        draw_line(left, 100 * values, f"{name} rule", colour)
    left.axhline(2.5, color=GREY, linewidth=0.8, linestyle=":")
    left.annotate("nominal 2.5 %", (0, 2.5), (0, -9), textcoords="offset points", color=GREY)
    left.set(xlabel="intraclass correlation", ylabel="worst error rate (%)", ylim=(-4, None))
    for truth, colour in (("clear", "blue"), ("modest", "sky")):
        draw_line(right, 100 * power[truth], f"{FACTS[f'power-{truth}']} agree", colour)
    right.set(xlabel="networks", ylabel="“holds”, median (%)", ylim=(-3, 103))
    save(figure, "errors")


def results(claim):
    """What holds in print, and what is left of it elsewhere."""
    rows = []
    for kind, column in product(EVIDENCE, READINGS):
        found = claim.loc[claim["evidence"] == kind, column].value_counts()
        rows.append([KINDS[kind], READINGS[column], *(int(found.get(v, 0)) for v in VERDICTS)])
    keep("found", rows=rows)
    printed = claim[claim["evidence"] == "published"].set_index("id")["counted"]
    share = (printed == "holds").mean()
    keep("print", ".0%", judged=len(printed), share=share, **printed.value_counts())
    keep("print", leads=told(claim, "gupta-outperforms-ece-methods", "published"))
    keep("print", spared=told(claim, "gupta-accuracy-retained", "published"))
    elsewhere = claim[claim["evidence"].isin(["public", "zoo"])].set_index("id")
    elsewhere = elsewhere[elsewhere["as_mostly"] != "not tested"]
    away = elsewhere[elsewhere.index.isin(printed.index[printed == "holds"])]
    reached = away["as_mostly"].value_counts().reindex(VERDICTS, fill_value=0)
    keep("away", tests=len(away), sentences=away.index.nunique(), **reached)
    keep("away-words", **away["counted"].value_counts()[["holds", "fails"]])
    held, alone = away[away["as_mostly"] == "holds"], (away["alone"] == "holds").sum()
    keep("away", held=held.index.nunique(), certain=(held.index == CERTAIN).sum(), alone=alone)
    singly = away["reason"].str.extract(r"as ([\d.]+) drawn singly")[0].astype(float).median()
    shares = np.linspace(0.5, 1, 501)
    low, _ = rule.wilson(shares * singly - rule.STEP, np.full(shares.size, singly))
    keep("away", ".1f", singly=singly)
    keep("away", ".0%", needed=shares[low > 0.5].min())
    held = elsewhere[elsewhere["as_mostly"] == "holds"].reset_index()
    rows = []
    for of in held.itertuples():
        row = [NAMES[of.paper], tidy(of.says), KINDS[of.evidence], printed.get(of.id, "–")]
        unit = "" if of.unit == "share" else f" {of.unit}"
        alone = "holds" if of.alone == "holds" else "–"
        rows.append([*row, told(held, of.id, of.evidence) + unit, alone])
    keep("held", rows=rows)
    judged = elsewhere["as_mostly"].isin(VERDICTS[:4])
    keep("elsewhere", judged=judged.sum(), fails=(elsewhere["as_mostly"] == "fails").sum())


def findings():
    """The bold cell, and one temperature against the best of five maps."""
    for name, metric in {"ece": "ECE", "nll": "NLL", "cwece": "cwECE"}.items():
        keep("halves", ".0%", **{name: claims.chance_of_another_best("guo", metric)})
    halves = frames.split_half().query("methods == 'guo' and first == second")
    halves = halves.pivot(index=["name", "dataset"], columns="first", values="differs")
    name, dataset = (halves.index.get_level_values(level).to_numpy(str) for level in (0, 1))
    own = np.isin(name, zoo_index()["name"])
    author = np.where(own, "ours", np.char.partition(name, "-")[:, 0])
    clusters = {"dataset": dataset, "author": author}
    gap = rule.mean_interval((halves["ECE"] - halves["NLL"]).to_numpy(), clusters)
    keep("halves", ".0f", gap=100 * gap.estimate, low=100 * gap.low, high=100 * gap.high)
    keep("halves", networks=len(halves), own=own.sum(), splits=N_SPLITS)
    keep("halves", ".0%", lottery=1 - 1 / len(MAPS))
    errors = errors_of(MAPS)
    regret, before, after = regret_of(errors), errors["Uncalibrated"], errors["Temperature scaling"]
    low, middle, high = (1 - after / before).quantile([0.25, 0.5, 0.75])
    keep("removed", ".0%", low=low, median=middle, high=high)
    own, of = errors.index.isin(claims.zoo_metrics()["case"]), regret["Temperature scaling"]
    keep("regret", networks=len(errors), own=own.sum(), helped=(after < before).sum())
    keep("regret", ".1f", before=before.median(), after=after.median(), most=of.quantile(0.9))
    keep("regret", ".2f", median=of.median(), best=(of == 0).sum(), maps=len(MAPS) - 1)
    figure = draw_regret(regret, {"Uncalibrated": "No map"})
    figure.set_size_inches(6.3, 1.9)
    save(figure, "regret")


def history():
    """Which way changes of rules turned known verdicts, and how two coders agreed."""
    log = claims.load_log()
    log = log[log["date"] < NEW_RULE]
    log = log[~log["reason"].str.startswith("First ") & (log["part"] != "wording")]
    log = log[(log["claim"] != "all") & (log["verdict_before"] != "")]
    added = log["reason"].str.startswith("Evidence was added, no rule changed")
    other = log["verdict_before"] != log["verdict_after"]
    keep("log", again=(~added).sum(), evidence=(added & other).sum())
    turned = log[~added & other]
    steps = turned["reason"].str.extract(f"^({'|'.join(filter(None, STEPS))})")[0].fillna("")
    parts = {name: turned[steps == start] for start, name in STEPS.items()} | {"all": turned}
    keep("log", rows=[[name, *directions(part)] for name, part in parts.items()])
    second = frames.read_table("ledger/second-coder.csv")
    now = {c.id: rule.quantifier_of(c.word) for c in claims.load_claims()}
    now = {name: "count" if isinstance(q, int) else q for name, q in now.items()}
    draws = np.random.default_rng(0).integers(len(second), size=(2000, len(second)))
    for name, own in {"coder": second["first"], "settled": second["id"].map(now)}.items():
        pairs = np.stack([own, second["quantifier"]])
        kappas = [cohen_kappa_score(*pairs[:, draw]) for draw in draws]
        low, high = np.quantile(kappas, [0.025, 0.975])
        apart, kappa = (pairs[0] != pairs[1]).sum(), cohen_kappa_score(*pairs)
        keep(name, ".2f", kappa=kappa, low=low, high=high, apart=apart)
    for part in ("quantity", "cases"):
        keep("coder", **{part: (second[f"same_{part}"] != "same").sum()})


def directions(turned):
    """Return how many verdicts turned, for a paper and against it, and out of and into two."""
    before, after = turned["verdict_before"], turned["verdict_after"]
    kinder = (before == "fails") | (after == "holds")
    harder = (after == "fails") | (before == "holds")
    pro, contra = int((kinder & ~harder).sum()), int((harder & ~kinder).sum())
    moves = [int((side == v).sum()) for v in ("fails", "holds") for side in (before, after)]
    return [len(turned), pro, contra, f"{binomtest(pro, pro + contra).pvalue:.2g}", *moves]


def forecasts():
    """What is forecast of files that nobody here has opened, and what being right looks like."""
    lines = load_registered()
    p, claim = lines["probability"], lines["claim"] != ""
    spread = p * (1 - p)
    keep("lines", all=len(lines), claims=claim.sum(), sentences=(~claim).sum())
    keep("lines", files=len(sealed()), networks=sealed()["needs"].str.contains("logits").sum())
    keep("lines", ".0f", true=p.sum(), claims_true=p[claim].sum())
    keep("lines", ".3f", brier=spread.mean(), base=p.mean() * (1 - p.mean()))
    keep("lines", ".3f", error=np.sqrt((spread * (1 - 2 * p) ** 2).sum()) / len(p))
    keep("lines", ".1f", chance=100 * calib.error_if_calibrated(p.to_numpy(), bins=BINS))
    figure, ax = plt.subplots(figsize=(6.3, 1.5))
    own = [p[claim], p[~claim]]
    colours, names = [COLOURS["blue"], COLOURS["sky"]], ["claims", "sentences about numbers"]
    ax.hist(own, bins=np.linspace(0, 1, 21), stacked=True, color=colours, label=names)
    ax.set(xlabel="probability stated", ylabel="forecasts", xlim=(0, 1))
    figure.legend(loc="outside right upper")
    save(figure, "forecasts")


def library():
    """What the library has, and whether other libraries' numbers are those of their definitions."""
    cases = frames.read_table("conformance/libraries.csv")
    named = json.loads(read_declared("conformance/definitions.json"))
    keep("library", metrics=len(calib.METRICS), definitions=len(named["definitions"]))
    keep("library", functions=len(cases), agree=(cases["agree"] == cases["cases"]).sum())
    keep("library", others=cases["function"].str.partition(":")[0].nunique())
    keep("library", files=len(list((ROOT / "data/conformance").glob("[0-9]*.json"))))
    fuzz = load_results("fuzz")
    calls = fuzz[["returned", "refused", "wrong"]].to_numpy().sum()
    keep("library", callables=len(fuzz), calls=calls, wrong=fuzz["wrong"].sum())
    covers = load_results("report_coverage").query("metric == 'ECE'")["coverage"]
    keep("covers", ".0%", low=covers.min(), high=covers.max())
    arena = load_results("arena")
    keep("arena", sets=arena["set"].nunique(), maps=arena["map"].nunique() - 1)


def former_ledger():
    """Return the ledger that the article is about: of the rule before shares took its place."""
    table = frames.read_table("ledger/versions/former-rule.csv").query("part == 'papers'")
    texts = table.select_dtypes("object").columns
    return table.assign(**table[texts].fillna("")).reset_index(drop=True)


def compute():
    """Write the facts and the figures, and return the facts."""
    OUT.mkdir(parents=True, exist_ok=True)
    ledger = former_ledger()
    claim = ledger[ledger["status"].isin(["claim", "theorem"])]
    claim = claim.assign(**claim[["verdict", *READINGS]].replace(SHORT))
    with plt.rc_context(LOOK):
        asked(ledger, claim)
        results(claim)
        for part in (errors, findings, history, forecasts, library):
            part()
    (OUT / "facts.json").write_text(json.dumps(FACTS, indent=1, sort_keys=True), "utf-8")
    return FACTS


def check(facts):
    """Refuse a name that no fact has, and a fact that no text uses."""
    texts = (text.read_text("utf-8") for text in TEXTS)
    used = {name for text in texts for name in re.findall(r"\bf\.([a-z][a-z0-9-]*)", text)}
    if used != set(facts):
        unknown, unused = sorted(used - set(facts)), sorted(set(facts) - used)
        raise SystemExit(f"facts of the papers: unknown {unknown}, unused {unused}")


def typeset():
    """Return the PDF of each text, dated as the release: the same facts give the same bytes."""
    try:
        import typst
    except ImportError:
        raise SystemExit("typst is not installed here; `make paper` brings it along") from None
    date = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["date-released"]
    made = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.UTC)
    options = {"root": ROOT, "ignore_system_fonts": True, "timestamp": made}
    return {text.stem: typst.compile(text, **options) for text in TEXTS}


if __name__ == "__main__":
    check(compute())
    for name, pdf in typeset().items():
        (OUT / f"{name}.pdf").write_bytes(pdf)
