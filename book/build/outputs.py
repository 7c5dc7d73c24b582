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
        for name in ("papermill", "execution"):
            cell.metadata.pop(name, None)
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags:
            cell.id = "parameters"
            cell.metadata.tags = [*tags, "remove-cell"]
        if not tags:
            cell.metadata.pop("tags", None)
        if cell.cell_type == "code":
            cell.outputs = _joined_streams(cell.outputs)
            if "figure" in cell.metadata.get("mystnb", {}):  # no text of a last value
                bare = "execute_result", {"text/plain"}
                kinds = [
                    (shown.output_type, {*shown.get("data", {})})
                    for shown in cell.outputs
                ]
                cell.outputs = [
                    o for o, k in zip(cell.outputs, kinds, strict=True) if k != bare
                ]
            for output in cell.outputs:
                _settle_output(output, cell.id)


def _settle_output(output: Any, cell_id: str) -> None:
    data = output.get("data", {})
    if "text/plain" in data:
        data["text/plain"] = ADDRESS.sub("", data["text/plain"])
    if "image/png" in data:
        data["image/png"] = _in_few_colours(data["image/png"])
    if "text/html" in data:
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
    every_fourth = opaque.resize(
        [max(side // 2, 1) for side in opaque.size], Image.NEAREST
    )
    colours = every_fourth.quantize(256, dither=Image.Dither.NONE)
    colours.putpalette(
        [255 if value > 247 else value for value in colours.getpalette()]
    )  # white
    file = io.BytesIO()
    opaque.quantize(palette=colours, dither=Image.Dither.NONE).save(file, "png")
    return min(png, base64.b64encode(file.getvalue()).decode(), key=len)


def _joined_streams(outputs: list) -> list:
    """Join neighbouring pieces of one stream: where it was cut depends on timing."""
    joined: list = []
    for output in outputs:
        previous = joined[-1] if joined else {}
        if output.output_type == "stream" and output.name == previous.get("name"):
            previous.text += output.text
        else:
            joined.append(output)
    return joined


def check_outputs(root: Path, chapter: Chapter, notebook: Any) -> None:
    """Refuse outputs that no reader should see: warnings and paths of this machine."""
    for cell in notebook.cells:
        quiet = "remove-stderr" in cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            problem = ""
            if output.get("name") == "stderr" and not quiet:
                problem = f"a cell wrote to stderr: {output.text}"
            elif str(root) in json.dumps(output):
                problem = f"an output holds the path {root}"
            if problem:
                raise BookError(f"{chapter.path}: {problem}\n{quoted(cell.source)}")
