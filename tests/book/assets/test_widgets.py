"""The interactive figures compute in the browser what `calib` computes."""

import base64

import numpy as np
import pytest
from explorables import (
    MAPS,
    SMALL_WORLDS,
    TEMPERATURES,
    WORLDS,
    agree,
    data,
    made_up,
    move,
    opened,
    rows,
    shown,
)

import calib
from book.show.explorables.arena import LIBRARIES
from evidence import load_results
from evidence.arena import load_cases, load_peer_cases
from evidence.language.pair_measures import auroc

FIXED = "\N{NO-BREAK SPACE}"


def check_bins(element, score, hit, n_bins):
    """The table holds the occupied bins, and the diagram a bar for each and one for its gap."""
    bins = calib.equal_width(n_bins)(score, hit)
    filled = bins.count > 0
    table = rows(element)
    assert [int(row[1]) for row in table] == bins.count[filled].tolist()
    for column, mean in ((2, bins.mean_score), (3, bins.mean_hit)):
        percent = [float(row[column].removesuffix(f"{FIXED}%")) for row in table]
        np.testing.assert_allclose(percent, 100 * mean[filled], atol=0.0501)
    sparse = filled & (bins.count < 10)  # pale
    masks = {".w-accuracy": filled, ":is(.w-over, .w-under)": filled, ".w-mark": filled}
    masks |= {
        ".w-over": (bins.mean_score > bins.mean_hit) & filled,
        ".w-accuracy.w-few": sparse,
    }
    begun = "paths => paths.map(path => path.getAttribute('d')).join('').split('M').length - 1"
    for name, bars in masks.items():
        assert element.locator(f".w-layer {name}").evaluate_all(begun) == bars.sum()


def test_the_temperature_slider_measures_as_the_library_does(page, figures):
    element, content = (
        page.locator("temperature-slider"),
        data(figures["temperature-slider"]),
    )
    roots = (
        np.frombuffer(base64.b64decode(content["logits"]), "u1").reshape(-1, 5) / 255
    )
    logits = -content["deepest"] * roots**2
    y, slider = content["labels"], element.locator("input")

    def check(temperature):
        assert float(slider.input_value()) == temperature
        p = calib.softmax(logits / temperature)
        agree(
            element,
            **{name: getattr(calib, name)(y, p) for name in ("ece", "nll", "accuracy")},
        )
        sure = f"T = {temperature:.2f}: says {100 * p.max(axis=1).mean():.1f}{FIXED}%"
        right = f"right {100 * calib.accuracy(y, p):.1f}{FIXED}%"
        error = f"ECE {100 * calib.ece(y, p):.2f}{FIXED}%"
        sentence = f"{sure}, {right}; {error}"
        assert element.locator(".w-status").inner_text().startswith(sentence)
        check_bins(element, *calib.top_label(y, p), 15)

    check(1)
    for value in (0.5, 1.37, 4):
        move(element, value)
        check(value)
    element.get_by_role("button", name="Set T").click()
    check(2.03)
    slider.press("ArrowRight")
    check(2.04)


def test_the_bins_slider_measures_as_the_library_does(page, figures):
    """At 10, 20 and 100 bins twenty of the scores lie on edges."""
    element, content = page.locator("bins-slider"), data(figures["bins-slider"])
    score, hit = np.array(content["scores"]), np.array(content["hits"])
    for m in (15, 1, 2, 10, 20, 37, 100):
        if m != 15:
            move(element, m)
        value = calib.ece(hit, score, n_bins=m)
        agree(element, ece=value)
        status = element.locator(".w-status").inner_text()
        assert f"M = {m}: ECE {100 * value:.2f}{FIXED}%" in status
        check_bins(element, score, hit, m)
    agree(element, 1e-12, ks=calib.ks_error(hit, score))


