"""The `trim` command of the package: replaces this process with the engine."""

from __future__ import annotations

import os
import sys

from ._errors import EngineMissingError
from ._locate import locate


def main() -> int:
    try:
        os.execv(locate(), ["trim", *sys.argv[1:]])
    except (EngineMissingError, OSError) as error:
        print(f"trim: {error}", file=sys.stderr)
    return 69
