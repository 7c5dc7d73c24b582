"""The list of runs: one row a network, headline comparisons first, cheap runs first."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import Any

SEEDS = (1, 2, 3)
# the data set on which networks of others are run: nothing of it is for training
PUBLISHED = "cifar10-test"
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
    def is_published(self) -> bool:
        """Whether others trained the network and published its weights, so that it is only run."""
        return self.dataset == PUBLISHED

    @property
    def name(self) -> str:
        """Names every setting that differs from the usual one, so that no two runs share a name."""
        if self.is_published:
            return f"cifar10-{self.architecture}{self.depth}"
        ours = usual(self.architecture, "", self.dataset, self.depth, self.width)
        changed = [
            setting_as_text(setting, getattr(self, setting))
            for setting in SETTINGS
            if getattr(self, setting) != getattr(ours, setting)
        ]
        network = [self.dataset, f"{self.architecture}{self.depth}", f"w{self.width}"]
        return "-".join([*network, *changed, f"s{self.seed}"])


# of a run, and not of its network: what a name leaves out
OF_RUN = ("block", "curve", "shift")
# how a name writes a setting; one that is not here stands with its value alone
FORMS = {
    "loss": "{}",
    "weight_decay": "wd{:g}",
    "initialisation": "{}",
    "label_noise": "noise{:g}",
    "training_images": "n{}",
    "epochs": "e{}",
    "precision": "{}",
    "stem": "stem{}",
    "patience": "patience{}",
}
# what every name begins or ends with
ALWAYS_NAMED = ("dataset", "architecture", "depth", "width", "seed")
# in their order in a name
SETTINGS = [
    *FORMS,
    *(
        field.name
        for field in fields(Run)
        if field.name not in (*FORMS, *ALWAYS_NAMED, *OF_RUN)
    ),
]


def setting_as_text(setting: str, value: Any) -> str:
    """Return how the name of a run writes a setting.

    Examples
    --------
    >>> [setting_as_text("stem", 1), setting_as_text("optimiser", ADAM)]
    ['stem1', 'adam0.001']
    >>> [setting_as_text("batch_norm", False), setting_as_text("augmentation", "")]
    ['nobn', 'noaug']
    """
    if setting == "batch_norm":
        return "bn" if value else "nobn"
    if setting == "optimiser":
        return "{}{:g}".format(*value)
    if setting == "augmentation":
        return value or "noaug"
    return FORMS.get(setting, "{}").format(value)


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


def without_repeats(runs: list[Run]) -> list[Run]:
    """Runs of the same name become one run that belongs to several blocks.

    A ValueError names two of one name whose networks would differ.
    """
    by_name: dict[str, Run] = {}
    for run in runs:
        first = by_name.get(run.name)
        by_name[run.name] = run if first is None else joined(first, run)
    return list(by_name.values())


def joined(first: Run, again: Run) -> Run:
    """Return one run of two of the same name, with the blocks and the measurements of both."""
    blocks = dict.fromkeys([*first.block.split(), *again.block.split()])
    of_both: dict[str, Any] = {
        "block": " ".join(blocks),
        "curve": first.curve or again.curve,
        "shift": first.shift or again.shift,
    }
    both = replace(first, **of_both)
    if both != replace(again, **of_both):
        raise ValueError(f"{first.name}: two different runs of one name")
    return both


def runs_over(
    settle: Settle, block: str, option: str, values: Any, **others: Any
) -> list[Run]:
    """Return the runs of a block that differ in one option, a run a value."""
    return [settle(block, **{option: value}, **others) for value in values]


def in_one_list(*blocks: list[Run]) -> list[Run]:
    return list(chain.from_iterable(blocks))


LOSS_NAMES = ("ce", "fl1", "fl2", "fl3", "ls0.05")
TEXTS = ("20news", "reuters-r8", "reuters-r52", "sst2")
DECAYS = (0, 1e-4, 1e-3, 5e-3, 1e-2, 2e-2)
HEADLINES = in_one_list(
    runs_over(resnet, "guo-depth", "depth", (8, 14, 20, 32), width=4),
    runs_over(resnet, "guo-width", "width", (2, 4, 8, 16), depth=14),
    runs_over(resnet, "guo-weight-decay", "weight_decay", DECAYS, depth=8, width=8),
    runs_over(resnet, "vasilev-full-fit", "loss", LOSS_NAMES, depth=8, width=8),
    runs_over(resnet, "vasilev-short", "loss", LOSS_NAMES, depth=8, width=8, epochs=5),
    runs_over(convnet, "guo-batch-norm", "batch_norm", (False, True)),
    runs_over(dan, "guo-text", "dataset", TEXTS),
    runs_over(cnn2, "nixon-label-noise", "label_noise", (0.0, 0.3)),
    [cnn2("nixon-over-fitting", epochs=40, curve=195)],
    runs_over(cnn2, "nixon-initialisation", "initialisation", ("glorot", "normal-0.3")),
    [
        family("resnet", depth=14, width=8),
        family("vit", depth=4, width=64),
        family("mixer", depth=4, width=64),
    ],
    [resnet("guo-nll", 14, 8, epochs=40, curve=156)],
    runs_over(
        dan,
        "guo-nll",
        "batch_norm",
        (True, False),
        dataset="20news",
        epochs=20,
        curve=159,
    ),
)
DETAILS = in_one_list(
    runs_over(cnn2, "nixon-initialisation", "initialisation", ("he", "normal-0.1")),
    runs_over(cnn2, "nixon-label-noise", "label_noise", (0.1, 0.2)),
    runs_over(dan, "guo-text-depth", "depth", (1, 3, 5), dataset="20news"),
    runs_over(dan, "guo-text-width", "width", (16, 64, 100, 200), dataset="20news"),
    [family("resnet", depth=14, width=width) for width in (4, 16)],
    [family("vit", depth=4, width=width) for width in (32, 128)],
    [family("mixer", depth=4, width=width) for width in (32, 128)],
)
PUBLIC = [
    Run(
        "cifar10-public",
        PUBLISHED,
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
    runs_over(cifar100, "guo-cifar100-depth", "depth", (8, 14, 20), width=16),
    runs_over(cifar100, "guo-cifar100-width", "width", (8, 16), depth=14),
    runs_over(
        cifar100, "guo-cifar100-decay", "weight_decay", (1e-4, 5e-3), depth=8, width=16
    ),
]
# What is compared with what, named before any of these networks was trained: block, setting, first
# and last value. Each is judged by the ECE (15 bins) of the test images, seed by seed, beside the
# accuracy; the values between show whether the trend turns. No other pair carries a claim.
COMPARISONS = [
    ("cifar100-25k-depth", "depth", 8, 20),
    ("cifar100-25k-width", "width", 8, 32),
    ("cifar100-25k-batch-norm", "batch_norm", False, True),
    ("cifar100-25k-decay", "weight_decay", 0, 2.5e-3),
    ("cifar100-25k-losses", "loss", "ce", "fl1"),
    ("cifar100-25k-losses", "loss", "ce", "fl2"),
    ("cifar100-25k-losses", "loss", "ce", "fl3"),
    ("cifar100-25k-losses", "loss", "ce", "ls0.05"),
]
convnet25k: Settle = partial(
    usual, "convnet", dataset="cifar100-25k", depth=6, width=64
)
CIFAR25K = in_one_list(
    runs_over(cifar25k, "cifar100-25k-depth", "depth", (20, 8, 14)),
    runs_over(convnet25k, "cifar100-25k-batch-norm", "batch_norm", (False, True)),
    runs_over(cifar25k, "cifar100-25k-decay", "weight_decay", (0, 2.5e-3, 5e-4, 1e-4)),
    [run_fitted_in_full(loss) for loss in LOSS_NAMES],
    runs_over(cifar25k, "cifar100-25k-width", "width", (8, 16, 32)),
)
CIFAR10_LOSSES = [
    usual("resnet", "cifar10-10k-losses", "cifar10-10k", 14, 16, loss=loss)
    for loss in LOSS_NAMES
]
TREES = [
    usual("treelstm", "guo-trees", data, 1, 150)
    for data in ("sst2-trees", "sst5-trees")
]
PRECISIONS = [
    cifar25k("cifar100-25k-precision", depth=8, precision=precision)
    for precision in ("bfloat16", "float32")
]


def runs_with_seeds(runs: list[Run], seeds: tuple[int, ...]) -> list[Run]:
    """Return all runs with the first seed, then all with the next."""
    return [replace(run, seed=seed) for seed in seeds for run in runs]


FIRST, FURTHER = SEEDS[:1], SEEDS[1:]
CHEAP_HEADLINES = [run for run in HEADLINES if not run.shift]
RUNS = without_repeats(
    in_one_list(
        runs_with_seeds(HEADLINES, FIRST),
        runs_with_seeds(CHEAP_HEADLINES, FURTHER),
        runs_with_seeds(DETAILS, FIRST),
        PUBLIC,
        runs_with_seeds(HEADLINES + DETAILS, FURTHER),
        *(runs_with_seeds(block, SEEDS) for block in CIFAR100),
        PRECISIONS,
        runs_with_seeds(CIFAR25K, FIRST),
        runs_with_seeds(CIFAR25K, FURTHER),
        runs_with_seeds(CIFAR10_LOSSES, SEEDS),
        runs_with_seeds(TREES, SEEDS),
    )
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