def test_the_bins_slider_tells_what_resamples_tell_apart(page, figures):
    """Its ranges are those of numpy's resamples about their mean."""
    element, known = page.locator("bins-slider"), data(figures["bins-slider"])
    score, hit = np.array(known["scores"]), np.array(known["hits"])
    rng, n = np.random.default_rng(0), len(score)
    drawn = [rng.integers(n, size=n) for _ in range(1000)]
    times = {}
    for m in (1, 2, 15, 100):
        value = calib.ece(hit, score, n_bins=m)
        errors = np.array([calib.ece(hit[i], score[i], n_bins=m) for i in drawn])
        ends = value - errors.mean() + np.quantile(errors, [0.025, 0.975])
        low, high = element.evaluate("(node, m) => node.interval(m)", m)
        assert (low, high) == pytest.approx(ends, abs=0.25 * (ends[1] - ends[0]))
        chance = known["chance"][m - 1]
        times[m] = value / chance, errors / chance
    best = max(times, key=lambda m: times[m][0])
    lead = {m: times[best][0] - times[m][0] for m in times}
    spread = {m: np.std(times[best][1] - times[m][1]) for m in times}
    may = element.evaluate("(node, best) => node.possible(best)", best)
    for i, m in enumerate(times):
        if abs(lead[m] - 2 * spread[m]) > 0.4 * spread[m]:  # not at the edge
            assert (i in may) == (lead[m] < 2 * spread[m]), m


def test_the_quiz_scores_as_the_library_does(page):
    element = page.locator("bet-quiz")
    percents = np.array([95, 20, 80, 60, 10, 65, 100, 75])
    truth = np.array([1, 0, 1, 1, 0, 0, 1, 0])
    for i, value in enumerate(percents):
        move(element, value)
        element.get_by_role("button", name="Answer").click()
        if i < len(percents) - 1:
            element.get_by_role("button", name="Next").click()
    p = percents / 100
    hit, confidence = ((p > 0.5) == truth).astype(int), np.maximum(p, 1 - p)
    ece, brier = calib.ece(hit, confidence, n_bins=10), calib.top1_brier(truth, p)
    chance = calib.error_if_calibrated(confidence, bins=calib.equal_width(10))
    agree(element, brier=brier, ece=ece, expected=chance)
    options = {"n_bins": 10, "n_resamples": 4000, "rng": np.random.default_rng(5)}
    test = calib.consistency_test(calib.ece, hit, confidence, **options)
    agree(element, 0.04, share=test.p_value)
    marks = element.locator(".w-marks").inner_text().split()
    assert marks == ["✓" if is_hit else "✗" for is_hit in hit]
    assert len(rows(element)) == 8


# What the scripts compute, against the library on a grid of settings.


def test_bins_ranges_errors_and_intervals_are_those_of_the_library(page):
    rng = np.random.default_rng(3)
    for n, n_bins in ((1, 4), (7, 3), (50, 15), (200, 10)):
        score, hit = rng.integers(0, 12, size=n) / 11, rng.integers(2, size=n)
        computed = page.evaluate(
            "([s, h, m]) => book.definitions.equalMass(s, h, m)"
            ".filter(g => g.n).map(g => [g.n, g.hit, g.score])",
            [score.tolist(), hit.tolist(), n_bins],
        )
        bins = calib.equal_mass(n_bins)(score, hit)
        means = np.column_stack(
            [np.ones(len(bins.count)), bins.mean_hit, bins.mean_score]
        )
        filled = bins.count > 0
        np.testing.assert_allclose(
            computed, (bins.count[:, None] * means)[filled], atol=1e-12
        )
        band = calib.consistency_band(score, bins=calib.equal_width(1))
        assert page.evaluate("s => book.definitions.hitRange(s)", score.tolist()) == [
            band.low[0],
            band.high[0],
        ]
        computed = page.evaluate(
            "([v, r]) => book.definitions.basicInterval(v, r)", [0.4, score.tolist()]
        )
        assert computed == pytest.approx(0.8 - np.quantile(score, [0.975, 0.025]))
    for a in (1, 1.5, 3):
        for curve in ([0, 1], [0.3, 0.2, 0.9], np.linspace(0.15, 0.85, 11).tolist()):
            computed = page.evaluate(
                "([c, a]) => book.definitions.trueError(c, a)", [curve, a]
            )
            score = ((np.arange(200_000) + 0.5) / 200_000) ** (1 / a)
            gap = np.interp(score, np.linspace(0, 1, len(curve)), curve) - score
            assert computed == pytest.approx(np.abs(gap).mean(), abs=1e-6)


