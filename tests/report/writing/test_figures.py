"""The figures of a report: what stands below their axes."""

from calib_report.writing import figures


def test_labels_of_time_are_short_and_few():
    stamps = [f"2025-01-{day:02d}T08:00:00" for day in range(1, 15)]
    labels = figures.short_labels(stamps)
    assert [label for label in labels if label] == [
        f"2025-01-{day:02d}" for day in (1, 3, 5, 7, 9, 11, 13)
    ]
    hours = figures.short_labels([f"2025-01-02T{hour:02d}:30:00" for hour in range(4)])
    assert hours == [f"01-02 0{hour}:30" for hour in range(4)]
