"""From a file of logits to a recalibrated file, side by side: lines of code and seconds.

Each function is what a reader of that library's documentation writes to fit a temperature on the
first half of a csv file and to write the probabilities of the second half. Each runs in a process
of its own, imports included. ``.venv-peers/bin/python tests/benchmarks/side_by_side.py`` prints the
table of side-by-side.md.
"""

import inspect
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ABOUT = """\
# From file to recalibrated file

Written by `side_by_side.py`, whose functions are what is counted. 10 000 x 10 logits in csv files,
a temperature fitted on one half, the probabilities of the other written. Lines of code, seconds of
the processor with all imports, and the NLL of what was written, which is the same minimum. The
command compares all maps and writes its report as well; torchmetrics measures alone.

| way | lines | CPU seconds | NLL after |
|---|--:|--:|--:|"""


def calib_command():
    os.system("calib report fit.csv -o report.html")
    os.system("calib apply report-map.json new.csv -o calibrated.csv")


def calib_python():
    import calib
    import calib_report

    scaling = calib.TemperatureScaling()
    fit, new = calib_report.read("fit.csv"), calib_report.read("new.csv")
    p = scaling.fit(fit.logits, fit.y).predict_proba(new.logits)
    np.savetxt("calibrated.csv", p, delimiter=",", header=",".join(new.class_names), comments="")
    print("ECE", calib.ece(new.y, p))


def scikit_learn():
    import pandas as pd
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.frozen import FrozenEstimator

    class Logits(ClassifierMixin, BaseEstimator):
        def fit(self, z, y):
            self.classes_ = np.unique(y)
            return self

        def decision_function(self, z):
            return z

        def predict(self, z):
            return self.classes_[z.argmax(axis=1)]

    fit, new = pd.read_csv("fit.csv"), pd.read_csv("new.csv")
    z, y = fit.drop(columns="label").to_numpy(), fit.label.to_numpy()
    frozen = FrozenEstimator(Logits().fit(z, y))
    scaling = CalibratedClassifierCV(frozen, method="temperature").fit(z, y)
    p = scaling.predict_proba(new.drop(columns="label").to_numpy())
    names = [f"probability_{k}" for k in scaling.classes_]
    pd.DataFrame(p, columns=names).to_csv("calibrated.csv", index=False)


def netcal():
    import pandas as pd
    from netcal.metrics import ECE
    from netcal.scaling import TemperatureScaling
    from scipy.special import softmax

    fit, new = pd.read_csv("fit.csv"), pd.read_csv("new.csv")
    p_fit = softmax(fit.drop(columns="label").to_numpy(), axis=1)
    p_new = softmax(new.drop(columns="label").to_numpy(), axis=1)
    p = TemperatureScaling().fit(p_fit, fit.label.to_numpy()).transform(p_new)
    names = [f"probability_{k}" for k in range(p.shape[1])]
    pd.DataFrame(p, columns=names).to_csv("calibrated.csv", index=False)
    print("ECE", ECE(15).measure(p, new.label.to_numpy()))


def probmetrics():
    import pandas as pd
    import torch
    from probmetrics.calibrators import TemperatureScalingCalibrator
    from probmetrics.distributions import CategoricalLogits

    fit, new = pd.read_csv("fit.csv"), pd.read_csv("new.csv")
    z_fit = torch.tensor(fit.drop(columns="label").to_numpy())
    z_new = torch.tensor(new.drop(columns="label").to_numpy())
    scaling = TemperatureScalingCalibrator()
    scaling.fit_torch(CategoricalLogits(z_fit), torch.tensor(fit.label.to_numpy()))
    p = scaling.predict_proba_torch(CategoricalLogits(z_new)).get_probs().numpy()
    names = [f"probability_{k}" for k in range(p.shape[1])]
    pd.DataFrame(p, columns=names).to_csv("calibrated.csv", index=False)


def torchmetrics():
    """It measures alone; the temperature is fitted with torch."""
    import pandas as pd
    import torch
    from torchmetrics.classification import MulticlassCalibrationError

    fit, new = pd.read_csv("fit.csv"), pd.read_csv("new.csv")
    z_fit = torch.tensor(fit.drop(columns="label").to_numpy())
    z_new = torch.tensor(new.drop(columns="label").to_numpy())
    y_fit, y_new = torch.tensor(fit.label.to_numpy()), torch.tensor(new.label.to_numpy())
    log_t = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    solver = torch.optim.LBFGS([log_t], max_iter=100, line_search_fn="strong_wolfe")

    def loss():
        solver.zero_grad()
        value = torch.nn.functional.cross_entropy(z_fit / log_t.exp(), y_fit)
        value.backward()
        return value

    solver.step(loss)
    p = (z_new / log_t.exp()).softmax(1).detach()
    names = [f"probability_{k}" for k in range(p.shape[1])]
    pd.DataFrame(p.numpy(), columns=names).to_csv("calibrated.csv", index=False)
    print("ECE", MulticlassCalibrationError(p.shape[1], n_bins=15)(p, y_new).item())


WAYS = {
    "calib, the command with its report": calib_command,
    "calib": calib_python,
    "scikit-learn": scikit_learn,
    "netcal": netcal,
    "probmetrics": probmetrics,
    "torchmetrics, and torch": torchmetrics,
}


def lines_of(function):
    """Count the lines of a function's body that hold code."""
    body = inspect.getsource(function).split("\n", 1)[1]
    body = re.sub(r'^\s*""".*?"""', "", body, flags=re.DOTALL)
    return sum(bool(line.strip()) for line in body.splitlines())


def write_files(folder, n=10_000, n_classes=10):
    """Write logits twice as large as they should be, with labels, in two files."""
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    heading = ",".join(["label", *(f"logit_{k}" for k in range(n_classes))])
    for name, rows in {"fit": slice(0, n // 2), "new": slice(n // 2, n)}.items():
        table = np.column_stack([y[rows], 2 * z[rows]])
        np.savetxt(folder / f"{name}.csv", table, "%.6g", ",", header=heading, comments="")
    return y[n // 2 :]


def seconds_of_children():
    used = os.times()
    return used.children_user + used.children_system


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        y = write_files(folder)
        print(ABOUT)
        for way, function in WAYS.items():
            (folder / "calibrated.csv").unlink(missing_ok=True)
            before = seconds_of_children()
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            subprocess.run(
                [sys.executable, __file__, function.__name__],
                cwd=folder,
                env=os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"},
                check=True,
                capture_output=True,
            )
            cpu = seconds_of_children() - before
            heading = (folder / "calibrated.csv").read_text().partition("\n")[0].split(",")
            table = np.loadtxt(folder / "calibrated.csv", delimiter=",", skiprows=1)
            p = table[:, [name != "label" for name in heading]]
            nll = -np.log(p[np.arange(len(y)), y]).mean()
            print(f"| {way} | {lines_of(function)} | {cpu:.1f} | {nll:.5f} |")


if __name__ == "__main__":
    globals()[sys.argv[1]]() if len(sys.argv) > 1 else main()
