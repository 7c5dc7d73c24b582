"""What spreadsheets and pages get runs nothing that a student wrote."""

from teaching import grade
from teaching.export import without_formula


def test_nothing_that_a_student_writes_is_run_by_a_spreadsheet_or_a_page():
    for text in ('=HYPERLINK("http://x")', "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"):
        assert without_formula(text) == f"'{text}"
    assert without_formula("Ada") == "Ada"
    assert grade.escaped("<img src=x onerror=alert(1)> [a](javascript:b) `c`\n# d") == (
        r"&lt;img src=x onerror=alert(1)&gt; \[a\](javascript:b) \`c\` # d"
    )
