"""Compute what the part on language models reads: `python -m evidence.studies language.tables`.

First the answers themselves, from the public files to ``data/language``; then tables of them. The
logits of MMLU's choices, whose source states no licence, are not kept: only numbers computed
from them.
"""

import io
import re
from functools import cache, partial
from itertools import combinations

import numpy as np
from scipy import stats

import calib
from calib.files import write_whole
from evidence.language import answers as language
from evidence.language import originals as sources
from evidence.studies.pieces import ROOT, of_bins
from evidence.studies.pieces import generator as of_names

FOLDER = ROOT / "data" / "language"
SEED = 17
N_RESAMPLES = 200
N_DRAWS = 199
N_DRAWS_SUBJECTS = 1999  # so that the smallest p-value can pass Holm's procedure with 57 subjects
MAPS = {
    "platt": calib.PlattScaling(),
    "isotonic": calib.IsotonicCalibration(),
    "histogram": calib.HistogramBinning(n_bins=15, strategy="mass"),
}
MICHAEL = {"BoolQ": "boolq", "HaluEval-QA": "halueval", "LSAT-AR": "lsat", "SAT-EN": "sat"}
MICHAEL |= {"SciQ": "sciq"}
PLAUT = {"arc": "ARC", "hellaswag": "HellaSwag", "mmlu": "MMLU", "truthfulqa": "TruthfulQA"}
PLAUT |= {"winogrande": "WinoGrande"}
generator = partial(of_names, seed=SEED)


def write_arrays(name, arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    FOLDER.mkdir(exist_ok=True)
    write_whole(FOLDER / f"{name}.npz", file.getvalue())
    print(f"data/language/{name}.npz: {len(file.getvalue()):,} bytes")


def write_answers(name, dataset, models, outcome, confidence, group, **more):
    """Write one set of answers as `language.load_answers` reads it."""
    groups, place = np.unique(group, return_inverse=True)
    arrays = {"dataset": np.array(dataset), "models": np.array(models), "outcome": outcome}
    arrays |= {"groups": groups, "group": place.astype(np.uint8)}
    for kind, score in confidence.items():
        arrays[f"confidence_{kind}"] = language.encode(score)
    write_arrays(name, arrays | more)


def tao():
    """The 83 models of Tao et al. as arrays; their questions must be the same."""
    files = [sources.load_answer_source(name) for name in sources.answer_sources("tao")]
    for file in files[1:]:
        for column in ("group", "truth"):
            if not np.array_equal(file[column], files[0][column]):
                raise ValueError(f"{file['model']}: not the questions of {files[0]['model']}")
    return {
        "models": [file["model"] for file in files],
        "outcome": np.stack([file["outcome"] for file in files]),
        "confidence": {
            kind: np.stack([file["confidence"][kind] for file in files])
            for kind in ("token", "verbal", "linguistic")
        },
        "group": files[0]["group"],
        "length": np.stack([file["length"] for file in files]).astype("<u2"),
        "refused": np.array([list(file["refused"].values()) for file in files], "<u2"),
    }


def plaut(dataset):
    """The models of Plaut et al. on one data set."""
    names = [name for name in sources.answer_sources("plaut") if name.endswith(f"-{dataset}")]
    files = [sources.load_answer_source(name) for name in names]
    models = [name.removeprefix("plaut-").removesuffix(f"-{dataset}") for name in names]
    outcome, score = (np.stack(arrays) for arrays in zip(*files, strict=True))
    return {"models": models, "outcome": outcome, "confidence": {"choice": score}}


def answers():
    write_answers("tao-mmlu-pro", "MMLU-Pro", **tao())
    for dataset, title in PLAUT.items():
        outcomes = plaut(dataset)
        group = np.full(outcomes["outcome"].shape[1], title)
        write_answers(f"plaut-{dataset}", title, group=group, **outcomes)
    for file in sources.load_answer_source("michael-answers"):
        name = f"michael-{MICHAEL[file.dataset]}"
        write_answers(name, file.dataset, file.models, file.outcome, file.confidence, file.group)
    life = sources.load_answer_source("michael-lifeeval")
    models, place = np.unique(life["model"], return_inverse=True)
    arrays = {"models": models, "model": place.astype(np.uint8)}
    arrays |= {
        name: life[name].astype("<u2") for name in ("question", "min_age", "width", "answer")
    }
    arrays |= {"stated": life["stated_confidence"], "probability": life["prob"]}
    write_arrays("lifeeval", arrays)


def auroc(hit, score):
    """Chance that a right answer has the higher confidence, ties half, and its standard error.

    DeLong, DeLong and Clarke-Pearson (1988).
    """
    of_hits, of_misses = score[hit], score[~hit]
    if not len(of_hits) or not len(of_misses):
        return np.nan, np.nan
    rank = stats.rankdata(score)
    above = (rank[hit] - stats.rankdata(of_hits)) / len(of_misses)
    below = 1 - (rank[~hit] - stats.rankdata(of_misses)) / len(of_hits)
    spread = sum(v.var(ddof=1) / len(v) if len(v) > 1 else np.nan for v in (above, below))
    return float(above.mean()), float(np.sqrt(spread))


def pair_nll(hit, score):
    """NLL of the pairs; infinite where a confidence of 1 was wrong or of 0 right."""
    with np.errstate(divide="ignore"):
        return float(-np.log(np.where(hit, score, 1 - score)).mean())


def subject_interval(hit, score, group, rng):
    """95 % basic interval of the ECE and of confidence less accuracy, subjects drawn again."""
    names, place = np.unique(group, return_inverse=True)
    if len(names) < 5:
        return {}
    cell = place * 15 + calib.equal_width(15)(score, hit).assign(score)
    gap = np.bincount(cell, hit - score, 15 * len(names)).reshape(-1, 15)
    size = np.bincount(place)
    times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), 2000)
    once, resampled, n = gap.sum(axis=0), times @ gap, times @ size
    of_ece = np.abs(once).sum() / len(hit), np.abs(resampled).sum(axis=1) / n
    over = -once.sum() / len(hit), -resampled.sum(axis=1) / n
    return basic("ece_subject_", *of_ece) | basic("over_subject_", *over)


