"""Turn the tables in the papers' texts into the CSV files beside this script.

Run as ``python data/published/parse.py PAPERS`` where PAPERS holds the four text files named in
``PAPERS`` below. Values are copied as printed, without their percent sign.
"""

import argparse
import csv
import re
from pathlib import Path

COLUMNS = ["paper", "table", "metric", "dataset", "model", "loss", "method", "value"]

PAPERS = {
    "guo2017": "guo2017-slides.txt",
    "nixon2019": "nixon2019-measuring.txt",
    "gupta2021": "gupta2021-splines.txt",
    "vasilev2021": "vasilev2021-survey.txt",
}

METHODS = {
    "Uncalibrated": "Uncalibrated",
    "Before calibration": "Uncalibrated",
    "Hist. Binning": "Histogram binning",
    "Hist-binning": "Histogram binning",
    "Isotonic": "Isotonic regression",
    "BBQ": "BBQ",
    "Temp. Scaling": "Temperature scaling",
    "T-scaling": "Temperature scaling",
    "Vector Scaling": "Vector scaling",
    "V-scaling": "Vector scaling (no bias)",
    "V-scaling-b": "Vector scaling",
    "Matrix Scaling": "Matrix scaling",
    "M-scaling-b": "Matrix scaling",
    "MS-ODIR": "MS-ODIR",
    "Dir-ODIR": "Dir-ODIR",
    "Ours (Spline)": "Spline",
}

DATASETS = {
    "20 News": "20 Newsgroups",
    "SST Binary": "SST-2",
    "SST Fine Grained": "SST-5",
    "TinyImageNet": "Tiny ImageNet",
}

NIXON_ROWS = [
    "Uncalibrated",
    "Temperature scaling",
    "Vector scaling",
    "Matrix scaling",
    "Isotonic regression",
]

GUPTA_METRICS = {
    1: "KS",
    2: "KS top-2",
    4: "KS within-top-2",
    5: "Accuracy",
    6: "ECE",
}

VASILEV_METRICS = {
    **{1: "ECE", 2: "cwECE"},
    **{3: "Accuracy", 4: "Accuracy", 5: "ECE", 6: "ECE", 7: "cwECE", 8: "cwECE"},
    **{9: "MCE", 10: "MCE", 11: "NLL", 12: "NLL", 13: "Brier", 14: "Brier"},
}

NUMBER = re.compile(r"\d+\.\d+")


def dataset_name(printed: str) -> str:
    """One spelling for each dataset."""
    return DATASETS.get(printed, printed)


def model_name(printed: str) -> str:
    """One spelling for each network: family, then depth after a hyphen, then its variant."""
    name = re.sub(r"[-_ ]?SD$|[ ]\(SD\)$", " (SD)", printed)
    name = re.sub(r"(?i)^resnet[- ]?(?=\d)", "ResNet-", name)
    name = re.sub(r"(?i)^densenet[- ]?(?=\d)", "DenseNet-", name)
    name = re.sub(r"(?i)^wide[- ]resnet[- ]?(?=\d)", "Wide ResNet-", name)
    name = re.sub(r"(?i)^lenet[- ]?(?=\d)", "LeNet-", name)
    name = re.sub(r"^DAN (?=\d)", "DAN-", name)
    name = re.sub(r"^VGG(\d+)_bn$", r"VGG-\1-BN", name)
    name = re.sub(r"_x(\d)_(\d)$", r" x\1.\2", name)
    name = re.sub(r"^InceptionV3$", "Inception-v3", name)
    name = re.sub(r"^GoogleNet$", "GoogLeNet", name)
    return re.sub(r"^(EfficientNet|MobileNetV2|RepVGG)_b?(?=\d)", _variant, name)


def _variant(match: re.Match) -> str:
    return f"{match[1]}-B" if match[0].endswith("b") else f"{match[1]}-"


def header_methods(header: str) -> list[str]:
    """The methods that a table's header names, in its order."""
    names = sorted(METHODS, key=len, reverse=True)
    found = re.findall("|".join(rf"(?<!\S){re.escape(name)}(?!\S)" for name in names), header)
    return [METHODS[name] for name in found]


def record(paper, table, metric, dataset, model, loss, method, value) -> dict:
    """One cell of one table, its names normalised."""
    names = (dataset_name(dataset), model_name(model), loss, method, value)
    return dict(zip(COLUMNS, (paper, str(table), metric, *names), strict=True))


