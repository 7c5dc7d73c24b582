"""One table of what the library promises, in which worlds it was measured, and what came out."""

import numpy as np
import pandas as pd

from evidence.data import load_results

OF_GATE = {  # what `calib check` and a report say, and what of it is no false alarm
    "report": ("check, against a report", "no rule breaks where nothing changed"),
    "twin": ("check, against a model", "no rule breaks where both are as good"),
    "bound": ("check, --max", "holds at the true error"),
    "honest": ("look at the file first", "is silent of an honest file"),
    "risk": ("report, --risk", "the threshold lets in no more errors than it says"),
}
FEW = 1  # worlds that are named


def _of_library() -> pd.DataFrame:
    return load_results("promises_of_the_library").assign(table="promises")


def _of_differences() -> pd.DataFrame:
    found = load_results("paired_coverage").rename(
        columns={"split": "kept", "split_trials": "trials"}
    )
    name, says = "paired_difference of ece", "holds the true difference"
    return found.assign(
        kind="interval", name=name, says=says, promised=95, table="paired_coverage"
    )


def _of_reports() -> pd.DataFrame:
    found = load_results("report_coverage")
    found = found.rename(columns={"coverage": "kept", "n_trials": "trials"})
    found["name"] = "report, " + found["metric"]
    says, kind = "holds the true value", "interval"
    return found.assign(kind=kind, says=says, promised=95, table="report_coverage")


def _of_gate() -> pd.DataFrame:
    found = load_results("promises_about_chance")
    found = found[found["what"].isin(OF_GATE)]
    kept = 1 - found["counted"] / found["of"]
    name, says = (found["what"].map(lambda what, i=i: OF_GATE[what][i]) for i in (0, 1))
    found = found.assign(
        kind="gate", name=name, says=says, kept=kept, trials=found["of"]
    )
    return found.assign(promised=100 - found["promised"], table="gate")


def _of_memory() -> pd.DataFrame:
    """Where no offset goes beyond what is allowed every alarm is a false one."""
    found = load_results("gate_with_memory").query("gate == 'memory'")
    found = found[found[["before", "after"]].abs().max(axis=1) <= found["tolerance"]]
    labels = found["labels"].map("{} labels a week".format)
    found = found.assign(world=found["world"] + ", " + labels, trials=found["runs"])
    name, says = "gate with memory", "is silent for two years where nothing changed"
    kept = 1 - found["false_alarms"]
    found = found.assign(kind="gate", name=name, says=says, promised=95, kept=kept)
    return found.assign(table="gate_with_memory")


def every_promise() -> pd.DataFrame:
    """Return one row a promise and world (with its size): kept is the share of trials."""
    parts = [_of_library(), _of_differences(), _of_reports(), _of_gate(), _of_memory()]
    columns = ["kind", "name", "says", "promised", "world", "kept", "trials", "table"]
    return pd.concat([part[columns] for part in parts], ignore_index=True)


def falls_short(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose promise is missed by more than chance, once in a thousand, explains."""
    chance = 3.3 * np.sqrt(found["kept"] * (1 - found["kept"]) / found["trials"])
    return found[found["kept"] < found["promised"] / 100 - chance]


def over_worlds(found: pd.DataFrame) -> pd.DataFrame:
    """Return one row a promise: kept is the share of the trials of all its worlds together.

    A shortfall that is the same everywhere, and too small for the trials of one world, is seen so.
    """
    times = found.assign(kept=found["kept"] * found["trials"])
    groups = times.groupby(
        ["kind", "name", "says", "promised"], sort=False, dropna=False
    )
    totals = groups[["kept", "trials"]].sum().reset_index()
    return totals.assign(kept=totals["kept"] / totals["trials"])


def least_unseen(promised: float, trials: int) -> float:
    """Return the smallest share, to a thousandth, that falls short unseen in so many trials."""
    kept = np.arange(0, promised, 0.1) / 100
    rows = pd.DataFrame({"kept": kept, "trials": trials, "promised": promised})
    return float(kept[len(falls_short(rows))])


def _named(worlds: pd.Series) -> str:
    names = worlds.unique()
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} worlds"


def summary() -> pd.DataFrame:
    """Return one row a promise: of a hundred trials the least and the most kept over its worlds."""
    found = every_promise()
    groups = found.groupby(["kind", "name", "says"], sort=False)
    shares = (100 * groups["kept"].agg(["min", "median", "max"])).round(1)
    shares.columns = ["least", "median", "most"]
    table = shares.assign(
        promised=groups["promised"].first(),
        worlds=groups["world"].agg(_named),
        table=groups["table"].first(),
    )
    order = ["interval", "band", "test", "sets", "gate", "recommendation"]
    return table.reset_index().sort_values(
        "kind", key=lambda k: k.map(order.index), kind="stable"
    )
