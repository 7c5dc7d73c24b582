"""The one style: the rules that pages use."""

from book.build.style import used


def test_of_a_style_what_no_page_and_no_script_names_goes():
    kept = ["p{x:1}", ".a .b:not(.gone):is(.gone){x:1}", "#c,.gone{x:1}", ".shown{x:1}"]
    kept += [
        '[href$=".pdf"]{x:1}',
        "@media print{.a{x:1}p{x:1}}",
        "@keyframes k{0%{x:1}to{x:2}}",
    ]
    gone = [".gone{x:1}", ".a.gone,#away{x:1}", "@media print{.gone{x:1}}", "/* .a */"]
    style = "/*! licence of x.min */" + "".join(
        k + g for k, g in zip(kept, gone * 2, strict=False)
    )
    assert used(style, {"a", "b", "c", "shown"}) == "\n".join(
        ["/*! licence of x.min */", *kept, ""]
    )
