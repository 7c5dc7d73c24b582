"""What an executed chapter shows: the same bytes each time, nothing that no reader should see."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

from book.build.project import BookError, Chapter
from book.build.students import quoted

ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
STYLER_ID = re.compile(r"\bT_([0-9a-f]{5})(?=[_\"' ])")


def settle(notebook: Any) -> None:
    """Remove from an executed notebook what differs from run to run."""
    for name in ("papermill", "jupytext", "calib"):
        notebook.metadata.pop(name, None)
    for cell in notebook.cells:
        _settle_metadata(cell)
        if cell.cell_type == "code":
            _settle_outputs(cell)


def _settle_metadata(cell: Any) -> None:
    """Take away the times of the run; name the cell that papermill put in."""
    for name in ("papermill", "execution"):
        cell.metadata.pop(name, None)
    tags = cell.metadata.get("tags", [])
    if "injected-parameters" in tags:
        cell.id = "parameters"
        cell.metadata.tags = [*tags, "remove-cell"]
    if not tags:
        cell.metadata.pop("tags", None)


def _settle_outputs(cell: Any) -> None:
    """Join what a stream said in pieces; of a figure's cell drop the text of a last value."""
    outputs = _joined_streams(cell.outputs)
    if "figure" in cell.metadata.get("mystnb", {}):
        outputs = [output for output in outputs if not _is_bare_text(output)]
    cell.outputs = outputs
    for output in outputs:
        _settle_output(output, cell.id)


def _is_bare_text(output: Any) -> bool:
    """Return whether an output is a last value that nothing but text shows."""
    if output.output_type != "execute_result":
        return False
    return set(output.get("data", {})) == {"text/plain"}


def _settle_output(output: Any, cell_id: str) -> None:
    data = output.get("data", {})
    if "text/plain" in data:
        data["text/plain"] = ADDRESS.sub("", data["text/plain"])
    if "image/png" in data:
        data["image/png"] = _in_few_colours(data["image/png"])
    if "text/html" in data:
        # pandas draws by lot the names by which a table's style finds its cells
        tables = list(dict.fromkeys(STYLER_ID.findall(data["text/html"])))
        for number, name in enumerate(tables):
            data["text/html"] = data["text/html"].replace(
                f"T_{name}", f"T_{cell_id}-{number}"
            )


def _in_few_colours(png: str) -> str:
    """Return an opaque image in 256 colours: the eye sees no difference, the file is a third."""
    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    if image.getchannel("A").getextrema() != (255, 255):
        return png
    opaque = image.convert("RGB")
    # every fourth pixel is enough to choose the colours by
    width, height = opaque.size
    half = opaque.resize([max(width // 2, 1), max(height // 2, 1)], Image.NEAREST)
    colours = half.quantize(256, dither=Image.Dither.NONE)
    # what is nearly white is white, as the page around it
    palette = [255 if value > 247 else value for value in colours.getpalette() or ()]
    colours.putpalette(palette)
    file = io.BytesIO()
    opaque.quantize(palette=colours, dither=Image.Dither.NONE).save(file, "png")
    return min(png, base64.b64encode(file.getvalue()).decode(), key=len)


def _joined_streams(outputs: list[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream: where it was cut depends on timing."""
    joined: list[Any] = []
    for output in outputs:
        previous: Any = joined[-1] if joined else {}
        if output.output_type == "stream" and output.name == previous.get("name"):
            previous.text += output.text
        else:
            joined.append(output)
    return joined


def check_outputs(root: Path, chapter: Chapter, notebook: Any) -> None:
    """Refuse outputs that no reader should see: warnings and paths of this machine."""
    for cell in notebook.cells:
        is_quiet = "remove-stderr" in cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            problem = _fault(output, root, is_quiet=is_quiet)
            if problem:
                raise BookError(f"{chapter.path}: {problem}\n{quoted(cell.source)}")


def _fault(output: Any, root: Path, *, is_quiet: bool) -> str:
    """Say why no reader should see an output; nothing where they may."""
    if output.get("name") == "stderr" and not is_quiet:
        return f"a cell wrote to stderr: {output.text}"
    if str(root) in json.dumps(output):
        return f"an output holds the path {root}"
    return ""
