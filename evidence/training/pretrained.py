"""CIFAR-10 ResNets whose weights Yerlan Idelbayev has published (BSD 2-clause).

https://github.com/akamaster/pytorch_resnet_cifar10
"""

import torch

from evidence.training import datasets
from evidence.training.architectures import ResNet
from evidence.training.train import make_deterministic
from evidence.training.weights import weights_file


def load_resnet(depth: int) -> ResNet:
    saved = torch.load(weights_file(depth), map_location="cpu", weights_only=True)[
        "state_dict"
    ]
    model = ResNet(depth, 16, channels=3, classes=10)
    model.load_state_dict({key.removeprefix("module."): saved[key] for key in saved})
    return model.to(memory_format=torch.channels_last)


def published_network(depth: int) -> tuple[ResNet, datasets.Dataset, str]:
    """The network, the data set, and nothing known of its training accuracy."""
    make_deterministic()
    return load_resnet(depth), datasets.load("cifar10-test"), ""
