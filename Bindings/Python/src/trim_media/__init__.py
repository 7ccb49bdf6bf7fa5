"""Reports how long media files really are, and makes frame-accurate cuts.

    >>> import trim_media
    >>> facts = trim_media.probe("samples/late-start.mp4")
    >>> facts.length, facts.durations.declared.length
    (Fraction(2, 1), Fraction(4, 1))

Every time is a `fractions.Fraction` of seconds. A file that cannot be read raises a `TrimError`.
`Engine` processes many files in parallel.
"""

from ._edits import EditList, Identity, ListPart, Marker, Source
from ._engine import AsyncEngine, Engine, Row, calling_shared, configure, shared
from ._errors import (
    EngineDiedError,
    EngineMissingError,
    InputError,
    MediaError,
    MissingError,
    OutputError,
    TaskError,
    TemporaryError,
    TooLongError,
    TrimError,
)
from ._facts import (
    Chapter,
    Container,
    Damage,
    Duration,
    Durations,
    Facts,
    Frame,
    Keyframe,
    Note,
    Rule,
    Track,
)
from ._found import Finding, Findings, NotLookedFor, Unseen
from ._project import LengthLimit, Project, identity_of
from ._results import (
    Check,
    Cut,
    CutTrack,
    Frames,
    Join,
    Part,
    Plan,
    Strip,
    StripPicture,
    Waveform,
)
from ._retime import Retimed, retime
from ._stores import StoredFile
from ._tasks import Task
from ._times import Time
from ._version import __version__

probe = calling_shared(Task.probe)
check = calling_shared(Task.check)
plan = calling_shared(Task.plan)
cut = calling_shared(Task.cut)
cuts = calling_shared(Task.cuts)
join = calling_shared(Task.join)
strip = calling_shared(Task.strip)
frames = calling_shared(Task.frames)
find = calling_shared(Task.find)
waveform = calling_shared(Task.waveform)

__all__ = [
    "AsyncEngine",
    "Chapter",
    "Check",
    "Container",
    "Cut",
    "CutTrack",
    "Damage",
    "Duration",
    "Durations",
    "EditList",
    "Engine",
    "EngineDiedError",
    "EngineMissingError",
    "Facts",
    "Finding",
    "Findings",
    "Frame",
    "Frames",
    "Identity",
    "InputError",
    "Join",
    "Keyframe",
    "LengthLimit",
    "ListPart",
    "Marker",
    "MediaError",
    "MissingError",
    "NotLookedFor",
    "Note",
    "OutputError",
    "Part",
    "Plan",
    "Project",
    "Retimed",
    "Row",
    "Rule",
    "Source",
    "StoredFile",
    "Strip",
    "StripPicture",
    "Task",
    "TaskError",
    "TemporaryError",
    "Time",
    "TooLongError",
    "Track",
    "TrimError",
    "Unseen",
    "Waveform",
    "__version__",
    "check",
    "configure",
    "cut",
    "cuts",
    "find",
    "frames",
    "identity_of",
    "join",
    "plan",
    "probe",
    "retime",
    "shared",
    "strip",
    "waveform",
]
