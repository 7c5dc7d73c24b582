"""Sizes of calibration sets and numbers of classes that the arena tells apart."""

SIZES = (100, 500, 2500)
ALL = "all, over 2500"
SIZE_NAMES = [*map(str, SIZES), ALL]
CLASSES = {"2": (2, 2), "3 to 7": (3, 7), "8 to 19": (8, 19), "20 or more": (20, 10**6)}
