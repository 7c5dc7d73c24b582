"""The verdicts of the ledger as a table that opens, and as figures."""

import json
import re
from functools import cache, partial
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader

from book.show.display import keep, signed, source_label, typeset, words
from calib.plots import COLOURS
from evidence import claims
from evidence.claims.findings import number
from evidence.data import DATA_SETS

FIVE = "guo2017", "nixon2019", "gupta2021", "vasilev2021", "minderer2021"
PAPERS = {name: f"{name[:-4].capitalize()} {name[-4:]}" for name in FIVE}
KINDS = {"published": "Print", "public": "Public", "zoo": "Ours", "simulation": "Ours"}
MARKS = {"published": "o", "public": "s", "zoo": "^"}
VERDICT_COLOURS = {"holds": "blue", "depends": "sky", "mixed": "purple", "fails": "vermillion"}
SOURCES = {"published": "in print", "public": "public networks", "zoo": "our networks"}
SOURCES |= {"simulation": "simulated"}
MEASURES = {"share": "networks that agree (%)", "points": "points", "log ratio": "ratio"}
MEASURES |= {"tau": "Kendall's tau", "rho": "Spearman's rho", "": "error"}
MEASURES |= {f"of the {what}": f"share of the {what}" for what in ("splits", "mean")}
MEASURES |= {"of the clean accuracy": "share of the clean accuracy"}
MEASURES |= {"share of variance": "share of the variance"}
WIDTH, LABEL = 4.8, 9.5  # inches and points: legible where a phone shrinks the figure by a quarter
ENDS = ("low", "high", "estimate")


# As what units are shown, and where no effect would be:
SHOWN_AS = {"share": (partial(np.multiply, 100), None), "log ratio": (np.exp, 1)}
SPELT = {"lac": "plain score", "aps": "adaptive score", "raps": "regularised adaptive score"}
AUTHORS = "baan calarena calibench cleanlab ferrer hollance kerrigan kull mehul0x netcal northcutt"
SOURCE = re.compile(rf"\b({AUTHORS.replace(' ', '|')}|alecwangcq|timm)-[\w.-]*\w")
SPELT |= {"none": "as trained", "temperature": "temperature scaling"}


def judged(papers, part="promises"):
    """Return what papers, named by their keys, say and how a ledger judges it, as a table."""
    said = claims.load_ledger(part=part)
    said = said[said.paper.isin(papers)]
    spell = re.compile(rf"\b({'|'.join(SPELT)})\b(?! scaling)")
    reasons = [spell.sub(lambda found: SPELT[found[1]], reason) for reason in said.reason]
    reasons = [named(reason) for reason in reasons]
    table = {"paper": said.paper.map(papers), "says": said.says, "in its words": said.counted}
    table = pd.DataFrame(table | {"mostly": said.as_mostly, "reason": reasons})
    return words(table)


def named(text):
    """Return text with data set, network and origin in place of the keys of public predictions."""
    return SOURCE.sub(lambda found: source_label(found[0]), text)


def parts_of(row):
    """Return the effects that a judgement rests on: one a setting, or its own."""
    own = {part: getattr(row, part) for part in ("verdict", "estimate", "low", "high")}
    return json.loads(row.settings) if row.settings else [{"setting": "", **own}]


def shown(text):
    """Return text as HTML, with minus signs."""
    return escape(typeset(text), quote=False)


def of_data(counts):
    """Return counts by data set with the names of our data sets as others write them."""
    for name, usual in DATA_SETS.items():
        counts = re.sub(rf"(?<!\S){name}(?= \d)", usual, counts)
    return counts


def told(ledger, claim, evidence):
    """Return what a verdict rests on in a few words, for a sentence: a count, or an effect."""
    row = ledger.set_index(["id", "evidence"]).loc[claim, evidence]
    if row.unit == "share":
        return re.search(r"\d+ of \d+", row.reason).group()
    return "{} [{}, {}]".format(*(signed(x, 2) for x in row[["estimate", "low", "high"]]))


