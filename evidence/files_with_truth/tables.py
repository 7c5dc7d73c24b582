"""Tables of text, as scikit-learn, pandas, R, spreadsheets and language models write them."""

import numpy as np

import calib
from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import (
    BEST,
    BEST_NAMES,
    BINARY,
    EVENT_OF_TWO,
    HIT,
    HIT_OF_TWO,
    IDS,
    IN_OTHER_ORDER,
    IS_DOG,
    LOGITS,
    MARKED,
    NAMED,
    NAMES,
    NOISE,
    OF_MARKED,
    P_DOG,
    QUESTIONS,
    STATED,
    SWAPPED,
    TOP,
    WHOLE,
    YES,
    YES_NO,
    N,
    P,
    Y,
    event,
    frame,
    prefixed,
)  # fmt: skip
from evidence.files_with_truth.writers import columns, csv, savetxt, text

TABLE = np.column_stack([Y, P])
NUMPY = {"fmt": ["%d", "%.9f", "%.9f", "%.9f"], "delimiter": ","}
HEADING = {"header": "label,p_0,p_1,p_2"}
LATIN = WHOLE.replace("hen", "h\u00e9n").rename(columns={"hen": "h\u00e9n"})
EVENT = prefixed("prob_", ["False", "True"], BINARY[1])
ONE_HOT = prefixed("label_", values=np.eye(3, dtype=int)[Y])
TAGS = prefixed("label_", values=YES)
TIDY = prefixed(".pred_").assign(**{".pred_class": BEST_NAMES, "truth": NAMED})
RAPID = frame([f"confidence({name})" for name in NAMES], label=NAMED)
AZURE = frame([f'Scored Probabilities for Class "{name}"' for name in NAMES])
PERCENT = [f"{100 * p:.1f}%" for p in TOP]
THOUSANDTHS = [f"{1000 * p:.0f}/1000" for p in TOP]
WHOLE_PERCENT = (100 * P).round()
FOUR = [*NAMES, "emu"]  # of which the fourth never occurs
RARE = np.column_stack([0.9 * P, np.full(N, 0.1)])
RARE_LOGITS = np.column_stack([LOGITS, NOISE])
WITHOUT_ONE = np.where(np.arange(N) == 7, "NA", LOGITS[:, 0].astype(str))
OF_TWO_LOGITS = calib.softmax(LOGITS[:, :2])
NO_SCORES = {  # columns beside the scores, whose names are those of classes
    "entropy": -(P * np.log(P)).sum(axis=1),
    "loss": -np.log(P[np.arange(N), Y]),
    "fold": np.arange(N) % 5,
    "age": 30 + np.abs(NOISE),
    "sample_weight": np.abs(NOISE),
    "brightness": NOISE,
    "confidence": TOP,
    "score": TOP,
}
PACKED = {"gz": "gzip", "bz2": "bz2", "xz": "xz", "zip": "zip"}

SPELLINGS = [
    Case("index.csv", "pandas", csv(WHOLE, index=True)),
    Case("table.tsv", "pandas", csv(WHOLE, sep="\t")),
    Case("TABLE.CSV", "pandas", csv(WHOLE, sep=";")),
    Case("comma.csv", "Excel", csv(WHOLE, sep=";", decimal=",")),
    Case("latin.csv", "Excel", csv(LATIN, encoding="latin-1")),
    Case("utf16.csv", "Excel", csv(WHOLE, encoding="utf-16")),
    Case("bom.csv", "Excel", csv(WHOLE, encoding="utf-8-sig", lineterminator="\r\n")),
    Case("comments.csv", "R", text("# model 3\n# June\n" + WHOLE.to_csv(index=False))),
    Case("quoted.csv", "R", csv(WHOLE, quoting=2)),
    Case(
        "heading.csv",
        "Excel",
        csv(WHOLE.rename(columns={"picture": "picture\nof it"})),
    ),
]
SPELLINGS += [
    Case(f"table.csv.{ending}", "pandas", csv(WHOLE, compression=method))
    for ending, method in PACKED.items()
]
SPELLINGS += [
    Case("savetxt.csv", "numpy", savetxt(TABLE, **NUMPY, **HEADING, comments="")),
    Case("comment.csv", "numpy", savetxt(TABLE, **NUMPY, **HEADING)),
]

NAMES_OF_CLASSES = [
    Case(
        "numbers.csv",
        "PyTorch",
        csv(prefixed("logit_", range(3), LOGITS).assign(target=Y, id=range(N))),
    ),
    Case(
        "from_one.csv",
        "R",
        csv(prefixed("logit_", range(1, 4), LOGITS).assign(label=Y + 1)),
    ),
    Case("prob.csv", "pandas", csv(prefixed("prob_").assign(label=NAMED))),
    Case("proba.csv", "scikit-learn", csv(prefixed("proba_").assign(y_true=NAMED))),
    Case("bare.csv", "scikit-learn", csv(prefixed("", range(3)).assign(label=Y))),
    Case("model.csv", "pandas", csv(prefixed("resnet_prob_").assign(label=NAMED))),
    Case("tidymodels.csv", "tidymodels", csv(TIDY)),
    Case(
        "h2o.csv",
        "h2o",
        csv(prefixed("p", range(3)).assign(predict=BEST, label=Y)),
    ),
    Case(
        "knime.csv",
        "KNIME",
        csv(frame([f"P (label={name})" for name in NAMES], label=NAMED)),
    ),
    Case(
        "rapidminer.csv",
        "RapidMiner",
        csv(RAPID.assign(**{"prediction(label)": BEST_NAMES})),
    ),
    Case("azure.csv", "Azure", csv(AZURE.assign(Label=NAMED))),
    Case(
        "caret.csv",
        "caret",
        csv(frame(obs=NAMED, mtry=3, Resample="Fold1", pred=BEST_NAMES)),
    ),
    Case("kaggle.csv", "Kaggle", csv(prefixed("Status_").assign(id=IDS, Status=NAMED))),
    Case(
        "shuffled.csv",
        "scikit-learn",
        csv(WHOLE[["picture", "hen", "cat", "label", "dog"]]),
        IN_OTHER_ORDER,
    ),
]

