"""The verdicts of the ledger as a table that opens, and as figures."""

import json
import re
from html import escape

import numpy as np
import pandas as pd

from book.evidence import claims, coverage
from book.evidence.claims.findings import number
from book.evidence.data import DATA_SETS
from book.show.display import glue, signed, typeset
from calib.plots import COLOURS

PAPERS = {
    "guo2017": "Guo 2017",
    "nixon2019": "Nixon 2019",
    "gupta2021": "Gupta 2021",
    "vasilev2021": "Vasilev 2021",
    "minderer2021": "Minderer 2021",
}
KINDS = {"published": "Print", "public": "Public", "zoo": "Ours", "simulation": "Ours"}
MARKS = {"published": "o", "public": "s", "zoo": "^"}
VERDICT_COLOURS = {"holds": "blue", "depends": "sky", "mixed": "purple", "fails": "vermillion"}
STATUS_COLOURS = {"E": "green", "S": "sky", "K": "purple", "A": "orange", "M": "black"}
MEASURES = {
    "points": "points",
    "tau": "Kendall's tau",
    "rho": "Spearman's rho",
    "log ratio": "ratio",
    "of the splits": "share of the splits",
    "of the mean": "share of the mean",
    "of the clean accuracy": "share of the clean accuracy",
    "share of variance": "share of the variance",
    "": "error",
}
WIDTH, LABEL = 4.8, 9.5  # inches and points: legible where a phone shrinks the figure by a quarter
ENDS = ("low", "high", "estimate")


def written_for(ledger, presumed, *, lost=()):
    """Raise AssertionError unless the verdicts are those that a page was written for.

    Parameters
    ----------
    ledger : pandas.DataFrame
        From `book.evidence.claims.load_ledger`.
    presumed : dict of (str, str) to str
        The verdict of each claim and kind of evidence that the page speaks of.
    lost : set of (str, str)
        Those of them that are not left when quoted alone, of which the page has to speak too.
    """
    found = ledger.set_index(["id", "evidence"])
    stale = {key: found.verdict[key] for key, was in presumed.items() if found.verdict[key] != was}
    assert not stale, f"rewrite what is said of {stale}"
    kept = found.loc[list(presumed)]
    taken = kept[(kept.verdict == kept.as_mostly) & (kept.alone != kept.as_mostly)]
    assert set(taken.index) == set(lost), (
        f"rewrite what is said of verdicts quoted alone: {set(taken.index)}"
    )


def drawn_as_captioned(ledger, *, shares, effects):
    """Raise AssertionError unless the figures of a page show what their captions say.

    Parameters
    ----------
    ledger : pandas.DataFrame
        The judgements that `shares_figure` and `effects_figure` draw.
    shares : dict of str to (int, int)
        For each kind of evidence, how many of the claims that count networks hold, of how many
        that have enough cases.
    effects : dict of (str, str) to (int, int, int)
        For each claim and kind of evidence, how many of its intervals lie on the claim's side, on
        both sides, and on the other side.

    Examples
    --------
    >>> rows = {"id": ["a", "b"], "evidence": "zoo", "unit": ["share", "points"], "settings": ""}
    >>> rows |= {"estimate": [0.9, 2.0], "low": [0.8, 1.0], "high": [1.0, 3.0], "verdict": "holds"}
    >>> rows = pd.DataFrame(rows | {"least": [0.5, 0.0], "most": [1.0, float("inf")]})
    >>> drawn_as_captioned(rows, shares={"zoo": (1, 1)}, effects={("b", "zoo"): (1, 0, 0)})
    """
    judged = of_shares(ledger).query("verdict != 'too few cases'")
    holding = (judged.verdict == "holds").groupby(judged.evidence)
    found = dict(zip(holding.groups, zip(holding.sum(), holding.size(), strict=True), strict=True))
    assert found == shares, f"rewrite the caption on shares: {found}"
    found = {(row.id, row.evidence): sides(row) for row in of_effects(ledger).itertuples()}
    stale = {key for key in found | effects if found.get(key) != effects.get(key)}
    assert not stale, f"rewrite the caption on effects: {[(key, found.get(key)) for key in stale]}"


SPELT = {"lac": "plain score", "aps": "adaptive score", "raps": "regularised adaptive score"}
SPELT |= {"none": "as trained", "temperature": "temperature scaling"}


def judged(papers, part="promises"):
    """Return what papers say and how the ledger judges it, as a table.

    Parameters
    ----------
    papers : dict of str to str
        Names of the papers by their keys in the bibliography.
    part : str
        Which of the ledgers.
    """
    said = claims.load_ledger(part=part)
    said = said[said.paper.isin(papers)]
    spell = re.compile(rf"\b({'|'.join(SPELT)})\b(?! scaling)")
    reasons = [spell.sub(lambda found: SPELT[found[1]], reason) for reason in said.reason]
    table = pd.DataFrame(
        {
            "paper": said.paper.map(papers),
            "says": said.says,
            "in its words": said.counted,
            "mostly": said.as_mostly,
            "reason": reasons,
        }
    )
    left = {"text-align": "left", "vertical-align": "top"}
    head = {"selector": "th", "props": [("text-align", "left")]}
    return table.style.hide(axis="index").set_properties(**left).set_table_styles([head])