def rests_on(rows):
    """Return on how many networks verdicts rest, and which are not left when quoted alone."""
    kinds = {kind: name.lower() for kind, name in KINDS.items()}
    kinds |= {"simulation": "simulated samples"}
    counts = [f"{r.n} {kinds[r.evidence]}" for r in rows.itertuples() if r.n]
    taken = rows[(rows.verdict == rows.as_mostly) & (rows.alone != rows.as_mostly)]
    lost = [f"{kinds[r.evidence]} quoted alone: {r.alone}" for r in taken.itertuples()]
    return "; ".join(filter(None, [", ".join(counts), *lost]))


def ledger_table(ledger, claims=None):
    """Return the ledger, or the claims of some ids in this order, as HTML: a row a claim."""
    kinds = list(dict.fromkeys(KINDS[kind] for kind in KINDS if kind in set(ledger.evidence)))
    found = []
    for name in claims or ledger.id.unique():
        rows = ledger[ledger.id == name]
        verdicts = {
            KINDS[row.evidence]: row.verdict for row in rows.itertuples() if row.evidence in KINDS
        }
        verdicts = verdicts or dict.fromkeys(kinds, rows.verdict.iloc[0])
        claim = templates().claim(list(rows.itertuples()))
        badges = [templates().badge(verdicts.get(kind, "")) for kind in kinds]
        found.append([PAPERS[rows.paper.iloc[0]], claim, *badges, rests_on(rows)])
    table = pd.DataFrame(found, columns=["Paper", "Claim", *kinds, "Rests on"])
    if table.Paper.nunique() == 1:
        table = table.drop(columns="Paper")
    filters = ",".join(c for c in table if c not in ("Claim", "Rests on")) if claims is None else ""
    return filter_table(table, "Claims and verdicts", filters=filters, kind="ledger")


def keep_told(ledger, *judgements):
    """Keep what verdicts rest on, each as "told-CLAIM-EVIDENCE"."""
    for claim, evidence in judgements:
        keep("told", **{f"{claim}_{evidence}": told(ledger, claim, evidence)})


def by_data(ledger, claim, evidence):
    """Return the counts of a judgement by data set."""
    counts = ledger.set_index(["id", "evidence"]).by_data[claim, evidence]
    return dict(part.split(" ", 1) for part in counts.split("; "))


def filter_table(frame, name, *, filters="", start="", kind="numbers"):
    """Return a table, whose cells are HTML, that filters and sorts in the page.

    A screen reader calls it `name`; `filters` are the columns with a list, `start` what is chosen
    at first ("Table,Model", "Table=5"); `kind` is a class of the style sheet.
    """
    about = {"kind": kind, "filters": filters, "start": start, "name": name}
    return templates().table(list(frame), frame.to_numpy(object).tolist(), about)


@cache
def templates():
    """Return the macros of `ledger.html`."""
    folder = Environment(loader=FileSystemLoader(Path(__file__).parent))
    folder.filters |= {"named": named, "shown": shown}
    folder.globals |= {"KINDS": KINDS, "number": number, "of_data": of_data}
    return folder.get_template("ledger.html").module


def sentences_figure(ledger, names):
    """Draw what some claims rest on, named in a few words by their ids: a panel for each unit."""
    import matplotlib.pyplot as plt

    rows = ledger[ledger.id.isin(names) & ledger.estimate.notna()]
    rows = rows.sort_values("id", key=lambda ids: ids.map(list(names).index), kind="stable")
    panels = {unit: lines_of(part, names) for unit, part in rows.groupby("unit", sort=False)}
    heights = [sum(1 if part else 0.8 for *_, part in lines) + 1.4 for lines in panels.values()]
    size = {"figsize": (WIDTH, 0.7 + 0.31 * sum(heights)), "height_ratios": heights}
    figure, axes = plt.subplots(len(panels), 1, layout="constrained", squeeze=False, **size)
    for ax, (unit, lines) in zip(axes[:, 0], panels.items(), strict=True):
        effects_panel(ax, lines, *SHOWN_AS.get(unit, (np.asarray, 0)))
        ax.set_xlabel(MEASURES[unit])
    parts = [part for lines in panels.values() for *_, part in lines if part]
    explained(figure, pd.Series([part["verdict"] for part in parts]))
    return figure


