#!/usr/bin/env python3
"""Counts the files of a folder that declare a wrong duration, by container and by muxer.

    pip install trim-media pyarrow duckdb matplotlib
    python audit.py FOLDER REPORT

probes every file below FOLDER and writes into REPORT the facts as Parquet, the answers as CSV and a
plot. The facts are a table like any other: DuckDB asks the questions here, Spark SQL could as well.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import duckdb
import matplotlib
import pyarrow.parquet as pq

from trim_media.adapters import local as trim

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402 - the backend has to be set first

# A declared duration is wrong if it differs from the presented one by more than a frame.
QUESTION = """
    SELECT {column} AS name, count(*) AS files,
        count(*) FILTER (verdict = 'agrees') AS agree,
        count(*) FILTER (verdict IN ('declared_too_long', 'declared_too_short')) AS lie,
        count(*) FILTER (verdict = 'truncated') AS truncated,
        count(*) FILTER (verdict IN ('undeclared', 'unknown')) AS silent,
        max(abs(declared_s - presented_s)) AS worst_s
    FROM read_parquet(?) WHERE error_code IS NULL
    GROUP BY ALL ORDER BY files DESC, name LIMIT 12
"""
TOTALS = """
    SELECT count(*) FILTER (error_code IS NOT NULL),
        count(*) FILTER (verdict IN ('declared_too_long', 'declared_too_short'))
    FROM read_parquet(?)
"""
# All versions of libavformat count as one muxer: a name is cut before its first digit.
NAME = "regexp_replace(trim(regexp_extract(muxer, '^[^0-9]*')), ' v(ersion)?$', '')"
MUXER = f"coalesce(nullif({NAME}, ''), 'not stated')"

KINDS = [
    ("agree", "declares what a player shows", "#4c78a8"),
    ("lie", "declares a different duration", "#e45756"),
    ("truncated", "ends early", "#f2a541"),
    ("silent", "declares none", "#b9b9b9"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("report", type=Path)
    options = parser.parse_args()
    options.report.mkdir(parents=True, exist_ok=True)

    names = sorted(str(path) for path in options.folder.rglob("*") if path.is_file())
    facts = trim.facts(names)
    parquet = options.report / "facts.parquet"
    pq.write_table(facts, parquet)

    answers = {}
    for title, column in (("container", "container"), ("muxer", MUXER)):
        answer = duckdb.sql(QUESTION.format(column=column), params=[str(parquet)])
        answer.write_csv(str(options.report / f"by-{title}.csv"))
        answers[title] = [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]
    # Over all files: the tables above are limited to twelve rows.
    failed, lie = duckdb.sql(TOTALS, params=[str(parquet)]).fetchall()[0]
    draw(answers, len(names) - failed, lie, options.report / "audit.png")
    for one in answers["container"]:
        print(f"{one['name']:10} {one['files']:6} files, {one['lie']:6} wrong", end="")
        print(f", by {one['worst_s']:.3f} s at most" if one["lie"] else "")
    print(f"{lie} of {len(names) - failed} declare a wrong duration", end="")
    print(f", {failed} of {len(names)} could not be read")


def draw(answers: dict[str, list[dict[str, object]]], files: int, lie: int, path: Path) -> None:
    rows = max(len(answer) for answer in answers.values())
    figure, places = plt.subplots(1, 2, figsize=(12, 1.9 + 0.36 * rows), layout="constrained")
    for place, (title, answer) in zip(places, answers.items(), strict=True):
        answer = answer[::-1]
        labels = [str(one["name"]) for one in answer]
        start = [0.0] * len(answer)
        for kind, label, colour in KINDS:
            shares = [100 * int(str(one[kind])) / int(str(one["files"])) for one in answer]
            bars = place.barh(labels, shares, left=start, color=colour, label=label, height=0.7)
            counts = [str(one[kind]) if share >= 7 else "" for one, share in zip(answer, shares)]
            dark = kind in ("agree", "lie")
            place.bar_label(
                bars, counts, label_type="center", fontsize=9, color="white" if dark else "black"
            )
            start = [one + other for one, other in zip(start, shares, strict=True)]
        for number, one in enumerate(answer):
            place.text(101, number, str(one["files"]), va="center", fontsize=9, color="#555555")
        # Bars are equally thick in both plots, however few one of them has.
        place.set_ylim(len(answer) - rows - 0.6, len(answer) - 0.4)
        place.set_title(f"By {title}", loc="left", fontsize=11, fontweight="bold")
        place.set_xlim(0, 100)
        place.set_xlabel("% of its files (numbers: files)")
        place.spines[["top", "right", "left"]].set_visible(False)
        place.tick_params(left=False)
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=4, frameon=False, loc="outside lower center")
    figure.suptitle(
        f"{lie} of {files} files declare a different duration than a player shows",
        x=0.01,
        ha="left",
        fontsize=14,
    )
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