def basic(name, value, resampled):
    """The ends of a 95 % basic interval, by those resamples whose value is known."""
    low, high = 2 * value - np.nanquantile(resampled, [0.975, 0.025])
    return {f"{name}low": float(low), f"{name}high": float(high)}


def measures(hit, score, rng):
    ece = calib.bootstrap(calib.ece, hit, score, method="basic", n_resamples=N_RESAMPLES, rng=rng)
    area, error = auroc(hit, score)
    curve = calib.risk_coverage(hit, score)
    return {
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": ece.value,
        "ece_low": ece.low,
        "ece_high": ece.high,
        "ece_chance": calib.error_if_calibrated(score),
        "ks": calib.ks_error(hit, score),
        "smooth_ece": calib.smooth_ece(hit, score),
        "brier": calib.top1_brier(hit, score),
        "nll": pair_nll(hit, score),
        "auroc": area,
        "auroc_low": area - 1.96 * error,
        "auroc_high": area + 1.96 * error,
        "aurc": calib.aurc(hit, score),
        "risk_80": curve.risk_at(0.8),
        "risk_50": curve.risk_at(0.5),
    }


HEAD = ["source", "model", "dataset", "group", "confidence", "unanswered"]
BLANK = dict.fromkeys(
    [f"{name}_subject_{end}" for name in ("ece", "over") for end in ("low", "high")], ""
)


def measured(found, model, kind, group=None, missing="left out"):
    """One row of language.csv, or none where there are not ten answers with a confidence."""
    score, hit = found.pairs(model, kind, group=group, missing=missing)
    if len(hit) < 10:
        return []
    row = found.models.index(model)
    in_group = np.ones(len(found.group), bool) if group is None else found.group == group
    has_score = ~np.isnan(found.confidence[kind][row, in_group])
    answered = found.outcome[row, in_group] != sources.MISSING
    rng = generator(found.source, found.dataset, model, kind, group, missing)
    head = [found.source, model, found.dataset, group or "all", kind, missing]
    values = dict(zip(HEAD, head, strict=True)) | measures(hit, score, rng)
    values |= {"asked": int(in_group.sum()), "share_unanswered": float(np.mean(~answered))}
    values |= {"share_without_confidence": float(1 - has_score[answered].mean())} | BLANK
    if group is None and missing == "left out":
        values |= subject_interval(hit, score, found.group[has_score & answered], rng)
    return [values]


def rows_of(found):
    for model in found.models:
        for kind, scores in found.confidence.items():
            if np.isnan(scores[found.models.index(model)]).all():
                continue
            yield from measured(found, model, kind)
            yield from measured(found, model, kind, missing="wrong")
            groups = np.unique(found.group)
            for group in groups if len(groups) > 1 else []:
                yield from measured(found, model, kind, group)
        print(f"{found.source} {found.dataset} {model}", flush=True)