def parse_guo(text: str) -> list[dict]:
    """Table 1: ECE with 15 bins; a dash where matrix scaling did not converge."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Dataset\tModel"))
    methods = [METHODS[name] for name in lines[start].split("\t")[2:]]
    rows = []
    for line in lines[start + 1 :]:
        if not line.strip():
            break
        dataset, model, *cells = re.sub(r"</?b>", "", line).split("\t")
        rows += [
            record("guo2017", 1, "ECE", dataset, model, "", method, cell.removesuffix("%"))
            for method, cell in zip(methods, cells, strict=True)
            if cell != "-"
        ]
    return rows


def parse_nixon(text: str) -> list[dict]:
    """Tables 1 and 2, whose row names the text lost: `NIXON_ROWS` is inferred."""
    networks = [("CIFAR-100", "ResNet-110"), ("ImageNet", "ResNet-50")]
    blocks = re.split(r"^Method +ECE +TACE +SCE +ACE *$", text, flags=re.M)[1:]
    rows = []
    for table, ((dataset, model), block) in enumerate(zip(networks, blocks, strict=True), 1):
        cells = re.findall(r"^\s*([\d.]+% .*)$", block, flags=re.M)
        for method, line in zip(NIXON_ROWS, cells, strict=True):
            values = NUMBER.findall(line)
            rows += [
                record("nixon2019", table, metric, dataset, model, "", method, value)
                for metric, value in zip(["ECE", "TACE", "SCE", "ACE"], values, strict=True)
            ]
    return rows


def tables_before_captions(text: str) -> dict[int, list[str]]:
    """The lines above each caption ``Table N: …``, from the table's header on."""
    tables, lines = {}, []
    for line in text.splitlines():
        caption = re.match(r"Table (\d+): ", line)
        if caption:
            tables[int(caption[1])] = lines
        elif line.startswith(("Dataset Model", "Calibration Metric Model")):
            lines = [line]
        else:
            lines.append(line)
    return tables


def split_rows(lines: list[str]) -> list[tuple[str, list[str]]]:
    """For each table row among lines: the words before its values, and the values."""
    rows = [re.fullmatch(r"(.*?)((?: \d+\.\d+){5,})", line) for line in lines]
    return [(row[1], row[2].split()) for row in rows if row]


def parse_gupta(text: str) -> list[dict]:
    """Tables 1, 2, 4, 5, 6 (percent) and 7 (fractions, ImageNet, grouped by metric)."""
    tables = tables_before_captions(text)
    rows = []
    for table, metric in GUPTA_METRICS.items():
        dataset = None
        for name, values in split_rows(tables[table]):
            first = re.match(r"(CIFAR-10|CIFAR-100|ImageNet|SVHN) (.*)", name)
            dataset, model = first.groups() if first else (dataset, name)
            rows += [
                record("gupta2021", table, metric, dataset, model, "", method, value)
                for method, value in zip(header_methods(tables[table][0]), values, strict=True)
            ]
    metric = None
    for name, values in split_rows(tables[7]):
        first = re.match(r"(KDE-ECE|MCE|Brier Score) (.*)", name)
        metric, model = first.groups() if first else (metric, name)
        named = "Top-1 Brier" if metric == "Brier Score" else metric
        rows += [
            record("gupta2021", 7, named, "ImageNet", model, "", method, value)
            for method, value in zip(header_methods(tables[7][0]), values, strict=True)
        ]
    return rows


def parse_vasilev(text: str) -> list[dict]:
    """Tables 1 and 2 have a column for each loss, 3 to 14 a column for each method."""
    tables = tables_before_captions(text)
    rows = []
    for table, metric in VASILEV_METRICS.items():
        header = tables[table][0]
        losses = re.findall(r"CE|FL \d|LS 0\.05", header)
        for name, values in split_rows(tables[table]):
            dataset, model, loss = re.fullmatch(r"(\S+) (\S+)(?: \((.*)\))?", name).groups()
            if losses:
                columns = [(column, "Uncalibrated") for column in losses]
            else:
                columns = [(loss or "", method) for method in header_methods(header)]
            rows += [
                record("vasilev2021", table, metric, dataset, model, loss, method, value)
                for (loss, method), value in zip(columns, values, strict=True)
            ]
    return rows


PARSERS = {
    "guo2017": parse_guo,
    "nixon2019": parse_nixon,
    "gupta2021": parse_gupta,
    "vasilev2021": parse_vasilev,
}


def parse(paper: str, folder: Path) -> list[dict]:
    """All cells of the tables of one paper."""
    return PARSERS[paper]((Path(folder) / PAPERS[paper]).read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", type=Path, help="folder that holds the papers' texts")
    folder = parser.parse_args().papers
    for paper in PAPERS:
        rows = parse(paper, folder)
        target = Path(__file__).with_name(f"{paper}.csv")
        with open(target, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        print(f"{target.name}: {len(rows)} rows")


if __name__ == "__main__":
    main()
