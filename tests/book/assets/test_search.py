"""Questions in words find the passage that answers them, in the built site."""

import re

import pytest
from helpers import SITE, site_pages

DESK, TWO, OWN = "answer.html", "use/two-classes.html", "use/your-own-model.html"


QUESTIONS = {  # what may answer, and the place of the hit at least
    "how many bins?": ("measure/reliability-diagrams.html#how-many-bins", 1),
    "is an ECE of 0.03 with 500 samples bad?": (
        f"{TWO}|measure/how-sure-is-the-number",
        3,
    ),
    "temperature scaling made it worse, why?": (
        f"{DESK}#the-temperature-made-it-worse",
        1,
    ),
    "1000 classes, 2000 samples, which map?": ("recalibrate/", 1),
    "does calibration change the accuracy?": (f"{DESK}#the-accuracy-fell", 1),
    "binary classifier: sigmoid or isotonic?": (f"{TWO}#sigmoid-or-isotonic", 1),
    "can I trust a language model's stated confidence?": ("language/", 1),
    "focal loss or temperature?": ("recalibrate/trained-to-be-calibrated", 1),
    "does conformal prediction need calibration?": ("promises/sets-and-abstention", 3),
    "calibration under distribution shift": ("promises/a-moving-world", 3),
    "AUC": ("promises/|measure/|use/|language/", 1),
    "ROC": ("promises/|measure/|use/|language/", 1),
    "HLE": (f"{TWO}#other-questions", 1),
    "RMS calibration error": (f"{TWO}|measure/", 1),
    "SMOTE oversampling": (f"{TWO}#class-weights", 1),
    "scale_pos_weight": (f"{TWO}#class-weights", 1),
    "I trained with class weights, what now?": (f"{TWO}|{DESK}#class-weights", 1),
    "calibration slope and intercept": (f"{TWO}#slope", 1),
    "multi-label": (f"{TWO}#other-questions", 1),
    "rare event": (f"{TWO}|{DESK}#a-rare-event", 1),
    "install": (OWN, 2),
    "how": (DESK, 1),
    "why": (DESK, 1),
    "which": (DESK, 1),
    "my": (DESK, 1),
    "check my own file": (f"{DESK}|{OWN}", 1),
    "drop a csv": (DESK, 1),
    "what is ECE": ("measure/ece-and-mce", 1),
    "softmax twice": (f"{DESK}#all-confidences", 1),
    "temperature is huge": (f"{DESK}#t-is-huge", 1),
    "accuracy fell after calibration": (f"{DESK}#the-accuracy-fell", 1),
    "all confidences are near 0.5": (f"{DESK}#all-confidences", 2),
    "ECE changed with the number of bins": (f"{DESK}#the-ece|measure/", 1),
    "labels shifted by one row": (f"{DESK}#accuracy-near-chance", 2),
    "calibration in the large": (TWO, 2),
    "random forest probabilities": (TWO, 2),
    "token probability confidence": (f"{TWO}|language/", 1),
    "how many samples do I need?": (f"{TWO}#how-many-samples", 1),
    "how many samples do I need to calibrate": (f"{TWO}#how-many-samples", 1),
    "how large must my test set be?": (f"{TWO}#(how-many|is-this)|{DESK}", 2),
    "is an ECE of 0.05 bad?": (f"{TWO}#is-this-ece-bad", 1),
    "is my ECE good": (f"{TWO}#is-this-ece-bad", 1),
    "how to cite a number": ("use/changes.html", 1),
    "how do I cite the book?": ("use/changes.html", 1),
    "which ECE does torchmetrics compute?": ("measure/which-ece.html#", 1),
    "conformal": ("promises/sets-and-abstention", 1),
    "can I calibrate on the training set?": ("use/misconceptions", 1),
    "multi-label calibration": (f"{TWO}#other-questions", 1),
    "confidence interval of the ECE": ("measure/intervals-and-comparisons", 1),
    "brier score decomposition": ("measure/proper-scores", 1),
    "focal loss or temperature scaling?": ("recalibrate/trained-to-be-calibrated", 1),
    "temperature scaling with one sigmoid output": (f"{TWO}#other-questions", 1),
    "calibrate with time series data": (f"{TWO}#other-questions", 1),
    "prediction sets from one confidence": (f"{TWO}#other-questions|promises/sets", 2),
    "random forest gives probabilities of 0 and 1": (TWO, 1),
    "what file format does it read": ("use/files-and-options.html#which-files", 1),
    "error_if_calibrated": ("use/api.html#calib.error_if_calibrated", 1),
    "T is 0": (f"{DESK}#t-is-near-zero", 1),
    "logits or probabilities": ("recalibrate/temperature-scaling.html#logits-or", 1),
    "compare two models on the same test set": ("measure/intervals-and-comparisons", 1),
    "is model A better calibrated than model B": (
        "measure/intervals-and-comparisons",
        1,
    ),
    "LLM says 90 %": ("language/confidence", 1),
    "what changed in this version": ("use/changes.html", 1),
    "my verdict changed": ("use/changes.html", 1),
    "lesson plan": ("use/teaching.html#on-monday", 1),
    "calib.ece": ("use/api.html#calib.ece", 1),
    "TemperatureScaling": ("use/api.html#calib.TemperatureScaling", 1),
}


@pytest.mark.slow
@pytest.mark.browser
def test_questions_find_their_passages(browser):
    site_pages()
    page, late = browser.new_page(), {}
    for question, (answer, last_rank) in QUESTIONS.items():
        query = question.replace(" ", "+").replace("?", "%3F")
        page.goto(f"{SITE.as_uri()}/search.html?q={query}", timeout=120_000)
        page.locator("#search-results p").first.wait_for()
        hits = page.locator("#search-results li a").evaluate_all(
            "all => all.slice(0, 20).map((one) => one.getAttribute('href'))"
        )
        places = [at for at, hit in enumerate(hits, 1) if re.match(answer, hit)]
        if not places or places[0] > last_rank:
            late[question] = (places[:1], hits[:3])
    page.close()
    assert late == {}
