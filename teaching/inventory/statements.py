"""The statements of the inventory, and the answers that its forms offer."""

from pathlib import Path

import numpy as np
import yaml

ITEMS = yaml.safe_load(
    Path(__file__).with_name("items.yml").read_text(encoding="utf-8")
)
TRUE = np.array([item["holds"] for item in ITEMS])
LEVELS = [f"{tenth}0 %" if tenth else "0 %" for tenth in range(11)]
ASKED = "How likely is it that this is true?"
