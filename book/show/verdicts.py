"""The verdicts of the ledger as a table that opens, and as figures."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.display import keep, signed, source_label, typeset, words
from calib.plots import COLOURS
from evidence import claims
from evidence.claims.reasons import number
from evidence.data import DATA_SETS

# what is drawn of a judgement: verdict, estimate, low, high, setting
Mark = dict[str, Any]


def paper_label(key: str) -> str:
    """Return a paper as a text names it, "Guo 2017", of its key, "guo2017"."""
    parts = re.fullmatch(r"([a-z]+)(\d{4})", key)
    if parts is None:
        raise ValueError(f"paper: {key!r} is no author and year, such as guo2017")
    return f"{parts[1].capitalize()} {parts[2]}"


PAPERS = {key: paper_label(key) for key in claims.PAPERS}
KINDS = {"published": "Print", "public": "Public", "zoo": "Ours", "simulation": "Ours"}
MARKS = {"published": "o", "public": "s", "zoo": "^", "unsealed": "D"}
VERDICT_COLOURS = {
    "holds": "blue",
    "shown": "blue",
    "mixed": "purple",
    "open": "purple",
}
VERDICT_COLOURS |= {"fails": "vermillion", "refuted": "vermillion"}
SOURCES = {"published": "in print", "public": "public networks", "zoo": "our networks"}
SOURCES |= {"simulation": "simulated", "unsealed": "unsealed"}
MEASURES = {
    "share": "networks that agree (%)",
    "points": "points",
    "log ratio": "ratio",
}
MEASURES |= {"tau": "Kendall's tau", "rho": "Spearman's rho", "": "error"}
MEASURES |= {f"of the {what}": f"share of the {what}" for what in ("splits", "mean")}
MEASURES |= {"of the clean accuracy": "share of the clean accuracy"}
MEASURES |= {"share of variance": "share of the variance"}
# inches and points: legible where a phone shrinks the figure by a quarter
WIDTH, LABEL = 4.8, 9.5
ENDS = ("low", "high", "estimate")


# As what units are shown, and where no effect would be:
SHOWN_AS = {"share": (partial(np.multiply, 100), None), "log ratio": (np.exp, 1)}
SPELT = {
    "lac": "plain score",
    "aps": "adaptive score",
    "raps": "regularised adaptive score",
}
AUTHORS = "baan bolt calarena calibench cleanlab ferrer hollance imagenetx kerrigan kull mehul0x "
AUTHORS += "metacal netcal northcutt verified"
SOURCE = re.compile(rf"\b({AUTHORS.replace(' ', '|')}|alecwangcq|timm)-[\w.-]*\w")
SPELT |= {"none": "as trained", "temperature": "temperature scaling"}
ONE = re.compile(r"(?<![\d.,])(1 (?:data set|author|model|network))s\b")
# four maps of one kind that a reason names one by one
ALPHAS = re.compile(
    r"patches, alpha [\d.]+(, \w+ end)?(?:, patches, alpha [\d.]+(?:, \w+ end)?){3}"
)


def judged(papers: Any, part: str = "promises") -> pd.DataFrame:
    """Return what papers, named by their keys, say and how a ledger judges it, as a table."""
    ledger = claims.load_ledger(part=part)
    ledger = ledger[ledger.paper.isin(papers)]
    # "temperature scaling" is spelt out already
    spell = re.compile(rf"\b({'|'.join(SPELT)})\b(?! scaling)")
    reasons = [
        spell.sub(lambda found: SPELT[found[1]], reason) for reason in ledger.reason
    ]
    reasons = [ALPHAS.sub(r"patches of each of four alphas\1", r) for r in reasons]
    reasons = [named(reason) for reason in reasons]
    table = {
        "paper": ledger.paper.map(papers),
        "says": ledger.says,
        "in its words": ledger.counted,
    }
    shares = [share_in_words(row) for row in ledger.itertuples()]
    table = pd.DataFrame(
        table | {"of new networks": shares, "": ledger.label, "reason": reasons}
    )
    return words(table)


def share_in_words(row: Any) -> str:
    """Return the share of new networks of which a sentence is true, with its interval, as text."""
    if np.isnan(row.share):
        return ""
    low, high = (f"{100 * end:.0f}" for end in (row.share_low, row.share_high))
    return f"{100 * row.share:.0f} % ({low} to {high})"


def size_in_words(row: Any) -> str:
    """Return an amount with its interval, and where the next network's lies, as text."""
    if row.unit == "share" or np.isnan(row.estimate):
        return ""
    size = number(row.estimate, row.low, row.high, row.unit)
    if np.isnan(row.next_low):
        return size
    form, ends = "+.3g", np.array([row.next_low, row.next_high])
    if row.unit == "log ratio":
        form, ends = ".2f", np.exp(ends)
    return f"{size}; the next network {ends[0]:{form}} to {ends[1]:{form}}"


