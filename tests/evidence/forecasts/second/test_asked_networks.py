"""What the ledger was asked about."""

from evidence.forecasts.second import asked_networks


def test_the_sealed_networks_are_fourteen_and_two_ensembles_of_other_authors():
    networks = asked_networks.forecast_networks()
    fourteen = asked_networks.of_the_fourteen(networks["case"])
    assert fourteen.sum() == 14 and len(networks) == 16
    assert networks["case"][~fourteen].tolist() == ["HMC CIFAR-10", "HMC IMDB"]
    assert networks[fourteen]["author"].nunique() == 1 < networks["author"].nunique()
    assert networks["kin"].equals(networks["case"])
    assert networks["dataset"].value_counts().to_dict() == {"CIFAR-10": 15, "IMDB": 1}


def test_each_new_model_answers_every_data_set_and_has_no_kin():
    models = asked_networks.new_models(3, n_datasets=2)
    assert list(zip(models["case"], models["dataset"], strict=True)) == [
        (case, f"tasks of others {k}") for case in range(3) for k in range(2)
    ]
    assert models.groupby("kin")["case"].unique().map(len).tolist() == [1, 1, 1]
    assert models["author"].nunique() == 1
    assert asked_networks.new_models(3)["dataset"].nunique() == 1


def test_the_intervals_are_central():
    ends = asked_networks.QUANTILES
    for level in (90, 50):
        low, high = ends[f"low_{level}"], ends[f"high_{level}"]
        assert round(high - low, 9) == level / 100 and round(high + low, 9) == 1