def test_the_drawn_curve_moves_by_key(page):
    element = page.locator("draw-curve")

    def settle():
        page.wait_for_function(
            "document.querySelector('draw-curve').dataset.samples === '400'"
        )

    settle()
    element.get_by_role("button", name="calibrated", exact=True).click()
    settle()
    assert shown(element, "truth") == pytest.approx(0, abs=1e-12)
    assert shown(element, "mass") > 0.02  # chance
    handle = element.get_by_role("slider", name="at score 0.5")
    handle.press("PageDown")
    settle()
    assert handle.get_attribute("aria-valuenow") == "40" and shown(element, "truth") > 0


def test_one_vector_is_tempered_as_the_library_does(page, figures):
    element, content = page.locator("one-vector"), data(figures["one-vector"])
    for image in range(3):
        element.locator("select").select_option(str(image))
        for position, (t, nll) in enumerate(content["curve"]):
            move(element, position)
            p = calib.softmax(np.array([content["images"][image]["logits"]]) / t)[0]
            agree(
                element, 1e-9, largest=p.max(), entropy=-(p * np.log(p)).sum(), nll=nll
            )
    element.get_by_role("button", name="Only to look").click()
    agree(element, temperature=2)


def cost(event, flag, miss, alarm=1, weight=1):
    """What a decision costs: the mean where misses and alarms are weighted, by event."""
    return np.mean(weight * np.where(event, miss * ~flag, alarm * flag))


def test_decisions_cost_what_they_cost(page, figures):
    element, content = page.locator("decision-costs"), data(figures["decision-costs"])
    event, frequency = np.array(content["event"]), np.mean(content["event"])
    for power, prior in ((0, 20), (1, 20), (1.5, 3), (2, 60)):
        move(element, power, 0)
        move(element, prior, 1)
        miss, prior = 10**power, prior / 100
        t = 1 / (1 + miss)
        agree(element, threshold=t)
        weight = np.where(event, prior / frequency, (1 - prior) / (1 - frequency))
        for number, p in enumerate(content["scores"].values()):
            odds = np.array(p) / (1 - np.array(p))
            odds *= prior / (1 - prior) * (1 - frequency) / frequency
            flags = [
                odds / (1 + odds) >= t,
                *(odds >= at for at in [*np.unique(odds), np.inf]),
            ]
            first, *later = (cost(event, flag, miss, weight=weight) for flag in flags)
            agree(element, 0, **{f"cost{number}": first, f"least{number}": min(later)})


def dearer(event, p, t, miss, prior):
    """How much more a threshold costs than the best one, in per cent."""
    weight = np.where(event, prior / event.mean(), (1 - prior) / (1 - event.mean()))
    flags = p >= np.append(np.unique(p), np.inf)[:, None]
    costs = np.mean(weight * np.where(event, miss * ~flags, flags), axis=1)
    return 100 * (cost(event, p >= t, miss, weight=weight) / costs.min() - 1)


def test_what_two_scores_cost_is_told_apart_as_far_as_resamples_do(page, figures):
    element, known = page.locator("decision-costs"), data(figures["decision-costs"])
    event, rng = np.array(known["event"]), np.random.default_rng(0)
    scores = [np.array(p) for p in known["scores"].values()]
    move(element, 1, 0)
    prior = float(element.locator("input").nth(1).input_value()) / 100
    odds = (1 / 10) / (prior / (1 - prior)) * event.mean() / (1 - event.mean())
    t = odds / (1 + odds)  # of the scores as they are

    def both(i):
        return [dearer(event[i] == 1, p[i], t, 10, prior) for p in scores]

    value = both(np.arange(len(event)))
    drawn = np.array(
        [both(rng.integers(len(event), size=len(event))) for _ in range(400)]
    )
    gaps = drawn[:, 0] - drawn[:, 1]
    ends = value[0] - value[1] - gaps.mean() + np.quantile(gaps, [0.025, 0.975])
    found = element.evaluate("(node, dear) => node.lead(dear)", value)
    assert found == pytest.approx(ends, abs=0.25 * (ends[1] - ends[0]))
    may = element.evaluate("(node, dear) => node.possible(dear)", value)
    assert may == [0, 1, 2]  # three hundred answers allow anything


