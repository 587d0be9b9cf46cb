"""What has changed since somebody was told: each change is told once, to each that is to know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from crawler.config.stages import NotifyConfig
from crawler.storage.outfile import whole_file
from extractor.health.state import Health, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A site that fell ill, got worse, has another trouble, or is well again."""

    health: Health
    before: str
    """What was told of it last: `ok` or a state with its cause."""

    def __str__(self) -> str:
        """The change in a line."""
        if self.health.is_bad:
            return str(self.health)
        return f"{self.health.site}: well again; it was {self.before}"

    def to_row(self) -> dict[str, Any]:
        """What JSON tells of it."""
        return {"site": self.health.site, "before": self.before, **self.health.to_row()}


class Told:
    """What each channel was told of each site last, in a file of the state folder."""

    def __init__(self, state_folder: str) -> None:
        self._path = Path(state_folder, "told.json")
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        self._told: dict[str, dict[str, str]] = found if isinstance(found, dict) else {}

    def changes(self, channel: NotifyConfig, sites: Iterable[Health]) -> list[Change]:
        """What the channel does not know yet."""
        known = self._told.get(_key(channel), {})
        found = []
        for health in sites:
            before = known.get(health.site, str(State.OK))
            # One that is but watched after it was ill is not well again.
            is_unsure = health.state is State.WATCH and before != State.OK
            if _word(health) != before and not is_unsure:
                found.append(Change(health=health, before=before))
        return found

    def add(self, channel: NotifyConfig, changes: Sequence[Change]) -> None:
        """The channel knows these now."""
        known = self._told.setdefault(_key(channel), {})
        known |= {change.health.site: _word(change.health) for change in changes}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self._path) as hidden:
            hidden.write_text(json.dumps(self._told, indent=1, sort_keys=True), encoding="utf-8")


def _word(health: Health) -> str:
    """What is told of a site: all that wakes nobody is one, for `watch` may be nothing."""
    if health.trouble is None or not health.is_bad:
        return str(State.OK)
    return f"{health.state}, {health.trouble.cause}"


def _key(channel: NotifyConfig) -> str:
    return sha256(channel.model_dump_json().encode()).hexdigest()[:16]
