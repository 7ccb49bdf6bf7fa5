"""Sets the wheel's platform tag to the platform of its engines."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EngineHook(BuildHookInterface):  # type: ignore[type-arg]
    """Without engines, the wheel is for all platforms, and uses the `trim` on the PATH."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        engines = Path(self.root, "src/trim_media/engines")
        if not any(engines.glob("trim-*")):
            return
        usual = f"manylinux_2_36_{platform.machine()}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('TRIM_WHEEL_PLATFORM', usual)}"
