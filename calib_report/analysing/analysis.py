"""The analysis of outputs: their numbers, maps compared, one recommended, and a decision."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

import json
from typing import Any, NamedTuple

import numpy as np

from calib import Calibrator, saved_fields
from calib_report.checked_numbers import check_seed
from calib_report.contract import Note
from calib_report.deciding.advice import advice
from calib_report.deciding.comparison_of_maps import compare_maps, n_folds
from calib_report.deciding.decision import decide
from calib_report.deciding.recommendation import fitted_map, recommend
from calib_report.doubting.copies import n_repeated
from calib_report.measuring import measure
from calib_report.measuring.after_map import after_map
from calib_report.measuring.event import event_numbers
from calib_report.measuring.outcome import Outcome, outcome_as_is
from calib_report.measuring.request import request_of
from calib_report.measuring.tables import confidences
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import (
    NO_MAP,
    SCHEMA,
    Basis,
    Event,
    MapRow,
    Measurement,
    Recommendation,
    ReportNumbers,
)
from calib_report.texts import TEXTS
from calib_report.wording.words import decision_in_words, sentence

EVENTS = {"pairs": "right", "labels": "yes"}  # of questions whose classes have no names
SHARE_REPEATED = 0.01  # share of the rows from which repeated ones are worth a note
MOST_ROWS_NAMED = 10


class Report(NamedTuple):
    """All numbers, as report.json holds them; what each map did; the fitted map, and its file."""

    numbers: ReportNumbers
    outcomes: dict[str, Outcome]
    fitted: Calibrator | None
    map_file: bytes | None


def analyse(outputs: ModelOutputs, *, seed: int = 0, **options: Any) -> Report:
    """Measure, compare the maps, recommend one; options are those of :func:`make_report`."""
    check_seed(seed)
    # so far nothing long was computed: a question that makes no sense is refused at once
    request = request_of(outputs, **options)
    costs = None if request.costs is None else request.costs.matrix
    # three steps draw from it: these keep their order, or all intervals change a little
    rng = np.random.default_rng(seed)
    before = outcome_as_is(outputs, costs)
    measurement = measure.measure(outputs, before, rng)
    comparison, outcomes = compare_maps(outputs, as_is=before, seed=seed, costs=costs)
    recommendation = _recommendation(measurement, comparison, outputs)
    name = recommendation["name"]
    fitted, after = fitted_map(outputs, name), outcomes[name]
    with_map = after_map(outputs, before, after, fitted, request, rng, seed)
    other = measure.other_numbers(outputs, before, rng)
    map_file = _map_file(fitted, outputs)
    basis: Basis = {
        "schema": SCHEMA,
        "seed": seed,
        **measurement,
        "folds": n_folds(outputs) if outputs.calibration is None else 0,
        "comparison": comparison,
        "recommended": recommendation,
        **with_map,
        "event": event_of(outputs, before, after),
        "other": other,
        "map": None if map_file is None else json.loads(map_file)["map"],
        "read_as": outputs.read_as,
        "notes": _sentences(notes_on(outputs)),
    }
    return Report(with_sentences(basis), outcomes, fitted, map_file)


def with_sentences(basis: Basis) -> ReportNumbers:
    """Return the numbers with the sentences that rest on them."""
    decision = decide(basis)
    return {
        **basis,
        "decision": decision_in_words(basis, decision),
        "sentence": sentence(basis, decision),
        "advice": advice(basis),
    }


def _recommendation(
    measurement: Measurement, comparison: list[MapRow], outputs: ModelOutputs
) -> Recommendation:
    """Return the map that a report recommends; of a suspect file none."""
    if measurement["looks_wrong"]:
        return {"name": NO_MAP, "reason": TEXTS["reason"]["suspect"], "confirmed": True}
    return recommend(comparison, outputs, measurement["before"]["ECE"]["p_value"])


def event_of(outputs: ModelOutputs, before: Outcome, after: Outcome) -> Event | None:
    """Return the numbers of the event of two answers, as it is and after the map."""
    if before.event_probability is None:
        return None
    name = EVENTS.get(outputs.task, outputs.names[1])
    return {
        "name": name,
        "before": event_numbers(before),
        "after": event_numbers(after),
    }


def _sentences(notes: list[Note]) -> list[str]:
    """Return notes as a report holds them: what looks wrong has a field of its own."""
    return [note.text for note in notes if note.about != "suspicion"]


def notes_on(outputs: ModelOutputs) -> list[Note]:
    """Return what whoever reads numbers of outputs should know: how they were read, what is odd."""
    texts, n = TEXTS["notes"], len(outputs)
    notes = [*outputs.notes, *_note_of_zeros(outputs)]
    repeated = n_repeated(outputs)
    if repeated >= SHARE_REPEATED * n:
        notes.append(Note(texts["repeated"].format(repeated=repeated, n=n)))
    if outputs.task == "pairs":
        notes.append(Note(texts["unknown_from_pairs"]))
    return notes


def _note_of_zeros(outputs: ModelOutputs) -> list[Note]:
    """Say of how many samples the label has probability zero, and of the first which."""
    rows = measure.rows_of_zeros(outputs)
    if len(rows) == 0:
        return []
    first = ", ".join(map(str, rows[:MOST_ROWS_NAMED]))
    first += ", …" * (len(rows) > MOST_ROWS_NAMED)
    sizes = {"zeros": len(rows), "n": len(outputs)}
    text: str = TEXTS["notes"]["zeros"]
    return [Note(text.format(rows=first, floor=outputs.floor, **sizes))]


def _map_file(fitted: Calibrator | None, outputs: ModelOutputs) -> bytes | None:
    """Return the file of a map, with what it was fitted on; None of no map."""
    if fitted is None:
        return None
    samples, names = outputs.calibration or outputs, outputs.names
    # for whoever applies the map where classes are otherwise frequent
    frequencies = np.bincount(samples.y, minlength=outputs.n_classes) / len(samples.y)
    about: Any = {
        "kind": outputs.kind,
        "floor": outputs.floor,
        "frequencies": frequencies,
        # their numbers are no names: another file may number them so too
        "classes": None if names == [*map(str, range(len(names)))] else names,
    }
    content = saved_fields(fitted, **about)
    content["task"] = outputs.task
    content["confidences"] = confidences(samples.prob)
    return f"{json.dumps(content, allow_nan=False)}\n".encode()
