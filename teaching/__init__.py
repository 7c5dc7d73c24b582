"""What teachers need and the site does not show: exam, keys, reserved data, grading."""
