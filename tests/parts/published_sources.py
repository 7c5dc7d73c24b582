"""Sources on a web server of this machine, and what is kept of them."""

import hashlib

from helpers import ROOT

from evidence.data import csv_bytes

GOOD = b"true_label,pred_label,confidence\n1,1,0.75\n0,1,0.5\n"
COLUMNS = (ROOT / "data" / "sources/sources.csv").read_text().splitlines()[0].split(",")


def publish(site, content=GOOD, *, expected=GOOD, path="/o/r/c/a file.csv", **more):
    """List one source as its maker described it, and serve what may be something else."""
    quoted = path.replace(" ", "%20")
    if content is not None:
        file = site.web / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    row = dict.fromkeys(COLUMNS, "")
    row |= {"name": "net", "known": "top1", "order": "some", "reader": "top1"}
    row |= {"address": site.address + quoted, "bytes": len(expected)}
    row |= {"sha256": hashlib.sha256(expected).hexdigest(), **more}
    site.rows.append(row)
    site.table.write_bytes(csv_bytes(site.rows))


def kept(site):
    return sorted(
        str(p.relative_to(site.copy)) for p in site.copy.rglob("*") if p.is_file()
    )
