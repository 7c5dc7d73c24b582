"""Figures that ask: what their answers rest on is computed as the library computes it."""

import base64
import functools
import itertools

import numpy as np
import pytest
import scipy.stats
from explorables import TRIED, agree, data, move, opened, shown

import calib
from evidence import load_results
from evidence.constants import ROUNDED_95


def test_edges_alone_reach_what_a_search_finds(page, figures):
    """Of 200 placements drawn by lot none has a smaller or a larger ECE than the extremes."""
    content = data(figures["dots-to-bars"])
    score, hit = np.array(content["scores"]), np.array(content["hits"])
    ends = [
        page.locator("dots-to-bars").evaluate(f"n => n.extreme({sign})")
        for sign in (1, -1)
    ]

    def error(edges):
        gaps = np.bincount(np.searchsorted(edges, score), hit - score, minlength=5)
        return np.abs(gaps).sum() / len(score)

    for end in ends:
        assert error(end["edges"]) == pytest.approx(end["error"], abs=1e-12)
    rng = np.random.default_rng(0)
    for _ in range(200):
        edges = np.sort(rng.choice(np.arange(4, 97, 4), 4, replace=False)) / 100
        assert ends[0]["error"] - 1e-12 <= error(edges) <= ends[1]["error"] + 1e-12


def test_a_saving_stands_beside_the_interval_of_paired_costs(page, figures):
    element, content = (
        page.locator("people-threshold"),
        data(figures["people-threshold"])["all"],
    )
    event = np.frombuffer(base64.b64decode(content["event"]), "u1").astype(int)
    costs = []
    for text in content["scores"].values():
        risk = np.frombuffer(base64.b64decode(text), "<u2") / 65535
        costs.append(np.where(risk >= 1 / 6, 20 * (1 - event), 100 * event))
    interval = element.evaluate("node => node.difference(node.rule)")
    shown = min(200, len(event))
    each = shown * (costs[0] - costs[1])
    value, half = each.mean(), ROUNDED_95 * each.std(ddof=1) / np.sqrt(len(each))
    low, high = value - half, value + half
    for name, expected in {"value": value, "low": low, "high": high}.items():
        assert interval[name] == pytest.approx(expected, abs=0.01)


def test_stakes_win_what_they_say_and_the_best_win_most(page, figures):
    element, content = page.locator("stake-curve"), data(figures["stake-curve"])
    packed = np.frombuffer(base64.b64decode(content["pairs"]), "<u2")
    score, hit = (packed >> 1) / 32767, packed & 1
    places, n = np.linspace(0, 1, 11), 100
    move(element, n)

    def win(stakes, part):
        return np.mean(
            np.interp(score[part], places, stakes) * (hit[part] - score[part])
        )

    best = element.evaluate("node => node.bestStakes()")
    rng = np.random.default_rng(1)
    best_gain = win(best, slice(0, n))
    assert all(
        best_gain >= win(rng.uniform(-1, 1, 11), slice(0, n)) for _ in range(200)
    )
    element.evaluate("(node, best) => { node.stakes = best; node.refresh() }", best)
    agree(element, 1e-9, here=best_gain, there=win(best, slice(n, None)))


def test_the_gate_cries_as_often_as_it_promises_where_nothing_moves(page):
    element = page.locator("drift-gate")
    move(element, 0, 1)
    for level, weeks in ((0, 20), (1, 100)):
        element.locator("select").select_option(str(level))
        early = element.evaluate("node => node.alarmTimes().early")
        assert early == pytest.approx(1 - (1 - 1 / weeks) ** 10, abs=0.12)
    element.locator("select").select_option("0")
    move(element, 3, 1)
    assert element.evaluate("node => node.alarmTimes().delay") <= 4


def test_what_lies_within_chance_is_neither_right_nor_wrong(browser, address):
    with opened(browser, address("map-simplex"), printed=False) as page:
        element = page.locator("map-simplex")
        element.evaluate("node => node.scrollIntoView()")
        for row in element.evaluate("node => Object.values(node.data.differences)"):
            assert all(
                low < 0 < high or value == 0 for value, low, high in row.values()
            )
        element.locator(".w-ask button").first.click()
        assert "these data allow it" in element.locator(".w-seen").inner_text()
        assert "do not tell" in element.locator(".w-seen").inner_text()


def outside(p, hit):
    """Whether hits lie outside the exact 95 % range, and how often chance puts them there."""
    mass = functools.reduce(np.convolve, [[1 - q, q] for q in p], np.ones(1))
    low, high = (np.cumsum(mass) >= [[0.025], [0.975]]).argmax(axis=1)
    chance = 1 - mass[low : high + 1].sum()
    return not low <= hit.sum() <= high, chance


def test_the_matrix_marks_what_is_beyond_chance_and_repairs_as_vector_scaling_does(
    page, figures
):
    element, content = page.locator("class-matrix"), data(figures["class-matrix"])
    y, n_classes = np.array(content["y"]), len(content["classes"])
    roots = (
        np.frombuffer(base64.b64decode(content["logits"]), "u1").reshape(-1, n_classes)
        / 255
    )
    logits = -content["deepest"] * roots**2
    row = logits.argmax(axis=1)
    tempered = logits / content["temperature"]
    scaled = logits * content["factors"] + content["shifts"]
    pairs = [*itertools.product(range(n_classes), repeat=2)]

    def check(z):
        p = calib.softmax(z)
        cells = [outside(p[row == j, k], y[row == j] == k) for j, k in pairs]
        beyond, chance = np.sum(cells, axis=0)
        agree(element, 1e-9, beyond=beyond, chance=chance)
        assert chance < len(pairs) / 20  # of rare cells less than one in twenty
        agree(element, 1e-9, ece=calib.ece(y, p))

    check(tempered)
    element.get_by_role("button", name="b", exact=True).click()
    check(np.where(np.arange(n_classes) == 1, scaled, tempered))
    for name in "acde":
        element.get_by_role("button", name=name, exact=True).click()
    check(scaled)


