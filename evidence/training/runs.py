"""The list of runs: one row a network, headline comparisons first, cheap runs first."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

SEEDS = (1, 2, 3)
SGD, ADAM = ("sgd", 0.1), ("adam", 1e-3)


@dataclass(frozen=True)
class Run:
    """One network.

    `curve` is the number of steps between two rows of its curve (0: none); `shift` asks for its
    metrics under corruptions; `training_images` 0 is all there are. `subset` says which they are:
    the "first", the same for each seed, or "drawn" at random by the seed. `augmentation` is "" or
    "crop+flip"; `precision` is that of the convolutions in training, "float32" or "bfloat16";
    `stem` is the stride of a ResNet's first convolution. With `patience`, training stops after so
    many epochs without a better accuracy on the calibration set, and goes back to the best; 0: not.
    """

    block: str
    dataset: str
    architecture: str
    depth: int
    width: int
    batch_norm: bool = True
    initialisation: str = "pytorch"
    loss: str = "ce"
    weight_decay: float = 1e-4
    label_noise: float = 0.0
    training_images: int = 5000
    epochs: int = 30
    optimiser: tuple[str, float] = SGD
    subset: str = "first"
    augmentation: str = ""
    precision: str = "float32"
    stem: int = 2
    patience: int = 0
    seed: int = 1
    curve: int = 0
    shift: bool = False

    @property
    def name(self) -> str:
        """Names every setting that differs from the usual one, so that no two runs share a name."""
        if self.dataset == "cifar10-test":
            return f"cifar10-{self.architecture}{self.depth}"
        ours = usual(self.architecture, "", self.dataset, self.depth, self.width)
        words = [self.dataset, f"{self.architecture}{self.depth}", f"w{self.width}"]
        short = {
            "loss": "{}",
            "weight_decay": "wd{:g}",
            "initialisation": "{}",
            "label_noise": "noise{:g}",
            "training_images": "n{}",
            "epochs": "e{}",
            "precision": "{}",
            "stem": "stem{}",
        }
        for setting, form in short.items():
            if getattr(self, setting) != getattr(ours, setting):
                words.append(form.format(getattr(self, setting)))
        if self.batch_norm != ours.batch_norm:
            words.append("nobn")
        if self.augmentation != ours.augmentation:
            words.append("noaug")
        return "-".join([*words, f"s{self.seed}"])


USUAL: dict[str, dict[str, Any]] = {
    "resnet": {},
    "convnet": {"optimiser": ADAM, "initialisation": "he"},
    "cnn": {
        "batch_norm": False,
        "initialisation": "glorot",
        "weight_decay": 0.0,
        "optimiser": ADAM,
        "epochs": 20,
    },
    "vit": {"batch_norm": False, "weight_decay": 0.05, "optimiser": ADAM},
    "mixer": {"batch_norm": False, "weight_decay": 0.05, "optimiser": ADAM},
    "treelstm": {
        "batch_norm": False,
        "training_images": 0,
        "optimiser": ("adagrad", 0.05),
        "epochs": 20,
        "patience": 4,
    },
    "dan": {"weight_decay": 0.0, "optimiser": ADAM, "training_images": 0, "epochs": 10},
}

# half the resolution and no augmentation, so that the training images are fitted in full
DRAWN_AND_FITTED: dict[str, Any] = {
    "subset": "drawn",
    "precision": "bfloat16",
    "weight_decay": 5e-4,
}
USUAL_FOR: dict[str, dict[str, Any]] = {
    "cifar100-25k": {
        "training_images": 22_500,
        "subset": "drawn",
        "augmentation": "crop+flip",
        "precision": "bfloat16",
        "stem": 1,
        "weight_decay": 5e-4,
        "epochs": 40,
    },
    "cifar10-10k": DRAWN_AND_FITTED | {"training_images": 5000, "epochs": 20},
    "cifar10-60k": DRAWN_AND_FITTED | {"training_images": 42_500},
}


def usual(
    architecture: str, block: str, dataset: str, depth: int, width: int, **settings: Any
) -> Run:
    """A run with the usual settings of its architecture and data set, but for those given."""
    settings = USUAL[architecture] | USUAL_FOR.get(dataset, {}) | settings
    return Run(block, dataset, architecture, depth, width, **settings)


def resnet(block: str, depth: int, width: int, **settings: Any) -> Run:
    return usual("resnet", block, "fashion", depth, width, **settings)


Settle = Callable[..., Run]  # `usual` with some of its settings
convnet: Settle = partial(usual, "convnet", dataset="fashion", depth=6, width=16)
cnn2: Settle = partial(usual, "cnn", dataset="fashion", depth=2, width=16)
dan: Settle = partial(usual, "dan", depth=3, width=100)
OF_FAMILY: dict[str, Any] = {
    "dataset": "fashion",
    "training_images": 10_000,
    "epochs": 12,
    "shift": True,
}
family: Settle = partial(usual, block="minderer-family", **OF_FAMILY)
cifar100: Settle = partial(
    usual, "resnet", dataset="cifar100", training_images=10_000, epochs=35
)
cifar25k: Settle = partial(usual, "resnet", dataset="cifar100-25k", depth=14, width=16)


def run_fitted_in_full(loss: str) -> Run:
    """Half the resolution and no augmentation, so that the training images are fitted in full."""
    settings = {"augmentation": "", "stem": 2, "epochs": 30}
    return cifar25k("cifar100-25k-losses", width=32, loss=loss, **settings)


def seeded(runs: list[Run], seed: int) -> list[Run]:
    return [replace(run, seed=seed) for run in runs]


def merged(runs: list[Run]) -> list[Run]:
    """Runs of the same name become one run that belongs to several blocks."""
    by_name: dict[str, Run] = {}
    for run in runs:
        if run.name in by_name:
            first = by_name[run.name]
            blocks = dict.fromkeys([*first.block.split(), *run.block.split()])
            run = replace(
                first,
                block=" ".join(blocks),
                curve=first.curve or run.curve,
                shift=first.shift or run.shift,
            )
        by_name[run.name] = run
    return list(by_name.values())


LOSSES = ("ce", "fl1", "fl2", "fl3", "ls0.05")
MIDDLE = (("resnet", 14, 8), ("vit", 4, 64), ("mixer", 4, 64))
HEADLINES = [
    *(resnet("guo-depth", depth, 4) for depth in (8, 14, 20, 32)),
    *(resnet("guo-width", 14, width) for width in (2, 4, 8, 16)),
    *(
        resnet("guo-weight-decay", 8, 8, weight_decay=decay)
        for decay in (0, 1e-4, 1e-3, 5e-3, 1e-2, 2e-2)
    ),
    *(resnet("vasilev-full-fit", 8, 8, loss=loss) for loss in LOSSES),
    *(resnet("vasilev-short", 8, 8, loss=loss, epochs=5) for loss in LOSSES),
    *(convnet("guo-batch-norm", batch_norm=normal) for normal in (False, True)),
    *(
        dan("guo-text", data)
        for data in ("20news", "reuters-r8", "reuters-r52", "sst2")
    ),
    *(cnn2("nixon-label-noise", label_noise=noise) for noise in (0.0, 0.3)),
    cnn2("nixon-over-fitting", epochs=40, curve=195),
    *(
        cnn2("nixon-initialisation", initialisation=how)
        for how in ("glorot", "normal-0.3")
    ),
    *(family(kind, depth=depth, width=width) for kind, depth, width in MIDDLE),
    resnet("guo-nll", 14, 8, epochs=40, curve=156),
    dan("guo-nll", "20news", epochs=20, curve=159),
    dan("guo-nll", "20news", epochs=20, curve=159, batch_norm=False),
]
DETAILS = [
    *(cnn2("nixon-initialisation", initialisation=how) for how in ("he", "normal-0.1")),
    *(cnn2("nixon-label-noise", label_noise=noise) for noise in (0.1, 0.2)),
    *(dan("guo-text-depth", "20news", depth=depth) for depth in (1, 3, 5)),
    *(dan("guo-text-width", "20news", width=width) for width in (16, 64, 100, 200)),
    *(family("resnet", depth=14, width=width) for width in (4, 16)),
    *(
        family(kind, depth=4, width=width)
        for kind in ("vit", "mixer")
        for width in (32, 128)
    ),
]
PUBLIC = [
    Run(
        "cifar10-public",
        "cifar10-test",
        "resnet",
        depth,
        16,
        epochs=0,
        stem=1,
        shift=True,
    )
    for depth in (20, 32, 44, 56)
]
CIFAR100 = [
    [cifar100("guo-cifar100-depth", depth=depth, width=16) for depth in (8, 14, 20)],
    [cifar100("guo-cifar100-width", depth=14, width=width) for width in (8, 16)],
    [
        cifar100("guo-cifar100-decay", depth=8, width=16, weight_decay=decay)
        for decay in (1e-4, 5e-3)
    ],
]
# What is compared with what, named before any of these networks was trained: block, setting, first
# and last value. Each is judged by the ECE (15 bins) of the test images, seed by seed, beside the
# accuracy; the values between show whether the trend turns. No other pair carries a claim.
COMPARISONS = [
    ("cifar100-25k-depth", "depth", 8, 20),
    ("cifar100-25k-width", "width", 8, 32),
    ("cifar100-25k-batch-norm", "batch_norm", False, True),
    ("cifar100-25k-decay", "weight_decay", 0, 2.5e-3),
    *(("cifar100-25k-losses", "loss", "ce", loss) for loss in LOSSES[1:]),
]
CIFAR25K = [
    *(cifar25k("cifar100-25k-depth", depth=depth) for depth in (20, 8, 14)),
    *(
        usual(
            "convnet",
            "cifar100-25k-batch-norm",
            "cifar100-25k",
            6,
            64,
            batch_norm=normal,
        )
        for normal in (False, True)
    ),
    *(
        cifar25k("cifar100-25k-decay", weight_decay=decay)
        for decay in (0, 2.5e-3, 5e-4, 1e-4)
    ),
    *(run_fitted_in_full(loss) for loss in LOSSES),
    *(cifar25k("cifar100-25k-width", width=width) for width in (8, 16, 32)),
]
CIFAR10_LOSSES = [
    usual("resnet", "cifar10-10k-losses", "cifar10-10k", 14, 16, loss=loss)
    for loss in LOSSES
]
TREES = [
    usual("treelstm", "guo-trees", data, 1, 150)
    for data in ("sst2-trees", "sst5-trees")
]
PRECISIONS = [
    cifar25k("cifar100-25k-precision", depth=8, precision=precision)
    for precision in ("bfloat16", "float32")
]

RUNS = merged(
    [
        *seeded(HEADLINES, 1),
        *(
            run
            for seed in SEEDS[1:]
            for run in seeded(HEADLINES, seed)
            if not run.shift
        ),
        *seeded(DETAILS, 1),
        *PUBLIC,
        *(run for seed in SEEDS[1:] for run in seeded(HEADLINES + DETAILS, seed)),
        *(run for block in CIFAR100 for seed in SEEDS for run in seeded(block, seed)),
        *PRECISIONS,
        *seeded(CIFAR25K, 1),
        *(run for seed in SEEDS[1:] for run in seeded(CIFAR25K, seed)),
        *(run for seed in SEEDS for run in seeded(CIFAR10_LOSSES, seed)),
        *(run for seed in SEEDS for run in seeded(TREES, seed)),
    ]
)
# The same losses on all of CIFAR-10, for whoever has the official archive: no part of the zoo.
ARCHIVE_RUNS = [
    replace(
        usual("resnet", "cifar10-60k-losses", "cifar10-60k", 14, 32, loss=run.loss),
        seed=run.seed,
    )
    for run in RUNS
    if run.block == "cifar10-10k-losses"
]
