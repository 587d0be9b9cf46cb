"""What one value of pipelines.yaml may be."""

import re
from contextlib import suppress
from ipaddress import IPv6Address, ip_network
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from crawler.config.yamlfile import SECRET_KEYS
from crawler.reading.hostnames import ascii_host, with_ascii_host
from crawler.storage.partitions import check_site_name

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_CLUSTER = re.compile(r"(?:[a-z]+://)?(?:[\w.-]+|\[[0-9a-f:.]+\]):\d{1,5}", re.IGNORECASE)


def _regex(value: str) -> str:
    try:
        re.compile(value)
    except re.error as problem:
        raise ValueError(f"a regular expression ({problem})") from None
    return value


def _is_host(name: str | None) -> bool:
    return bool(name) and not any(char.isspace() for char in name or "")


def _http_url(value: str) -> str:
    with suppress(ValueError):
        parts = urlsplit(value)
        # Asked for the port, urlsplit tells whether it can be one.
        is_place = _is_host(parts.hostname) and parts.port != 0
        if ":" in (parts.hostname or ""):
            IPv6Address(parts.hostname or "")
        # A password would not be sent, and stand in every table.
        if parts.scheme in ("http", "https") and is_place and "@" not in parts.netloc:
            return with_ascii_host(value)
    raise ValueError("an absolute http or https URL, without user name or password")


def _proxy_url(value: str) -> str:
    with suppress(ValueError):
        parts = urlsplit(value)
        is_place = _is_host(parts.hostname) and parts.port != 0
        if parts.scheme in ("http", "https") and is_place and parts.path in ("", "/"):
            return value
    raise ValueError("the http or https URL of a proxy, such as http://user:password@host:3128")


def _host(value: str) -> str:
    with suppress(ValueError):
        ip_network(value)
        return value
    with suppress(ValueError):
        host = value if value.isascii() else ascii_host(value)
        if re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
            return host
    raise ValueError("a lower-case host name, IP address or network")


def _charset(value: str) -> str:
    # Here, for the parsers take time to import, and most configurations name no charset.
    from crawler.reading.html import is_charset

    if not is_charset(value):
        raise ValueError("a charset that Python knows, such as shift_jis")
    return value


def _site_name(value: str) -> str:
    try:
        return check_site_name(value)
    except ValueError:
        raise ValueError("lower-case letters, digits, '_' and '-'") from None


def _storage(value: str) -> str:
    """A folder, or a URI with a bucket and without keys, which others could read here."""
    if not _SCHEME.match(value):
        return value
    try:
        parts = urlsplit(value)
    except ValueError:
        parts = urlsplit("")
    if parts.password or SECRET_KEYS.search(f"&{parts.query}"):
        raise ValueError("a URI without keys: they come from the environment")
    if not parts.netloc and not value.startswith("file:///"):
        raise ValueError("a folder, or a URI such as s3://bucket/prefix")
    return value


def _schedule(value: str) -> str:
    if value not in ("hour", "day", "week"):
        # Here, for most files have no such expression.
        from apscheduler.triggers.cron import CronTrigger

        try:
            CronTrigger.from_crontab(value)
        except ValueError as problem:
            raise ValueError(f"hour, day, week or a cron expression ({problem})") from None
    return value


def _time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ValueError("a time zone such as Europe/Paris") from None
    return value


def _cluster_address(value: str) -> str:
    if value != "auto" and not _CLUSTER.fullmatch(value):
        raise ValueError("an address with a port, such as tcp://host:8786")
    return value


Regex = Annotated[str, AfterValidator(_regex)]
StorageRoot = Annotated[str, AfterValidator(_storage)]
ClusterAddress = Annotated[str, AfterValidator(_cluster_address)]
Schedule = Annotated[str, AfterValidator(_schedule)]
TimeZone = Annotated[str, AfterValidator(_time_zone)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
ProxyUrl = Annotated[str, AfterValidator(_proxy_url)]
Host = Annotated[str, AfterValidator(_host)]
CharsetName = Annotated[str, AfterValidator(_charset)]
SiteName = Annotated[
    str,
    Field(json_schema_extra={"pattern": r"^[a-z0-9_-]+(\.[a-z0-9_-]+)*$"}),
    AfterValidator(_site_name),
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Section(BaseModel):
    """A part of the file: frozen, without a key it does not know, each value of its own type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