def test_a_threshold_costs_its_mistakes(page, figures):
    element, content = (
        page.locator("people-threshold"),
        data(figures["people-threshold"]),
    )
    event, scores = (
        np.array(content["event"]),
        map(np.array, content["scores"].values()),
    )
    element.get_by_role("slider", name="Threshold, raw").press("ArrowLeft")
    for number, p in enumerate(scores):
        first, *elsewhere = (
            len(p) * cost(event, p >= at, 100, 20) for at in [0.49, *p, 1.01]
        )
        agree(element, 0, **{f"cost{number}": first, f"best{number}": min(elsewhere)})
    element.get_by_role("button", name="Set the threshold").click()
    assert shown(element, "threshold") == pytest.approx(1 / 6)


def test_maps_of_the_triangle_are_those_of_the_library(page, figures):
    content = data(figures["map-simplex"])
    p = np.array([point["p"] for point in content["points"]])
    for parameters in MAPS.values():
        moved = page.evaluate(
            "([map, p]) => p.map(row => book.definitions.linearMap(map, row.map(Math.log)))",
            [parameters, p.tolist()],
        )
        w = np.array(parameters.get("W", np.eye(3) / parameters.get("T", 1)))
        expected = calib.softmax(np.log(p) @ w.T + parameters.get("b", 0))
        np.testing.assert_allclose(moved, expected, atol=1e-12)
    element = page.locator("map-simplex")
    arrows = (
        "node => node.querySelector('.w-layer').innerHTML.match(/M[^ML]*L/g).length - 1"
    )
    assert element.evaluate(arrows) == 36  # less the triangle
    element.get_by_label("Show").select_option("points")
    assert element.evaluate(arrows) == 30
    element.get_by_label("Map on the right").select_option("temperature scaling")
    assert shown(element, "left") == shown(element, "right")


def test_splines_are_those_of_the_library(page, figures):
    element, content = page.locator("spline-knots"), data(figures["spline-knots"])
    score = np.repeat(content["score"], content["total"])
    hit = np.concatenate(
        [
            np.arange(n) < h
            for n, h in zip(content["total"], content["hits"], strict=True)
        ]
    ).astype(int)
    test_score, test_hit = (
        np.array(content["test"][name]) for name in ("scores", "hits")
    )
    for target in ("gap", "hits"):
        element.get_by_label("Fitted to", exact=True).select_option(target)
        for n_knots in (3, 6, 11, 20):
            move(element, n_knots)
            fit = calib.SplineCalibration(n_knots=n_knots, target=target).fit(
                score, hit
            )
            agree(element, 1e-6, ks=calib.ks_error(test_hit, fit.predict(test_score)))


def test_intervals_are_drawn_at_every_click_and_counted(page):
    element = page.locator("interval-coverage")

    def drawn(count):
        done = (
            f"document.querySelector('interval-coverage').dataset.draws === '{count}'"
        )
        page.wait_for_function(done)

    drawn(20)
    element.get_by_role("button", name="Draw a new data set").click()
    drawn(21)
    for _ in range(4):
        element.get_by_role("button", name="Draw 20").click()
    drawn(101)
    curve = page.evaluate(
        "([c, a]) => book.definitions.trueError(c, a)", WORLDS["overconfident"][::-1]
    )
    assert shown(element, "truth") == pytest.approx(curve)
    rng = np.random.default_rng(4)
    a, points = WORLDS["overconfident"]
    covered = []
    for _ in range(100):
        score = rng.random(500) ** (1 / a)
        hit = (
            rng.random(500) < np.interp(score, np.linspace(0, 1, 11), points)
        ).astype(int)
        estimate = calib.bootstrap(
            calib.ece, hit, score, method="basic", n_resamples=200, rng=rng
        )
        covered.append(estimate.low <= curve <= estimate.high)
    assert shown(element, "coverage") == pytest.approx(np.mean(covered), abs=0.12)
    element.get_by_label("The network is").select_option("calibrated")
    drawn(101)
    assert shown(element, "truth") == pytest.approx(0, abs=1e-12)


