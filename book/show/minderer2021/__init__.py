"""The notebook on Minderer et al. (2021), a module a question: its plots and numbers."""

from book.show.minderer2021.families import draw_figure_1, glue_figure_1
from book.show.minderer2021.first_screen import (
    SENTENCES,
    glue_headline,
    glue_highest_chance,
    glue_sentences,
    lone_networks,
    standing_for,
)
from book.show.minderer2021.pretraining import draw_errors_by_pretraining
from book.show.minderer2021.shift import (
    draw_errors_by_severity,
    draw_errors_under_corruption,
    draw_errors_under_natural_shifts,
    draw_largest_less_smallest,
    glue_loss_by_corruption,
)
from book.show.minderer2021.size import (
    draw_errors_by_size,
    draw_errors_of_recipes,
    glue_trends_of_recipes,
)

__all__ = [
    "SENTENCES",
    "draw_errors_by_pretraining",
    "draw_errors_by_severity",
    "draw_errors_by_size",
    "draw_errors_of_recipes",
    "draw_errors_under_corruption",
    "draw_errors_under_natural_shifts",
    "draw_figure_1",
    "draw_largest_less_smallest",
    "glue_figure_1",
    "glue_headline",
    "glue_highest_chance",
    "glue_loss_by_corruption",
    "glue_sentences",
    "glue_trends_of_recipes",
    "lone_networks",
    "standing_for",
]
