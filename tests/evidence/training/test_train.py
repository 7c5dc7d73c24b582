"""The losses and the training loop, where torch is."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import resnet

torch = pytest.importorskip("torch")
train = pytest.importorskip("evidence.training.train")


def images(n, rng):
    """Small images whose label is whether their upper half is the brighter one."""
    x = rng.integers(0, 256, (n, 1, 8, 8), np.uint8)
    y = (x[:, 0, :4].mean((1, 2)) > x[:, 0, 4:].mean((1, 2))).astype(int)
    return Examples(x, y)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    return Dataset(2, images(256, rng), images(64, rng), images(64, rng), 0.5, 0.29)


RUN = resnet("b", 8, 4, training_images=0, epochs=10, optimiser=("adam", 0.01))


def test_focal_loss_of_no_exponent_is_cross_entropy_and_others_weigh_what_is_wrong():
    logits, y = torch.tensor([[2.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 0])
    p = torch.softmax(logits, 1)[:, 0]
    for gamma in (0, 1, 3):
        expected = -((1 - p) ** gamma * p.log()).mean()
        torch.testing.assert_close(train.focal(gamma)(logits, y), expected)
    torch.testing.assert_close(train.focal(0)(logits, y), train.LOSSES["ce"](logits, y))
    smooth = train.LOSSES["ls0.05"](logits, y)
    of_both = -(0.975 * p.log() + 0.025 * (1 - p).log()).mean()
    torch.testing.assert_close(smooth, of_both)


@pytest.mark.parametrize(("kind", "name"), [("sgd", "SGD"), ("adam", "AdamW")])
def test_the_rate_of_a_step_is_its_share_of_the_full_one(kind, name):
    run = replace(RUN, optimiser=(kind, 0.2), weight_decay=0.01)
    descent, schedule = train.optimiser_and_schedule(run, torch.nn.Linear(2, 2), 40)
    rates = []
    for _ in range(40):
        rates.append(schedule.get_last_lr()[0])
        descent.step()
        schedule.step()
    assert type(descent).__name__ == name
    assert descent.defaults["weight_decay"] == 0.01
    assert rates[:3] == pytest.approx([0.1, 0.2, 0.2])
    assert rates[21] == pytest.approx(0.1)


def test_a_network_learns_and_the_same_seed_gives_the_same_one(data):
    one, accuracy = train.train(RUN, data, data.train, data.train.y)
    again, _ = train.train(RUN, data, data.train, data.train.y)
    assert accuracy > 0.8
    logits, same = (train.logits_of(m, data.test.x, data) for m in (one, again))
    assert (logits == same).all() and logits.dtype == np.float32
    other, _ = train.train(replace(RUN, seed=2), data, data.train, data.train.y)
    assert (train.logits_of(other, data.test.x, data) != logits).any()


def test_logits_do_not_depend_on_the_batch_and_leave_a_network_in_training(data):
    model, _ = train.train(replace(RUN, epochs=1), data, data.train, data.train.y)
    whole = train.logits_of(model, data.test.x, data)
    parts = train.logits_of(model, data.test.x, data, batch=7)
    np.testing.assert_allclose(whole, parts, atol=1e-5)
    assert model.training


def test_the_accuracy_is_that_of_the_labels_that_were_used(data):
    wrong = 1 - data.train.y
    model, accuracy = train.train(RUN, data, data.train, wrong)
    right = train.logits_of(model, data.train.x, data).argmax(1) == wrong
    assert accuracy == right.mean() > 0.8


def test_a_network_is_watched_every_so_many_steps_and_at_the_end(data):
    watched = []
    run = replace(RUN, epochs=2, curve=3)

    def watch(model, step, epoch):
        watched.append((step, epoch))

    train.train(run, data, data.train, data.train.y, watch)
    # 256 images are four batches
    assert watched == [(0, 0), (3, 0.75), (6, 1.5), (8, 2)]


@pytest.mark.parametrize(
    "setting",
    [{"augmentation": "crop+flip"}, {"precision": "bfloat16"}, {"loss": "fl2"}],
)
def test_a_setting_makes_another_network(data, setting):
    run = replace(RUN, epochs=1)
    models = [
        train.train(r, data, data.train, data.train.y)[0]
        for r in (run, replace(run, **setting))
    ]
    one, other = (train.logits_of(model, data.test.x, data) for model in models)
    assert np.abs(one - other).max() > 1e-3