def named(text: str) -> str:
    """Return text with data set, network and origin in place of the keys of public predictions.

    Examples
    --------
    >>> named("best: 11 of 11 networks (1 data sets, 1 authors, 11 models)")
    'best: 11 of 11 networks (1 data set, 1 author, 11 models)'
    """
    text = ONE.sub(r"\1", text)
    return SOURCE.sub(lambda found: source_label(found[0]), text)


def parts_of(row: Any) -> list[Mark]:
    """Return the effects that a judgement rests on: one a setting, or its own."""
    own = {part: getattr(row, part) for part in ("verdict", "estimate", "low", "high")}
    return json.loads(row.settings) if row.settings else [{"setting": "", **own}]


def marks_of(row: Any) -> list[Mark]:
    """Return the effects that a figure draws: `parts_of`, but of print its count.

    Print is judged by what it counts, and not by what that says of other networks.
    """
    counted = count_share(row)
    if row.evidence == "published" and not np.isnan(counted):
        return [part | {"estimate": counted} for part in parts_of(row)]
    return parts_of(row)


def shown(text: str) -> str:
    """Return text as HTML, with minus signs."""
    return escape(typeset(text), quote=False)


def of_data(counts: str) -> str:
    """Return counts by data set with the names of our data sets as others write them."""
    for name, usual in DATA_SETS.items():
        counts = re.sub(rf"(?<!\S){name}(?= \d)", usual, counts)
    return counts


def told(ledger: pd.DataFrame, claim: str, evidence: str) -> Any:
    """Return what a verdict rests on in a few words, for a sentence: a count, or an effect."""
    row = ledger.set_index(["id", "evidence"]).loc[claim, evidence]
    if row.unit == "share":
        return re.findall(r"\d+ of \d+", row.reason)[0]
    return "{} [{}, {}]".format(
        *(signed(x, 2) for x in row[["estimate", "low", "high"]])
    )


def count_share(row: Any) -> Any:
    """Return the share of the cases at hand that agree, of a row that counts them."""
    counted = (
        re.search(r": (\d+) of (\d+)", row.reason) if row.unit == "share" else None
    )
    return int(counted[1]) / int(counted[2]) if counted else np.nan


def rests_on(rows: Any) -> str:
    """Return on how many networks judgements rest."""
    kinds = {kind: name.lower() for kind, name in KINDS.items()}
    kinds |= {"simulation": "simulated samples"}
    return ", ".join(f"{r.n} {kinds[r.evidence]}" for r in rows.itertuples() if r.n)


def shown_as(row: Any) -> str:
    """Return what a cell of the ledger shows: in print the verdict, elsewhere share or size."""
    if row.evidence == "published" or row.verdict == "not tested":
        return row.verdict
    share = share_in_words(row)
    if share or np.isnan(row.estimate):
        return share or row.verdict
    return number(row.estimate, row.low, row.high, row.unit)


def words_of(rows: Any) -> str:
    """Return what is shown or refuted by networks, if anything is."""
    sure = [word for word in ("shown", "refuted") if (rows.verdict == word).any()]
    return " and ".join(sure) or "open"


def ledger_table(ledger: pd.DataFrame, claims: Any = None) -> Any:
    """Return the ledger, or the claims of some ids in this order, as HTML: a row a claim."""
    kinds = list(
        dict.fromkeys(KINDS[kind] for kind in KINDS if kind in set(ledger.evidence))
    )
    names = ledger.id.unique() if claims is None else list(claims)
    lines = [ledger_line(ledger[ledger.id == name], kinds) for name in names]
    table = pd.DataFrame(
        lines, columns=["Paper", "Claim", *kinds, "Networks say", "Rests on"]
    )
    if table.Paper.nunique() == 1:
        table = table.drop(columns="Paper")
    filters = [name for name in ("Paper", "Networks say") if name in table]
    shown_filters = ",".join(filters) if claims is None else ""
    return filter_table(
        table,
        "Claims and verdicts",
        filters=shown_filters,
        kind="ledger",
        ids=[f"claim-{name}" for name in names],
    )


