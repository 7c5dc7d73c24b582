"""An entry of the files of claims, and its test."""

TEST = {"test": "lower", "member": "Temperature scaling", "than": "Uncalibrated"}
ENTRY = {
    "id": "a",
    "paper": "guo2017",
    "where": "b",
    "says": "c",
    "word": "all",
    "evidence": {"zoo": TEST},
}
