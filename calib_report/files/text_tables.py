"""A text of cells as a table: its separator, heading, comments and sign of decimals."""

# Mirrored by the answer desk, book/assets/desk/table.js: change both.

import csv
import re
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from calib_report.contract import PATTERNS, ReadingError
from calib_report.files.extras import ending_of, extra

SEPARATORS = ",;\t|"
LINES_OF_HEAD = 100  # by which the layout of a text file is told
# how names begin of columns that have none, behind the last that has
NAMELESS = "\0nameless "


def frame_of_text(path: Path, **options: Any) -> Any:
    """Return a text file as a data frame: UTF-16 where it says so, Windows-1252 if not UTF-8."""
    pandas = extra("pandas", "tables")
    options = {"keep_default_na": False, "na_values": ["", "nan", "NaN"]} | options
    with open(path, "rb") as file:
        wide = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    # cp1252 last: any bytes are text in it
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        with warnings.catch_warnings(), suppress(UnicodeDecodeError):
            # rows of more cells than names are a warning only, and would be cut
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            # pandas would guess: it takes "1,5" for text, and a comment for the heading
            layout = _layout(path, encoding)
            if "dtype" not in options:
                options["dtype"] = dict.fromkeys(layout.whole, str)
            frame = pandas.read_csv(
                path, header=None, index_col=False, low_memory=False, encoding=encoding,
                skipinitialspace=True, **layout.options | options,
            )  # fmt: skip
            return _without_nameless(frame)
    raise ReadingError("not a text file in UTF-8, UTF-16 or Windows-1252")


def _without_nameless(frame: Any) -> Any:
    """Leave out columns without a name that hold nothing, as Excel writes behind the last."""
    nameless = [name for name in frame.columns if name.startswith(NAMELESS)]
    cells = frame[nameless]
    if not ((cells.isna()) | (cells == "")).all(axis=None):
        raise ReadingError("more than one column is named ''")
    return frame.drop(columns=nameless)


@dataclass(frozen=True)
class Layout:
    """How a text file is written: options of pandas, and columns of whole numbers."""

    options: dict[str, Any]
    whole: list[str]


def _layout(path: Path, encoding: str) -> Layout:
    """Return how a text file is written; lines that begin with # may stand before its heading."""
    with open(path, encoding=encoding, newline="") as file:
        head = list(islice(file, LINES_OF_HEAD))
    before = len([*takewhile(_is_comment, head)])
    separator = _separator(path, head, before)
    names, before = _commented_heading(head, before, separator)
    names, above = _heading(names, head[before + 1 :], before)
    _refuse_same_names(names)
    options = {
        "names": names,
        "skiprows": above,
        "decimal": _decimal_sign(head[above:], separator),
        "sep": r"\s+" if separator == " " else separator,
    }
    return Layout(options, _whole_columns(names, head[above:], separator))


def _whole_columns(names: list[str], lines: list[str], separator: str) -> list[str]:
    """Return the columns whose first cells are whole numbers, which pandas would make floats."""
    cells: dict[str, list[str]] = {name: [] for name in names}
    for line in lines:
        # a row may be shorter than the heading
        for name, cell in zip(names, _cells([line], separator), strict=False):
            cells[name].append(cell)
    return [name for name in names if _are_written_whole(cells[name])]


def _commented_heading(
    head: list[str], before: int, separator: str
) -> tuple[list[str], int]:
    """Return the names in the first line, or in a comment above numbers, as numpy writes it."""
    names = _cells(head[before:], separator)
    if before == 0 or len(names) < 2 or not _are_numbers(names):
        return names, before
    # numpy.savetxt writes its heading behind a #
    commented = _cells([head[before - 1].lstrip("# ")], separator)
    if len(commented) == len(names) and not _are_numbers(commented):
        return commented, before - 1
    return names, before


def _refuse_same_names(names: list[str]) -> None:
    if not names:
        raise ReadingError("it is empty")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ReadingError(f"more than one column is named {name!r}")


def _decimal_sign(lines: list[str], separator: str) -> str:
    has_commas = any(map(PATTERNS["decimal_comma"].search, lines))
    return "," if separator != "," and has_commas else "."


def _is_comment(line: str) -> bool:
    return not line.strip() or line[0] == "#" or line.lower().startswith("sep=")


def _separator(path: Path, head: list[str], before: int) -> str:
    """Return what stands between cells: as a line `sep=;` says, or what the heading holds most."""
    for line in head[:before]:
        if line.lower().startswith("sep="):
            return line[4:5]
    if ending_of(path) == ".tsv":
        return "\t"
    return _commonest_separator(head[before:])


def _commonest_separator(lines: list[str]) -> str:
    """Return the sign that the heading holds most; a space where words alone stand in lines."""
    heading = "".join(lines[:1])
    separator = max(SEPARATORS, key=heading.count)
    is_spaced = separator not in heading and _are_spaced(lines)
    return " " if is_spaced else separator


def _are_spaced(lines: list[str]) -> bool:
    """Tell whether all lines hold as many words, and more than one."""
    counts = {len(line.split()) for line in lines if line.strip()}
    return len(counts) == 1 and max(counts) > 1


def _cells(lines: list[str], separator: str) -> list[str]:
    if separator == " ":
        return lines[0].split() if lines else []
    # strict: a quote that was never closed would swallow the lines below
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    cells = next(reader, [])
    return [name.strip() for name in cells]


def _are_numbers(names: list[str]) -> bool:
    return all(re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", name, re.I) for name in names)


def _are_written_whole(cells: list[str]) -> bool:
    return bool(cells) and all(re.fullmatch(r"[-+]?\d+|", cell) for cell in cells)


def _heading(names: list[str], below: list[str], before: int) -> tuple[list[str], int]:
    """Return the names of the columns, and how many lines stand above the data."""
    names = _with_places(names)
    if _is_data_of_one_column(names, below):
        return [""], before
    if _are_data(names):
        raise ReadingError(
            f"its first line holds the numbers {', '.join(names[:3])}: the first line should "
            "name the columns, such as label,prob_cat,prob_dog (with numpy.savetxt: "
            "header='label,prob_cat,prob_dog', comments='')"
        )
    return names, before + 1


def _are_data(names: list[str]) -> bool:
    """Tell whether a first line names nothing, since numbers stand in it."""
    # pandas names columns 0, 1, 2 where they have no names
    are_counted = names == [*map(str, range(len(names)))]
    return names != [] and _are_numbers(names) and not are_counted


def _with_places(names: list[str]) -> list[str]:
    """Return names, of which those behind the last are numbered: Excel writes empty columns."""
    last = max((k for k, name in enumerate(names) if name), default=0)
    return [n if k <= last else f"{NAMELESS}{k}" for k, n in enumerate(names)]


def _is_data_of_one_column(names: list[str], below: list[str]) -> bool:
    """Tell whether the first line of one column, such as labels, is none but data."""
    if len(names) != 1 or not names[0]:
        return False
    cells = [*filter(None, map(str.strip, below))]
    # a label comes again, and a number stands among numbers
    return names[0] in cells or _are_numbers([*names, *cells])