def of_shares(ledger):
    """Return the judgements that count networks."""
    return ledger[(ledger.unit == "share") & ledger.evidence.isin(MARKS)]


def of_effects(ledger):
    """Return the judgements of an effect."""
    return ledger[(ledger.unit != "share") & ledger.estimate.notna()]


def parts_of(row):
    """Return the effects that a judgement rests on: one a setting, or its own."""
    own = {part: getattr(row, part) for part in ("verdict", "estimate", "low", "high")}
    return json.loads(row.settings) if row.settings else [{"setting": "", **own}]


def sides(row):
    """Return how many intervals of an effect lie where the claim puts it, across, and beyond."""
    parts = parts_of(row)
    agree = sum(part["low"] > row.least and part["high"] < row.most for part in parts)
    against = sum(part["high"] < row.least or part["low"] > row.most for part in parts)
    return agree, len(parts) - agree - against, against


def shown(text):
    """Return text as HTML, with minus signs.

    Examples
    --------
    >>> shown("Table 1: -0.5 < 1")
    'Table 1: −0.5 &lt; 1'
    """
    return escape(typeset(text), quote=False)


def of_data(counts):
    """Return counts by data set with the names of our data sets as others write them.

    Examples
    --------
    >>> of_data("fashion 7 of 31; cifar100 0 of 5")
    'Fashion-MNIST 7 of 31; CIFAR-100 0 of 5'
    """
    for name, usual in DATA_SETS.items():
        counts = re.sub(rf"(?<!\S){name}(?= \d)", usual, counts)
    return counts


def told(ledger, claim, evidence):
    """Return what a verdict rests on in a few words, for a sentence: a count, or an effect.

    Examples
    --------
    >>> row = {"id": "a", "evidence": "zoo", "unit": "share", "reason": "ECE above 1: 3 of 4"}
    >>> told(pd.DataFrame([row]), "a", "zoo")
    '3 of 4'
    """
    row = ledger.set_index(["id", "evidence"]).loc[claim, evidence]
    if row.unit == "share":
        return re.search(r"\d+ of \d+", row.reason).group()
    return "{} [{}, {}]".format(*(signed(x, 2) for x in row[["estimate", "low", "high"]]))


def glue_told(ledger, *judgements):
    """Glue what verdicts rest on, each as "told-CLAIM-EVIDENCE"."""
    for claim, evidence in judgements:
        glue(f"told-{claim}-{evidence}", told(ledger, claim, evidence), display=False)


def cases(row):
    """Return what one judgement rests on, as HTML."""
    if row.evidence not in KINDS:
        return f"<p><b>{row.verdict.capitalize()}</b>: {shown(row.reason)}</p>"
    words = {f"by counting, {row.word!r}": row.counted, "as evidence": row.as_mostly}
    words["quoted alone"] = row.alone
    others = "Against" if row.unit == "share" else "Not shown by"
    listed = row.evidence != "simulation"  # whose cases are numbers of samples
    alone = row.n and pd.notna(row.estimate) and not row.settings
    lines = [
        f"<b>{KINDS[row.evidence]}: {row.verdict}</b>. {shown(row.reason)}",
        "; ".join(f"{name}: {verdict}" for name, verdict in words.items()),
        f"{shown(number(row.estimate, row.low, row.high, row.unit))}, n = {row.n}" if alone else "",
        f"By data set: {shown(of_data(row.by_data))}" if row.by_data else "",
        f"Agree: {shown(row.agree)}" if row.agree and listed else "",
        f"{others}: {shown(row.against)}" if row.against and listed else "",
    ]
    return "<p>" + "<br>".join(line for line in lines if line) + "</p>"


def badge(verdict):
    """Return a verdict in words and in colour."""
    kind = verdict.partition(" ")[0]
    return f'<span class="verdict {kind}">{verdict}</span>' if verdict else ""


def rests_on(rows):
    """Return on how many networks verdicts rest, and which are not left when quoted alone.

    Examples
    --------
    >>> rows = {"evidence": ["public", "simulation"], "n": [9, 100], "verdict": "holds"}
    >>> rows |= {"as_mostly": "holds", "alone": ["mixed", "holds"]}
    >>> rests_on(pd.DataFrame(rows))
    '9 public, 100 simulated samples; public quoted alone: mixed'
    """
    kinds = {kind: name.lower() for kind, name in KINDS.items()}
    kinds |= {"simulation": "simulated samples"}
    counts = [f"{r.n} {kinds[r.evidence]}" for r in rows.itertuples() if r.n]
    taken = rows[(rows.verdict == rows.as_mostly) & (rows.alone != rows.as_mostly)]
    lost = [f"{kinds[r.evidence]} quoted alone: {r.alone}" for r in taken.itertuples()]
    return "; ".join(filter(None, [", ".join(counts), *lost]))


