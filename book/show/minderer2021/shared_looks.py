"""Looks that several figures on Minderer et al. (2021) share."""

FAMILY_LOOKS = {  # groups of classifiers that stand for families of the paper
    "MLP-Mixer": ("orange", "^"),
    "ViT": ("green", "D"),
    "BiT": ("vermillion", "s"),
    "ResNeXt-WSL": ("blue", "o"),
    "CLIP": ("purple", "v"),
}
OUR_LOOKS = {
    "ResNet": ("blue", "-", "o"),
    "ViT": ("green", "-", "D"),
    "MLP-Mixer": ("orange", "-", "^"),
    "ResNet, CIFAR-10": ("purple", "-", "s"),
}
TITLES = {"Uncalibrated": "as trained", "Temperature scaling": "scaled"}
ERROR_LIMITS = (8, 48)  # per cent, of ImageNet networks
