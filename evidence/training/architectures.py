"""The networks of the zoo."""

from collections.abc import Callable
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from evidence.training.runs import Run
from evidence.training.trees import Batch


class Block(nn.Module):
    """Two 3 x 3 convolutions around a shortcut without parameters (He et al. 2016, option A)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.stride, self.padding = stride, (outputs - inputs) // 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        if self.padding:
            # the shortcut takes every second pixel and fills the new channels with zeros
            x = x[:, :, :: self.stride, :: self.stride]
            x = F.pad(x, (0, 0, 0, 0, self.padding, self.padding))
        return F.relu(out + x)


class ResNet(nn.Module):
    """A residual network of 6n + 2 layers whose three stages are width, 2 width, 4 width wide."""

    def __init__(
        self, depth: int, width: int, channels: int, classes: int, stem_stride: int = 1
    ) -> None:
        super().__init__()
        blocks = (depth - 2) // 6
        self.conv1 = nn.Conv2d(channels, width, 3, stem_stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = self._stage(blocks, width, width, 1)
        self.layer2 = self._stage(blocks, width, 2 * width, 2)
        self.layer3 = self._stage(blocks, 2 * width, 4 * width, 2)
        self.linear = nn.Linear(4 * width, classes)

    @staticmethod
    def _stage(blocks: int, inputs: int, outputs: int, stride: int) -> nn.Sequential:
        first = Block(inputs, outputs, stride)
        return nn.Sequential(
            first, *(Block(outputs, outputs, 1) for _ in range(blocks - 1))
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        # the mean over all places: the network reads images of any size
        return self.linear(x.mean((2, 3)))


def convnet(width: int, channels: int, classes: int, batch_norm: bool) -> nn.Sequential:
    """Six 3 x 3 convolutions in three stages, with or without batch normalisation."""
    layers: list[nn.Module] = []
    inputs = channels
    for stage in range(3):
        outputs = width * 2**stage
        for convolution in range(2):
            stride = 2 if convolution == 0 else 1
            layers.append(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=not batch_norm))
            layers += [nn.BatchNorm2d(outputs)] if batch_norm else []
            layers.append(nn.ReLU())
            inputs = outputs
    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes)
    )


def two_layer_cnn(width: int, channels: int, classes: int) -> nn.Sequential:
    """Nixon's network for small images: two convolutions with max pooling, two affine layers."""
    return nn.Sequential(
        nn.Conv2d(channels, width, 5, 1, 2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 5, 1, 2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        # two poolings leave 7 x 7 of 28 x 28 pixels
        nn.Linear(2 * width * 49, 8 * width),
        nn.ReLU(),
        nn.Linear(8 * width, classes),
    )


class Attention(nn.Module):
    """Self-attention of a few heads over the tokens."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads = heads

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, tokens, width = x.shape
        # one product for queries, keys and values, parted into heads afterwards
        qkv = self.inputs(x).view(n, tokens, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        x = F.scaled_dot_product_attention(q, k, v)
        return self.output(x.transpose(1, 2).reshape(n, tokens, width))


class TokenMixing(nn.Module):
    """A two-layer perceptron across the tokens (Tolstikhin et al. 2021)."""

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.perceptron = perceptron(tokens, 4 * tokens)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # the tokens last, so that the layers mix them
        return self.perceptron(x.transpose(1, 2)).transpose(1, 2)


def perceptron(width: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))


class Patches(nn.Module):
    """A ViT (mixing="attention") or an MLP-Mixer (mixing="perceptron") on patches of 7 x 7."""

    def __init__(
        self,
        mixing: str,
        depth: int,
        width: int,
        channels: int,
        classes: int,
        size: int = 28,
        patch: int = 7,
    ) -> None:
        super().__init__()
        tokens = (size // patch) ** 2
        self.embedding = nn.Conv2d(channels, width, patch, patch)
        # small, so that places are learnt and not imposed
        self.position = nn.Parameter(0.02 * torch.randn(tokens, width))

        def mix() -> nn.Module:
            if mixing == "attention":
                return Attention(width, heads=width // 16)
            return TokenMixing(tokens)

        self.mixing = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), mix()) for _ in range(depth)
        )
        self.channels = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), perceptron(width, 2 * width))
            for _ in range(depth)
        )
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.embedding(x).flatten(2).transpose(1, 2) + self.position
        for mix, channels in zip(self.mixing, self.channels, strict=True):
            x = x + mix(x)
            x = x + channels(x)
        return self.head(x.mean(1))


class DeepAveraging(nn.Module):
    """DAN (Iyyer et al. 2015): the mean of the words' embeddings, then hidden layers."""

    def __init__(
        self, depth: int, width: int, words: int, classes: int, batch_norm: bool
    ) -> None:
        super().__init__()
        # a bag looks up and averages at once, without a row a word
        self.embedding = nn.EmbeddingBag(words, 100, mode="mean")
        nn.init.normal_(self.embedding.weight, 0, 0.05)
        layers: list[nn.Module] = []
        inputs = 100
        for _ in range(depth):
            layers.append(nn.Linear(inputs, width))
            layers += [nn.BatchNorm1d(width)] if batch_norm else []
            layers.append(nn.ReLU())
            inputs = width
        self.layers = nn.Sequential(*layers, nn.Linear(inputs, classes))

    def forward(self, documents: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        words, offsets = documents
        return self.layers(self.embedding(words, offsets))


class TreeLSTM(nn.Module):
    """A TreeLSTM of two children (Tai et al. 2015, equations 9 to 14), and a linear classifier."""

    def __init__(self, width: int, words: int, classes: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        nn.init.normal_(self.embedding.weight, 0, 0.05)
        self.leaf = nn.Linear(width, 2 * width)
        self.node = nn.Linear(2 * width, 5 * width)
        self.dropout = nn.Dropout(0.5)
        self.classifier = nn.Linear(width, classes)

    def hidden(self, batch: Batch) -> torch.Tensor:
        """The hidden state of every node (n, width), in the batch's order."""
        cell, out = self.leaf(self.embedding(torch.from_numpy(batch.words))).chunk(2, 1)
        level = torch.cat([torch.sigmoid(out) * torch.tanh(cell), cell], 1)
        levels = [level]
        queues = [[piece] for piece in level.split(batch.waiting[0])]
        for height, children in enumerate(batch.children, 1):
            # nodes of all lower heights wait in the queue of their parents' height
            pairs = torch.cat(queues[height])[torch.from_numpy(children).reshape(-1)]
            hidden, memory = pairs.chunk(2, 1)
            both = hidden.reshape(len(children), -1)
            enter, left, right, out, update = self.node(both).chunk(5, 1)
            left_memory, right_memory = memory.reshape(len(children), -1).chunk(2, 1)
            cell = (
                torch.sigmoid(enter) * torch.tanh(update)
                + torch.sigmoid(left) * left_memory
                + torch.sigmoid(right) * right_memory
            )
            level = torch.cat([torch.sigmoid(out) * torch.tanh(cell), cell], 1)
            levels.append(level)
            for queue, piece in zip(
                queues, level.split(batch.waiting[height]), strict=True
            ):
                queue.append(piece)
        return torch.cat([level.chunk(2, 1)[0] for level in levels])

    def of_nodes(self, batch: Batch) -> torch.Tensor:
        """Logits of every node (n, K)."""
        return self.classifier(self.dropout(self.hidden(batch)))

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits of the sentences (trees, K)."""
        return self.of_nodes(batch)[torch.from_numpy(batch.roots)]


def build(run: Run, channels: int, classes: int) -> nn.Module:
    """The network that a run asks for; `channels` is the number of words for text."""
    sizes = run.depth, run.width, channels, classes
    factories: dict[str, Callable[[], nn.Module]] = {
        "resnet": lambda: ResNet(*sizes, run.stem),
        "convnet": lambda: convnet(*sizes[1:], run.batch_norm),
        "cnn": lambda: two_layer_cnn(*sizes[1:]),
        "vit": lambda: Patches("attention", *sizes),
        "mixer": lambda: Patches("perceptron", *sizes),
        "treelstm": lambda: TreeLSTM(*sizes[1:]),
        "dan": lambda: DeepAveraging(*sizes, run.batch_norm),
    }
    return factories[run.architecture]()


def initialise(model: nn.Module, how: str) -> None:
    """Overwrite PyTorch's first weights and biases: "glorot", "he", "normal-0.1", "normal-0.3"."""
    if how == "pytorch":
        return
    if how.startswith("normal-"):
        weights = biases = partial(
            nn.init.normal_, std=float(how.removeprefix("normal-"))
        )
    else:
        weights = {"glorot": nn.init.xavier_uniform_, "he": nn.init.kaiming_normal_}[
            how
        ]
        biases = nn.init.zeros_
    for layer in model.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            weights(layer.weight)
            if layer.bias is not None:
                biases(layer.bias)