def row_of(claim, rows, heads):
    """Return one claim as a row of the table with these columns."""
    first = rows.iloc[0]
    found = {KINDS[r.evidence]: r.verdict for r in rows.itertuples() if r.evidence in KINDS}
    found = found or dict.fromkeys(KINDS.values(), first.verdict)
    status = "" if first.status == "claim" else f" <i>{first.status}</i>"
    opened = "".join(cases(row) for row in rows.itertuples())
    cells = {
        "Paper": PAPERS[first.paper],
        "Claim": f'{shown(first.says)}{status} <code class="claim-id">{claim}</code>'
        f"<details><summary>{shown(first['where'])}: cases</summary>{opened}</details>",
        **{name: badge(found.get(name, "")) for name in KINDS.values()},
        "Rests on": rests_on(rows),
    }
    return "<tr>" + "".join(f'<td data-label="{k}">{cells[k]}</td>' for k in heads) + "</tr>"


def ledger_table(ledger):
    """Return the ledger, or a paper's part of it, as a table: one row for each claim.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `book.evidence.claims.load_ledger` gives it.

    Returns
    -------
    str
        HTML. Papers have a column where there are several, kinds of evidence where there are any.
    """
    paper = ["Paper"] if ledger.paper.nunique() > 1 else []
    kinds = list(dict.fromkeys(KINDS[kind] for kind in KINDS if kind in set(ledger.evidence)))
    heads = [*paper, "Claim", *kinds, "Rests on"]
    head = "".join(f'<th data-label="{name}">{name}</th>' for name in heads)
    body = "".join(row_of(name, rows, heads) for name, rows in ledger.groupby("id", sort=False))
    return (
        f'<filter-table class="ledger" filters="{",".join([*paper, *kinds])}" role="region" '
        'tabindex="0" aria-label="The ledger of claims">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></filter-table>"
    )


def draw(ax, place, marker, part, *, scale=1, interval=True, label):
    """Draw an estimate with its interval in the colour of its verdict, hollow if cases are few."""
    colour = COLOURS[VERDICT_COLOURS.get(part["verdict"].partition(" ")[0], "black")]
    few = part["verdict"] == "too few cases"
    if interval and not np.isnan(part["low"]):
        ends = [scale * part["low"], scale * part["high"]]
        ax.plot(ends, [place, place], color=colour, lw=1.2, label=f"{label}, interval")
    look = {"marker": marker, "ms": 6, "color": colour, "mfc": "white" if few else colour}
    ax.plot([scale * part["estimate"]], [place], ls="", label=label, **look)


def named(ax, place, text, **look):
    """Write a name above its line."""
    where = {"transform": ax.get_yaxis_transform(), "va": "center"}
    ax.text(0.01, place, text, **{"fontsize": LABEL, **where, **look})


def explained(figure, verdicts, *others):
    """Explain on top of a figure the colours of its verdicts, and what else it has."""
    from matplotlib.lines import Line2D

    hollow = {"color": "black", "mfc": "white", "label": "too few cases"}
    looks = [
        {"color": COLOURS[colour], "label": verdict}
        for verdict, colour in VERDICT_COLOURS.items()
        if verdicts.str.startswith(verdict).any()
    ]
    looks += [hollow] if (verdicts == "too few cases").any() else []
    keys = [Line2D([], [], ls="", ms=6, **{"marker": "o", **look}) for look in looks]
    keys += [Line2D([], [], ls="", **look) for look in others]
    place = {"loc": "outside upper center", "ncols": 3, "frameon": False, "fontsize": LABEL}
    figure.legend(handles=keys, columnspacing=1, handletextpad=0.3, **place)


