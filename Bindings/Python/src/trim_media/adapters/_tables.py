"""The tables that every adapter returns, as Arrow schemas of version 1.

A time `x` is exactly `x_num` / `x_den` seconds; `x_s` is the same as a float, for display. Within a
version, columns are only added.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pyarrow as pa

from .._engine import Row
from .._facts import Facts
from .._found import Findings
from .._results import Check, Cut
from .._stores import is_http

VERSION = 1

_HEAD = [("schema", pa.int64()), ("path", pa.string()), ("bytes", pa.int64())]
_ERROR = [
    ("error_code", pa.string()),
    ("error_message", pa.string()),
    ("error_status", pa.int64()),
    ("error_retryable", pa.bool_()),
    ("attempts", pa.int64()),
]


def _time(name: str) -> list[tuple[str, Any]]:
    return [(f"{name}_num", pa.int64()), (f"{name}_den", pa.int64()), (f"{name}_s", pa.float64())]


KINDS = ("silence", "black", "still", "scene", "fade")

SCHEMAS: Mapping[str, Any] = {
    "probe": pa.schema(
        [
            *_HEAD,
            ("container", pa.string()),
            ("muxer", pa.string()),
            ("depth", pa.string()),
            *_time("presented"),
            *_time("presented_start"),
            *_time("declared"),
            ("verdict", pa.string()),
            ("video_codec", pa.string()),
            ("width", pa.int64()),
            ("height", pa.int64()),
            ("frames", pa.int64()),
            ("frame_rate_num", pa.int64()),
            ("frame_rate_den", pa.int64()),
            ("audio_codec", pa.string()),
            ("sample_rate", pa.int64()),
            ("channels", pa.int64()),
            ("notes", pa.string()),
            ("damage", pa.string()),
            *_ERROR,
        ]
    ),
    "check": pa.schema(
        [
            *_HEAD,
            ("passes", pa.bool_()),
            ("verdict", pa.string()),
            *_time("presented"),
            *_time("by"),
            ("damage", pa.string()),
            *_ERROR,
        ]
    ),
    "find": pa.schema(
        [
            *_HEAD,
            *(column for kind in KINDS for column in [(f"{kind}_count", pa.int64()), *_time(kind)]),
            ("findings", pa.string()),
            *_time("not_examined"),
            ("not_looked_for", pa.string()),
            *_ERROR,
        ]
    ),
    "cut": pa.schema(
        [
            *_HEAD,
            ("output", pa.string()),
            ("output_bytes", pa.int64()),
            *_time("length"),
            ("existed", pa.bool_()),
            *_ERROR,
        ]
    ),
}


def times(**given: Fraction | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None:
            found |= {f"{name}_num": value.numerator, f"{name}_den": value.denominator}
            found[f"{name}_s"] = float(value)
    return found


def _facts(facts: Facts) -> dict[str, Any]:
    durations = facts.durations
    video = next((one for one in facts.tracks if one.type == "video"), None)
    audio = next((one for one in facts.tracks if one.type == "audio"), None)
    rate = video.frame_rate if video else None
    muxers = (value for key, value in facts.tags if key in {"encoder", "muxing_app"})
    return {
        "bytes": facts.bytes,
        "container": facts.container.format,
        "muxer": next(muxers, None),
        "depth": facts.depth,
        "verdict": durations.verdict,
        "video_codec": video and video.codec,
        "width": video and video.width,
        "height": video and video.height,
        "frames": video and video.frames,
        "frame_rate_num": rate and rate.numerator,
        "frame_rate_den": rate and rate.denominator,
        "audio_codec": audio and audio.codec,
        "sample_rate": audio and audio.sample_rate,
        "channels": audio and audio.channels,
        "notes": " ".join(sorted({note.id for note in facts.notes})),
        "damage": " ".join(sorted({one.kind for one in facts.damage})),
    } | times(
        presented=facts.length,
        presented_start=durations.presented.start if durations.presented else None,
        declared=durations.declared.length if durations.declared else None,
    )


def _verdict(check: Check) -> dict[str, Any]:
    return {
        "passes": check.passes,
        "verdict": check.verdict,
        "damage": " ".join(sorted({one.kind for one in check.damage})),
    } | times(presented=check.presented.length if check.presented else None, by=check.by)


def _found(found: Findings) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "not_looked_for": " ".join(one.kind for one in found.not_looked_for),
        "findings": json.dumps(
            [
                {
                    "kind": one.kind,
                    "start": str(one.start),
                    "end": str(one.end),
                    "score": one.score,
                    "channel": one.channel,
                }
                for one in found.findings
            ]
        ),
    }
    for kind in found.kinds:
        ranges = found.of_kind(kind)
        total = sum((one.length for one in ranges), Fraction(0))
        columns |= {f"{kind}_count": len(ranges)} | times(**{kind: total})
    unseen = sum((one.end - one.start for one in found.not_examined), Fraction(0))
    return columns | times(not_examined=unseen)


def _cut(cut: Cut) -> dict[str, Any]:
    return {"output_bytes": cut.bytes, "existed": False} | times(length=cut.length)


_COLUMNS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "probe": _facts,
    "check": _verdict,
    "find": _found,
    "cut": _cut,
}


def columns(op: str, row: Row[Any]) -> dict[str, Any]:
    """Returns a row of the table, without unknown columns."""
    # As it was given, since tables are joined by it; but what signs an address is secret.
    given = row.task.path
    path = given if isinstance(given, str) and not is_http(given) else row.path
    found: dict[str, Any] = {"schema": VERSION, "path": path, "attempts": row.attempts}
    if row.raw:
        found["bytes"] = (row.raw["input"] or {}).get("bytes")
    if row.error is not None:
        return found | {
            "error_code": row.error.code,
            "error_message": row.error.message,
            "error_status": row.error.status,
            "error_retryable": row.error.retryable,
        }
    return found | _COLUMNS[op](row.unwrap())


def table(op: str, rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMAS[op])


def spark_schema(op: str) -> str:
    """Returns the columns as Spark DDL."""
    names = {pa.int64(): "bigint", pa.string(): "string", pa.float64(): "double"}
    return ", ".join(f"`{one.name}` {names.get(one.type, 'boolean')}" for one in SCHEMAS[op])


def pandas(table: pa.Table) -> Any:
    """Returns a data frame with nullable types."""
    import pandas as pd

    kinds = {
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.string(): pd.StringDtype(),
        pa.float64(): pd.Float64Dtype(),
    }
    return table.to_pandas(types_mapper=kinds.get)