def lines_of(rows, names):
    """Return name, judgement and effect of each line of a panel; a heading has no effect."""
    lines = []
    for claim, of_claim in rows.groupby("id", sort=False):
        lines.append((names[claim], None, None))
        for row in of_claim.itertuples():
            lines += [
                (part["setting"] or SOURCES[row.evidence], row, part) for part in parts_of(row)
            ]
    return lines


def effects_panel(ax, lines, unit, no_effect):
    """Draw the effects of one unit, each on a line below its name."""
    limits = [0, 100] if no_effect is None else [no_effect]
    ends = unit([part[end] for *_, part in lines if part for end in ENDS])
    low, high = np.nanmin([*ends, *limits]), np.nanmax([*ends, *limits])
    left, right = low - 0.06 * (high - low), high + 0.06 * (high - low)
    place = 0
    white = {"facecolor": "white", "edgecolor": "none", "pad": 0}  # over the line of no effect
    look = {"transform": ax.get_yaxis_transform(), "va": "center", "bbox": white}
    for name, row, part in lines:
        if part is None:
            claim = name
            ax.text(0.01, place - 0.05, name, weight="bold", fontsize=LABEL, **look)
            place += 0.8
            continue
        side = np.clip(unit([row.least, row.most]), left, right)
        ax.fill_between(side, place - 0.02, place + 0.42, color="0.87", lw=0, label="claim's side")
        ax.text(0.01, place - 0.22, name, fontsize=LABEL - 1, **look)
        draw(ax, place + 0.2, part, row.evidence, unit, label=f"{claim}, {name}")
        place += 1
    if no_effect is not None:
        ax.axvline(no_effect, color="black", lw=0.8, linestyle=":")
    ax.set(xlim=(left, right) if no_effect is not None else (-3, 103), ylim=(place - 0.4, -0.4))
    ax.set_yticks([])


def draw(ax, place, part, kind, unit, *, label):
    """Draw an estimate with its interval in the colour of its verdict, hollow if cases are few."""
    colour = COLOURS[VERDICT_COLOURS.get(part["verdict"].partition(" ")[0], "black")]
    few = part["verdict"] == "too few cases"
    if kind != "published" and not np.isnan(part["low"]):  # in print the number alone decides
        ends = unit([part["low"], part["high"]])
        ax.plot(ends, [place, place], color=colour, lw=1.2, label=f"{label}, interval")
    look = {"marker": MARKS.get(kind, "D"), "ms": 6, "mfc": "white" if few else colour}
    ax.plot(unit([part["estimate"]]), [place], ls="", color=colour, label=label, **look)


def explained(figure, verdicts):
    """Explain on top of a figure the colours of its verdicts, and the side of a claim."""
    from matplotlib.lines import Line2D

    looks = [
        {"color": COLOURS[colour], "label": verdict}
        for verdict, colour in VERDICT_COLOURS.items()
        if verdicts.str.startswith(verdict).any()
    ]
    hollow = {"color": "black", "mfc": "white", "label": "too few cases"}
    looks += [hollow] if (verdicts == "too few cases").any() else []
    looks += [{"marker": "s", "ms": 9, "color": "0.87", "label": "the claim's side"}]
    keys = [Line2D([], [], ls="", **{"marker": "o", "ms": 6, **look}) for look in looks]
    place = {"loc": "outside upper center", "ncols": 3, "frameon": False, "fontsize": LABEL}
    figure.legend(handles=keys, columnspacing=1, handletextpad=0.3, **place)