COLUMNS_BESIDE = [
    Case(f"{name}.csv", "scikit-learn", csv(frame(label=NAMED, **{name: values})))
    for name, values in NO_SCORES.items()
]
COLUMNS_BESIDE += [
    Case(
        "logprob.csv",
        "OpenAI",
        csv(prefixed("logprob_", values=np.log(P)).assign(time=-3.5, target=NAMED)),
    ),
    Case("max.csv", "pandas", csv(prefixed("prob_").assign(prob_max=TOP, label=NAMED))),
]

TWO_LABELS = [
    Case("true_false.csv", "pandas", columns(label=Y == 1, prob=P_DOG), BINARY),
    Case("bools.csv", "scikit-learn", csv(EVENT.assign(label=Y == 1)), BINARY),
    Case("prob_yes.csv", "R", columns(label=YES_NO, prob_yes=P_DOG), BINARY),
    Case("prob_no.csv", "R", columns(label=YES_NO, prob_no=1 - P_DOG), SWAPPED),
    Case("onehot.csv", "pandas", csv(prefixed("prob_").join(ONE_HOT))),
    Case("tags.csv", "pandas", csv(prefixed("prob_").join(TAGS)), QUESTIONS),
]

ANSWERS = [
    Case(
        "confidence_right.csv",
        "LLM",
        columns(confidence=TOP, correct=HIT == 1),
        STATED,
    ),
    Case(
        "verdict.csv",
        "LLM",
        columns(confidence=TOP, is_correct=np.where(HIT, "yes", "no")),
        STATED,
    ),
    Case(
        "top1.csv",
        "LLM",
        columns(true_label=NAMED, pred_label=BEST_NAMES, confidence=TOP),
        STATED,
    ),
    Case("per_cent.csv", "LLM", columns(confidence=PERCENT, correct=HIT), STATED),
    Case("tenths.csv", "LLM", columns(confidence=THOUSANDTHS, correct=HIT), STATED),
]

NUMBERS = [
    Case(
        "vectors.csv",
        "pandas",
        columns(label=Y, probs=[str(row) for row in P]),
        atol=1e-5,
    ),
    Case(
        "spark.csv",
        "Spark",
        columns(
            label=Y,
            probability=[str(row.tolist()) for row in P],
            prediction=BEST.astype(float),
        ),
    ),
    Case("percent.csv", "Excel", csv(frame(values=100 * P, label=NAMED))),
    Case(
        "whole_percent.csv",
        "Excel",
        csv(frame(values=WHOLE_PERCENT, label=NAMED)),
        (Y, WHOLE_PERCENT / WHOLE_PERCENT.sum(axis=1, keepdims=True)),
    ),
    Case(
        "one_percent.csv",
        "Excel",
        columns(label=IS_DOG, score=100 * P_DOG),
        BINARY,
    ),
    Case("numbered.csv", "scikit-learn", csv(frame(label=Y))),
    Case(
        "loss_of_logits.csv",
        "PyTorch",
        csv(frame(values=LOGITS, label=NAMED, loss=NOISE)),
    ),
    Case("rare.csv", "scikit-learn", csv(frame(FOUR, RARE, label=NAMED)), (Y, RARE)),
    Case(
        "rare_prob.csv",
        "scikit-learn",
        csv(prefixed("prob_", FOUR, RARE).assign(label=NAMED)),
        (Y, RARE),
    ),
    Case(
        "rare_logit.csv",
        "PyTorch",
        csv(prefixed("logit_", FOUR, RARE_LOGITS).assign(label=NAMED)),
    ),
    Case("yes_no.csv", "R", columns(id=IDS, label=YES_NO, score=P_DOG), BINARY),
    Case(
        "bare_text.csv",
        "scikit-learn",
        csv(prefixed("", range(3)).assign(label=NAMED)),
    ),
]

MISSING = [
    Case(
        "no_label.csv",
        "pandas",
        csv(prefixed("p_").assign(label=np.where(MARKED, NAMED, ""))),
        OF_MARKED,
    ),
    Case(
        "unstated.csv",
        "LLM",
        columns(confidence=np.where(MARKED, TOP, np.nan), correct=HIT),
        event(HIT[MARKED], TOP[MARKED]),
    ),
    Case(
        "na.csv",
        "R",
        columns(logit_no=WITHOUT_ONE, logit_yes=LOGITS[:, 1], label=YES_NO),
        (np.delete(IS_DOG, 7), np.delete(OF_TWO_LOGITS, 7, axis=0)),
    ),
    Case(
        "second.csv",
        "scikit-learn",
        columns(
            label=HIT_OF_TWO,
            pred=(EVENT_OF_TWO >= 0.5).astype(int),
            confidence=EVENT_OF_TWO,
        ),
        event(HIT_OF_TWO, EVENT_OF_TWO),
    ),
    Case("stated.csv", "LLM", columns(stated_conf=TOP, is_correct=HIT), STATED),
    Case(
        "suffix.csv",
        "pandas",
        csv(frame([f"{name}_p" for name in NAMES], label=NAMED)),
    ),
]

TABLES = [
    *SPELLINGS,
    *NAMES_OF_CLASSES,
    *COLUMNS_BESIDE,
    *TWO_LABELS,
    *ANSWERS,
    *NUMBERS,
    *MISSING,
]
