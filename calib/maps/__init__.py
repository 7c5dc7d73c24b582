"""Calibrators: maps fitted on a calibration set that repair scores or logits."""
