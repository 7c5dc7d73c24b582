"""Exercises to learn by have a level, and hints in steps."""

from collections import Counter

from practised import chapters_to_learn_by, parts_of_exercises

from book.build import exercise_lines


def test_each_exercise_to_learn_by_has_a_level_and_hints_in_steps():
    counted = Counter()
    for chapter in chapters_to_learn_by():
        exercises = parts_of_exercises(chapter.path.read_text("utf-8"))
        for label, (level, hints) in exercises.items():
            assert level in exercise_lines.LEVELS, label
            assert hints, label
            assert hints == [f"Hint {i}" for i in range(1, len(hints) + 1)], label
            counted[level] += 1
    assert counted.total() >= 85
    assert min(counted[level] for level in exercise_lines.LEVELS) >= 10
