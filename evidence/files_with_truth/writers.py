"""Writers: each takes what a file is to hold, and returns what writes it to a path."""

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Write = Callable[[Path], object]


def npz(**arrays: Any) -> Write:
    return lambda path: np.savez(path, **arrays)


def npy(array: np.ndarray) -> Write:
    return lambda path: np.save(path, array)


def savetxt(values: np.ndarray, **options: Any) -> Write:
    return lambda path: np.savetxt(path, values, **options)


def csv(table: pd.DataFrame | pd.Series, **options: Any) -> Write:
    return lambda path: table.to_csv(path, **({"index": False} | options))


def columns(**values: Any) -> Write:
    """Write a csv table of columns by name."""
    return csv(pd.DataFrame(values))


def parquet(table: pd.DataFrame) -> Write:
    return lambda path: table.to_parquet(path)


def feather(table: pd.DataFrame) -> Write:
    return lambda path: table.to_feather(path)


def excel(table: pd.DataFrame) -> Write:
    return lambda path: table.to_excel(path, index=False)


def json_table(table: pd.DataFrame, **options: Any) -> Write:
    return lambda path: table.to_json(path, **options)


def json_value(value: Any) -> Write:
    return text(json.dumps(value))


def json_lines(rows: Iterable[Any]) -> Write:
    return text("\n".join(map(json.dumps, rows)))


def text(content: str, encoding: str = "utf-8") -> Write:
    return lambda path: path.write_bytes(content.encode(encoding))


def safetensors(**arrays: np.ndarray) -> Write:
    def write(path: Path) -> None:
        from safetensors.numpy import save_file

        save_file(arrays, path)

    return write


def bfloat16(y: np.ndarray, prob: np.ndarray) -> Write:
    """Write safetensors whose probabilities are the upper halves of float32."""
    n, k = prob.shape
    size = 2 * n * k
    header = {
        "probs": {"dtype": "BF16", "shape": [n, k], "data_offsets": [0, size]},
        "y": {"dtype": "I64", "shape": [n], "data_offsets": [size, size + 8 * n]},
    }
    head = json.dumps(header).encode()
    halves = ((prob.astype("<f4").view("<u4") + 0x8000) >> 16).astype("<u2")
    content = head + halves.tobytes() + y.astype("<i8").tobytes()
    return lambda path: path.write_bytes(len(head).to_bytes(8, "little") + content)


def beside(write: Write, name: str, other: Write) -> Write:
    """Write a second file too, beside the first."""

    def both(path: Path) -> None:
        write(path)
        other(path.parent / name)

    return both


def two_files(scores: pd.DataFrame, truth: pd.DataFrame) -> Write:
    """Write a table of scores, and one of labels beside it."""
    return beside(csv(scores), "truth.csv", csv(truth))


def in_parts(
    table: pd.DataFrame, write: Callable[[pd.DataFrame], Write], ending: str
) -> Write:
    """Write a folder of part files, as Spark does."""

    def parts(path: Path) -> None:
        path.mkdir(exist_ok=True)
        for number, rows in enumerate((slice(0, 50), slice(50, None))):
            write(table.iloc[rows])(path / f"part-{number:05d}-c000.{ending}")
        (path / "_SUCCESS").write_text("")

    return parts


def with_text(write: Write) -> Write:
    """Add a member to an archive that is no array."""

    def both(path: Path) -> None:
        write(path)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("readme.txt", "of June")

    return both