def choice_answers(choices):
    """The answers of one model whose choices' logits are known, as pairs."""
    score, hit = calib.top_label(choices.y, calib.softmax(choices.logits))
    source, outcome = choices.source.partition("-")[0], hit[None].astype(np.uint8)
    kinds = {"choice": score[None]}
    return sources.Answers(source, choices.dataset, [choices.model], outcome, kinds, choices.group)


def halves(n, rng):
    """A random half of n samples and the other half, as masks."""
    first = np.zeros(n, bool)
    first[rng.permutation(n)[: n // 2]] = True
    return [(first, ~first), (~first, first)]


def mapped(name, hit, score, rng):
    """Scores after a map that was fitted on the other half of the samples."""
    if name == "none":
        return score
    after = np.empty(len(score))
    for fit, apply in halves(len(score), rng):
        after[apply] = MAPS[name].fit(score[fit], hit[fit]).predict(score[apply])
    return after


KEPT = "n accuracy mean_confidence ece ece_low ece_high ece_chance ks brier nll auroc".split()


def map_rows(found):
    """Pairs before and after each map, the maps fitted on held-out halves."""
    for model in found.models:
        for kind in found.confidence:
            score, hit = found.pairs(model, kind)
            for name in ("none", *MAPS) if len(hit) >= 100 else ():
                rng = generator("maps", found.source, found.dataset, model, kind)
                values = measures(hit, mapped(name, hit, score, rng), rng)
                yield map_row([found.source, model, found.dataset, kind, name, ""], values)


def temperature_rows(choices):
    """The same with one temperature, which needs the scores of all choices."""
    rng = generator("maps", choices.source, choices.dataset, choices.model, "choice")
    after = own_temperature(choices.y, choices.logits, rng)
    score, hit = calib.top_label(choices.y, after)
    temperature = calib.TemperatureScaling().fit(choices.logits, choices.y).temperature_
    head = [choices.source.partition("-")[0], choices.model, choices.dataset, "choice"]
    yield map_row([*head, "temperature", temperature], measures(hit, score, rng))


def map_row(head, values):
    keys = ["source", "model", "dataset", "confidence", "map", "temperature"]
    return dict(zip(keys, head, strict=True)) | {key: values[key] for key in KEPT}


TRANSFER = ["source", "model", "dataset", "group", "confidence", "map", "fitted_on", "temperature"]


def transfer_row(head, hit, score, *, temperature="", n_draws=N_DRAWS):
    """ECE of one group beside its level by chance, with the test's p-value."""
    rng = generator("transfer", *head)
    test = calib.consistency_test(calib.ece, hit, score, n_resamples=n_draws, rng=rng)
    return dict(zip(TRANSFER, [*head, temperature], strict=True)) | {
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": test.statistic,
        "ece_chance": calib.error_if_calibrated(score),
        "brier": calib.top1_brier(hit, score),
        "p_value": test.p_value,
    }


def transfer_between_groups(found):
    """Isotonic regression of one group's pairs, fitted on the other groups."""
    for row, model in enumerate(found.models):
        for kind, scores in found.confidence.items():
            score, hit = found.pairs(model, kind)
            group = found.group[~np.isnan(scores[row]) & (found.outcome[row] != sources.MISSING)]
            for name in np.unique(group) if len(hit) >= 1000 else []:
                inside_group, head = group == name, [found.source, model, found.dataset, name, kind]
                elsewhere = score[~inside_group], hit[~inside_group]
                yield from transfers(
                    head, (score[inside_group], hit[inside_group]), elsewhere, "other subjects"
                )


def transfer_between_sets(sets):
    """Isotonic regression of one data set's pairs, fitted on the other sets."""
    for model in sets[0].models:
        pairs = {answers.dataset: answers.pairs(model, "choice") for answers in sets}
        for name, target in pairs.items():
            elsewhere = [pair for dataset, pair in pairs.items() if dataset != name]
            elsewhere = [np.concatenate(arrays) for arrays in zip(*elsewhere, strict=True)]
            head = [sets[0].source, model, name, "all", "choice"]
            yield from transfers(head, target, elsewhere, "other sets")


def transfers(head, own, others, where):
    """Rows without a map, with the others' map and with the group's own, held out."""
    score, hit = own
    if len(hit) < 30 or hit.all() or not hit.any():
        return
    yield transfer_row([*head, "none", ""], hit, score)
    isotonic = calib.IsotonicCalibration().fit(*others)
    yield transfer_row([*head, "isotonic", where], hit, isotonic.predict(score))
    after = mapped("isotonic", hit, score, generator("transfer halves", *head))
    yield transfer_row([*head, "isotonic", "other half"], hit, after)


def temperature_transfer(choices):
    """One temperature for a subject, from the other subjects, and the subject's own."""
    for name in np.unique(choices.group):
        in_subject = choices.group == name
        head = [choices.source.partition("-")[0], choices.model, choices.dataset, name, "choice"]
        y, logits = choices.y[in_subject], choices.logits[in_subject]

        def row(label, prob, y=y, **temperature):
            pair = calib.top_label(y, prob)[::-1]
            return transfer_row(label, *pair, n_draws=N_DRAWS_SUBJECTS, **temperature)

        yield row([*head, "none", ""], calib.softmax(logits))
        scaling = calib.TemperatureScaling().fit(
            choices.logits[~in_subject], choices.y[~in_subject]
        )
        after, head = scaling.predict_proba(logits), [*head, "temperature"]
        yield row([*head, "other subjects"], after, temperature=scaling.temperature_)
        try:
            after = own_temperature(y, logits, generator("subject halves", *head))
            scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits, y)
        except calib.ConvergenceError:  # the model knows nothing of the subject: T is infinite
            continue
        yield row([*head, "other half"], after, temperature=scaling.temperature_)


def own_temperature(y, logits, rng):
    """Probabilities at the temperature that was fitted on the other half."""
    after = np.empty(logits.shape)
    for fit, apply in halves(len(y), rng):
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits[fit], y[fit])
        after[apply] = scaling.predict_proba(logits[apply])
    return after


