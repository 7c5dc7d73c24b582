"""Write the data set, a folder and a zip with the same bytes each time: `make dataset`."""

import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from evidence.data import data_folder, setting_of

ROOT, HERE = Path(__file__).resolve().parents[2], Path(__file__).resolve().parent
DATA, BUILT = data_folder(), ROOT / "_build" / "dataset"
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
TOLD = (DATA / "README.md").read_text("utf-8")
TITLES = {
    "language": ["language/"],
    "results": ["results/", "sources/"],
}
TYPES = {"i": "sc:Integer", "f": "sc:Float", "b": "sc:Boolean"}


def tables() -> dict[str, str]:
    """Return what a row is of each table of the data set, as data/README.md says."""
    rows = re.findall(r"^\| ((?:`\w+\.csv`(?:, )?)+) \| ([^|]+) \|", TOLD, re.MULTILINE)
    row_of = {name: row for names, row in rows for name in re.findall("`(.+?)`", names)}
    there = {path.name: path for path in (DATA / "results").rglob("*.csv")}
    described = {
        there[name].relative_to(DATA).as_posix(): row
        for name, row in row_of.items()
        if name in there
    }
    return {
        "zoo/zoo.csv": "network",
        "language/models.csv": "language model",
    } | described


def evidence() -> dict[str, bytes]:
    """Return the files of the data set by their paths, but those that tell of it."""
    paths = {*(DATA / "zoo").rglob("*.*"), *(DATA / "language").rglob("*.*")}
    paths |= {DATA / path for path in tables()} | set(DATA.glob("sources/*.csv"))
    files = {p.relative_to(DATA).as_posix(): p.read_bytes() for p in sorted(paths)}
    for name, titles in TITLES.items():
        sections = [TOLD.split(f"\n## {t}")[1].split("\n## ")[0] for t in titles]
        text = "\n\n".join(
            f"# {t}{section}" for t, section in zip(titles, sections, strict=True)
        )
        files[f"{name}/README.md"] = f"{text}\n".encode()
    files["load.py"] = (HERE / "load.py").read_bytes()
    return files | {"LICENSE": (ROOT / "LICENSE").read_bytes()}


def croissant() -> dict[str, Any]:
    """Return what Croissant 1.0 says; the address is that of the environment, if it has one."""
    description = json.loads((HERE / "croissant.json").read_text("utf-8"))
    description |= {key: CITED[key] for key in ("version", "keywords")}
    description["datePublished"] = CITED["date-released"]
    description["creator"] = [
        {"@type": "sc:Organization"} | author for author in CITED["authors"]
    ]
    authors = " and ".join(author["name"] for author in CITED["authors"])
    description["citeAs"] = "{}, {name}, version {version}, {datePublished}".format(
        authors, **description
    )
    if address := os.environ.get("BOOK_ADDRESS"):
        description["url"] = address
    kind = {"@type": "cr:FileObject", "encodingFormat": "text/csv"}
    for path in tables():
        digest = sha256((DATA / path).read_bytes()).hexdigest()
        entry = {"@id": path, "name": path, "contentUrl": path, "sha256": digest}
        description["distribution"].append(kind | entry)
    return description | {
        "recordSet": [records(path, row) for path, row in tables().items()]
    }


def records(path: str, row: str) -> dict[str, Any]:
    """Return the columns of a table, with the types of their values."""
    table = pd.read_csv(DATA / path, low_memory=False)
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{path}/{column}",
            "name": column,
            "dataType": TYPES.get(table[column].dtype.kind, "sc:Text"),
            "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
        }
        for column in table
    ]
    record_set = {
        "@type": "cr:RecordSet",
        "@id": path.removesuffix(".csv"),
        "name": path,
    }
    return record_set | {"description": f"A row is: {row}", "field": fields}


def zenodo(about: dict[str, Any]) -> dict[str, Any]:
    record = json.loads((HERE / "zenodo.json").read_text("utf-8"))
    record |= {key: about[key] for key in ("description", "version", "keywords")}
    record |= {"title": about["name"], "publication_date": about["datePublished"]}
    return record | {"creators": CITED["authors"]}


def card(about: dict[str, Any], files: dict[str, bytes]) -> str:
    """Return the card, its numbers counted from the files."""
    networks = pd.read_csv(DATA / "zoo" / "zoo.csv")
    public = networks["stopping_rule"] == "published weights"
    setting = setting_of(networks["name"][~public])
    cifar100 = networks["test_accuracy"][networks["dataset"].str.startswith("cifar100")]
    sources = pd.read_csv(DATA / "sources/sources-language.csv")
    names = [
        Path(p).stem for p in files if p.startswith("language/") and p.endswith(".npz")
    ]
    listed = (
        sources["name"]
        .str.split("-")
        .str[0]
        .isin({name.split("-")[0] for name in names})
    )
    numbers = {
        "size": round(sum(map(len, files.values())) / 1e6),
        "networks": len(networks),
        "answers": len(names),
        "tables": sum(path.startswith("results/") for path in tables()),
        "overview": "\n".join(overview(networks)),
        "public": ", ".join(networks["name"][public]),
        "licences": " and ".join(sorted(set(sources["licence"][listed]))),
        "noted": networks["float16_note"].notna().sum(),
        "cifar100": f"{cifar100.min():.0%} to {cifar100.max():.0%}",
        "incomplete": (setting.value_counts() < setting.value_counts().max()).sum(),
        "noisy": (networks["label_noise"] > 0).sum(),
    }
    return (HERE / "card.md").read_text("utf-8").format(**about, **numbers)


def overview(networks: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of a table, a data set a row."""
    for name, rows in networks.groupby("dataset"):
        with np.load(DATA / "zoo" / f"{rows['name'].iloc[0]}.npz") as arrays:
            classes = arrays["test_logits"].shape[1]
        n, m = (
            " or ".join(map(str, sorted(set(rows[c]))))
            for c in ("calibration_n", "test_n")
        )
        kinds = ", ".join(sorted(set(rows["family"])))
        yield f"| {name} | {len(rows)} | {classes} | {n} | {m} | {kinds} |"


def write_release(files: dict[str, bytes], folder: Path) -> None:
    """Write files into a new folder, and beside it the zip: not compressed, without times."""
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(folder.with_suffix(".zip"), "w") as archive:
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
            packed = zipfile.ZipInfo(f"{folder.name}/{path}")
            packed.create_system, packed.external_attr = 3, 0o644 << 16  # on any system
            archive.writestr(packed, content)


def main(folder: Path = BUILT) -> None:
    files, about = evidence(), croissant()
    files["README.md"] = card(about, files).encode()
    for name, description in {"croissant": about, "zenodo": zenodo(about)}.items():
        files[f"{name}.json"] = (
            f"{json.dumps(description, indent=1, ensure_ascii=False)}\n".encode()
        )
    lines = [
        f"{sha256(content).hexdigest()}  {path}\n"
        for path, content in sorted(files.items())
    ]
    write_release(files | {"SHA256SUMS": "".join(lines).encode()}, folder)


if __name__ == "__main__":
    main()
