"""The words and tables of a report, for its notebook."""

from typing import Any

import numpy as np


def summary_text(outputs: Any, found: Any) -> Any:
    """Return the first lines of the report, in Markdown."""
    metrics = found["metrics"]
    gap = metrics["mean confidence"]["value"] - metrics["accuracy"]["value"]
    lean = "overconfident" if gap > 0 else "underconfident"
    held = (
        f"a calibration set of {found['calibration_n']}"
        if found["calibration_n"]
        else f"{found['folds']}-fold cross-validation"
    )
    notes = "".join(f"**Note:** {note}\n\n" for note in found["notes"])
    return (
        f"**{found['n']} samples, {found['n_classes']} classes, read as {found['kind']}.** "
        f"Accuracy {metrics['accuracy']['value']:.2%} at a mean confidence of "
        f"{metrics['mean confidence']['value']:.2%}: on average {lean} by {abs(gap):.2%}. "
        f"ECE {interval(metrics['ECE, 15 bins'])}. Recalibration maps are compared by {held}.\n\n"
        f"{notes}{recommendation_text(found)}"
    )


def recommendation_text(found: Any) -> Any:
    """Return the recommended map and the reason, in Markdown."""
    chosen = found["recommended"]
    return f"**Recommended map: {chosen['name']}** — {chosen['reason']}."


def metrics_table(found: Any) -> Any:
    """Return the metrics as a table for a notebook."""
    rows = [
        {"metric": name, "value": _number(m["value"]), "95 % interval": interval(m, value=False)}
        for name, m in found["metrics"].items()
    ]
    return _table(rows)


def intervals_text(found: Any) -> Any:
    """Return how the intervals were made, in Markdown."""
    methods: dict[str, list[str]] = {}
    for name, metric in found["metrics"].items():
        if "method" in metric:
            methods.setdefault(metric["method"], []).append(name)
    made = [f"- {'; '.join(names)}: {method}." for method, names in methods.items()]
    about = "Errors are fractions, never below 0: intervals end there. They are made like this:"
    return "\n".join([about, "", *made])


def ranges_table(found: Any, n_rows: int = 5) -> Any:
    """Return the worst ranges of confidence as a table for a notebook."""
    return _table([{k: _number(v) for k, v in row.items()} for row in found["ranges"][:n_rows]])


def classes_table(found: Any, n_rows: int = 20) -> Any:
    """Return the worst classes as a table for a notebook."""
    return _table([{k: _number(v) for k, v in row.items()} for row in found["classes"][:n_rows]])


def comparison_table(found: Any) -> Any:
    """Return the comparison of the maps as a table for a notebook."""
    rows = []
    for row in found["comparison"]:
        if "failed" in row:
            rows.append({"map": row["name"], "change of NLL, 95 %": f"not fitted: {row['failed']}"})
            continue
        change = {"value": row["nll_change"]["difference"], **row["nll_change"]}
        shown = interval(change)
        rows.append(
            {
                "map": row["name"],
                "NLL": _number(row["nll"]),
                "change of NLL, 95 %": "" if row["name"] == "none" else shown,
                "Brier": _number(row["brier"]),
                "ECE": _number(row["ece"]),
                "accuracy": _number(row["accuracy"]),
            }
        )
    return _table(rows)


def _table(rows: Any) -> Any:
    import pandas as pd
    from IPython.display import HTML

    return HTML(pd.DataFrame(rows).fillna("").to_html(index=False, border=0))


def _number(value: Any) -> Any:
    return decimals(value) if isinstance(value, float) else str(value)


def decimals(value: float, like: float | None = None) -> str:
    """Write a number with four decimals, or as many as show three digits of it, or of `like`.

    Examples
    --------
    >>> decimals(0.04312), decimals(0.000123456), decimals(0.0, like=0.00123), decimals(1.5)
    ('0.0431', '0.000123', '0.00000', '1.5000')
    """
    size = abs(value if like is None else like)
    if not 0 < size < 0.01:
        return f"{value:.4f}"
    return f"{value:.{min(2 - int(np.floor(np.log10(size))), 9)}f}"


def interval(m: Any, value: bool = True) -> Any:
    """Write a metric with its interval, or the interval alone."""
    if "low" not in m:
        return ""
    ends = " to ".join(decimals(m[end], like=m["value"]) for end in ("low", "high"))
    return f"{decimals(m['value'])} ({ends})" if value else ends
