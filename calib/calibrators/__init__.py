"""Calibrators: maps fitted on a calibration set that repair scores or logits."""

from calib.calibrators.storage import load_map, save_map

__all__ = ["load_map", "save_map"]
