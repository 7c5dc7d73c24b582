"""The verdicts of the ledger as a table that opens, and as figures."""

import re
from html import escape

import numpy as np
import pandas as pd

from book.display import glue, signed
from book.evidence import coverage
from calib.plots import COLOURS

PAPERS = {
    "guo2017": "Guo 2017",
    "nixon2019": "Nixon 2019",
    "gupta2021": "Gupta 2021",
    "vasilev2021": "Vasilev 2021",
    "minderer2021": "Minderer 2021",
}
KINDS = {"published": "Print", "public": "Public", "zoo": "Ours", "simulation": "Ours"}
MARKS = {"published": ("o", "black"), "public": ("s", "blue"), "zoo": ("^", "vermillion")}
STATUS_COLOURS = {"E": "green", "S": "sky", "K": "yellow", "A": "orange", "M": "black"}


def written_for(ledger, presumed, *, lost=()):
    """Raise AssertionError unless the verdicts are those that a page was written for.

    Parameters
    ----------
    ledger : pandas.DataFrame
        From `book.evidence.claims.load_ledger`.
    presumed : dict of (str, str) to str
        The verdict of each claim and kind of evidence that the page speaks of.
    lost : set of (str, str)
        Those of them that Holm's correction takes away, of which the page has to speak too.
    """
    found = ledger.set_index(["id", "evidence"])
    stale = {key: found.verdict[key] for key, was in presumed.items() if found.verdict[key] != was}
    assert not stale, f"rewrite what is said of {stale}"
    kept = found.loc[list(presumed)]
    taken = kept[(kept.verdict == kept.as_mostly) & (kept.holm != kept.as_mostly)]
    assert set(taken.index) == set(lost), (
        f"rewrite what is said of Holm's correction: {set(taken.index)}"
    )


def drawn_as_captioned(ledger, *, half, clear):
    """Raise AssertionError unless the figures of a page show what their captions say.

    Parameters
    ----------
    ledger : pandas.DataFrame
        The judgements that `shares_figure` and `effects_figure` draw.
    half : set of (str, str)
        Claims and kinds of evidence with which at most half of the networks agree.
    clear : set of (str, str)
        Those whose effect has an interval that keeps clear of zero.

    Examples
    --------
    >>> rows = {"id": ["a", "b"], "evidence": "zoo", "unit": ["share", "points"]}
    >>> rows |= {"estimate": [0.4, 2.0], "low": [0.1, 1.0], "high": [0.8, 3.0]}
    >>> drawn_as_captioned(pd.DataFrame(rows), half={("a", "zoo")}, clear={("b", "zoo")})
    """
    rows = ledger.set_index(["id", "evidence"], drop=False)
    shares, effects = rows[rows.unit == "share"], rows[rows.unit != "share"]
    found = set(shares.index[(shares.estimate <= 0.5) & shares.evidence.isin(MARKS)])
    assert found == half, f"rewrite the caption on shares: {found ^ half}"
    found = set(effects.index[(effects.low > 0) | (effects.high < 0)])
    assert found == clear, f"rewrite the caption on effects: {found ^ clear}"


def number(row):
    """Return the estimate of a judgement with its interval, as text."""
    if pd.isna(row.estimate):
        return ""
    if row.unit == "share":
        return f"{row.estimate:.0%} ({row.low:.0%} to {row.high:.0%})"
    return f"{row.estimate:+.3g} ({row.low:+.3g} to {row.high:+.3g}) {row.unit}"


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
    words = {"its own words": row.by_words, "as mostly": row.as_mostly}
    words["as mostly, after Holm"] = row.holm
    lines = [
        f"<b>{KINDS.get(row.evidence, '')}: {row.verdict}</b>. {escape(row.reason)}",
        "; ".join(f"{name}: {verdict}" for name, verdict in words.items()),
        f"{number(row)}, n = {row.n}" if row.n else "",
        f"By data set: {escape(row.by_data)}" if row.by_data else "",
        f"Agree: {escape(row.agree)}" if row.agree else "",
        f"Against: {escape(row.against)}" if row.against else "",
    ]
    return "<p>" + "<br>".join(line for line in lines if line) + "</p>"


def badge(verdict):
    """Return a verdict in words and in colour."""
    kind = verdict.partition(" ")[0]
    return f'<span class="verdict {kind}">{verdict}</span>' if verdict else ""


