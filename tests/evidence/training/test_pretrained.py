"""Networks whose weights others have published, where torch is."""

import pytest

torch = pytest.importorskip("torch")
pretrained = pytest.importorskip("evidence.training.pretrained")


def test_saved_weights_are_those_of_the_network_without_their_prefix(
    tmp_path, monkeypatch
):
    model = pretrained.ResNet(8, 16, channels=3, classes=10)
    saved = {f"module.{key}": value + 1 for key, value in model.state_dict().items()}
    path = tmp_path / "weights.th"
    torch.save({"state_dict": saved}, path)
    monkeypatch.setattr(pretrained, "weights_file", lambda depth: path)
    loaded = pretrained.load_resnet(8).state_dict()
    assert all(
        (loaded[key] == value + 1).all() for key, value in model.state_dict().items()
    )


def test_nothing_is_known_of_the_training_accuracy(monkeypatch):
    monkeypatch.setattr(pretrained, "load_resnet", lambda depth: f"ResNet-{depth}")
    monkeypatch.setattr(pretrained.datasets, "load", lambda name: name)
    assert pretrained.published_network(20) == ("ResNet-20", "cifar10-test", "")
