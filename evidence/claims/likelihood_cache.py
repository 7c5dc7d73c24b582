"""Likelihoods of counts that were computed before: what an added claim leaves as it is.

The scales of the model's priors are learnt from all counts, so that a claim more moves all shares a
little and all are judged again. The likelihoods, which take longest, stay: they are kept in
``_build/claims``, by the counts, the code of the model, Python's version and the locked packages.
"""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
from joblib import Memory

from evidence.claims import laplace, shares
from evidence.claims.estimates import codes_of
from evidence.claims.shares import Likelihood
from evidence.pieces import environment_key

FOLDER = Path(__file__).resolve().parents[2] / "_build" / "claims"
MODEL: tuple[ModuleType, ...] = (shares, laplace)


def log_likelihood_by_code(
    n: np.ndarray, agree: np.ndarray, codes: dict[str, np.ndarray], code: str
) -> np.ndarray:
    """Return `shares.log_likelihood`; `code` is part of the key by which it is kept."""
    return shares.log_likelihood(n, agree, codes)


def cached_likelihood(
    folder: Path = FOLDER,
) -> Callable[[pd.DataFrame], Likelihood]:
    """Return a function that does as `likelihood_of`, once for the same counts and code."""
    cached = Memory(folder, verbose=0).cache(log_likelihood_by_code)
    texts = [Path(str(module.__file__)).read_text("utf-8") for module in MODEL]
    code = "".join([environment_key(), *texts])

    def likelihood_of(rows: pd.DataFrame) -> Likelihood:
        codes = codes_of(rows)
        n, agree = (rows[name].to_numpy(float) for name in ("networks", "total"))
        return Likelihood(tuple(codes), cached(n, agree, codes, code))

    return likelihood_of
