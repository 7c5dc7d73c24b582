"""How chapters show what they computed: sources, signs, the names of public predictions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from IPython.display import Markdown

from evidence import source_index
from evidence.data import seed_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOCSTRING = re.compile(r'\n\s+r?""".*?"""', flags=re.DOTALL)
DECORATORS = re.compile(r"\A(?:@.*\n)+")  # what completes a docstring goes with it
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
TOP_LABEL = {
    "Frequency": "Accuracy",
    "Mean score": "Mean confidence",
    "Gap: score too high": "Gap: overconfident",
    "Gap: score too low": "Gap: underconfident",
}


def expect(condition: Any, text: str) -> None:
    """Raise ValueError, with what a page says, where that is not so: `text` must be rewritten."""
    if not condition:
        raise ValueError(text)


def glue(name: str, value: Any, *, display: bool = True) -> None:
    """Glue a value to the text of a page; in a notebook without MyST-NB there is no such page."""
    try:
        import myst_nb
    except ImportError:
        return
    myst_nb.glue(name, in_prose(value), display=display)


def glue_values(section: str = "", /, **values: Any) -> None:
    """Glue what only the text shows: ``glue_values("chance", n_bins=15)`` as ``chance-n-bins``."""
    for name, value in values.items():
        glue("-".join(filter(None, [section, *name.split("_")])), value, display=False)


def in_prose(value: Any) -> Any:
    """Return a value as text shows it: numbers of NumPy as numbers, a space between thousands.

    Examples
    --------
    >>> in_prose(np.int64(3)), in_prose("12,032 of 925,338 (1, 2)")
    (3, '12\\xa0032 of 925\\xa0338 (1, 2)')
    """
    value = value.item() if isinstance(value, np.generic) else value
    return (
        THOUSANDS.sub("\N{NO-BREAK SPACE}", value) if isinstance(value, str) else value
    )


def source_of(*functions: Any) -> Markdown:
    """Return the sources of functions without their docstrings, to be shown as code."""
    sources = [
        DECORATORS.sub("", inspect.getsource(function)) for function in functions
    ]
    code = [DOCSTRING.sub("", source, count=1) for source in sources]
    return Markdown("```python\n{}```".format("\n\n".join(code)))


def typeset(text: str) -> str:
    """Return a text with minus signs before its numbers, and a space that holds before each %.

    Examples
    --------
    >>> typeset("-1.5 [-2.0, 3.0], ResNet-56, 1 - 2e-05, -4%")
    '−1.5 [−2.0, 3.0], ResNet-56, 1 − 2e−05, −4\\xa0%'
    """
    minus = re.sub(r"(?<!\w)-(?= ?\d)|(?<=\de)-(?=\d)", "−", text)
    return re.sub(" ?%", "\N{NO-BREAK SPACE}%", minus)


def text_table(table: Any) -> Any:
    """Style a table of words: left-aligned, without its index."""
    left = {"text-align": "left", "vertical-align": "top"}
    head = {"selector": "th", "props": [("text-align", "left")]}
    return (
        table.style.hide(axis="index").set_properties(**left).set_table_styles([head])
    )


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, and no sign on what is rounded to zero but a plus."""
    return typeset(f"{round(value, digits) + 0.0:+.{digits}f}")


FROM_ARCHIVES = {  # one file of the index holds several of these
    "baan-mnli-roberta": "MNLI RoBERTa",
    "baan-snli-bert": "SNLI BERT",
    "baan-snli-roberta": "SNLI RoBERTa",
    "ferrer-cifar10-repvgg-a2": "CIFAR-10 RepVGG-A2",
    "ferrer-cifar10-resnet20": "CIFAR-10 ResNet-20",
    "ferrer-cifar10-vgg19-bn": "CIFAR-10 VGG-19-BN",
    "ferrer-cifar100-repvgg-a2": "CIFAR-100 RepVGG-A2",
    "ferrer-cifar100-resnet20": "CIFAR-100 ResNet-20",
    "ferrer-emotion-wav2vec": "Emotion in speech",
    "ferrer-pneumonia-resnet50": "Chest X-rays",
    "ferrer-speaker-plda": "Speakers",
}


LOWER_CASE = {"timm", "netcal", "calibench"}  # authors who write themselves so


@cache
def source_label(name: str) -> str:
    """Return data set, network and origin of public predictions."""
    if name.startswith("alecwangcq-"):
        return name.removeprefix("alecwangcq-")
    if name.startswith("calarena-"):  # computed by others, no source of ours
        return f"{name.removeprefix('calarena-')} (CalArena)"
    seed = seed_of(name)
    setting = name.removesuffix(f"-s{seed}")
    if setting in FROM_ARCHIVES:
        return FROM_ARCHIVES[setting] + ("" if seed is None else f", seed {seed}")
    author, *_, last = name.split("-")
    if author not in LOWER_CASE:
        author = author.capitalize()
    loss = f", {last}" if last in ("ce", "focal") else ""
    row = source_index().set_index("name").loc[name]
    network = re.sub(" (?:unnamed|unknown)$", "", f"{row['dataset']} {row['model']}")
    return f"{network} ({author}{loss})"


def without_legend(ax: Axes) -> Axes:
    """Return axes less their legend, where lines are named in the text or in a caption."""
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    return ax


def one_legend(axes: Iterable[Axes]) -> None:
    """Draw the legend of several reliability diagrams of the top label once, below all of them."""
    axes = list(axes)
    legends: list[Any] = [ax.get_legend() for ax in axes]
    fullest = max(legends, key=lambda legend: len(legend.get_texts()))
    labels = [
        TOP_LABEL.get(text.get_text(), text.get_text()) for text in fullest.get_texts()
    ]
    place: dict[str, Any] = {
        "loc": "outside lower center",
        "ncols": 2,
        "fontsize": "small",
        "frameon": False,
    }
    axes[0].figure.legend(fullest.legend_handles, labels, **place)
    for ax, legend in zip(axes, legends, strict=True):
        legend.remove()
        if ax.get_ylabel() == "Frequency":
            ax.set_ylabel("Accuracy")