def bin_rows(choices):
    """Bins of the diagrams of models whose answers are not kept."""
    scaling = calib.TemperatureScaling().fit(choices.logits, choices.y)
    for name, map_ in (("none", calib.softmax), ("temperature", scaling.predict_proba)):
        prob = map_(choices.logits)
        head = {"source": choices.source.partition("-")[0], "model": choices.model, "map": name}
        for row in of_bins(head, calib.equal_width(15)(*calib.top_label(choices.y, prob))):
            yield row | {"hit_sum": int(row["hit_sum"])}


PAIRED = ("accuracy", "mean_confidence", "overconfidence", "ece", "brier", "auroc")


def weighted_measures(hit, score, times):
    """Measures of the pairs where pair i is counted times[r, i] times, one value a row r."""
    total = times.sum(axis=1)
    by_bin = np.argsort(calib.equal_width(15)(score, hit).assign(score), kind="stable")
    by_score = np.argsort(score, kind="stable")

    def sums(values, order, keys):
        first = np.append(0, np.flatnonzero(np.diff(keys[order])) + 1)
        return np.add.reduceat((times * values)[:, order], first, axis=1)

    gap = sums(score - hit, by_bin, calib.equal_width(15)(score, hit).assign(score))
    of_hits, of_misses = (sums(values, by_score, score) for values in (hit, ~hit))
    below = np.cumsum(of_misses, axis=1) - of_misses / 2
    accuracy, confidence = times @ hit / total, times @ score / total
    return {
        "accuracy": accuracy,
        "mean_confidence": confidence,
        "overconfidence": confidence - accuracy,
        "ece": np.abs(gap).sum(axis=1) / total,
        "brier": times @ (hit - score) ** 2 / total,
        "auroc": (of_hits * below).sum(axis=1) / (of_hits.sum(axis=1) * of_misses.sum(axis=1)),
    }


def comparisons(models):
    """Pairs of models that differ in one thing."""
    names = set(models.model)
    for model in models.model:
        if model.startswith("Qwen3"):
            root = re.sub("(-think)?(-AWQ)?(-FP8)?(-Base)?$", "", model)
            if model != root and root in names:
                kind = {"Base": "tuned", "think": "reasoning"}.get(model.rsplit("-", 1)[1])
                first, second = (model, root) if kind == "tuned" else (root, model)
                yield kind or "quantised", first, second
    yield "reasoning", "Phi-4-mini-instruct", "Phi-4-mini-reasoning"
    yield "reasoning", "deepseek-chat", "deepseek-reasoner"


def paired_rows(found):
    """Differences between models that answered the same questions, and between confidences."""
    for comparison, first, second in comparisons(language.language_models()):
        for kind in found.confidence:
            rows, (score_a, score_b) = found.paired(first, second, kind)
            if rows.sum() >= 1000:
                head = [found.source, comparison, first, second, kind, kind]
                yield from differences(head, score_a, score_b, found.group[rows])
        print(comparison, first, second, flush=True)
    yield from kind_rows(found)


