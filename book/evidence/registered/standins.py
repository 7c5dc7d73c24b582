"""Simulated files of the shape of the sealed ones: what runs on these will run on those."""

from pathlib import Path

import numpy as np
import pandas as pd

from book.evidence.registered.files import sealed

FAMILIES = "VGG ResNet ResNeXt DenseNet ViT BiT ConvNeXt CLIP EfficientNet".split()
TRAININGS = ("supervised", "pretrained", "distilled", "zero-shot")


def write(folder, rng, *, n=1000, n_classes=4, n_models=240, n_questions=300):
    """Write all files of a folder, with so many images, networks of the table and questions."""
    folder = Path(folder)
    (folder / "predictions").mkdir(parents=True, exist_ok=True)
    for name in sealed().index[:7]:
        arrays = network(rng, n, n_classes)
        if name == "mnist":
            arrays |= {f"train_{part}": x for part, x in network(rng, n, n_classes).items()}
        np.savez_compressed(folder / "predictions" / f"{name}.npz", **arrays)
    tables = {
        "classifiers": table(rng, n_models),
        "stated": answers(rng, 5, n_questions, "wording", 2, ["confidence"]),
        "kinds": answers(rng, 3, n_questions, "repeat", 5, ["stated", "token", "vote"]),
    }
    for name, rows in tables.items():
        rows.to_csv(folder / f"{name}.csv", index=False)


def network(rng, n, n_classes):
    """Return labels and the logits of a network that is too sure."""
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return {"y": y, "logits": rng.uniform(1.2, 2.5) * z}


def table(rng, n):
    """Return the table of ImageNet networks, every family in every training, a third calibrated."""
    rows = pd.DataFrame({"model": [f"model-{i}" for i in range(n)]})
    rows["family"], rows["training"] = np.resize(FAMILIES, n), np.resize(TRAININGS, n)
    rows["parameters"] = np.exp(rng.uniform(1, 7, n)).round(1)
    rows["temperature"] = np.exp(rng.normal(-0.1, 0.3, n))
    accuracy, calibrated = rng.uniform(60, 90, n), rng.random(n) < 1 / 3
    for when, spread in (("before", 6.0), ("after", 1.0)):
        gap = np.where(calibrated, 0.2, spread) * rng.standard_normal(n)
        rows[f"accuracy_{when}"] = accuracy
        rows[f"confidence_{when}"] = accuracy + gap
        base = np.abs(gap) + rng.uniform(0.1, 0.5, n)
        for name, extra in zip(("ece_10", "ece_15", "ece_30", "ece_50"), range(4), strict=True):
            rows[f"{name}_{when}"] = base + 0.05 * extra
        rows[f"mce_{when}"] = 2 * base
        rows[f"ace_{when}"] = base
    return rows


def answers(rng, n_models, n_questions, column, n_rounds, kinds):
    """Return the answers of language models that say too often that they are sure."""
    parts = []
    for model in range(n_models):
        for turn in range(n_rounds):
            true = rng.beta(2, 1, n_questions)
            part = pd.DataFrame({"question": np.arange(n_questions)})
            part["correct"] = (rng.random(n_questions) < true).astype(int)
            for kind in kinds:
                noisy = true + 0.1 + 0.2 * rng.standard_normal(n_questions)
                part[kind] = (20 * noisy.clip(0.05, 0.99)).round() / 20
            parts.append(part.assign(model=f"m{model}", family=f"f{model}", **{column: turn}))
    return pd.concat(parts, ignore_index=True)
