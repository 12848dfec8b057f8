"""Converts templates with values in every form (`tests/support/forms.py`) and counts the outcomes.

    python -m benchmarks.forms --share 0.01 --validate --bad bad.jsonl

With real Heat (HOT2TF_HEAT_PYTHON, HOT2TF_SHARED), a refusal is wrong if Heat would create the stack. With --validate,
real terraform validates the outputs, many at once. The whole are about 430,000 cases; a share of 0.01 takes
about a minute without terraform. The exit status is 0 for all figures.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import random

from tests.support import form_outcomes, forms
from tests.support.form_outcomes import FINE, REFUSED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.01, help="of all cases (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other cases (default: %(default)s)")
    parser.add_argument("--types", default="", help="only types with this in their names")
    parser.add_argument("--prefer", default="faithful", help="as for convert (default: %(default)s)")
    parser.add_argument("--validate", action="store_true", help="with real terraform, too")
    parser.add_argument("--bad", type=pathlib.Path, help="a file for the cases that are neither fine nor refused")
    arguments = parser.parse_args()
    cases = forms.every_case(random.Random(arguments.seed), arguments.share, arguments.types)
    outcomes = form_outcomes.convert_cases(cases, arguments.prefer)
    if arguments.validate:
        outcomes = form_outcomes.validate(outcomes)
    counts: collections.Counter[str] = collections.Counter()
    with pathlib.Path(arguments.bad or os.devnull).open("w", encoding="utf-8") as bad:
        for outcome in outcomes:
            counts[outcome.kind] += 1
            if outcome.kind not in (FINE, REFUSED):
                name, files = outcome.case
                row = {"case": name, "what": outcome.kind, "why": outcome.why, "files": files}
                print(json.dumps(row), file=bad, flush=True)
    for kind, number in counts.most_common():
        print(f"{number:8} {kind}")


if __name__ == "__main__":
    main()
