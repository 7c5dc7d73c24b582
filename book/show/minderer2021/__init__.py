"""The notebook on Minderer et al. (2021), a module a question: its plots and numbers."""

from book.show.minderer2021.families import draw_figure_1, glue_plane
from book.show.minderer2021.first_screen import (
    SENTENCES,
    glue_chance,
    glue_headline,
    glue_sentences,
    lone_networks,
    standing_for,
)
from book.show.minderer2021.pretraining import draw_pretraining
from book.show.minderer2021.shift import (
    draw_corruption,
    draw_natural_shifts,
    draw_reversal,
    draw_severity,
    glue_robustness,
)
from book.show.minderer2021.size import draw_recipes, draw_size, glue_recipes

__all__ = [
    "SENTENCES",
    "draw_corruption",
    "draw_figure_1",
    "draw_natural_shifts",
    "draw_pretraining",
    "draw_recipes",
    "draw_reversal",
    "draw_severity",
    "draw_size",
    "glue_chance",
    "glue_headline",
    "glue_plane",
    "glue_recipes",
    "glue_robustness",
    "glue_sentences",
    "lone_networks",
    "standing_for",
]
