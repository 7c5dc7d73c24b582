"""A paper's tables and figures, ours beside the printed: shown, and written to a folder if asked.

A notebook has the parameter ``tables_folder``, "" as it stands, and begins with ``paper =
replication.Paper("guo2017", tables_folder)``. ``make paper-tables P=guo2017`` sets the parameter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from book.show.display import glue_values, typeset
from book.show.figure_data import points_as_csv
from book.show.number_texts import with_interval
from calib import bootstrap, consistency_test
from calib.files import write_whole

# what our network is to the one of a printed cell, and the mark of that
KINDS = {"same network": "", "sibling": "s", "in kind": "k", "print only": "–"}
MEAN = "mean of networks"  # in place of the name of one, with a mark of its own: m
KEYS = ("dataset", "model", "method")


@dataclass(frozen=True)
class Paper:
    """A paper whose items are shown; each goes to a file of ``folder`` too, unless that is ""."""

    name: str
    folder: str = ""

    def table(
        self, item: str, rows: pd.DataFrame, *, columns: str = "method", digits: int = 2
    ) -> Styler:
        """Return a table of `beside` to show, and write its rows as CSV.

        A name in `columns` goes across, the other keys down. A cell has ours above the printed
        number; a mark tells the kind: s for a sibling, k for in kind, m for a mean of networks in
        kind, – where there is print only.
        """
        unknown = set(rows["kind"]) - set(KINDS)
        if unknown:
            raise ValueError(
                f"kind: unknown {sorted(unknown)}; known are {', '.join(KINDS)}"
            )
        self._write(f"{item}.csv", rows.to_csv(index=False, lineterminator="\n"))
        return ours_above_printed(rows, columns, digits)

    def plain(self, item: str, frame: pd.DataFrame) -> pd.DataFrame:
        """Return any other table as it is, and write it as CSV."""
        self._write(f"{item}.csv", frame.to_csv(lineterminator="\n"))
        return frame

    def figure(self, item: str, figure: Figure | None = None) -> None:
        """Show a figure (the current one), and write it as SVG, its points as CSV."""
        figure = figure or plt.gcf()
        if self.folder:
            path = self._path(f"{item}.svg")
            with mpl.rc_context({"svg.hashsalt": item}):
                figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
            self._write(f"{item}.csv", points_as_csv(figure) or "")
        plt.show()

    def _path(self, file: str) -> Path:
        folder = Path(self.folder)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.name}-{file}"

    def _write(self, file: str, text: str) -> None:
        if self.folder and text:
            write_whole(self._path(file), text.encode())


def beside(
    printed: pd.DataFrame, ours: pd.DataFrame, keys: Sequence[str] = KEYS
) -> pd.DataFrame:
    """Return each printed cell with ours beside it, "print only" where there is none.

    Both have the columns `keys`; `printed` has ``value``, `ours` has ``value``, ``kind`` and may
    have ``network``, the name of what was measured. A cell that `ours` has twice is refused.
    """
    keys = list(keys)
    printed = printed[[*keys, "value"]].rename(columns={"value": "printed"})
    ours = ours.rename(columns={"value": "ours"})
    ours = ours[[c for c in (*keys, "ours", "kind", "network") if c in ours]]
    rows = printed.merge(ours, on=keys, how="left", validate="one_to_one")
    rows["kind"] = rows["kind"].fillna("print only")
    order = [*keys, "ours", "printed", "kind", *(c for c in ("network",) if c in rows)]
    return rows[order]


def error_with_chance(metric: Any, y: Any, prob: Any, **options: Any) -> pd.Series:
    """Return an error in per cent: its value, its 95 % interval, and what chance makes of it.

    ``chance`` is what 95 of 100 networks with these probabilities stay below if calibrated. Labels
    `y` are (n,), `prob` is (n, K); or both are (n,), hits and scores. `options` go to the metric,
    but for ``n_resamples``, 1000 by default.
    """
    error = bootstrap(metric, y, prob, rng=np.random.default_rng(0), **options)
    draws = consistency_test(metric, y, prob, rng=np.random.default_rng(0), **options)
    values = [error.value, error.low, error.high, np.quantile(draws.null, 0.95)]
    return 100 * pd.Series(values, index=["value", "low", "high", "chance"])


def chance_of_bins(rows: pd.DataFrame, rng: np.random.Generator) -> float:
    """Return the ECE that 95 of 100 calibrated networks with these bins stay below, a fraction.

    Of `rows`, a bin each, the columns ``count`` and ``score_sum`` are read. The scores of a bin
    are taken to be its mean.
    """
    rows = rows[rows["count"] > 0]
    count, score_sum = rows["count"].astype(int), rows["score_sum"].to_numpy()
    hits = rng.binomial(count, score_sum / count, (1000, len(count)))
    gaps = np.abs(hits - score_sum).sum(axis=1)
    return np.quantile(gaps, 0.95) / count.sum()


def glue_headline(
    section: str, headline: pd.DataFrame, rows: Mapping[str, str], digits: int = 2
) -> None:
    """Glue the first table: as printed, of the same network, now, and what chance makes.

    `rows` has, by the last word of a glued name, the method. `headline` has the columns
    ``printed``, ``recomputed``, ``low``, ``high``, the network of now, and ``by chance``.
    """
    for name, method in rows.items():
        row = headline.loc[method]
        printed, recomputed, low, high, now, chance = row.astype(float)
        same = with_interval(recomputed, low, high, digits)
        texts = {"printed": f"{printed:.{digits}f}", "now": f"{now:.{digits}f}"}
        # a thousand draws give no third digit
        glue_values(f"{section}-{name}", same=same, chance=f"{chance:.2f}", **texts)


def ours_above_printed(
    rows: pd.DataFrame, columns: str = "method", digits: int = 2
) -> Styler:
    """Return rows of `beside` as a styled table: ours above the printed number."""
    numbers = ("ours", "printed", "kind", "network")
    down = [c for c in rows if c not in (columns, *numbers)]
    cells = [_cell(row, digits) for row in rows.itertuples()]
    wide = rows.assign(cell=cells).pivot_table(
        index=down, columns=columns, values="cell", aggfunc="first", sort=False
    )
    wide = wide.rename_axis(None, axis=1)
    wide = wide[rows[columns].drop_duplicates().tolist()].fillna("")
    return wide.style.set_properties(**{"text-align": "right", "white-space": "nowrap"})


def _cell(row: Any, digits: int) -> str:
    mark = "m" if getattr(row, "network", "") == MEAN else KINDS[row.kind]
    if pd.isna(row.ours):
        ours = mark
    else:
        ours = f"<b>{row.ours:.{digits}f}</b>" + (f"<sup>{mark}</sup>" if mark else "")
    printed = f'<span style="opacity: .75">{row.printed:.{digits}f}</span>'
    return typeset(f"{ours}<br>{printed}")


def kinds_in_words(rows: pd.DataFrame) -> str:
    """Return how many cells of `beside` have which kind, as text: "6 sibling, 16 print only"."""
    of = rows["kind"].value_counts()
    return ", ".join(f"{of[kind]} {kind}" for kind in KINDS if kind in of)
