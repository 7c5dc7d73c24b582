"""A number is one number on processors of other types, as far as its type goes."""

import os
import subprocess
import sys

import numpy as np
import pytest

FITS = """
import sys

import numpy as np
from networks import network

import calib

z, y = network(2000, 5)
maps = [
    calib.TemperatureScaling(),
    calib.VectorScaling(),
    calib.MatrixScaling(lam=0.1, mu=0.1),
    calib.RankWise(calib.SplineCalibration()),
    calib.OneVsRest(calib.BetaCalibration()),
]
metrics = [calib.ece, calib.nll, calib.brier, calib.kde_ece, calib.smooth_ece, calib.classwise_ks]
answers = {}
for kind in ("float64", "float32", "float16"):
    x = z.astype(kind)
    found = [m.fit(x, y).predict_proba(x) for m in maps]
    answers |= {f"{kind} {m}": p for m, p in zip(maps, found, strict=True)}
    answers[f"{kind} metrics"] = [m(y, p) for p in found for m in metrics]
np.savez(sys.argv[1], **answers)
"""


NEWER = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


OTHER_PROCESSORS = {
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "no newer instructions": {"NPY_DISABLE_CPU_FEATURES": NEWER},
}


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHER_PROCESSORS)
def test_processors_of_other_types_agree_as_far_as_the_numbers_type_goes(
    tmp_path, other
):
    """Sums are taken in another order there, so the last bits differ; of float64 nothing shown."""
    outputs = {}
    for kind, lowered in ((None, {}), (other, OTHER_PROCESSORS[other])):
        environment = {**os.environ, **lowered, "PYTHONPATH": os.pathsep.join(sys.path)}
        path = tmp_path / f"{kind}.npz"
        subprocess.run(
            [sys.executable, "-c", FITS, str(path)], env=environment, check=True
        )
        outputs[kind] = np.load(path)
    for name in outputs[other]:
        # a temperature answers in float32
        tolerance = 1e-9 if name.startswith("float64") else 5e-7
        np.testing.assert_allclose(
            outputs[other][name], outputs[None][name], rtol=0, atol=tolerance
        )
