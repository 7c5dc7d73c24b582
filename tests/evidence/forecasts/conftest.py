"""Simulated files of the shape of the sealed ones, and their frames."""

import numpy as np
import pandas as pd
import pytest

from evidence.forecasts import sealed_files

FAMILIES = "VGG ResNet ResNeXt DenseNet ViT BiT ConvNeXt CLIP EfficientNet".split()
TRAININGS = ("supervised", "pretrained", "distilled", "zero-shot")


def network(rng, n=400):
    """Labels and the logits of a network that is too sure."""
    z = 2 * rng.standard_normal((n, 4))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return {"y": y, "logits": rng.uniform(1.2, 2.5) * z}


def classifiers(rng, n=170):
    """The table of ImageNet networks, every family in every training, a third calibrated."""
    rows = pd.DataFrame({"model": [f"model-{i}" for i in range(n)]})
    rows["family"], rows["training"] = np.resize(FAMILIES, n), np.resize(TRAININGS, n)
    rows["parameters"] = np.exp(rng.uniform(1, 7, n)).round(1)
    rows["temperature"] = np.exp(rng.normal(-0.1, 0.3, n))
    accuracy, calibrated = rng.uniform(60, 90, n), rng.random(n) < 1 / 3
    for when, spread in (("before", 6.0), ("after", 1.0)):
        gap = np.where(calibrated, 0.2, spread) * rng.standard_normal(n)
        ece = np.abs(gap) + rng.uniform(0.1, 0.5, n)
        found = {
            "accuracy": accuracy,
            "confidence": accuracy + gap,
            "mce": 2 * ece,
            "ace": ece,
        }
        found |= {f"ece_{m}": ece + m / 300 for m in (10, 15, 30, 50)}
        rows = rows.assign(**{f"{name}_{when}": value for name, value in found.items()})
    return rows


def answers(rng, n_models, column, n_rounds, kinds, n=60):
    """Answers of language models that say too often that they are sure."""
    rows = pd.MultiIndex.from_product(map(range, (n_models, n_rounds, n)))
    rows = rows.to_frame(index=False, name=["model", column, "question"])
    true = rng.beta(2, 1, len(rows))
    rows["correct"] = (rng.random(len(rows)) < true).astype(int)
    for kind in kinds:
        noisy = true + 0.1 + 0.2 * rng.standard_normal(len(rows))
        rows[kind] = (20 * noisy.clip(0.05, 0.99)).round() / 20
    names = "m" + rows["model"].astype(str)
    return rows.assign(model=names, family="f" + names)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Simulated files of the shape of the sealed ones."""
    folder, rng = tmp_path_factory.mktemp("stand-ins"), np.random.default_rng(1)
    (folder / "predictions").mkdir()
    for name, needs in sealed_files.registered_files()["needs"].items():
        if "logits" in needs:
            arrays = network(rng)
            if "train_y" in needs:
                arrays |= {f"train_{part}": x for part, x in network(rng).items()}
            np.savez(folder / "predictions" / f"{name}.npz", **arrays)
    classifiers(rng).to_csv(folder / "classifiers.csv", index=False)
    stated = answers(rng, 5, "wording", 2, ["confidence"])
    stated.to_csv(folder / "stated.csv", index=False)
    kinds = answers(rng, 3, "repeat", 5, ["stated", "token", "vote"])
    kinds.to_csv(folder / "kinds.csv", index=False)
    return folder


@pytest.fixture(scope="session")
def frames(folder):
    return sealed_files.frames(folder)