def test_the_reader_picks_the_wrong_photographs(page):
    element = page.locator("sure-photographs")
    tiles = element.locator(".w-photographs button")
    sure = f"99.9{FIXED}%"
    assert tiles.first.inner_text() == f"a, {sure}"
    tiles.nth(1).click()
    tiles.nth(2).click()
    element.get_by_role("button", name="Mark the wrong ones").click()
    assert element.locator(".w-wrong").all_inner_texts() == [f"✗ b, {sure}; it is: c"]
    sentence = "You picked 2 and found 1 of the 1. 1 of these 3 are wrong. Ah."
    assert element.locator(".w-status").inner_text() == sentence


def test_of_a_line_up_one_diagram_is_real(page, figures):
    """In the last two rounds its ECE is that of all pairs: fewer are there than they ask for."""
    element = page.locator("line-up")
    packed = np.frombuffer(
        base64.b64decode(data(figures["line-up"])["sources"]["real"]), "<u2"
    )
    value = calib.ece(packed & 1, (packed >> 1) / 32767, n_bins=10)
    rounds = data(figures["line-up"])["rounds"]
    for number in range(len(rounds)):
        real = int(shown(element, "real"))
        element.locator(".w-tile").nth((real - 1 if number % 2 else real) % 8).click()
        assert (
            element.locator(".w-real").get_attribute("aria-label") == f"Diagram {real}"
        )
        if shown(element, "n") == len(packed):
            assert shown(element, "ece") == pytest.approx(value, abs=1e-9)
        status = element.locator(".w-status").inner_text()
        assert ("What n makes of it" in status) == (number >= 2)
        if number < len(rounds) - 1:
            element.get_by_role("button", name="Next round").click()
    is_right = [int(row[2]) == int(row[3]) for row in rows(element)]
    assert is_right == [bool(number % 2) for number in range(len(rounds))]
    assert (
        "n = 10, you 0 of 1, the largest ECE " in status
        and "by chance one in 8." in status
    )
    element.get_by_label("The real one is").select_option("world")
    status = element.locator(".w-status").inner_text()
    assert (
        status.startswith("Round 1 of 7, n = 10. Seven of these")
        and rows(element) == []
    )
    calibrated = page.evaluate(
        "() => { const e = document.querySelector('line-up'); "
        "const r = e.round(6); return r.groups.map((g) => g.reduce((a, b) => a + b.hit, 0)); }"
    )
    a, curve = WORLDS["overconfident"]
    mean_of_curve = np.interp(
        np.linspace(0, 1, 9999) ** (1 / a), np.linspace(0, 1, 11), curve
    ).mean()
    counts = np.sort(np.array(calibrated) / 10000)
    np.testing.assert_allclose(counts, [mean_of_curve] + [a / (a + 1)] * 7, atol=0.02)


def test_dots_gather_into_the_bars_of_the_library(page, figures):
    element, content = page.locator("dots-to-bars"), data(figures["dots-to-bars"])
    score, hit = np.array(content["scores"]), np.array(content["hits"])
    element.get_by_role("button", name="Gather").click()
    handle = element.get_by_role("slider", name="Edge 2")
    handle.focus()
    for _ in range(3):
        handle.press("ArrowRight")
    assert "edges=20-46-60-80" in page.evaluate("location.href")
    group = np.searchsorted([0.2, 0.46, 0.6, 0.8], score)
    gaps = [abs((hit - score)[group == g].sum()) for g in range(5)]
    assert shown(element, "ece") == pytest.approx(sum(gaps) / len(score), abs=1e-9)
    assert [int(row[1]) for row in rows(element)] == [
        n for n in np.bincount(group) if n
    ]


