"""Tidy others' tables.

`python -m evidence.sources.tables_of_others QUBA.csv LOGITSGAP_FOLDER CALARENA`.

QUBA.csv: the table of 326 ImageNet networks of visinf/beyond-accuracy. LOGITSGAP_FOLDER: the folder
`shengjie/LogitsGap` of Misakaaaaaz/calibench. CALARENA: the folder of probkit/CalArena.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from evidence.data import csv_bytes, csv_rows

Row = dict[str, str]

HERE = Path(__file__).resolve().parents[2] / "data" / "tables"
PRINTED = (
    "Model",
    "Architecture",
    "Dataset",
    "Setup",
    "Accuracy",
    "Calibration Error",
    "Corruption Robustness",
    "OOD Robustness",
    "Parameters",
)
QUBA = {name: name.lower().replace(" ", "_") for name in PRINTED} | {
    "Dataset": "pretraining"
}
FAMILIES = (
    "VGG ResNet ResNeXt WRN DenseNet ShuffleNet-v2 MnasNet BagNet EfficientNet-B EfficientNet-v2 "
    "RegNet-y BiTM ViT SwinV2 Swin DeiT3 DeiT ConViT CaiT CrossViT XCiT LeViT PiT CoaT MaxViT "
    "MViTv2 TinyViT ConvNextV2 ConvNeXt EfficientFormer DaViT Hiera EVA02 InceptionNext FastViT "
    "CLIP MobileCLIP SigLIP2 SigLIP MetaCLIP Inception MobileNetV3"
).split()
PRETRAINING = {"imagenet-1k": "ImageNet-1k", "imagenet-21k": "ImageNet-21k"}
SETUPS = {"A[1,2,3]": "supervised (recipes A1 to A3)"}
CALIBENCH = {
    "acc": "Accuracy",
    "ece": "ECE",
    "cece": "cwECE",
    "adaece": "ECE mass",
    "nll": "NLL",
}
DATASETS = {"cifar10": "CIFAR-10", "cifar100": "CIFAR-100", "imagenet": "ImageNet"}
SHIFTS = {"": "none", "lt": "long-tailed", "sketch": "sketch", "c": "corrupted"}
MODELS = {
    "resnet50": "ResNet-50",
    "wide_resnet": "Wide ResNet",
    "densenet121": "DenseNet-121",
}
MODELS |= {"swin_b": "Swin-B", "vit_b_16": "ViT-B/16", "vit_b_32": "ViT-B/32"}
METHODS = {"Uncalibrated": "Uncalibrated", "TS": "Temperature scaling"}
METHODS |= {
    "ETS": "Ensemble temperature scaling",
    "HB": "Histogram binning",
    "BBQ": "BBQ",
}
METHODS |= {"VS": "Vector scaling"}
ARENA_METHODS = {"Base-model": "Uncalibrated", "Hist-uniform": "Histogram binning"}
ARENA_METHODS |= {
    "Isotonic": "Isotonic regression",
    "BBQ": "BBQ",
    "TS": "Temperature scaling",
}
ARENA_METHODS |= {"VS": "Vector scaling", "MS": "Matrix scaling"}
ARENA_METRICS = {
    "accuracy": "Accuracy",
    "ece-15": "ECE",
    "logloss": "NLL",
    "brier": "Brier",
}
ARENA_DATASETS = {
    "c10": "CIFAR-10",
    "c100": "CIFAR-100",
    "birds": "Birds",
    "SVHN": "SVHN",
}
ARENA_DATASETS |= {"imagenet": "ImageNet", "derma": "DermaMNIST", "oct": "OCTMNIST"}
ARENA_MODELS = {
    "densenet40": "DenseNet-40",
    "densenet161": "DenseNet-161",
    "lenet5": "LeNet-5",
}
ARENA_MODELS |= {"resnet_wide32": "Wide ResNet-32", "resnet50": "ResNet-50"}
ARENA_MODELS |= {"resnet110": "ResNet-110", "resnet110_SD": "ResNet-110 (SD)"}
ARENA_MODELS |= {
    "resnet152": "ResNet-152",
    "resnet152_SD": "ResNet-152 (SD)",
    "beit": "BEiT",
}
ARENA_MODELS |= {"convnext": "ConvNeXt", "eva": "EVA", "swin": "Swin", "vit": "ViT"}


def rows_of_file(path: str | Path) -> list[Row]:
    return csv_rows(Path(path).read_bytes())


def quba(path: str | Path) -> Iterator[Row]:
    """Yield the networks, the columns that the book uses, the symbols before words dropped."""
    for row in rows_of_file(path):
        out = {new: row[old].strip() for old, new in QUBA.items()}
        for column in ("pretraining", "setup"):
            # symbols stand before the words
            words = re.sub(r"^\W+ ", "", out[column])
            out[column] = SETUPS.get(words, words.removesuffix(" learning").lower())
        out["pretraining"] = PRETRAINING.get(out["pretraining"], "larger")
        yield {"model": out.pop("model"), "family": family(row["Model"]), **out}


def family(model: str) -> str:
    """Return the family of a network: the first name that its own begins with, or none.

    The batch-normalised VGG are a family of their own, and so are the ViT of DINO, DINOv2 and MAE.
    """
    if model.endswith("-bn"):
        return "VGG-BN"
    suffix = next(
        (s for s in ("DINOv2", "DINO", "MAE") if s.lower() in model.lower()), ""
    )
    # the longest name first: SwinV2 before Swin
    for name in sorted(FAMILIES, key=len, reverse=True):
        if re.match(rf"{name}(?![a-z])", model, re.IGNORECASE):
            return f"{name} {suffix}".strip()
    return ""


def calibench(folder: str | Path) -> Iterator[Row]:
    """Yield one row a number; `spread` is what the table prints after its plus-minus sign."""
    for short, metric in CALIBENCH.items():
        for stem in ("bin15", "all_bins"):
            for row in rows_of_file(Path(folder) / f"{short}_{stem}.csv"):
                yield from cells(row, metric, "tables" if stem == "bin15" else "bins")


def cells(row: Row, metric: str, file: str) -> Iterator[Row]:
    match = re.fullmatch(
        r"(cifar100?|imagenet)(?:_(lt|sketch|c))?_(.+)", row["experiment"]
    )
    if match is None:
        raise ValueError(f"experiment: {row['experiment']!r} names no data set")
    dataset, shift, model = match.groups()
    for short, method in METHODS.items():
        value, _, spread = (row.get(short) or "").partition("±")
        if value:
            yield {
                "file": file,
                "dataset": DATASETS[dataset],
                "shift": SHIFTS[shift or ""],
                "model": MODELS[model],
                "method": method,
                "metric": metric,
                "bins": row.get("bin", "15"),
                "value": f"{float(value):.6g}",
                "spread": spread,
            }


def calarena(folder: str | Path) -> Iterator[Row]:
    """Yield one row a number: images of several classes, the papers' methods, errors in percent."""
    for benchmark in ("cv-multiclass", "imagenet-multiclass"):
        for short, method in ARENA_METHODS.items():
            path = Path(folder) / "results" / benchmark / f"{short}.csv"
            for row in rows_of_file(path) if path.is_file() else []:
                yield from arena_cells(row, short, method)


