"""The list of runs: one row a network, the first seed of everything first."""

from dataclasses import dataclass, replace

SEEDS = (1, 2, 3)
SGD, ADAM = ("sgd", 0.1), ("adam", 1e-3)


@dataclass(frozen=True)
class Run:
    """One network.

    `curve` is the number of steps between two rows of its curve (0: none); `shift` asks for its
    metrics under corruptions; `training_images` 0 is all there are.
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
    optimiser: tuple = SGD
    seed: int = 1
    curve: int = 0
    shift: bool = False

    @property
    def work(self):
        """Processor seconds that the run takes, roughly."""
        per_image = {
            "resnet": self.depth * (0.7e-5 + 0.25e-5 * self.width),
            "convnet": 3e-4,
            "cnn2": 4e-4,
            "vit": self.depth * self.width * 1.5e-6,
            "mixer": self.depth * self.width * 1.5e-6,
            "dan": 2e-4,
        }[self.architecture]
        seconds = (self.training_images or 8000) * self.epochs * per_image
        return 15 + seconds * (1.5 if self.shift or self.curve else 1)

    @property
    def name(self):
        """Names every setting that differs from the usual one, so that no two runs share a name."""
        if self.dataset == "cifar10-test":
            return f"cifar10-{self.architecture}{self.depth}"
        usual = Run("", self.dataset, self.architecture, self.depth, self.width)
        parts = [self.dataset, f"{self.architecture}{self.depth}", f"w{self.width}"]
        short = {
            "loss": "{}",
            "weight_decay": "wd{:g}",
            "initialisation": "{}",
            "label_noise": "noise{:g}",
            "training_images": "n{}",
            "epochs": "e{}",
        }
        for setting, form in short.items():
            if getattr(self, setting) != getattr(usual, setting):
                parts.append(form.format(getattr(self, setting)))
        if not self.batch_norm:
            parts.append("nobn")
        return "-".join([*parts, f"s{self.seed}"])


def resnet(block, depth, width, **settings):
    return Run(block, "fashion", "resnet", depth, width, **settings)


def convnet(block, **settings):
    settings = {"optimiser": ADAM} | settings
    return Run(block, "fashion", "convnet", 6, 16, **settings)


def cnn2(block, **settings):
    settings = {"batch_norm": False, "weight_decay": 0.0, "optimiser": ADAM} | settings
    return Run(block, "fashion", "cnn2", 2, 16, **settings)


def dan(block, dataset, depth=3, width=100, **settings):
    settings = {"weight_decay": 0.0, "optimiser": ADAM, "training_images": 0} | settings
    return Run(block, dataset, "dan", depth, width, **settings)


def family(architecture, depth, width, **settings):
    settings = {"training_images": 20_000, "epochs": 12, "shift": True} | settings
    return Run("minderer-family", "fashion", architecture, depth, width, **settings)


def vision(architecture, depth, width):
    rate = ("adam", 1e-3)
    return family(architecture, depth, width, batch_norm=False, optimiser=rate, weight_decay=0.05)


ROUND = [
    *(resnet("guo-depth", depth, 4) for depth in (8, 14, 20, 32)),
    *(resnet("guo-width", 14, width) for width in (2, 4, 8, 16)),
    *(
        resnet("guo-weight-decay", 8, 8, weight_decay=wd)
        for wd in (0, 1e-4, 1e-3, 5e-3, 1e-2, 2e-2)
    ),
    *(
        resnet("vasilev-full-fit", 8, 8, loss=loss)
        for loss in ("ce", "fl1", "fl2", "fl3", "ls0.05")
    ),
    *(
        resnet("vasilev-short", 8, 8, loss=loss, epochs=5)
        for loss in ("ce", "fl1", "fl2", "fl3", "ls0.05")
    ),
    *(convnet("guo-batch-norm", batch_norm=bn) for bn in (False, True)),
    *(
        cnn2("nixon-initialisation", initialisation=how, epochs=20)
        for how in ("glorot", "he", "normal-0.1", "normal-0.3")
    ),
    *(
        cnn2("nixon-label-noise", initialisation="glorot", label_noise=noise, epochs=20)
        for noise in (0.0, 0.1, 0.2, 0.3)
    ),
    *(dan("guo-text", "20news", epochs=20, curve=250) for _ in (1,)),
]


def merged(runs):
    """Runs of the same name become one run that belongs to several blocks."""
    out = {}
    for run in runs:
        if run.name in out:
            both = out[run.name]
            run = replace(
                both,
                block=f"{both.block} {run.block}",
                curve=both.curve or run.curve,
                shift=both.shift or run.shift,
            )
        out[run.name] = run
    return list(out.values())


PUBLIC = [
    Run(
        "cifar10-public",
        "cifar10-test",
        "resnet",
        depth,
        16,
        epochs=0,
        training_images=0,
        shift=True,
    )
    for depth in (20, 32, 44, 56)
]

RUNS = merged([*PUBLIC, *(replace(run, seed=seed) for seed in SEEDS for run in ROUND)])
