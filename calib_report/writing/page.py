"""The page: one HTML file, light, dark and on paper, that asks nothing of the network."""

import shlex
from pathlib import Path

from calib_report.analysing.analysis import Report
from calib_report.contract import Changes, as_typed
from calib_report.measuring.by_time import is_drift
from calib_report.measuring.event import MEANING
from calib_report.schema import NO_MAP, Numbers, ReportFile
from calib_report.texts import TEXTS
from calib_report.wording.rendering import templates
from calib_report.wording.words import instruction
from calib_report.writing import figures


def page_text(
    report: Report, content: ReportFile, paths: dict[str, Path], typed: Changes
) -> str:
    """Return the page, or the model card; what was `typed` is typed again to apply the map."""
    chosen, task = content["recommended"]["name"], content["task"]
    words = TEXTS["words"][task]
    changed = chosen != NO_MAP
    apply = ["calib", "apply", paths["map"].name, "NEW", *as_typed(typed), "-o", "OUT"]
    suffix = paths["page"].suffix.lower()
    template = templates().get_template(f"page{suffix}")
    text = template.render(
        TEXTS,
        report=content,
        title=_title([file["name"] for file in content["provenance"]["files"]]),
        meaning=_meaning(task),
        meaning_of_event=MEANING,
        words=words,
        shown=_numbers_shown(content, *words),
        changed=changed,
        no_map=NO_MAP,
        instruction=instruction(content) if changed else "",
        apply=shlex.join(apply),
        names={name: path.name for name, path in paths.items()},
        before=report.outcomes[NO_MAP],
        after=report.outcomes[chosen],
        figures=figures,
        is_drift=is_drift,
    )
    # a number and its sign stay on one line
    return text.replace(" %", "\u00a0%") if suffix == ".html" else text


def _meaning(task: str) -> dict[str, str]:
    """Return what each number means, by its name; of one score some mean something else."""
    of_one_score = {} if task == "classes" else TEXTS["meaning_of_one_score"]
    return TEXTS["meaning"] | of_one_score


def _numbers_shown(content: ReportFile, stated: str, observed: str) -> Numbers:
    """Return the first numbers by their names; of few samples the two that can be told."""
    before = content["before"]
    if content["lack_of_samples"] is None:
        return before
    first = next(iter(before))
    gap = f"{stated} less {observed.lower()}"
    return {first: before[first], gap: content["excess"]}


def _title(names: list[str]) -> str:
    """Return the names of the files that were read."""
    if len(names) > 3:
        return f"{', '.join(names[:3])}, and {len(names) - 3} more files"
    return ", ".join(names) or "outputs in memory"