def arena_cells(row: Row, short: str, method: str) -> Iterator[Row]:
    for column, metric in ARENA_METRICS.items():
        value = float(row[f"{short}_{column}"])
        yield {
            "dataset": ARENA_DATASETS[row["dataset"]],
            "model": ARENA_MODELS[row["model"]],
            "n_calibration": row["cal_size"],
            "n": row["test_size"],
            "method": method,
            "metric": metric,
            "value": f"{value if metric in ('NLL', 'Brier') else 100 * value:.8g}",
        }


def calarena_maps(folder: str | Path) -> list[Row]:
    """Return a row an experiment of all benchmarks, a column a metric of a map, five digits.

    A cell is empty where the benchmark lacks the map. Variants of CatBoost that only one benchmark
    has are left out.
    """
    maps: dict[tuple[str, str, str], Row] = {}
    for path in sorted(Path(folder).glob("results/*/*.csv")):
        if path.stem in ("CB", "CB-monotone", "CB-tiny", "CB-tiny-monotone"):
            continue
        for row in rows_of_file(path):
            key = path.parent.name, row["dataset"], row["model"]
            names = ("benchmark", "dataset", "model")
            cells = maps.setdefault(key, dict(zip(names, key, strict=True)))
            for old, new in (("brier", "brier"), ("logloss", "nll"), ("ece-15", "ece")):
                text = row[f"{path.stem}_{old}"]
                cells[f"{new} {path.stem}"] = f"{float(text):.5g}" if text else ""
    columns: Row = {}
    for row in maps.values():
        columns |= dict.fromkeys(row, "")
    return [columns | row for row in maps.values()]


def write(name: str, rows: Iterable[Row]) -> None:
    (HERE / f"{name}.csv").write_bytes(csv_bytes(list(rows)))


if __name__ == "__main__":
    write("quba", quba(sys.argv[1]))
    write("calibench", calibench(sys.argv[2]))
    write("calarena", calarena(sys.argv[3]))
    write("calarena_maps", calarena_maps(sys.argv[3]))