def shares_figure(ledger):
    """Draw the share of networks that agree with each claim, by kind of evidence.

    Parameters
    ----------
    ledger : pandas.DataFrame
        A paper's judgements.

    Returns
    -------
    matplotlib.figure.Figure
    """
    import matplotlib.pyplot as plt

    rows = of_shares(ledger)
    kinds = [kind for kind in MARKS if kind in set(rows.evidence)]
    claims = rows.groupby("id", sort=False)
    tops = (0.28 + 0.13 * claims.size()).cumsum().shift(fill_value=0)  # inches
    height = tops.iloc[-1] + 0.15 + 0.13 * len(kinds)
    figure, ax = plt.subplots(figsize=(WIDTH, 1.3 + height), layout="constrained")
    asked = {"marker": "|", "ms": 9, "mew": 1.2, "color": "black"}
    for name, part in claims:
        named(ax, tops[name], name.partition("-")[2])
        for i, row in enumerate(part.itertuples()):
            place, label = tops[name] + 0.17 + 0.13 * i, f"{row.id}, {KINDS[row.evidence]}"
            ax.plot([100 * row.least], [place], label=f"{label}, asked for", **asked)
            look = {"scale": 100, "interval": row.evidence != "published", "label": label}
            draw(ax, place, MARKS[row.evidence], row._asdict(), **look)
    ax.set(xlim=(-2, 102), xlabel="networks that agree (%)", ylim=(height, -0.15))
    ax.set_yticks([])
    shapes = [{"marker": MARKS[kind], "color": "0.5", "label": KINDS[kind]} for kind in kinds]
    explained(figure, rows.verdict, *shapes, {**asked, "label": "asked for"})
    return figure


def effects_figure(ledger):
    """Draw each effect with its interval, every setting on a line, a panel for each unit.

    Parameters
    ----------
    ledger : pandas.DataFrame
        A paper's judgements.

    Returns
    -------
    matplotlib.figure.Figure
    """
    import matplotlib.pyplot as plt

    panels = {unit: lines_of(rows) for unit, rows in of_effects(ledger).groupby("unit", sort=False)}
    heights = [len(lines) + 1.2 for lines in panels.values()]
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(WIDTH, 0.7 + 0.36 * sum(heights)),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for ax, (unit, lines) in zip(axes[:, 0], panels.items(), strict=True):
        if unit == "log ratio":
            effects_panel(ax, [in_ratios(line) for line in lines], no_effect=1)
        else:
            effects_panel(ax, lines)
        ax.set_xlabel(MEASURES[unit])
    parts = [part for lines in panels.values() for _, _, part in lines if part]
    side = {"marker": "s", "ms": 9, "color": "0.87", "label": "the claim's side"}
    explained(figure, pd.Series([part["verdict"] for part in parts]), side)
    return figure


def lines_of(rows):
    """Return name, judgement and effect of each line of a panel; a heading has no effect."""
    lines = []
    for row in rows.itertuples():
        kind = "simulated" if row.evidence == "simulation" else KINDS[row.evidence].lower()
        name = f"{row.id.partition('-')[2]}, {kind}"
        lines += [(name, row, None)] if row.settings else []
        lines += [(part["setting"] or name, row, part) for part in parts_of(row)]
    return lines


def in_ratios(line):
    """Return a line of effects on a logarithm as one of ratios."""
    name, row, part = line
    row = row._replace(least=np.exp(row.least), most=np.exp(row.most))
    return name, row, part and part | {end: np.exp(part[end]) for end in ENDS}


def effects_panel(ax, lines, no_effect=0):
    """Draw the effects of one unit, each on a line below its name."""
    ends = [part[end] for _, _, part in lines if part for end in ENDS]
    low, high = min(no_effect, np.nanmin(ends)), max(no_effect, np.nanmax(ends))
    left, right = low - 0.06 * (high - low), high + 0.06 * (high - low)
    for place, (name, row, part) in enumerate(lines):
        if part is None:
            named(ax, place + 0.15, name, weight="bold")
            continue
        side = np.clip([row.least, row.most], left, right)
        ax.fill_between(side, place - 0.02, place + 0.42, color="0.87", lw=0, label="claim's side")
        look = {"fontsize": LABEL - 1} if row.settings else {"weight": "bold"}
        named(ax, place - 0.22, name, **look)
        draw(ax, place + 0.2, MARKS.get(row.evidence, "D"), part, label=f"{row.id}, {name}")
    ax.axvline(no_effect, color="black", lw=0.8, linestyle=":")
    ax.set(xlim=(left, right), ylim=(len(lines) - 0.4, -0.6))
    ax.set_yticks([])


def coverage_figure(paper):
    """Draw what stands behind the cells of each table and the figures of a paper.

    Parameters
    ----------
    paper : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    import matplotlib.pyplot as plt

    table = coverage.coverage_table(paper).drop(index="all tables, %", errors="ignore")
    table = table.astype(float).set_axis(list(coverage.STATUSES), axis=1)
    shares = 100 * table.div(table.sum(axis=1), axis=0)
    figure, ax = plt.subplots(figsize=(WIDTH, 1.2 + 0.28 * len(table)))
    left = np.zeros(len(table))
    for status, colour in STATUS_COLOURS.items():
        ax.barh(table.index, shares[status], left=left, color=COLOURS[colour], label=status)
        left = left + shares[status].to_numpy()
    ax.invert_yaxis()
    ax.set(xlim=(0, 100), xlabel="cells, or figures (%)")
    ax.legend(frameon=False, ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.tight_layout()
    return figure