def test_the_regret_is_that_of_networks_near_yours(page, figures):
    element, content = page.locator("map-regret"), data(figures["map-regret"])
    element.get_by_label("Your labelled samples").select_option("500")
    move(element, 1)
    near = [
        c for c in content["cases"] if c["n"] == 500 and 10 / 3 <= c["classes"] <= 30
    ]
    assert len(near) > 10
    loss = np.array([case["loss"] for case in near])
    agree(element, 1e-9, near=len(near), least=loss.mean(axis=0).min())
    best = loss.mean(axis=0).argmin()
    t = scipy.stats.t.ppf(0.975, len(near) - 1)
    rows = element.evaluate("node => node.losses()")
    for i, row in enumerate(rows):
        lead = loss[:, i] - loss[:, best]
        low = lead.mean() - t * scipy.stats.sem(lead)
        assert row["isPossible"] == (i == best or low <= 0), row
    results = load_results("arena")
    of_size = results[(results["n"] == 500) & results["map"].isin(TRIED)]
    halves = (
        of_size.groupby(["set", "classes", "map"])[["nll_1", "nll_2"]]
        .mean()
        .mean(axis=1)
    )
    nll = halves.unstack("map")[TRIED]
    nll = nll[np.isfinite(nll).all(axis=1)].reset_index()
    network = nll["set"].str.split(r"-s\d+$", regex=True).str[0]
    assert len(nll) > 2 * network.nunique()  # seeds of one network are one network
    nll = nll.groupby([network, "classes"])[TRIED].mean().to_numpy()
    stored = [case["loss"] for case in content["cases"] if case["n"] == 500]
    np.testing.assert_allclose(stored, nll - nll.min(axis=1, keepdims=True), atol=1e-5)


def test_the_votes_move_two_of_three_truths(page):
    element = page.locator("fifty-people")
    for votes, majority in ((10, 0), (25, 0.5), (40, 1)):
        move(element, votes)
        truths = {"file": 0, "majority": majority, "person": votes / 50}
        agree(element, 1e-9, **{word: 0.85 - truth for word, truth in truths.items()})
    # at 50 votes majority and person are one word, at 26 the majority's is nearest
    for votes, nearest in ((50, [1, 2]), (40, [2]), (26, [1])):
        move(element, votes)
        assert element.evaluate("node => node.nearest(0.85)") == nearest


def test_shuffled_names_show_the_widest_gap_of_chance(page, figures):
    element, content = page.locator("shuffled-groups"), data(figures["shuffled-groups"])
    pairs = np.frombuffer(base64.b64decode(content["pairs"]), "<u2")
    group = np.frombuffer(base64.b64decode(content["groups"]), "u1")
    excess = (pairs >> 1) / 32767 - (pairs & 1)

    def widest(n, member):
        inside = [excess[:n][member == k] for k in range(len(content["names"]))]
        return max(100 * abs(part.mean()) for part in inside if len(part))

    rng = np.random.default_rng(3)
    for n in (100, 300):
        move(element, n)
        agree(element, 1e-6, value=widest(n, group[:n]), widest=widest(n, group[:n]))
        drawn = [widest(n, rng.permutation(group[:n])) for _ in range(2000)]
        assert shown(element, "chance") == pytest.approx(np.mean(drawn), rel=0.08)
        share = np.mean(np.array(drawn) >= widest(n, group[:n]) - 1e-9)
        assert shown(element, "share") == pytest.approx(share, abs=0.09)
    element.get_by_role("button", name="Shuffle the names").click()
    assert shown(element, "widest") != shown(element, "value")


def test_the_quizzes_beside_yours_are_calibrated_or_ten_points_too_sure(page):
    element = page.locator("bet-quiz")
    element.evaluate("""node => {
        node.answers = node.answers.map((_, i) => [90, 20, 70, 10][i % 4])
        node.refresh()
    }""")
    calibrated, too_sure = element.evaluate("""node => {
        const means = [[], []]
        for (node.seed = 1; node.seed <= 100; node.seed++) {
            node.update()
            node.others.forEach(({errors}, i) => means[i].push(book.definitions.mean(errors)))
        }
        return means.map(book.definitions.mean)
    }""")
    assert calibrated == pytest.approx(shown(element, "expected"), rel=0.05)
    assert too_sure > calibrated


def test_a_map_of_nothing_is_a_constant_and_intervals_decide(page):
    element = page.locator("model-or-constant")
    for model, skill, possible in (
        ("a", (-60, 0.4), [1, 2]),  # beyond chance worse than the constant; like it
        ("b", (37.5, 39.6), [0, 1]),
    ):
        element.locator("select").select_option(model)
        agree(element, 0.06, number=skill[0], map=skill[1])
        assert element.evaluate("node => node.possible()") == possible


def test_who_sells_what_is_too_dear_and_buys_the_rest_wins_the_ece(page, figures):
    element, content = page.locator("ticket-trader"), data(figures["ticket-trader"])
    counts, gaps = np.transpose(
        [(g["n"], 100 * (g["score"] - g["hit"])) for g in content["groups"]]
    )
    agree(element, 1e-9, won=0)
    for button, gap in zip(
        element.locator(".w-buttons button").all(), gaps, strict=True
    ):
        button.click()  # sells
        if gap < 0:
            button.click()
    agree(element, 1e-6, won=np.average(np.abs(gaps), weights=counts))