def row_of(claim, rows):
    """Return one claim as a row of the table."""
    first = rows.iloc[0]
    found = {KINDS[r.evidence]: r.verdict for r in rows.itertuples() if r.evidence in KINDS}
    rests = [f"{r.n} {KINDS[r.evidence].lower()}" for r in rows.itertuples() if r.n]
    status = "" if first.status == "claim" else f" <i>{first.status}</i>"
    opened = "".join(cases(row) for row in rows.itertuples())
    cells = {
        "Paper": PAPERS[first.paper],
        "Claim": f"{escape(first.says)}{status}<details><summary>"
        f"{escape(first['where'])}: cases</summary>{opened}"
        f"<p><code>{claim}</code></p></details>",
        **{name: badge(found.get(name, "")) for name in ("Print", "Public", "Ours")},
        "Rests on": ", ".join(rests),
    }
    return "<tr>" + "".join(f'<td data-label="{k}">{v}</td>' for k, v in cells.items()) + "</tr>"


def ledger_table(ledger, filters):
    """Return the ledger, or a paper's part of it, as a table: one row a claim.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `book.evidence.claims.load_ledger` gives it.
    filters : str
        Names of columns with a list to choose from, with commas between.

    Returns
    -------
    str
        HTML.
    """
    heads = ("Paper", "Claim", "Print", "Public", "Ours", "Rests on")
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(row_of(name, rows) for name, rows in ledger.groupby("id", sort=False))
    return (
        f'<filter-table class="ledger" filters="{filters}" role="region" '
        'tabindex="0" aria-label="The ledger of claims">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></filter-table>"
    )


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

    rows = ledger[(ledger.unit == "share") & ledger.evidence.isin(MARKS)]
    names = list(dict.fromkeys(rows.id))[::-1]
    figure, ax = plt.subplots(figsize=(6.2, 0.8 + 0.34 * len(names)))
    for shift, (kind, (marker, colour)) in zip((0.22, 0, -0.22), MARKS.items(), strict=True):
        part = rows[rows.evidence == kind]
        place = np.array([names.index(name) for name in part.id]) + shift
        reach = np.abs(part[["low", "high"]].to_numpy().T - part.estimate.to_numpy())
        style = {"fmt": marker, "ms": 4, "lw": 1, "color": COLOURS[colour]}
        ax.errorbar(100 * part.estimate, place, xerr=100 * reach, label=KINDS[kind], **style)
    ax.axvline(50, color="black", lw=0.8, linestyle=":")
    ax.set_yticks(range(len(names)), [name.partition("-")[2] for name in names])
    ax.set(xlim=(-2, 102), xlabel="networks that agree (%)", ylim=(-0.6, len(names) - 0.4))
    ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.tight_layout()
    return figure


def effects_figure(ledger):
    """Draw each effect with its interval, a panel for each unit.

    Parameters
    ----------
    ledger : pandas.DataFrame
        A paper's judgements.

    Returns
    -------
    matplotlib.figure.Figure
    """
    import matplotlib.pyplot as plt

    rows = ledger[(ledger.unit != "share") & ledger.estimate.notna()]
    units = list(dict.fromkeys(rows.unit.fillna("")))
    heights = [0.7 + (rows.unit.fillna("") == unit).sum() for unit in units]
    figure, axes = plt.subplots(
        len(units),
        1,
        figsize=(6.2, 0.9 * len(units) + 0.3 * sum(heights)),
        height_ratios=heights,
        squeeze=False,
    )
    for ax, unit in zip(axes[:, 0], units, strict=True):
        part = rows[rows.unit.fillna("") == unit][::-1]
        for place, row in enumerate(part.itertuples()):
            marker, colour = MARKS.get(row.evidence, ("D", "purple"))
            reach = [[max(row.estimate - row.low, 0)], [max(row.high - row.estimate, 0)]]
            style = {"fmt": marker, "ms": 4, "lw": 1, "color": COLOURS[colour]}
            ax.errorbar([row.estimate], [place], xerr=reach, **style)
        names = [
            f"{r.id.partition('-')[2]}, {KINDS[r.evidence].lower()}" for r in part.itertuples()
        ]
        ax.set_yticks(range(len(part)), names, fontsize=8)
        ax.axvline(0, color="black", lw=0.8, linestyle=":")
        ax.set(xlabel=unit or "effect", ylim=(-0.6, len(part) - 0.4))
    figure.tight_layout()
    return figure


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
    figure, ax = plt.subplots(figsize=(6.2, 1.2 + 0.28 * len(table)))
    left = np.zeros(len(table))
    for status, colour in STATUS_COLOURS.items():
        ax.barh(table.index, shares[status], left=left, color=COLOURS[colour], label=status)
        left = left + shares[status].to_numpy()
    ax.invert_yaxis()
    ax.set(xlim=(0, 100), xlabel="cells, or figures (%)")
    ax.legend(frameon=False, ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.tight_layout()
    return figure