def ledger_line(rows: pd.DataFrame, kinds: list[str]) -> list[Any]:
    """Return the cells of a claim: a badge for each kind of evidence, and what it rests on."""
    badges = dict.fromkeys(kinds, "")
    for row in rows[rows.evidence.isin(list(KINDS))].itertuples():
        badges[KINDS[row.evidence]] = templates().badge(row.verdict, shown_as(row))
    claim = templates().claim(list(rows.itertuples()))
    elsewhere = rows[rows.evidence != "published"]
    cells = [PAPERS[rows.paper.iloc[0]], claim, *badges.values()]
    return [*cells, words_of(elsewhere), rests_on(rows)]


def keep_told(ledger: pd.DataFrame, *judgements: tuple[str, str]) -> None:
    """Keep what verdicts rest on, each as "told-CLAIM-EVIDENCE"."""
    for claim, evidence in judgements:
        keep("told", **{f"{claim}_{evidence}": told(ledger, claim, evidence)})


def asked(rows: Iterable[Any]) -> str:
    """Return what a sentence's word asks of networks, where that is less than half of them."""
    away = [row for row in rows if row.unit == "share" and row.evidence != "published"]
    least = min((row.least for row in away), default=0.5)
    return f"asks for more than {least:.0%}" if least < 0.5 else ""


def keep_shares(
    ledger: pd.DataFrame, *judgements: tuple[str, str], verdict: str = ""
) -> None:
    """Keep of how many new networks sentences are true, each as "share-CLAIM-EVIDENCE".

    `verdict` is the word that the page says of them all; where the ledger has another, the page
    is wrong and does not build.
    """
    rows = ledger.set_index(["id", "evidence"])
    for claim, evidence in judgements:
        ours = rows.verdict[claim, evidence]
        if verdict and ours != verdict:
            raise ValueError(
                f"{claim}, {evidence}: {ours} in the ledger, not {verdict}"
            )
        share = share_in_words(rows.loc[claim, evidence])
        keep("share", **{f"{claim}_{evidence}": share})


def by_data(ledger: pd.DataFrame, claim: str, evidence: str) -> dict[str, str]:
    """Return the counts of a judgement by data set."""
    counts = ledger.set_index(["id", "evidence"]).by_data[claim, evidence]
    return dict(part.split(" ", 1) for part in counts.split("; "))


def filter_table(
    frame: Any,
    name: str,
    *,
    filters: str = "",
    start: str = "",
    kind: str = "numbers",
    ids: Sequence[str] = (),
) -> Any:
    """Return a table, whose cells are HTML, that filters and sorts in the page.

    A screen reader calls it `name`; `filters` are the columns with a list, `start` what is chosen
    at first ("Table,Model", "Table=5"); `kind` is a class of the style sheet; `ids` are the
    anchors of the rows, to which a link leads.
    """
    about: dict[str, Any] = {"kind": kind, "filters": filters, "start": start}
    about |= {"name": name, "ids": list(ids)}
    return templates().table(list(frame), frame.to_numpy(object).tolist(), about)


@cache
def templates() -> Any:
    """Return the macros of `ledger.html`."""
    folder = Environment(loader=FileSystemLoader(Path(__file__).parent))
    folder.filters |= {"named": named, "shown": shown}
    folder.globals |= {"KINDS": KINDS, "of_data": of_data, "asked": asked}
    folder.globals |= {"share_in_words": share_in_words, "size_in_words": size_in_words}
    return folder.get_template("ledger.html").module


def sentences_figure(ledger: pd.DataFrame, names: Any) -> Any:
    """Draw what some claims rest on, named in a few words by their ids: a panel for each unit."""
    import matplotlib.pyplot as plt

    rows = ledger[ledger.id.isin(names) & ledger.estimate.notna()]
    order = {name: place for place, name in enumerate(names)}
    rows = rows.sort_values("id", key=lambda ids: ids.map(order), kind="stable")
    panels = {
        unit: lines_of(of_unit, names)
        for unit, of_unit in rows.groupby("unit", sort=False)
    }
    heights = [panel_height(lines) for lines in panels.values()]
    size = {"figsize": (WIDTH, 0.7 + 0.31 * sum(heights)), "height_ratios": heights}
    figure, axes = plt.subplots(
        len(panels), 1, layout="constrained", squeeze=False, **size
    )
    verdicts: list[str] = []
    for ax, (unit, lines) in zip(axes[:, 0], panels.items(), strict=True):
        effects_panel(ax, lines, *SHOWN_AS.get(unit, (np.asarray, 0)))
        ax.set_xlabel(MEASURES[unit])
        verdicts += [effect["verdict"] for *_, effect in lines if effect]
    explained(figure, pd.Series(verdicts))
    return figure