def kind_rows(found):
    """Differences between the confidences of each model."""
    for row, model in enumerate(found.models):
        for kinds in combinations(found.confidence, 2):
            scores = [found.confidence[kind][row] for kind in kinds]
            answered = ~np.isnan(scores).any(axis=0) & (found.outcome[row] != sources.MISSING)
            if answered.sum() >= 1000:
                hit = found.outcome[row, answered] == sources.RIGHT
                pairs = ((score[answered], hit) for score in scores)
                head = [found.source, "kind", model, model, *kinds]
                yield from differences(head, *pairs, found.group[answered])


def differences(head, one, two, group):
    """Second less first in each metric; questions, and subjects, drawn again in pairs."""
    keys = ["source", "comparison", "first", "second", "first_confidence", "second_confidence"]
    rng, n = generator("paired", *head), len(group)
    place = np.unique(group, return_inverse=True)[1]

    def counted(size):
        rows = rng.integers(size, size=(N_RESAMPLES, size))
        return np.array([np.bincount(row, minlength=size) for row in rows])

    times = {"once": np.ones((1, n)), "": counted(n), "subject_": counted(place.max() + 1)}
    times["subject_"] = times["subject_"][:, place]
    estimates = [
        {key: weighted_measures(hit, score, count) for key, count in times.items()}
        for score, hit in (one, two)
    ]
    for metric in PAIRED:
        first, second = (float(values["once"][metric][0]) for values in estimates)
        row = dict(zip(keys, head, strict=True)) | {"metric": metric, "n": n}
        row |= {"first_value": first, "second_value": second, "difference": second - first}
        for name in ("", "subject_"):
            row |= basic(
                name, second - first, estimates[1][name][metric] - estimates[0][name][metric]
            )
        yield row


def lifeeval_rows(life):
    """Stated confidence against the life table's probability, by model and width."""
    statistics = {
        "bias": lambda s, t: (s - t).mean(),
        "distance": lambda s, t: np.abs(s - t).mean(),
        "correlation": lambda s, t: np.corrcoef(s, t)[0, 1] if s.std() > 0 else np.nan,
    }
    for (model, width), rows in life.groupby(["model", "width"]):
        stated, truth = rows.stated.to_numpy(), rows.probability.to_numpy()
        rng = generator("lifeeval", model, width)
        draws = rng.integers(len(rows), size=(N_RESAMPLES, len(rows)))
        row = {"model": model, "width": width, "n": len(rows)}
        row |= {"stated": stated.mean(), "probability": truth.mean()}
        for name, statistic in statistics.items():
            row[name] = statistic(stated, truth)
            again = [statistic(stated[i], truth[i]) for i in draws]
            row |= basic(f"{name}_", row[name], again)
        yield row


def text(rows):
    for row in rows:
        yield {
            key: f"{value:.5g}" if isinstance(value, float | np.floating) else value
            for key, value in row.items()
        }


@cache
def choice_sources():
    names = [*sources.answer_sources("choices"), *sources.answer_sources("scores")]
    return [sources.load_answer_source(name) for name in names]


@cache
def kept_sets():
    return {name: language.load_answers(name) for name in language.answer_sets()}


def everything():
    return [*kept_sets().values(), *map(choice_answers, choice_sources())]


def all_map_rows():
    for answers in everything():
        yield from map_rows(answers)
    for source in choice_sources():
        yield from temperature_rows(source)


def all_transfer_rows():
    sets = kept_sets()
    yield from transfer_between_groups(sets["tao-mmlu-pro"])
    yield from transfer_between_sets([sets[f"plaut-{name}"] for name in PLAUT])
    for source in choice_sources():
        if len(np.unique(source.group)) > 1:
            yield from temperature_transfer(source)


TABLES = {
    "answers": answers,  # no table
    "language": lambda: text(row for found in everything() for row in rows_of(found)),
    "language_maps": lambda: text(all_map_rows()),
    "language_paired": lambda: text(paired_rows(kept_sets()["tao-mmlu-pro"])),
    "language_transfer": lambda: text(all_transfer_rows()),
    "language_bins": lambda: text(row for part in choice_sources() for row in bin_rows(part)),
    "language_lifeeval": lambda: text(lifeeval_rows(language.load_lifeeval())),
}
