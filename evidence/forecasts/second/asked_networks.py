"""What the ledger was asked about: the sealed networks, and language models of another source.

Beside them stand the scales of the spreads, and the ends of intervals that it was asked for.
"""

from functools import cache

import pandas as pd

from evidence.claims import frames
from evidence.forecasts.second import registered

SPREADS = "forecasts/registered-2-spreads.csv"
QUANTILES = {"low_90": 0.05, "low_50": 0.25, "high_50": 0.75, "high_90": 0.95}
MODELS = 15  # of the thirty language models, half are tuned
Forecast = dict[str, float]  # a probability, or the ends of intervals


@cache
def registered_scales() -> dict[str, float]:
    """Return the scales of the spreads that the ledger had learnt when it was asked.

    A claim that is added later moves what the ledger learns, and none of these forecasts.
    """
    return frames.read_table(SPREADS).set_index("effect")["scale"].to_dict()


@cache
def forecast_networks() -> pd.DataFrame:
    """Return the networks that are forecast, with the effects that they have."""
    about = registered.registered_files().query("model != ''")
    new = pd.DataFrame({"case": about["model"], "dataset": about["dataset"]})
    new["author"] = "the author of " + about["evidence"]
    new["kin"] = about["model"]
    return new.reset_index(drop=True)


def of_the_fourteen(cases: pd.Series) -> pd.Series:
    """Return which networks are of the fourteen: all but the ensembles, whose names begin with HMC.

    HMC is Hamiltonian Monte Carlo, which samples the members of an ensemble.
    """
    return ~cases.str.startswith("HMC")


def new_models(
    n: int, dataset: str = "tasks of others", n_datasets: int = 1
) -> pd.DataFrame:
    """Return language models of another source, each of a family of its own."""
    sets = [f"{dataset} {k}" for k in range(n_datasets)]
    new = pd.MultiIndex.from_product([range(n), sets], names=["case", "dataset"])
    new = new.to_frame(index=False).assign(author="another source")
    return new.assign(kin="another family " + new["case"].astype(str))