def panel_height(lines: list[Any]) -> float:
    """Return the height of a panel in lines; a heading is lower than the line of an effect."""
    return sum(1 if effect else 0.8 for *_, effect in lines) + 1.4


def lines_of(rows: pd.DataFrame, names: Any) -> list[Any]:
    """Return name, judgement and effect of each line of a panel; a heading has no effect."""
    lines: list[tuple[str, Any, Mark | None]] = []
    for claim, of_claim in rows.groupby("id", sort=False):
        lines.append((names[claim], None, None))
        for row in of_claim.itertuples():
            lines += [
                (mark["setting"] or SOURCES[row.evidence], row, mark)
                for mark in marks_of(row)
            ]
    return lines


def effects_panel(ax: Axes, lines: Any, unit: Any, no_effect: Any) -> None:
    """Draw the effects of one unit, each on a line below its name."""
    left, right = effect_limits(lines, unit, no_effect)
    # names stand over the line of no effect
    white = {"facecolor": "white", "edgecolor": "none", "pad": 0}
    look = {"transform": ax.get_yaxis_transform(), "va": "center", "bbox": white}
    place = 0.0
    for name, row, effect in lines:
        if effect is None:
            claim = name
            ax.text(0.01, place - 0.05, name, weight="bold", fontsize=LABEL, **look)
            place += 0.8
            continue
        side = np.clip(unit([row.least, row.most]), left, right)
        ax.fill_between(
            side, place - 0.02, place + 0.42, color="0.87", lw=0, label="claim's side"
        )
        ax.text(0.01, place - 0.22, name, fontsize=LABEL - 1, **look)
        draw(ax, place + 0.2, effect, row.evidence, unit, label=f"{claim}, {name}")
        place += 1
    if no_effect is None:
        ax.set_xlim(-3, 103)
    else:
        ax.axvline(no_effect, color="black", lw=0.8, linestyle=":")
        ax.set_xlim(left, right)
    ax.set_ylim(place - 0.4, -0.4)
    ax.set_yticks([])


def effect_limits(lines: Any, unit: Any, no_effect: Any) -> tuple[float, float]:
    """Return where an axis of effects begins and ends; a share has no line of no effect."""
    limits = [0, 100] if no_effect is None else [no_effect]
    ends = unit([effect[end] for *_, effect in lines if effect for end in ENDS])
    low, high = np.nanmin([*ends, *limits]), np.nanmax([*ends, *limits])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def draw(
    ax: Axes, place: float, effect: Mark, kind: str, unit: Any, *, label: str
) -> None:
    """Draw an estimate with its interval in the colour of its verdict, hollow if cases are few."""
    verdict = effect["verdict"]
    colour = COLOURS[VERDICT_COLOURS.get(verdict.partition(" ")[0], "black")]
    # in print the number alone decides
    if kind != "published" and not np.isnan(effect["low"]):
        ends = unit([effect["low"], effect["high"]])
        ax.plot(ends, [place, place], color=colour, lw=1.2, label=f"{label}, interval")
    filled = "white" if verdict in ("too few cases", "open") else colour
    look = {"marker": MARKS.get(kind, "D"), "ms": 6, "mfc": filled}
    ax.plot(
        unit([effect["estimate"]]), [place], ls="", color=colour, label=label, **look
    )


def explained(figure: Figure, verdicts: Any) -> None:
    """Explain on top of a figure the colours of its verdicts, and the side of a claim."""
    from matplotlib.lines import Line2D

    looks: list[dict[str, Any]] = []
    for verdict, colour in VERDICT_COLOURS.items():
        if verdicts.str.startswith(verdict).any():
            look: dict[str, Any] = {"color": COLOURS[colour], "label": verdict}
            looks.append(look | ({"mfc": "white"} if verdict == "open" else {}))
    looks += [{"marker": "s", "ms": 9, "color": "0.87", "label": "the claim's side"}]
    keys = [Line2D([], [], ls="", **{"marker": "o", "ms": 6, **look}) for look in looks]
    place = {
        "loc": "outside upper center",
        "ncols": 3,
        "frameon": False,
        "fontsize": LABEL,
    }
    figure.legend(handles=keys, columnspacing=1, handletextpad=0.3, **place)
