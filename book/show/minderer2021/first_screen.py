"""The first table, the sentences of the paper and what they rest on."""

import numpy as np
import pandas as pd

from book.show import verdicts
from book.show.display import expect, glue_values
from book.show.number_texts import with_interval
from book.show.replication import chance_of_bins
from evidence import load_results

STANDS = {  # a family of Figure 1: the group of classifiers that stands for it
    "ViT": "family == 'ViT' and training == 'pretrained'",
    "BiT": "family == 'BiT' and training == 'pretrained'",
    "MLP-Mixer": "family == 'Mixer' and training == 'pretrained'",
    "ResNeXt-WSL": "recipe == 'fb_wsl_ig1b_ft_in1k'",
    "CLIP": "family == 'CLIP' and training == 'zero-shot'",
}
ALONE = {  # a family of Figure 1: the one network of it
    "AlexNet": "northcutt-imagenet-alexnet",
    "SimCLR": "imagenetx-imagenet-simclr",
}
SHORT = {  # a family in the name of a kept number
    "ViT": "vit",
    "BiT": "bit",
    "MLP-Mixer": "mixer",
    "ResNeXt-WSL": "resnext",
    "CLIP": "clip",
    "AlexNet": "alexnet",
    "SimCLR": "simclr",
}
SENTENCES = {
    "minderer-vit-calibrated": "ViT are better calibrated than older CNNs",
    "minderer-vit-robust": "ViT are more robust to corruption",
    "minderer-size-accuracy": "Larger networks are more accurate",
    "minderer-size-calibration": "Larger networks are worse calibrated",
    "minderer-shift-worsens": "Calibration error grows under shift",
    "minderer-size-not-enough": "Size does not explain the families",
}


def standing_for(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the group of classifiers that stands for each of the paper's families."""
    rows = {name: groups.query(chosen).iloc[0] for name, chosen in STANDS.items()}
    return pd.DataFrame(rows).T.infer_objects()


def lone_networks(plane: pd.DataFrame, scaled: pd.DataFrame) -> pd.DataFrame:
    """Return the families that are one network each, from its predictions; in per cent.

    `scaled` has errors before and after a temperature by network and share of the images.
    """
    rows = plane.loc[ALONE.values()].set_axis(ALONE.keys()).assign(n=1)
    of_fifth = scaled["temperature-top5"].xs(0.2, level="share")
    after = {"ece": "ece_after", "low": "after_low", "high": "after_high"}
    return rows.join(
        of_fifth.rename(columns=after).reindex(ALONE.values()).set_axis(rows.index)
    )


def glue_sentences(ledger: pd.DataFrame) -> None:
    """Glue what the paper's sentences rest on, with the verdicts that the page says of them."""
    for name in ("size-accuracy", "size-calibration", "accurate-calibrated"):
        verdicts.glue_counts_and_effects(ledger, (f"minderer-{name}", "public"))
    shift = [("minderer-shift-worsens", kind) for kind in ("public", "zoo")]
    verdicts.glue_shares(ledger, *shift, verdict="shown")
    robust, size = (
        ("minderer-vit-robust", "public"),
        ("minderer-size-not-enough", "public"),
    )
    verdicts.glue_counts_and_effects(ledger, *shift, robust, size)
    of_size, of_data = (
        ("minderer-size-calibration", "public"),
        ("minderer-pretraining", "public"),
    )
    verdicts.glue_shares(ledger, of_size, of_data, verdict="open")
    left = verdicts.count_or_effect(ledger, *size).replace("+", "")
    glue_values("minderer2021", left=left)
    rows = ledger.set_index(["id", "evidence"])
    expect(
        (rows.loc[[robust, size], "verdict"] == "shown").all(),
        "the text says that both sentences are shown",
    )
    ours = rows.loc[("minderer-vit-robust", "zoo")]
    expect(
        (ours["verdict"], ours["counted"]) == ("open", "fails"),
        "the text says that it is open, and fails on those at hand",
    )
    expect(
        rows.verdict["minderer-vit-calibrated", "public"] == "open",
        "the text says that it is open on public networks",
    )
    for claim in ("pretraining", "vit-calibrated"):
        ends = rows.loc[f"minderer-{claim}", "public"][["estimate", "low", "high"]]
        ratio = "{:.2f} [{:.2f}, {:.2f}]".format(*np.exp(ends.astype(float)))
        glue_values("minderer2021", **{claim: ratio})


def glue_headline(
    headline: pd.DataFrame, groups: pd.DataFrame, alone: pd.DataFrame
) -> None:
    """Glue the first table: of a group the middle half, of one network the 95 % interval."""
    ece = headline["ece"]
    expect(
        ece["MLP-Mixer"] > ece["AlexNet"],
        "the text says that AlexNet has a smaller ECE than the Mixers",
    )
    expect(
        ece[["ViT", "BiT", "CLIP"]].max() < ece["MLP-Mixer"],
        "the text says that the Mixers have the largest ECE",
    )
    ends = ["ece_low", "ece_high", "after_low", "after_high"]
    middle_half = ["ece_q25", "ece_q75", "ece_after_q25", "ece_after_q75"]
    spans = pd.concat([groups[middle_half].set_axis(ends, axis=1), alone[ends]])
    for name, row in headline.iterrows():
        low, high, after_low, after_high = spans.loc[name]
        scaled = with_interval(row["ece_after"], after_low, after_high, 1)
        glue_values(
            f"minderer-head-{SHORT[name]}",
            n=f"{row['n']:.0f}",
            error=f"{row['error']:.1f}",
            ece=with_interval(row["ece"], low, high, 1),
            scaled="–" if np.isnan(row["ece_after"]) else scaled,
        )


def glue_highest_chance() -> None:
    """Glue what calibrated networks stay below, of the networks whose bins are stored; the most."""
    binned = load_results("imagenet_diagrams").query("count > 0").groupby("name")
    rng = np.random.default_rng(0)
    chances = [chance_of_bins(rows, rng) for _, rows in binned]
    glue_values("minderer-head", chance=f"{100 * max(chances):.1f}")