def test_checks_show_the_errors_of_the_views(page):
    element = page.locator("world-builder")
    views = {"top": [calib.top_label], "within": [calib.within_top_r(2)]}
    views["classes"] = [calib.one_vs_rest(k) for k in range(3)]
    for name, (printed, true) in SMALL_WORLDS.items():
        element.get_by_role("button", name=name, exact=True).click()
        p, q = np.array(printed), np.array(true)
        y, weight = np.tile(np.arange(3), len(p)), q.ravel() / len(p)
        options = {"bins": calib.equal_width(100), "sample_weight": weight}
        for key, of_all in views.items():
            errors = [
                calib.calibration_error(y, np.repeat(p, 3, 0), view=v, **options)
                for v in of_all
            ]
            agree(element, 1e-9, **{key: np.mean(errors)})
        agree(element, 1e-9, vector=np.abs(p - q).sum(1).mean())
    handle = element.get_by_role("slider", name="Truth 1")
    handle.press("ArrowRight")
    assert handle.get_attribute("aria-valuetext") == "0.45, 0.25, 0.3"


def test_shuffled_confidences_belong_to_no_model(page, figures):
    element, content = (
        page.locator("deal-cards"),
        data(figures["deal-cards"])["kinds"]["verbal"],
    )
    accuracy, confidence = (
        np.array(content["accuracy"]),
        np.array(content["mean_confidence"]),
    )
    assert shown(element, "r") == pytest.approx(
        np.corrcoef(accuracy, content["ece"])[0, 1]
    )
    rng = np.random.default_rng(1)
    dealt = [np.abs(rng.permutation(confidence) - accuracy) for _ in range(2000)]
    middle = np.median([np.corrcoef(accuracy, gap)[0, 1] for gap in dealt])
    assert shown(element, "middle") == pytest.approx(middle, abs=0.1)
    element.get_by_role("button", name="Shuffle").click()
    percents = [float(row[2].removesuffix(f"{FIXED}%")) for row in rows(element)]
    np.testing.assert_allclose(np.sort(percents), np.sort(100 * confidence), atol=0.051)
    assert not np.allclose(percents, 100 * confidence, atol=0.1)


def test_sets_are_those_of_the_library(page, figures):
    element, content = page.locator("label-sets"), data(figures["label-sets"])
    for score in ("lac", "aps"):
        element.get_by_label("Oddness").select_option(score)
        for c, t in ((0, 0), (1, 2), (2, 1)):
            move(element, c, 0)
            move(element, t, 1)
            threshold, size, _ = content["grid"][score][t][c]
            assert (shown(element, "threshold"), shown(element, "size")) == (
                threshold,
                size,
            )
            p = calib.softmax(
                np.array([content["images"][0]["logits"]]) / TEMPERATURES[t]
            )
            odd = calib.ConformalSets(score).scores(p)[0]
            odd -= (score == "aps") * content["images"][0]["u"] * p[0]
            assert shown(element, "labels") == (odd <= threshold).sum()


def test_the_language_explorer_measures_every_choice_as_the_library_does(page):
    element, answers = page.locator("language-explorer"), made_up()
    selects, rng = element.locator("select"), np.random.default_rng(0)

    def choose(*chosen):
        for i, label in enumerate(chosen):
            selects.nth(i).select_option(label=label or "all subjects")
        return element.locator(".w-status").inner_text()

    for model, kind, subject in (
        ("b", "verbal", None),
        ("a", "token", None),
        ("b", "token", "law"),
        ("c", "verbal", "physics"),
    ):
        status = choose(model, kind, subject)
        score, hit = answers.pairs(model, kind, group=subject)
        options = {"method": "basic", "n_bins": 20, "rng": rng, "n_resamples": 400}
        interval, bins = (
            calib.bootstrap(calib.ece, hit, score, **options),
            calib.equal_width(20),
        )
        agree(element, 0, n=len(hit))
        agree(element, 1e-9, accuracy=hit.mean())
        # means of bins: a 10 200th
        agree(element, 2e-4, confidence=score.mean(), ece=interval.value)
        least, most = calib.wilson_interval([hit.sum()], [len(hit)])
        agree(element, 1e-9, least=least[0], most=most[0])
        agree(
            element,
            0.3 * (interval.high - interval.low),
            low=interval.low,
            high=interval.high,
        )
        agree(element, 2e-3, chance=calib.error_if_calibrated(score, bins=bins))
        half = calib.risk_coverage(hit, score).risk_at(0.5)
        agree(element, 1e-5, auroc=auroc(hit, score).value, half=half)
        count = bins(score, hit).count
        assert [int(row[1]) for row in rows(element)] == count[count > 0].tolist()
        n_questions = 300 if subject else 900
        percent = f"{100 * (1 - len(hit) / n_questions):.1f}{FIXED}%"
        assert f"{percent} of {n_questions} questions are without" in status
    assert "not given for these questions" in choose("c", "token", None)
    assert rows(element) == []


