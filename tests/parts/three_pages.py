"""A small book of three pages, of which one is a glossary, and an article of it."""

import re

from small_book import small_book

GLOSSARY = """# Glossary

```{glossary}
bin
  A set of samples.

calibration error
  A number.

ECE
expected calibration error
  Another number.

score
  A number in [0, 1].

confidence
  The largest probability.
```
"""


PAGE = """# A bin in a heading

```{admonition} In this chapter
The score of a box.
```

A cabin, a bin-wise sum, `bin`, $bin$, [a bin](https://example.org), an ece and a scorecard.
A 95 % confidence interval of 12.3%, of **7.1** % in 50 000 images, `5 % of 10 000`, $5 \\%$,
100%-wool, in 2017 100 networks, 3 1234.

| bin | score |
|---|---|
| bin | 8% |

Scores fall in *bins*; the bin of a score.
The expected calibration error, or ECE, is a calibration error. Its confidence is a confidence.
"""


SET = "# Page\n\nWritten {term}`score`, score and a bin. Then {term}`bin`.\n"


def three_pages(folder):
    """Build this book in a folder; return where its pages are."""
    for name, text in {"page": PAGE, "set": SET, "glossary": GLOSSARY}.items():
        (folder / f"{name}.md").write_text(text)
    return small_book(folder, ["page", "set", "glossary"])


def article(path):
    return re.search(r"<article.*</article>", path.read_text(), re.DOTALL)[0]
