#!/usr/bin/env python3
"""Which files of a folder may pass: short enough, undamaged, and as long as they declare.

    pip install trim-media pyarrow duckdb
    python gate.py FOLDER REPORT --max-length 60.5

writes REPORT/verdicts.parquet, a row for each file with the rules that it breaks, and
REPORT/rejected.csv, those that break any. The exit status is 0 where every file passes, 1 where one
is rejected, and 75 where none is but some could not be read this time: run it again.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from trim_media.adapters import local as trim

# One rule per line: its name in the table, and a condition that holds for files that break it.
# Lengths are compared as exact fractions: a file of exactly the maximum length is rejected.
PRESENTED = "presented_num::HUGEINT"
RULES = {
    "unreadable": "error_code IS NOT NULL AND NOT error_retryable",
    "length_unknown": "error_code IS NULL AND presented_num IS NULL",
    "too_long": f"{PRESENTED} * $most_den >= $most_num::HUGEINT * presented_den",
    "too_short": f"{PRESENTED} * $least_den < $least_num::HUGEINT * presented_den",
    "damaged": "damage <> ''",
    "truncated": "verdict = 'truncated'",
    "declares_other_length": "verdict IN ('declared_too_long', 'declared_too_short')",
}
JUDGED = """
    CREATE TABLE verdicts AS
    SELECT path, len(rules) = 0 AND error_code IS NULL AS passes, rules, container, depth,
        presented_num, presented_den, presented_s, declared_s, damage, error_code, error_message
    FROM (SELECT *, [rule FOR rule IN [{rules}] IF rule IS NOT NULL] AS rules
        FROM read_parquet($facts))
    ORDER BY path
"""
COUNTS = """
    SELECT rule, count(*) FROM (SELECT unnest(rules) AS rule FROM verdicts)
    GROUP BY ALL ORDER BY count(*) DESC, rule
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("--max-length", type=Fraction, default=Fraction("60.5"), metavar="SECONDS")
    parser.add_argument("--min-length", type=Fraction, default=Fraction(0), metavar="SECONDS")
    parser.add_argument(
        "--depth",
        choices=["auto", "header", "packets", "frames"],
        default="packets",
        help="scan depth: every packet by default; only 'frames' finds all damage",
    )
    options = parser.parse_args()
    options.report.mkdir(parents=True, exist_ok=True)

    names = sorted(str(path) for path in options.folder.rglob("*") if path.is_file())
    facts = options.report / "facts.parquet"
    pq.write_table(trim.facts(names, depth=options.depth), facts)
    most, least = options.max_length, options.min_length
    return judge(
        options.report,
        facts=str(facts),
        most_num=most.numerator,
        most_den=most.denominator,
        least_num=least.numerator,
        least_den=least.denominator,
    )


def judge(report: Path, **given: str | int) -> int:
    rules = ", ".join(f"CASE WHEN {rule} THEN '{name}' END" for name, rule in RULES.items())
    table = duckdb.connect()
    table.execute(JUDGED.format(rules=rules), given)
    verdicts, rejected = report / "verdicts.parquet", report / "rejected.csv"
    table.sql("FROM verdicts").write_parquet(str(verdicts))
    table.sql(
        "SELECT * REPLACE (array_to_string(rules, ' ') AS rules) FROM verdicts WHERE len(rules) > 0"
    ).write_csv(str(rejected))
    files, broken, passing = table.sql(
        "SELECT count(*), count(*) FILTER (len(rules) > 0), count(*) FILTER (passes) FROM verdicts"
    ).fetchall()[0]
    for rule, count in table.sql(COUNTS).fetchall():
        print(f"{count:7} {rule}")
    unread = files - broken - passing
    print(f"{broken} of {files} files are rejected", end="")
    print(f", {unread} could not be read this time" if unread else "")
    if broken:
        return 1
    return 75 if unread else 0


if __name__ == "__main__":
    sys.exit(main())
