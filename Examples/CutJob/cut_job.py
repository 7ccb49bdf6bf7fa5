#!/usr/bin/env python3
"""Makes the cuts of a table, each once, however often it is run or killed.

    pip install trim-media pyarrow
    python cut_job.py CUTS.csv FOLDER

CUTS.csv has the columns `path`, `start`, and `end` or `length`, with times as `trim cut` reads them
(12.5, 0:12.5, 1001/30); `id`, where there is one, begins the name of the output. The end of each
name identifies the source's state and the cut, and a file appears complete or not at all: an
existing one counts as done. FOLDER/cuts.parquet has a row for each cut, in order. The exit status
is 0 where every cut exists, 1 where one cannot be made, 75 where running it again may help.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv
import pyarrow.parquet as pq

from trim_media.adapters import local as trim

COLUMNS = ["path", "start", "end", "length", "id"]
# Rows per call; progress is reported after each call.
BATCH = 64


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mode", choices=["smart", "edit-list", "copy", "reencode"])
    parser.add_argument("--audio", choices=["copy", "reencode"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    # Read as text: times go to the engine as written, and IDs keep leading zeros.
    text = pv.ConvertOptions(
        column_types={name: pa.string() for name in COLUMNS}, strings_can_be_null=True
    )
    cuts = pv.read_csv(options.table, convert_options=text)
    started, parts, made = time.monotonic(), [], 0
    for first in range(0, cuts.num_rows, BATCH):
        done = trim.cuts(
            cuts.slice(first, BATCH), str(options.folder), mode=options.mode, audio=options.audio
        )
        parts.append(done)
        made += count(done, pc.equal(done["existed"], False))
        seconds = time.monotonic() - started
        at = min(first + BATCH, cuts.num_rows)
        print(f"{at} of {cuts.num_rows}, {made} made in {seconds:.1f} s", file=sys.stderr)
    if not parts:
        print("nothing to cut")
        return 0
    return report(pa.concat_tables(parts), options.folder / "cuts.parquet")


def count(table: pa.Table, flags: pa.ChunkedArray) -> int:
    return int(table.filter(flags).num_rows)


def report(cuts: pa.Table, parquet: Path) -> int:
    # Replaced atomically: readers see the table of a complete run, this one or an earlier one.
    part = parquet.with_name(f".{parquet.name}.{os.getpid()}")
    pq.write_table(cuts, part)
    part.replace(parquet)

    failed = cuts.filter(pc.is_valid(cuts["error_code"]))
    made = count(cuts, pc.equal(cuts["existed"], False))
    existed = count(cuts, pc.equal(cuts["existed"], True))
    print(f"{made} made, {existed} existed, {failed.num_rows} failed")
    for row in failed.to_pylist():
        print(f"{row['path']}: {row['error_message']}", file=sys.stderr)
    if failed.num_rows == 0:
        return 0
    return 75 if all(failed["error_retryable"].to_pylist()) else 1


if __name__ == "__main__":
    sys.exit(main())
