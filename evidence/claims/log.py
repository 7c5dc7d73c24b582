"""The log of the rules of all parts, ``data/ledger/claims-log.csv``.

Which rule changed, when, why, and what became of the verdict. A rule that is not the one of its
last line is refused by a test.
"""

import ast
import hashlib
import inspect
import json

import pandas as pd

from evidence.claims import comparisons, findings, frames, promises, rule, trends
from evidence.claims.frames import read_table
from evidence.data import NAMES
from evidence.language import frames as language

COLUMNS = "date claim part before after verdict_before verdict_after reason rule".split()
CODE = {
    "evidence rule": rule,
    "findings": findings,
    "comparisons": comparisons,
    "trends": trends,
    "frames": frames,
    "frames of language": language,
    "frames of promises": promises,
}


def digest(rule):
    """Return a short checksum of a rule, whatever the order of its keys."""
    text = json.dumps(rule, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def code_of(module):
    """Return a module's code without docstrings, imports, comments and spaces."""
    text, left_out = inspect.getsource(module), set()
    for node in ast.walk(ast.parse(text)):
        text_alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text_alone or isinstance(node, ast.Import | ast.ImportFrom):
            left_out.update(range(node.lineno, node.end_lineno + 1))
    lines = [line.strip() for i, line in enumerate(text.splitlines(), 1) if i not in left_out]
    return "".join("".join(line.split()) for line in lines if not line.startswith("#"))


def parts(claim):
    """Return the parts of a claim's rule: its wording, and the test for each kind of evidence."""
    wording = {"says": claim.says, "where": claim.where, "word": claim.word}
    wording |= {k: v for k in ("named", "theorem", "ours", "dropped") if (v := getattr(claim, k))}
    return {"wording": wording, **claim.evidence}


def rules(claims):
    """Return the checksum of each part of each claim's rule, and of the code that all share."""
    code = {("all", name): digest(code_of(module)) for name, module in CODE.items()}
    code["all", "names"] = digest(NAMES)
    return code | {(c.id, part): digest(own) for c in claims for part, own in parts(c).items()}


def load_log():
    """Return the log, one line a change; the claim "all" is what every claim shares."""
    return read_table("ledger/claims-log.csv").fillna("").astype(str)


def unlogged(claims, log):
    """Return the parts of rules that are not what the log's last line of them says."""
    last = log.drop_duplicates(["claim", "part"], keep="last").set_index(["claim", "part"])["rule"]
    now = rules(claims)
    changed = [key for key, rule in now.items() if last.get(key, "") != rule]
    gone = [key for key, rule in last.items() if rule and key not in now]
    return changed + gone


def lines(claims, log, before, after, date, reason):
    """Return the log with a line for each part of a rule that changed, and each other verdict."""
    old, new = (x.set_index(["id", "evidence"])["verdict"].to_dict() for x in (before, after))
    now = rules(claims)
    other = [key for key in new if key in old and old[key] != new[key] and key[1] != "none"]
    keys = list(dict.fromkeys([*unlogged(claims, log), *other]))
    looked_up = {"verdict_before": old, "verdict_after": new, "rule": now}
    rows = pd.DataFrame(keys, columns=["claim", "part"]).assign(date=date, reason=reason)
    for column, table in looked_up.items():
        rows[column] = [table.get(key, "") for key in keys]
    return pd.concat([log, rows.reindex(columns=COLUMNS).fillna("")], ignore_index=True)
