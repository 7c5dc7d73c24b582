"""Which networks may be alike."""

import pandas as pd
import pytest

from evidence.claims.kin import relatives, with_relatives


def test_networks_that_may_be_alike_have_an_author_and_a_model(networks):
    public = with_relatives(pd.DataFrame({"case": ["guo-a", "guo-b"]}), "public")
    assert public["author"].tolist() == ["guo", "guo"]
    assert public["kin"].tolist() == ["ResNet", "VGG"]
    ours = with_relatives(pd.DataFrame({"case": ["cnn-w8"]}), "zoo")
    assert ours[["author", "kin"]].to_numpy().tolist() == [["ours", "CNN"]]


@pytest.mark.parametrize(("kind", "kin"), [("public", "family"), ("zoo", "ResNet")])
def test_what_a_table_says_of_a_public_network_goes_before_its_model(
    networks, kind, kin
):
    rows = pd.DataFrame({"case": ["guo-a"], "family": ["family"]})
    assert with_relatives(rows, kind)["kin"].tolist() == [kin]


def test_cases_of_nobody_have_no_author(networks):
    rows = with_relatives(pd.DataFrame({"case": ["odd-a"]}), "public")
    assert "author" not in rows
    rows = with_relatives(pd.DataFrame({"level": [1]}), "public")
    assert [*rows] == ["level"]


def test_relatives_of_public_networks_and_of_ours_are_found_by_their_cases(
    networks,
):
    frame = relatives(pd.Index(["cnn-w8", "kull-c", "guo-b"]))
    assert {name: [*values] for name, values in frame.items()} == {
        "dataset": ["cifar10", "SVHN", "SVHN"],
        "author": ["ours", "kull", "guo"],
        "kin": ["CNN", "", "VGG"],
    }
    with pytest.raises(ValueError, match="'odd' is no public network and none of ours"):
        relatives(pd.Index(["guo-a", "odd"]))
