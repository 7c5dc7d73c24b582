"""How the time grows with samples and classes, beside other libraries: data/results/growth.csv.

``make bench F=growth`` writes it, in about a minute. Seconds of the processor, one thread, the
fastest of a few runs; a library is not tried at the next size where that would take it longer than
``LONGEST``.
"""

import time

import bench_calibrators as calibrators
import bench_metrics as metrics
import netcal.metrics
import numpy as np
import probmetrics.calibrators
import sklearn.metrics
from helpers import ROOT

import calib
from book.evidence.tables import csv_bytes
from calib.files import write_whole

LONGEST = 10.0  # seconds
SAMPLES = [(10**k, 10) for k in range(3, 8)]
CLASSES = [(2000, k) for k in (2, 10, 100, 1000, 10_000)]


def torchmetrics_ece(y, p, z):
    tensors = metrics.tensors((y, p))
    return metrics.multiclass_calibration_error(
        *tensors, num_classes=p.shape[1], validate_args=False
    )


def probmetrics_temperature(y, p, z):
    fitted = probmetrics.calibrators.TemperatureScalingCalibrator()
    return calibrators.probmetrics_fit(fitted, (z, y))


ECE = {
    "calib": lambda y, p, z: calib.ece(y, p),
    "torchmetrics": torchmetrics_ece,
    "netcal": lambda y, p, z: netcal.metrics.ECE(15).measure(p, y),
}
CLASSWISE_ECE = {
    "calib": lambda y, p, z: calib.classwise_ece(y, p),
    "uncertainty-metrics": lambda y, p, z: metrics.general_calibration_error((y, p), "even"),
}
NLL = {
    "calib": lambda y, p, z: calib.nll(y, p),
    "scikit-learn": lambda y, p, z: sklearn.metrics.log_loss(y, p, labels=range(p.shape[1])),
}
TEMPERATURE = {
    "calib": lambda y, p, z: calib.TemperatureScaling().fit(z, y),
    "probmetrics": probmetrics_temperature,
}
SWEEPS = {
    "samples": (SAMPLES, {"ECE": ECE, "NLL": NLL, "temperature": TEMPERATURE}),
    "classes": (CLASSES, {"ECE": ECE, "classwise ECE": CLASSWISE_ECE, "temperature": TEMPERATURE}),
}


def simulate(n, n_classes):
    """Labels, float32 probabilities, and logits of which they are not: 1.5 times as large."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((n, n_classes), dtype=np.float32)
    y = (z[:, : min(n_classes, 1000)]).argmax(axis=1)
    other = rng.random(n) < 0.5
    y[other] = rng.integers(0, n_classes, other.sum())
    return y, calib.softmax(z), np.float32(1.5) * z


def seconds(call):
    """The fastest of at least three runs, or of what fits into two seconds."""
    found, begun = [], time.process_time()
    while len(found) < 3 or (len(found) < 20 and time.process_time() - begun < 0.2):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
        if sum(found) > 2:
            break
    return min(found)


def main():
    rows, late = [], set()
    for growing, (sizes, works) in SWEEPS.items():
        late.clear()
        for n, n_classes in sizes:
            data = simulate(n, n_classes)
            for work, libraries in works.items():
                for library, function in libraries.items():
                    if (work, library) in late:
                        continue
                    took = seconds(lambda function=function, data=data: function(*data))
                    if 10 * took > LONGEST:
                        late.add((work, library))
                    size = {"growing": growing, "n": n, "classes": n_classes}
                    rows.append(
                        {"work": work, "library": library, **size, "seconds": f"{took:.3g}"}
                    )
                    print(*rows[-1].values(), flush=True)
    write_whole(ROOT / "data" / "results" / "growth.csv", csv_bytes(rows))


if __name__ == "__main__":
    main()