def test_the_board_shows_the_stored_ranking_sorts_filters_opens_and_saves(
    page, tmp_path
):
    board, ranking, cases = (
        page.locator("arena-board"),
        load_results("arena_ranking"),
        load_cases(),
    )

    def choose(networks, size):
        board.get_by_label("Networks").select_option(networks)
        board.get_by_label("Calibration samples").select_option(size)
        return ranking[(ranking["networks"] == networks) & (ranking["size"] == size)]

    def maps():
        names = board.locator("tbody th[scope=row]").all_inner_texts()
        return [name[2:] for name in names]

    for networks, size in (
        ("all", "all"),
        ("speech", "500"),
        ("8 to 19 classes", "2500"),
    ):
        of_choice = choose(networks, size).sort_values("gain", ascending=False)
        assert set(maps()) == set(of_choice["map"])
        gains = board.locator("td[data-name=gain]").all_inner_texts()
        gains = [float(text.replace("−", "-")) for text in gains]
        assert gains == pytest.approx(of_choice["gain"].tolist(), abs=0.051)
    board.get_by_role("button", name="Failed").click()
    assert of_choice.set_index("map")["failed"][maps()].is_monotonic_increasing
    choose("those of other libraries' maps", "500")
    board.get_by_role("button", name="▸ dirichletcal", exact=True).click()
    peers = load_peer_cases()["map"]
    number = (peers == "dirichletcal").sum()
    page.wait_for_function(
        f"document.querySelectorAll('.w-cases tbody tr').length === {number}"
    )
    of_libraries = {text[2:] for text in board.locator(".w-other").all_inner_texts()}
    assert of_libraries == {
        name for name in peers.unique() if name.startswith(LIBRARIES)
    }
    choose("medicine", "all")
    with page.expect_download() as saved:
        board.get_by_role("button", name="Save these cases as csv").click()
    saved.value.save_as(tmp_path / "cases.csv")
    lines = (tmp_path / "cases.csv").read_text("utf-8").splitlines()
    of_data = cases[cases["dataset"] == "PneumoniaMNIST"]
    assert len(lines) == 1 + len(of_data[["setting", "size", "map"]].drop_duplicates())


def test_a_table_filters_sorts_and_says_how_many(page):
    table = page.locator("filter-table:not(.ledger)")

    def names():
        return table.locator("tbody tr:not([hidden]) td:first-child").all_inner_texts()

    table.get_by_role("button", name="Size").press("Enter")
    assert names() == ["two", "nine", "ten"]
    assert table.locator("th").nth(2).get_attribute("aria-sort") == "ascending"
    table.get_by_role("button", name="Size").press("Enter")
    table.get_by_label("Kind").select_option("even")
    assert names() == ["ten", "two"]
    table.get_by_label("Search").fill("tw")
    assert names() == ["two"]
    assert table.locator(".w-status").inner_text() == "1 of 3 rows"


def test_a_long_table_shows_a_few_rows_until_it_is_asked(browser, address):
    for ask, status in (("all", "30 of 30 rows"), ("even", "15 of 30 rows")):
        with opened(browser, address("bet-quiz"), printed=False) as page:
            table = page.locator("filter-table.ledger")
            assert table.locator("tbody tr:not([hidden])").count() == 12
            if ask == "all":
                table.get_by_role("button", name="Show all rows").click()
            else:
                table.get_by_label("Search").fill(ask)
            assert table.locator(".w-status").inner_text() == status
            assert table.get_by_role("button", name="Show all rows").count() == 0


def test_an_address_opens_its_row(browser, address):
    with opened(browser, f"{address('bet-quiz')}#claim-last", printed=False) as page:
        row = page.locator("#claim-last")
        assert row.is_visible() and row.get_by_text("all").is_visible()
        page.locator("filter-table.ledger").get_by_label("Search").fill("even")
        assert not row.is_visible()
